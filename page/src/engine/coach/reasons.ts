/** Reasons for and against a choice: decoded from the numbers of the kernel into reasons of the protocol. */
import type { Reason } from "../../protocol.ts";
import type { Words } from "../module.ts";
import type { Rules } from "../rules.ts";

/** Return the reasons for and against a legal action of a seat, in the kernel's order. */
export function reasonsOf(rules: Rules, state: Words, seat: number, action: number): Reason[] {
  const { module, at, game } = rules;
  const { kinds, reason: size, none } = module.tables.telling;
  const told = module.reasons(at, state, seat, action);
  const found: Reason[] = [];
  for (let place = 0; place < told.length; place += size) {
    const [kind = 0, n = none, row = none, ways = 0, total = 0, count = 0, ...numbers] = told.subarray(
      place,
      place + size,
    );
    const reason: Reason = { kind: kinds[kind]! };
    if (n !== none) reason.n = n;
    if (row !== none) reason.row = game.rows[row]!.key;
    if (count) reason.numbers = numbers.slice(0, count);
    if (total) Object.assign(reason, { k: ways, total });
    found.push(reason);
  }
  return found;
}
