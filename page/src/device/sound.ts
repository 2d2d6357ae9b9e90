/**
 * Synthesized sounds and vibration: no files to load.
 *
 * Sounds are off by default, vibration can be turned off, and reduced motion turns off both.
 */
import type { AnyEvent } from "../protocol.ts";
import { prefersReducedMotion, settings } from "./settings.svelte.ts";

let context: AudioContext | undefined;

function tone(pitch: number, start: number, length: number, kind: OscillatorType = "triangle", loud = 0.12): void {
  context ??= new AudioContext();
  const begin = context.currentTime + start;
  const oscillator = context.createOscillator();
  const volume = context.createGain();
  oscillator.type = kind;
  oscillator.frequency.value = pitch;
  volume.gain.setValueAtTime(loud, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(begin);
  oscillator.stop(begin + length);
}

/** A scratch of noise through a narrow filter: a pencil on paper, or a die on wood. */
function scratch(pitch: number, start: number, length: number, loud: number): void {
  context ??= new AudioContext();
  const noise = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length);
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  const volume = context.createGain();
  source.buffer = noise;
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  volume.gain.value = loud;
  source.connect(filter).connect(volume).connect(context.destination);
  source.start(context.currentTime + start);
}

const SOUNDS: Record<string, () => void> = {
  rolled: () => [0, 0.09, 0.16, 0.28, 0.36, 0.5].forEach((at, i) => scratch(900 + 260 * (i % 3), at, 0.05, 0.5)),
  dealt: () => [0, 0.08, 0.16].forEach((at) => scratch(2_400, at, 0.07, 0.3)),
  crossed: () => [0, 0.15].forEach((at) => scratch(3_200, at, 0.13, 0.45)),
  placed: () => tone(300, 0, 0.12),
  captured: () => [0, 0.08].forEach((at, i) => tone(300 - 90 * i, at, 0.14)),
  bonus: () => [0, 0.08, 0.16].forEach((at, i) => tone(520 * 1.26 ** i, at, 0.14)),
  pair: () => [0, 0.08, 0.16].forEach((at, i) => tone(520 * 1.26 ** i, at, 0.14)),
  locked: () => [0, 0.12].forEach((at, i) => tone(390 + 130 * i, at, 0.25)),
  missed: () => tone(150, 0, 0.35, "sine", 0.18),
  over: () => [0, 0.12, 0.24, 0.36].forEach((at, i) => tone([392, 494, 587, 784][i]!, at, 0.5)),
};

/** Vibration patterns in milliseconds: vibration and pause in turn. */
const TOUCHES: Record<string, number[]> = {
  rolled: [12, 40, 12, 60, 18],
  crossed: [14],
  placed: [14],
  stacked: [14],
  captured: [20, 40, 20],
  locked: [25, 45, 45],
  missed: [90],
};

/** Play one sound for each kind of event, and vibrate for events on own sheets. */
export function sound(events: readonly AnyEvent[], mine: readonly number[]): void {
  if (prefersReducedMotion()) return;
  if (settings.sound) for (const word of new Set(events.map((event) => event.e))) SOUNDS[word]?.();
  const own = events.filter((event) => !("seat" in event) || mine.includes(event.seat));
  // Only the strongest one: the list is ordered from weak to strong.
  const felt = Object.keys(TOUCHES).findLast((word) => own.some((event) => event.e === word));
  if (felt) touch(TOUCHES[felt]!);
}

/** Vibrate, if it is turned on and the user has touched the page: before that browsers forbid it. */
function touch(pattern: number[]): void {
  if (settings.haptics && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(pattern);
}

/** A choice was pencilled in. */
export function pencil(): void {
  if (prefersReducedMotion()) return;
  if (settings.sound) scratch(3_600, 0, 0.08, 0.25);
  touch([10]);
}

/** Play two soft notes as a reminder. Browsers stay silent until the user has touched the page. */
export function chime(): void {
  try {
    tone(523, 0, 0.4, "sine", 0.09);
    tone(784, 0.16, 0.4, "sine", 0.09);
  } catch {
    // this browser makes no sounds
  }
}
