/** Messages of a local table, built from its room and game: the same as a server's. */
import { isRefusal, type Kernel } from "../engine/index.ts";
import { emptyRoom } from "./emptyRoom.ts";
import { TABLE, type AnyEvent, type GameEntry, type SeatState, type State, type TableState } from "../protocol.ts";
import type { Dealer } from "./dealer.ts";
import { addRemarkEvents, remarkEventsAfter, remarksOf } from "./ledgerRemarks.ts";
import { announces, hasHints, isPerson, type Room } from "./room.ts";

/** Events that the page shows in other ways. */
const SILENT: readonly string[] = TABLE.silent;

export function tableMessage(room: Room): TableState {
  const seats = room.seats.map(({ name, level, plain = false }, seat) => {
    const kind: "bot" | "person" = level === null ? "person" : "bot";
    return { seat, name, kind, level, here: true, votes: 0, words: "", seal: "", nextSeal: "", plain };
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
    announces: announces(room),
  });
}

/** Return the state of the game for the seats that people play on this device; null before the start. */
export function stateMessage(room: Room, dealer: Dealer, events: AnyEvent[], deadline: number | null): State | null {
  const { core, game, phase } = dealer;
  if (!core || !game) return null;
  const mine: Record<string, SeatState> = {};
  room.seats.forEach((seat, place) => {
    if (seat.own && isPerson(seat)) mine[place] = game.mine(place);
  });
  const [rollers, undoable] = [dealer.rollers(), core.undoable()];
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
  if (!room.options.sealed) state.choices = Object.fromEntries(core.choices());
  const announced = dealer.announced();
  if (announced.size) state.announced = Object.fromEntries(announced);
  const undoLeft = Math.round(dealer.undoLeft() * 10) / 10;
  if (undoLeft) state.undoLeft = undoLeft;
  return state;
}

/** Return the past events for a new listener, in whole turns, with undone decisions and hints, as a server does. */
export function storyOf(kernel: Kernel, record: string): AnyEvent[] {
  const remarks = remarksOf(record);
  const frames = kernel.frames(record);
  if (isRefusal(frames) || !frames.length) return [];
  const told: AnyEvent[] = [{ e: "turn", seat: frames[0]!.view.active }];
  for (const { events } of addRemarkEvents(frames, remarks))
    told.push(...events.filter(({ e }) => !SILENT.includes(e)));
  told.push(...remarkEventsAfter(remarks, frames.length - 1));
  const start = told.findIndex(({ e }, place) => e === "turn" && told.length - place <= TABLE.maxStory);
  return told.slice(Math.max(0, start));
}

/** Return the bot that takes over the seat of a person. */
export function defaultBot(game: GameEntry): GameEntry["bots"][number] | undefined {
  return game.bots.includes(TABLE.bot) ? TABLE.bot : game.bots.at(-1);
}
