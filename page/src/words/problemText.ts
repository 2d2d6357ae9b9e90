/** Why a position or a sheet is impossible, as a sentence. */
import type { Problem } from "../engine/setup.ts";
import type { Layout } from "../protocol.ts";
import { t } from "./i18n.svelte.ts";
import { replyText, rowName } from "./labels.ts";

export function problemText(problem: Problem, layout: Layout, nameOf: (seat: number) => string): string {
  if (problem.kind !== "rule") {
    const { seat, cell, why } = problem;
    const reply = { t: "why" as const, seat, action: cell, code: why.code, rule: why.rule, details: why.details };
    return t("count.slip", { name: nameOf(seat), why: replyText(reply) });
  }
  const { name, about, least, most } = problem;
  const row = name === "shared" ? about : name === "lock" ? least : -1;
  return t(`setup.${name}`, {
    name: about >= 0 ? nameOf(about) : "",
    row: row >= 0 ? rowName(layout.rows[row]!.key) : "",
    n: most,
    cards: least === most ? `${most}` : `${least}–${most}`,
  });
}
