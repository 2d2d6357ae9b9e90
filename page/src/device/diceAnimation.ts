/** Dice that fall, bounce and roll to where they lie, each a little differently every time. */
import { prefersCalm } from "./settings.svelte.ts";

const FRAMES = 28;

/** The way of one die through the air, from `from` at the left above to its place. */
function path(): Keyframe[] {
  const away = -70 - Math.random() * 90;
  const high = 34 + Math.random() * 26;
  const bounces = 2.4 + Math.random() * 0.8;
  const spin = (Math.random() < 0.5 ? -1 : 1) * (300 + Math.random() * 420);
  const flip = 360 * (1 + Math.round(Math.random()));
  return Array.from({ length: FRAMES + 1 }, (_, i) => {
    const rest = 1 - i / FRAMES;
    const x = away * rest ** 2;
    const y = -high * rest ** 1.5 * Math.abs(Math.cos(bounces * Math.PI * (1 - rest)));
    // Around two axes while it flies, flat when it lies.
    return {
      transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) perspective(300px) rotateX(${(flip * rest ** 1.6).toFixed(0)}deg) rotate(${(spin * rest ** 1.6).toFixed(0)}deg)`,
    };
  });
}

/** Let a die tumble; calls `show` with faces that pass by, and with null when it lies. Nothing moves for who wants no motion. */
export function tumble(die: Element, sides: number, show: (face: number | null) => void): (() => void) | undefined {
  if (prefersCalm() || !("animate" in die)) return undefined;
  const motion = die.animate(path(), { duration: 720 + Math.random() * 380, easing: "linear", fill: "backwards" });
  const faces = setInterval(() => show(1 + Math.floor(Math.random() * sides)), 85);
  const end = (): void => {
    clearInterval(faces);
    show(null);
  };
  motion.onfinish = end;
  return () => {
    motion.cancel();
    end();
  };
}
