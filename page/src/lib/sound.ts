/** Small sounds made on the spot: no files to load, silent unless the reader wants them. */
import type { AnyEvent } from "./protocol.ts";
import { settings } from "./settings.svelte.ts";

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

const SOUNDS: Record<string, () => void> = {
  rolled: () => [0, 0.07, 0.13, 0.22].forEach((at, i) => tone(180 + 60 * (i % 3), at, 0.06, "square", 0.05)),
  dealt: () => [0, 0.08, 0.16].forEach((at) => tone(320, at, 0.05, "square", 0.04)),
  crossed: () => [0, 0.09].forEach((at) => tone(520, at, 0.08, "sawtooth", 0.04)),
  placed: () => tone(300, 0, 0.12),
  captured: () => [0, 0.08].forEach((at, i) => tone(300 - 90 * i, at, 0.14)),
  bonus: () => [0, 0.08, 0.16].forEach((at, i) => tone(520 * 1.26 ** i, at, 0.14)),
  pair: () => [0, 0.08, 0.16].forEach((at, i) => tone(520 * 1.26 ** i, at, 0.14)),
  locked: () => [0, 0.12].forEach((at, i) => tone(390 + 130 * i, at, 0.25)),
  missed: () => tone(150, 0, 0.35, "sine", 0.18),
  over: () => [0, 0.12, 0.24, 0.36].forEach((at, i) => tone([392, 494, 587, 784][i]!, at, 0.5)),
};

/** Let the reader hear what happened: one sound per kind of event. */
export function sound(events: readonly AnyEvent[]): void {
  if (!settings.sound) return;
  for (const word of new Set(events.map((event) => event.e))) SOUNDS[word]?.();
}
