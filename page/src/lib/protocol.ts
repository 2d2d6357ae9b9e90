// Generated from src/qwixx/server/protocol.py by `python -m qwixx.server.typescript`; do not edit.

/** Who I am: the tokens of all seats this device plays; none for a spectator. */
export interface Hello {
  t: "hello";
  tokens?: string[];
}

/** Take a free seat in the lobby. */
export interface Sit {
  t: "sit";
  name: string;
}

/** Give my seat another name. */
export interface Rename {
  t: "rename";
  seat: number;
  name: string;
}

/** Give up my seat in the lobby. */
export interface Stand {
  t: "stand";
  seat: number;
}

/** Add a bot in the lobby. */
export interface AddBot {
  t: "addBot";
  level: "easy" | "normal" | "strong";
}

/** Remove a bot in the lobby. */
export interface RemoveBot {
  t: "removeBot";
  seat: number;
}

/** Change the table's options in the lobby; absent keys stay. */
export interface SetOptions {
  t: "options";
  timer?: number;
  sealed?: boolean;
  realDice?: boolean;
  sheet?: string;
  lucky?: string[] | null;
}

/** Begin the game. */
export interface Start {
  t: "start";
}

/** Decide for my seat in this phase. */
export interface Decide {
  t: "decide";
  seat: number;
  phase: number;
  action: string;
}

/** Real dice: say what lies on the table. */
export interface Roll {
  t: "roll";
  dice: string;
}

/** Ask why this is not possible. */
export interface AskWhy {
  t: "why";
  seat: number;
  action: string;
}

/** Give an absent person's seat, or my own, to a bot. */
export interface ToBot {
  t: "toBot";
  seat: number;
}

/** Take my seat back from the bot. */
export interface TakeBack {
  t: "takeBack";
  seat: number;
}

/** Open the next table with the same people. */
export interface Rematch {
  t: "rematch";
}

/** Is anybody there. */
export interface Ping {
  t: "ping";
}

/** One seat of the room. */
export interface SeatInfo {
  seat: number;
  name: string;
  kind: "bot" | "person";
  level: "easy" | "normal" | "strong" | null;
  here: boolean;
}

/** How a table plays. */
export interface Options {
  timer: number;
  sealed: boolean;
  realDice: boolean;
  sheet: string;
  lucky: string[] | null;
}

/** The table as a room. */
export interface TableState {
  t: "table";
  code: string;
  variant: string;
  sheet: string;
  stage: "lobby" | "over" | "playing";
  host: number | null;
  mine: number[];
  seats: SeatInfo[];
  options: Options;
  watchers: number;
  next: string | null;
}

/** A seat is yours; keep the token. */
export interface Seated {
  t: "seated";
  seat: number;
  token: string;
}

/** One row of one seat. */
export interface RowView {
  key: string;
  crosses: number[];
  heights: number[];
  locked: boolean;
  count: number;
  points: number;
}

/** One seat's paper, as in `qwixx.view.SheetView`. */
export interface Sheet {
  seat: number;
  rows: RowView[];
  misses: number;
  score: number;
  used: number[];
  struck: number[];
  lucky: number[];
  pawnsLeft: number | null;
  hand: string[] | null;
  handSize: number;
}

/** A game as somebody sees it, as in `qwixx.View`. */
export interface View {
  variant: string;
  seat: number | null;
  seats: number;
  active: number;
  turn: number;
  phase: string;
  deciders: number[];
  choice: string | null;
  dice: string | null;
  crossed: boolean;
  closed: string[];
  sheets: Sheet[];
  ending: string | null;
  number: number | null;
  display: (number | null)[];
  pileSize: number;
  discards: string[];
}

/** What one of my seats may do. */
export interface Mine {
  legal: string[];
  choice: string | null;
  passCost: number;
  passMiss: boolean;
  view?: View;
}

/** How the game ended. */
export interface OutcomeInfo {
  ending: string;
  scores: number[];
  winners: number[];
}

/** Where the game stands, and what happened since the last `state`. */
export interface State {
  t: "state";
  phase: number;
  view: View;
  mine: Record<string, Mine>;
  events: Record<string, (number | string)[] | number | string>[];
  deadline: number | null;
  rollers: number[];
  outcome: OutcomeInfo | null;
  choices?: Record<string, string>;
}

/** Why something is not possible; code `allowed` if it is. */
export interface Why {
  t: "why";
  seat: number;
  action: string;
  code: string;
  rule: string;
  details: Record<string, number | string>;
}

/** Something was refused; nothing changed. */
export interface Error {
  t: "error";
  code: string;
  rule?: string;
  details?: Record<string, number | string>;
}

/** Yes. */
export interface Pong {
  t: "pong";
}

export type FromPage = Hello | Sit | Rename | Stand | AddBot | RemoveBot | SetOptions | Start | Decide | Roll | AskWhy | ToBot | TakeBack | Rematch | Ping;

export type FromServer = TableState | Seated | State | Why | Error | Pong;
