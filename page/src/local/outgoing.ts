/** From a room and its game to the words on the line: the same as a server's. */
import { isRefusal, type Kernel } from "../kernel/index.ts";
import { plainRoom } from "../lib/plain-room.ts";
import type { AnyEvent, GameEntry, Mine, State, TableState } from "../lib/protocol.ts";
import type { Dealer } from "./dealer.ts";
import { tellRemarks, toldAfter, unweave } from "./remarks.ts";
import { hasHints, isPerson, type Room } from "./room.ts";

/** Events that somebody who comes is told of at most. */
const LONGEST_STORY = 240;

export function tableMessage(room: Room): TableState {
  const seats = room.seats.map(({ name, level }, seat) => {
    const kind: "bot" | "person" = level === null ? "person" : "bot";
    return { seat, name, kind, level, here: true, votes: 0, words: "" };
  });
  const { code, variant, stage, options, next } = room;
  const mine = room.seats.flatMap((seat, place) => (seat.own ? [place] : []));
  const host = mine.find((place) => isPerson(room.seats[place])) ?? mine[0] ?? null;
  const sheet = options.sheet || variant;
  return plainRoom({
    code,
    variant,
    sheet,
    stage,
    host,
    mine,
    seats,
    options: { ...options },
    next,
    day: room.day ?? "",
    hints: hasHints(room),
  });
}

/** Where the game stands, for the seats of this device that people play now; null before it has begun. */
export function stateMessage(room: Room, dealer: Dealer, deadline: number | null): State | null {
  const { game, phase, events } = dealer;
  if (!game) return null;
  const mine: Record<string, Mine> = {};
  room.seats.forEach((seat, place) => {
    if (seat.own && isPerson(seat)) mine[place] = game.mine(place);
  });
  const [rollers, undoable] = [dealer.rollers(), dealer.undoable()];
  const state: State = {
    t: "state",
    phase,
    view: game.view(null),
    mine,
    events,
    deadline,
    rollers,
    undoable,
    outcome: game.outcome(),
  };
  if (!room.options.sealed) state.choices = choicesOf(room, dealer);
  return state;
}

function choicesOf(room: Room, { game }: Dealer): Record<string, string> {
  const choices: Record<string, string> = {};
  room.seats.forEach((_, place) => {
    const choice = game?.view(place).choice;
    if (choice) choices[place] = choice;
  });
  return choices;
}

/** What happened so far, whole turns, as a server tells it to somebody who comes, with what was taken back and who took hints. */
export function storyOf(kernel: Kernel, record: string): AnyEvent[] {
  const { played, remarks } = unweave(record);
  const frames = kernel.frames(played);
  if (isRefusal(frames) || !frames.length) return [];
  const told: AnyEvent[] = [{ e: "turn", seat: frames[0]!.view.active }];
  for (const { events } of tellRemarks(frames, remarks))
    told.push(...events.filter(({ e }) => e !== "decided" && e !== "phase"));
  told.push(...toldAfter(remarks, frames.length - 1));
  const start = told.findIndex(({ e }, place) => e === "turn" && told.length - place <= LONGEST_STORY);
  return told.slice(Math.max(0, start));
}

/** The bot that plays for somebody who leaves their seat to one. */
export function usualBot(game: GameEntry): GameEntry["bots"][number] | undefined {
  return game.bots.includes("normal") ? "normal" : game.bots.at(-1);
}
