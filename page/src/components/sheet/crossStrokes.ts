/** A cross in a box of 24 by 24: two strokes. */
export const CROSS: readonly string[] = ["M4 4 20 20", "M20 4 4 20"];
