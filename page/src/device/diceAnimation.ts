/** The animation of dice: they fall, bounce and roll, with random variation. */
import { prefersReducedMotion } from "./settings.svelte.ts";

const FRAMES = 28;

/** Return the keyframes of one die, from the upper left to its place. */
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
    // It turns around two axes and ends flat.
    return {
      transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) perspective(300px) rotateX(${(flip * rest ** 1.6).toFixed(0)}deg) rotate(${(spin * rest ** 1.6).toFixed(0)}deg)`,
    };
  });
}

/** Animate a die; call `show` with random faces, and with null at the end. No animation if the system asks for less motion. */
export function tumble(die: Element, sides: number, show: (face: number | null) => void): (() => void) | undefined {
  if (prefersReducedMotion() || !("animate" in die)) return undefined;
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
