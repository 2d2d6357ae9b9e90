/**
 * What was tapped or asked and is not known to have arrived: it shows at once, waits while the line is away, and goes out again on
 * return if the window is still the same. If it is not, it is told what became of it.
 */
import { cellOf, readPlay, split } from "./actions.ts";
import type { Error as Refused, FromPage, State } from "./protocol.ts";
import { actionName } from "./words.ts";

interface Pending {
  seat: number;
  phase: number;
  /** What was chosen; null: the choice is taken back. */
  action: string | null;
  /** Whether it is on its way; else it waits for the line. */
  isSent: boolean;
}

/** What is asked of the table and answered later: what is best, and whether all want another game. */
type Question = Extract<FromPage, { t: "hint" | "rematch" }>;

interface Asked {
  question: Question;
  phase: number;
  isSent: boolean;
}

/** How far a choice has come: on its way, kept until the line is back, or with the table. */
export type Delivery = "sending" | "waiting" | "sent";

export class Outbox {
  private pendings = $state.raw<readonly Pending[]>([]);
  /** Dice that lie on the table and could not be said yet, with the phase they are for. */
  private rolled = $state.raw<{ phase: number; dice: string } | null>(null);
  private asked = $state.raw<readonly Asked[]>([]);

  constructor(private readonly send: (message: FromPage) => boolean) {}

  /** What a seat has chosen, as far as this device knows. */
  choiceOf(state: State, seat: number): string | null {
    const pending = this.find(seat);
    return pending ? pending.action : (state.mine[seat]?.choice ?? null);
  }

  /** How far a seat's choice has come; null if there is none. */
  deliveryOf(state: State, seat: number): Delivery | null {
    const pending = this.find(seat);
    if (pending) return pending.isSent ? "sending" : "waiting";
    return state.mine[seat]?.choice ? "sent" : null;
  }

  /** Whether dice that were tapped in wait for the line. */
  get keepsRoll(): boolean {
    return this.rolled !== null;
  }

  /** Whether somebody waits for an answer. */
  awaits(kind: Question["t"]): boolean {
    return this.asked.some(({ question }) => question.t === kind);
  }

  /** Ask something; who asks again has changed the question. */
  ask({ phase }: State, question: Question): void {
    this.forget(question.t);
    this.asked = [...this.asked, this.said({ question, phase, isSent: false })];
  }

  /** Nobody waits for the answer any more. */
  forget(kind: Question["t"]): void {
    this.asked = this.asked.filter(({ question }) => question.t !== kind);
  }

  /** Choose for a seat, or with null take its choice back. */
  choose(state: State, seat: number, action: string | null): void {
    const pending = this.find(seat);
    const isUnheard = pending && !pending.isSent && !state.mine[seat]?.choice;
    if (action === null && isUnheard) this.pendings = this.others(seat);
    else this.post({ seat, phase: state.phase, action, isSent: false });
  }

  roll(state: State, dice: string): void {
    this.rolled = { phase: state.phase, dice };
    this.sayRoll();
  }

  /** Nobody knows whether what was on its way has arrived: what the table says on return decides. */
  lineLost(): void {
    this.pendings = this.pendings.map((pending) => ({ ...pending, isSent: false }));
    this.asked = this.asked.map((asked) => ({ ...asked, isSent: false }));
  }

  /** Something was refused: what is on its way is not sure any more, and the table says what counts. */
  refused(): void {
    this.pendings = this.pendings.filter((pending) => !pending.isSent);
    this.asked = this.asked.filter((asked) => !asked.isSent);
  }

  /** Compare with what the table says; what waits goes out if its window is still open. Gives what has to be told. */
  settle(state: State): Refused | null {
    const before = this.pendings;
    const isOpen = ({ seat, phase }: Pending) => phase === state.phase && state.mine[seat] !== undefined;
    this.pendings = before.filter((pending) => isOpen(pending) && state.mine[pending.seat]!.choice !== pending.action);
    for (const pending of this.pendings) if (!pending.isSent) this.post(pending);
    if (this.rolled && (this.rolled.phase !== state.phase || !state.rollers.length)) this.rolled = null;
    this.sayRoll();
    this.asked = this.asked.filter((asked) => asked.phase === state.phase).map((asked) => this.said(asked));
    const missed = before.find((pending) => !isOpen(pending) && !pending.isSent && !isIn(state, pending));
    return missed ? missedMessage(missed) : null;
  }

  private find(seat: number): Pending | undefined {
    return this.pendings.find((pending) => pending.seat === seat);
  }

  private others(seat: number): Pending[] {
    return this.pendings.filter((pending) => pending.seat !== seat);
  }

  private post(pending: Pending): void {
    const { seat, phase, action } = pending;
    const message: FromPage = action === null ? { t: "withdraw", seat, phase } : { t: "decide", seat, phase, action };
    this.pendings = [...this.others(seat), { ...pending, isSent: this.send(message) }];
  }

  private said(asked: Asked): Asked {
    return asked.isSent ? asked : { ...asked, isSent: this.send(asked.question) };
  }

  private sayRoll(): void {
    if (this.rolled && this.send({ t: "roll", dice: this.rolled.dice })) this.rolled = null;
  }
}

/** Whether the game shows what was chosen. Whoever passed has lost nothing. */
function isIn({ view }: State, { seat, action }: Pending): boolean {
  if (action === "pass") return true;
  const cell = cellOf(action);
  const cells = action?.startsWith("play:") ? readPlay(action).cells : cell ? [cell] : [];
  const rows = view.sheets[seat]?.rows ?? [];
  return (
    cells.length > 0 &&
    cells.map(split).every(({ key, value }) => rows.some((row) => row.key === key && row.crosses.includes(value)))
  );
}

function missedMessage({ action }: Pending): Refused {
  // Cards that were drawn look the same whoever drew them.
  if (action === null || action.startsWith("take:")) return { t: "error", code: "went-on" };
  return { t: "error", code: "choice-lost", details: { choice: actionName(action) } };
}
