/**
 * Synthesized sounds and vibration: no files to load.
 *
 * Sounds are off by default, vibration can be turned off, and reduced motion turns off both.
 */
import type { AnyEvent } from "../protocol.ts";
import { split } from "../engine/text/actionText.ts";
import { motionMs } from "./motion.ts";
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

/** A dry knock on wood. */
function knock(pitch: number, start: number): void {
  scratch(pitch, start, 0.05, 0.6);
  tone(pitch / 4, start, 0.06, "sine", 0.1);
}

/** A stamp on paper, higher along the row. */
function stamp(cell: string): void {
  const { key, value } = split(cell);
  const place = "gb".includes(key) ? 12 - value : value - 2;
  scratch(2_600, 0, 0.07, 0.5);
  tone(220 * 1.06 ** Math.max(0, place), 0, 0.12, "triangle", 0.12);
}

const SOUNDS: Partial<{ [E in AnyEvent["e"]]: (event: Extract<AnyEvent, { e: E }>) => void }> = {
  // Three knocks, the last one when the dice land.
  rolled: () => [0.1, 0.6, 1].forEach((part, i) => knock(1_100 - 180 * i, (part * motionMs("dice")) / 1000)),
  dealt: () => [0, 0.08, 0.16].forEach((at) => scratch(2_400, at, 0.07, 0.3)),
  crossed: ({ cell }) => stamp(cell),
  placed: () => tone(300, 0, 0.12),
  captured: () => [0, 0.08].forEach((at, i) => tone(300 - 90 * i, at, 0.14)),
  bonus: () => [0, 0.08, 0.16].forEach((at, i) => tone(520 * 1.26 ** i, at, 0.14)),
  pair: () => [0, 0.08, 0.16].forEach((at, i) => tone(520 * 1.26 ** i, at, 0.14)),
  // A bolt, and a low chord.
  locked: () => {
    [0, 0.07].forEach((at) => knock(500, at));
    [98, 147, 196].forEach((pitch) => tone(pitch, 0.12, 0.7, "triangle", 0.1));
  },
  missed: () => {
    tone(95, 0, 0.3, "sine", 0.2);
    scratch(160, 0, 0.12, 0.5);
  },
  // Four notes, one for each row.
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
  if (settings.sound)
    for (const event of new Map(events.map((each) => [each.e, each])).values())
      (SOUNDS[event.e] as ((event: AnyEvent) => void) | undefined)?.(event);
  const own = events.filter((event) => !("seat" in event) || mine.includes(event.seat));
  // Only the strongest one: the list is ordered from weak to strong.
  const felt = Object.keys(TOUCHES).findLast((word) => own.some((event) => event.e === word));
  if (felt) touch(TOUCHES[felt]!);
}

/** Vibrate, if it is turned on and the user has touched the page: before that browsers forbid it. */
function touch(pattern: number[]): void {
  if (settings.haptics && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(pattern);
}

/** The sum of the dice appears. */
export function tick(): void {
  if (settings.sound && !prefersReducedMotion()) tone(1_320, 0, 0.04, "square", 0.05);
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
