/**
 * The outbox: choices and questions that the table has not acknowledged yet.
 *
 * A choice is shown at once. While the connection is lost it waits, and after a reconnect it is sent again if its decision window
 * is still open. If the window has closed, the page says that the choice was lost.
 */
import { cellOf, readPlay, split } from "../engine/text/actionText.ts";
import type { Error as Refused, FromPage, State } from "../protocol.ts";
import { actionName } from "../words/labels.ts";

interface PendingChoice {
  seat: number;
  phase: number;
  /** The chosen action; null withdraws the choice. */
  action: string | null;
  /** Whether it was sent; else it waits for the connection. */
  isSent: boolean;
}

/** Requests that the table answers later: a hint, or a rematch. */
type Question = Extract<FromPage, { t: "hint" | "rematch" }>;

interface PendingQuestion {
  question: Question;
  phase: number;
  isSent: boolean;
}

/** The delivery status of a choice: sent but not acknowledged, waiting for the connection, or acknowledged. */
export type Delivery = "sending" | "waiting" | "sent";

export class Outbox {
  private choices = $state.raw<readonly PendingChoice[]>([]);
  /** Real dice that could not be sent yet, with the phase they belong to. */
  private rolled = $state.raw<{ phase: number; dice: string } | null>(null);
  private questions = $state.raw<readonly PendingQuestion[]>([]);

  constructor(private readonly transmit: (message: FromPage) => boolean) {}

  /** Return what a seat has chosen, as far as this device knows. */
  choiceOf(state: State, seat: number): string | null {
    const pending = this.find(seat);
    return pending ? pending.action : (state.mine[seat]?.choice ?? null);
  }

  /** Return the delivery status of a seat's choice; null if there is no choice. */
  deliveryOf(state: State, seat: number): Delivery | null {
    const pending = this.find(seat);
    if (pending) return pending.isSent ? "sending" : "waiting";
    return state.mine[seat]?.choice ? "sent" : null;
  }

  /** Whether real dice wait for the connection. */
  get hasPendingRoll(): boolean {
    return this.rolled !== null;
  }

  /** Return whether an answer to this kind of request is outstanding. */
  awaits(kind: Question["t"]): boolean {
    return this.questions.some(({ question }) => question.t === kind);
  }

  /** Send a request; it replaces an earlier one of the same kind. */
  ask({ phase }: State, question: Question): void {
    this.forget(question.t);
    this.questions = [...this.questions, this.sendQuestion({ question, phase, isSent: false })];
  }

  /** Stop waiting for an answer. */
  forget(kind: Question["t"]): void {
    this.questions = this.questions.filter(({ question }) => question.t !== kind);
  }

  /** Choose for a seat, or withdraw its choice with null. */
  choose(state: State, seat: number, action: string | null): void {
    const pending = this.find(seat);
    const isUnacknowledged = pending && !pending.isSent && !state.mine[seat]?.choice;
    if (action === null && isUnacknowledged) this.choices = this.others(seat);
    else this.sendChoice({ seat, phase: state.phase, action, isSent: false });
  }

  roll(state: State, dice: string): void {
    this.rolled = { phase: state.phase, dice };
    this.sendRoll();
  }

  /** The connection is lost. Messages on the way may or may not have arrived; the next state decides. */
  disconnected(): void {
    this.choices = this.choices.map((pending) => ({ ...pending, isSent: false }));
    this.questions = this.questions.map((asked) => ({ ...asked, isSent: false }));
  }

  /** The table has refused something: drop everything that was sent, and trust the next state. */
  refused(): void {
    this.choices = this.choices.filter((pending) => !pending.isSent);
    this.questions = this.questions.filter((asked) => !asked.isSent);
  }

  /** Compare with the state of the table; send what waits if its window is still open. Return an error if a choice was lost. */
  acknowledge(state: State): Refused | null {
    const before = this.choices;
    const isOpen = ({ seat, phase }: PendingChoice) => phase === state.phase && state.mine[seat] !== undefined;
    this.choices = before.filter((pending) => isOpen(pending) && state.mine[pending.seat]!.choice !== pending.action);
    for (const pending of this.choices) if (!pending.isSent) this.sendChoice(pending);
    if (this.rolled && (this.rolled.phase !== state.phase || !state.rollers.length)) this.rolled = null;
    this.sendRoll();
    this.questions = this.questions
      .filter((asked) => asked.phase === state.phase)
      .map((asked) => this.sendQuestion(asked));
    const lost = before.find((pending) => !isOpen(pending) && !pending.isSent && !isApplied(state, pending));
    return lost ? lostChoiceMessage(lost) : null;
  }

  private find(seat: number): PendingChoice | undefined {
    return this.choices.find((pending) => pending.seat === seat);
  }

  private others(seat: number): PendingChoice[] {
    return this.choices.filter((pending) => pending.seat !== seat);
  }

  private sendChoice(pending: PendingChoice): void {
    const { seat, phase, action } = pending;
    const message: FromPage = action === null ? { t: "withdraw", seat, phase } : { t: "decide", seat, phase, action };
    this.choices = [...this.others(seat), { ...pending, isSent: this.transmit(message) }];
  }

  private sendQuestion(asked: PendingQuestion): PendingQuestion {
    return asked.isSent ? asked : { ...asked, isSent: this.transmit(asked.question) };
  }

  private sendRoll(): void {
    if (this.rolled && this.transmit({ t: "roll", dice: this.rolled.dice })) this.rolled = null;
  }
}

/** Return whether the game shows the choice. A pass has no visible effect, so it counts as applied. */
function isApplied({ view }: State, { seat, action }: PendingChoice): boolean {
  if (action === "pass") return true;
  const cell = cellOf(action);
  const cells = action?.startsWith("play:") ? readPlay(action).cells : cell ? [cell] : [];
  const rows = view.sheets[seat]?.rows ?? [];
  return (
    cells.length > 0 &&
    cells.map(split).every(({ key, value }) => rows.some((row) => row.key === key && row.crosses.includes(value)))
  );
}

function lostChoiceMessage({ action }: PendingChoice): Refused {
  // Drawn cards do not show who drew them, so it is unknown whether this draw was applied.
  if (action === null || action.startsWith("take:")) return { t: "error", code: "went-on" };
  return { t: "error", code: "choice-lost", details: { choice: actionName(action) } };
}
