/** Messages of a local table, built from its room and game: the same as a server's. */
import { isRefusal, type Kernel } from "../engine/index.ts";
import { emptyRoom } from "./emptyRoom.ts";
import type { AnyEvent, GameEntry, SeatState, State, TableState } from "../protocol.ts";
import type { Dealer } from "./dealer.ts";
import { addRemarkEvents, remarkEventsAfter, splitRemarks } from "./ledgerRemarks.ts";
import { hasHints, isPerson, type Room } from "./room.ts";

/** A new listener gets at most so many events of the past. */
const MAX_STORY_EVENTS = 240;

export function tableMessage(room: Room): TableState {
  const seats = room.seats.map(({ name, level }, seat) => {
    const kind: "bot" | "person" = level === null ? "person" : "bot";
    return { seat, name, kind, level, here: true, votes: 0, words: "" };
  });
  const { code, variant, stage, options, next } = room;
  const mine = room.seats.flatMap((seat, place) => (seat.own ? [place] : []));
  const host = mine.find((place) => isPerson(room.seats[place])) ?? mine[0] ?? null;
  const sheet = options.sheet || variant;
  return emptyRoom({
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

/** Return the state of the game for the seats that people play on this device; null before the start. */
export function stateMessage(room: Room, dealer: Dealer, deadline: number | null): State | null {
  const { game, phase, events } = dealer;
  if (!game) return null;
  const mine: Record<string, SeatState> = {};
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

/** Return the past events for a new listener, in whole turns, with undone decisions and hints, as a server does. */
export function storyOf(kernel: Kernel, record: string): AnyEvent[] {
  const { played, remarks } = splitRemarks(record);
  const frames = kernel.frames(played);
  if (isRefusal(frames) || !frames.length) return [];
  const told: AnyEvent[] = [{ e: "turn", seat: frames[0]!.view.active }];
  for (const { events } of addRemarkEvents(frames, remarks))
    told.push(...events.filter(({ e }) => e !== "decided" && e !== "phase"));
  told.push(...remarkEventsAfter(remarks, frames.length - 1));
  const start = told.findIndex(({ e }, place) => e === "turn" && told.length - place <= MAX_STORY_EVENTS);
  return told.slice(Math.max(0, start));
}

/** Return the bot that takes over the seat of a person. */
export function defaultBot(game: GameEntry): GameEntry["bots"][number] | undefined {
  return game.bots.includes("normal") ? "normal" : game.bots.at(-1);
}
