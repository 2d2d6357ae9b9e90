/** The animation of dice: they are thrown from below, bounce and roll, with random variation. */
import { motionMs } from "./motion.ts";

const FRAMES = 28;

/** Return the keyframes of one die, from the player's side to its place: it never passes over the text above. */
function path(): Keyframe[] {
  const away = (Math.random() - 0.5) * 120;
  const high = 34 + Math.random() * 26;
  const bounces = 2.4 + Math.random() * 0.8;
  const spin = (Math.random() < 0.5 ? -1 : 1) * (300 + Math.random() * 420);
  const flip = 360 * (1 + Math.round(Math.random()));
  return Array.from({ length: FRAMES + 1 }, (_, i) => {
    const rest = 1 - i / FRAMES;
    const x = away * rest ** 2;
    const y = high * rest ** 1.5 * Math.abs(Math.cos(bounces * Math.PI * (1 - rest)));
    // It turns around two axes and ends flat.
    return {
      transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) perspective(300px) rotateX(${(flip * rest ** 1.6).toFixed(0)}deg) rotate(${(spin * rest ** 1.6).toFixed(0)}deg)`,
    };
  });
}

/** Animate a die, and call `show` with random faces. Return a function that ends it: only then its own face may show. */
export function tumble(die: Element, sides: number, show: (face: number) => void): () => void {
  const duration = motionMs("dice") * (0.75 + Math.random() * 0.25);
  const motion = "animate" in die ? die.animate(path(), { duration, easing: "linear", fill: "backwards" }) : null;
  const pass = (): void => show(1 + Math.floor(Math.random() * sides));
  pass();
  const faces = setInterval(pass, 85);
  return () => {
    clearInterval(faces);
    motion?.cancel();
  };
}
