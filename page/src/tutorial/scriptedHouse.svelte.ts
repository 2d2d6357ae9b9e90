/**
 * A house with one table, whose game is set up by hand: the screen's table, desk and parts play in it as anywhere else.
 *
 * Lessons and the training room are such houses. They know no rule: where a script stands, what is legal there and why
 * something is not, the rules in this page say.
 */
import type { House, Line, Listener } from "../lib/house.ts";
import { plainRoom } from "../lib/plain-room.ts";
import type { AnyEvent, FromPage, FromServer, GameEntry, Mine, Outcome, State, TableState } from "../lib/protocol.ts";
import type { Script, Standing } from "../local/calls.ts";
import type { here } from "../local/here.ts";

/** What every such house asks of the rules. */
export type ScriptRules = Pick<typeof here, "stand" | "whyThere" | "games">;

/** Where its table stands. */
interface Room {
  code: string;
  variant: string;
  sheet: string;
  /** The seat of whoever sits at the screen. */
  mine: number;
  names: readonly string[];
}

/** What is told of the game: what the reader may do there, and what has just happened. */
interface Told {
  seat: number;
  own: Mine;
  events?: AnyEvent[];
  outcome?: Outcome | null;
}

export abstract class ScriptedHouse implements House {
  readonly place = "here";
  /** Whether the rules cannot be had here. */
  isBroken = $state(false);

  protected standing: Standing | null = null;
  /** Counts what was asked: nothing that was meant for an earlier script may count for a later one. */
  protected count = 0;
  private listener: Listener | null = null;

  protected constructor(private readonly asked: ScriptRules) {}

  /** Somebody sits down at the table. */
  protected abstract begin(): void;
  protected abstract decide(action: string): Promise<void> | void;
  protected abstract explain(action: string): Promise<void> | void;

  /** Ask where a script ends; null if something else was asked meanwhile, or the rules cannot be had. */
  protected async ask(script: Script, seat: number): Promise<Standing | null> {
    const asked = ++this.count;
    try {
      const standing = await this.asked.stand(script, seat);
      return asked === this.count ? standing : null;
    } catch {
      this.isBroken = true;
      return null;
    }
  }

  /** Ask why a seat may not decide this where a script ends, and give what tells it to the table. */
  protected async reasonFor(script: Script, seat: number, action: string): Promise<() => void> {
    const found = await this.asked.whyThere(script, seat, action).catch(() => null);
    const { code, rule, details } = found ?? { code: "allowed", rule: "", details: {} };
    return () => this.tell({ t: "why", seat, action, code, rule, details });
  }

  protected tell(message: FromServer): void {
    this.listener?.receive(message);
  }

  protected tellRoom({ code, variant, sheet, mine, names }: Room): void {
    const seats: TableState["seats"] = names.map((name, seat) => ({
      seat,
      name,
      kind: "person",
      level: null,
      here: true,
      votes: 0,
      words: "",
    }));
    const options = { timer: 0, sealed: true, realDice: false, sheet: "", lucky: null, late: false, hints: null };
    this.tell(plainRoom({ code, variant, sheet, stage: "playing", host: null, mine: [mine], seats, options }));
  }

  protected tellState({ seat, own, events = [], outcome = null }: Told): void {
    const { view } = this.standing!;
    const state: State = {
      t: "state",
      phase: this.count,
      view,
      mine: { [seat]: own },
      events,
      deadline: null,
      rollers: [],
      undoable: [],
      outcome,
    };
    this.tell(state);
  }

  // ---- the house

  connect(_code: string, listener: Listener): Line {
    this.listener = listener;
    queueMicrotask(() => {
      listener.connected(true);
      this.begin();
    });
    return { send: (message) => this.hear(message), close: () => (this.listener = null) };
  }

  /** Answer a little later, as everybody does: whoever asks has first to note that they did. */
  private hear(message: FromPage): boolean {
    if (message.t === "decide") queueMicrotask(() => void this.decide(message.action));
    else if (message.t === "why") queueMicrotask(() => void this.explain(message.action));
    return true;
  }

  games(): Promise<GameEntry[]> {
    return this.asked.games();
  }

  exists(): Promise<boolean> {
    return Promise.resolve(true);
  }

  // What is set up by hand is no game that is opened, kept or seen again.
  open(): Promise<never> {
    return Promise.reject(new Error("404"));
  }

  replay(): Promise<never> {
    return Promise.reject(new Error("404"));
  }

  record(): Promise<never> {
    return Promise.reject(new Error("404"));
  }
}
