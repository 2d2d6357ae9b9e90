/** Chances as texts: "12 %", "under 1 %" as a sign, and how exact they are. */
import { language } from "./i18n.svelte.ts";

/** A share without digits after the point. */
export function shareText(share: number): string {
  return new Intl.NumberFormat(language(), { style: "percent" }).format(share);
}

/** A chance as people read it: what was never seen in a sample may still happen. */
export function chanceText({ share, half }: { share: number; half: number }): string {
  if (half && share < 0.01) return `< ${shareText(0.01)}`;
  if (half && share > 0.99) return `> ${shareText(0.99)}`;
  return shareText(share);
}

/** "±3", empty for an exact chance and where a sign says enough. */
export function marginText({ share, half }: { share: number; half: number }): string {
  return half && share >= 0.01 && share <= 0.99 ? `±${Math.max(1, Math.round(100 * half))}` : "";
}
