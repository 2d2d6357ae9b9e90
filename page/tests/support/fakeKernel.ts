/** A minimal game with the interface of the kernel: in every phase all seats choose "a" or "pass"; the third is the last. */
import type { BeginOptions, Kernel, LocalGame, Refusal } from "../../src/engine/index.ts";
import type { AnyEvent, GameEntry, Hint, SeatState, View } from "../../src/protocol.ts";

const LAST = 3;
const GAME = {
  id: "classic",
  seats: [1, 5],
  flow: "dice",
  duel: false,
  sheets: [],
  luckyPads: [],
  bots: ["easy", "normal"],
};

function refusal(error: Refusal["error"], code = ""): Refusal {
  return { error, code, rule: error === "illegal" ? "C1" : "", details: {} };
}

class FakeGame {
  readonly variant = "classic";
  readonly sheet = "classic";
  readonly active = 0;
  readonly turn = 1;
  private choices = new Map<number, string>();
  private round = 0;
  phase = "roll";

  constructor(
    readonly seats: number,
    private readonly steps: string[] = [],
  ) {
    const known = steps.splice(0);
    for (const step of known) {
      const [word = "", text = ""] = step.split(" ");
      if (word === "roll") this.setRoll(text);
      else this.decide(Number(word), text);
    }
  }

  get lastStep(): string {
    return this.steps.at(-1) ?? "";
  }
  get isOver(): boolean {
    return this.phase === "over";
  }
  get awaitsChance(): boolean {
    return this.phase === "roll";
  }
  deciders(): number[] {
    if (this.phase !== "white") return [];
    return Array.from({ length: this.seats }, (_, seat) => seat).filter((seat) => !this.choices.has(seat));
  }
  view(seat: number | null): View {
    return { seat, phase: this.phase, choice: (seat !== null && this.choices.get(seat)) || null } as View;
  }
  legal(): string[] {
    return this.phase === "white" ? ["a", "pass"] : [];
  }
  mine(seat: number): SeatState {
    return {
      legal: this.legal(),
      choice: this.choices.get(seat) ?? null,
      passCost: 0,
      passMiss: false,
      closes: {},
      ends: [],
    };
  }
  hint(seat: number): Omit<Hint, "t" | "phase"> {
    return {
      seat,
      source: "learned",
      measure: "win",
      choices: this.legal().map((action) => ({ action, value: 0.5, loss: 0, reasons: [] })),
    };
  }
  whyNot(_seat: number, action: string): Refusal | null {
    return action === "a" ? null : refusal("illegal", "left-of-cross");
  }
  roll(): AnyEvent[] | Refusal {
    return this.setRoll("11/1111");
  }
  setRoll(text: string): AnyEvent[] | Refusal {
    if (!/^\d\d\/\d{4}$/.test(text)) return refusal("unreadable");
    if (this.phase !== "roll") return refusal("not-now");
    this.steps.push(`roll ${text}`);
    this.phase = "white";
    return [
      { e: "rolled", roll: text },
      { e: "phase", phase: "white" },
    ];
  }
  decide(seat: number, action: string): AnyEvent[] | Refusal {
    if (this.phase !== "white") return refusal("not-now");
    if (!this.legal().includes(action)) return refusal("illegal", "left-of-cross");
    this.steps.push(`${seat} ${action}`);
    this.choices.set(seat, action);
    if (this.deciders().length) return [{ e: "decided", seat }];
    this.choices.clear();
    this.round += 1;
    this.phase = this.round === LAST ? "over" : "roll";
    return [this.isOver ? { e: "over", ending: "rows" } : { e: "phase", phase: "roll" }];
  }
  copy(): FakeGame {
    return new FakeGame(this.seats, [...this.steps]);
  }
  scores(): number[] {
    return Array.from({ length: this.seats }, () => 0);
  }
  outcome(): { ending: string; scores: number[]; winners: number[] } | null {
    return this.isOver ? { ending: "rows", scores: this.scores(), winners: [0] } : null;
  }
  record(): string {
    return [`fake ${this.seats}`, ...this.steps, ""].join("\n");
  }
  choose(player: string): string {
    if (player === "easy") return "pass";
    throw new Error("this one cannot play");
  }
}

function replay(record: string): LocalGame | Refusal {
  const [head = "", ...steps] = record.split("\n").filter((line) => line && !line.startsWith("#"));
  const seats = /^fake (\d)$/.exec(head)?.[1];
  return seats ? (new FakeGame(Number(seats), steps) as unknown as LocalGame) : refusal("unreadable");
}

export const fakeKernel = {
  catalogue: { games: [GAME as unknown as GameEntry] },
  begin: ({ seats }: BeginOptions) => new FakeGame(seats) as unknown as LocalGame,
  replay,
  frames: () => [],
  prepare: async () => undefined,
  learn: async () => true,
} as unknown as Kernel;
