/**
 * A host with one table, whose game follows a script. The page uses it like any other host.
 *
 * Lessons and puzzles are such hosts. They contain no rule: the engine in the page computes the state at the end of a script, what is
 * legal there, and why an action is not.
 */
import type { House, Line, Listener } from "../house.ts";
import { emptyRoom } from "../local/emptyRoom.ts";
import { DEFAULTS } from "../local/room.ts";
import type { AnyEvent, FromPage, FromServer, GameEntry, SeatState, Outcome, State, TableState } from "../protocol.ts";
import type { Script, ScriptState } from "../local/workerMessages.ts";
import type { localHouse } from "../local/localHouse.ts";

/** The calls to the engine that every such host needs. */
export type ScriptRules = Pick<typeof localHouse, "stand" | "whyInScript" | "games">;

/** The state of its table. */
interface Room {
  code: string;
  variant: string;
  sheet: string;
  /** The seat of the reader. */
  mine: number;
  names: readonly string[];
}

/** The messages of the table: the legal actions of the reader, and the latest events. */
interface Told {
  seat: number;
  own: SeatState;
  events?: AnyEvent[];
  outcome?: Outcome | null;
}

export abstract class ScriptedHouse implements House {
  readonly place = "here";
  /** Whether this browser cannot run the rules. */
  isBroken = $state(false);

  protected standing: ScriptState | null = null;
  /** Counts requests: an answer for an earlier script must not count for a later one. */
  protected count = 0;
  private listener: Listener | null = null;

  protected constructor(private readonly asked: ScriptRules) {}

  /** A screen has connected to the table. */
  protected abstract begin(): void;
  protected abstract decide(action: string): Promise<void> | void;
  protected abstract explain(action: string): Promise<void> | void;

  /** Return the state at the end of a script; null if it is outdated meanwhile, or the rules are not available. */
  protected async ask(script: Script, seat: number): Promise<ScriptState | null> {
    const asked = ++this.count;
    try {
      const standing = await this.asked.stand(script, seat);
      return asked === this.count ? standing : null;
    } catch {
      this.isBroken = true;
      return null;
    }
  }

  /** Send the table why a seat may not choose this action at the end of a script. */
  protected async reasonFor(script: Script, seat: number, action: string): Promise<() => void> {
    const found = await this.asked.whyInScript(script, seat, action).catch(() => null);
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
      seal: "",
      nextSeal: "",
      plain: false,
    }));
    this.tell(
      emptyRoom({ code, variant, sheet, stage: "playing", host: null, mine: [mine], seats, options: DEFAULTS }),
    );
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

  // ---- the host

  connect(_code: string, listener: Listener): Line {
    this.listener = listener;
    queueMicrotask(() => {
      listener.connected(true);
      this.begin();
    });
    return { send: (message) => this.hear(message), close: () => (this.listener = null) };
  }

  /** Answer asynchronously, like every host: the caller first has to note its request. */
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

  // A scripted game cannot be opened, stored or replayed.
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
