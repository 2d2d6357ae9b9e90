// Generated from the server's structs by `python -m qwixx.server.typescript`; do not edit.

/** What somebody wants to play. */
export interface OpenTable {
  variant: string;
  sheet?: string;
  bots?: string[];
  name?: string | null;
}

/** Who wants to play which game of today. The token is drawn by the device itself, and kept there. */
export interface BeginDay {
  variant: string;
  device: string;
  name: string;
}

/** Who I am: the tokens of all seats this device plays; none for a spectator. */
export interface Hello {
  t: "hello";
  tokens?: string[];
  changes?: boolean;
  table?: string;
}

/** Take a free seat in the lobby; or, coming late, the named seat of a bot that plays for nobody. */
export interface Sit {
  t: "sit";
  name: string;
  seat?: number;
}

/** Give my seat another name; as the host, in the lobby, anybody's. */
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
  level: "easy" | "master" | "normal" | "strong";
}

/** Remove a bot in the lobby. */
export interface RemoveBot {
  t: "removeBot";
  seat: number;
}

/** As the host, in the lobby, move a seat to another place in the order of turns. */
export interface Move {
  t: "move";
  seat: number;
  to: number;
}

/** As the host, hand that over to another person. */
export interface MakeHost {
  t: "makeHost";
  seat: number;
}

/** Change the table's options in the lobby; absent keys stay. Late-comers can be let in or kept out at any time. */
export interface SetOptions {
  t: "options";
  timer?: number;
  sealed?: boolean;
  realDice?: boolean;
  sheet?: string;
  lucky?: string[] | null;
  late?: boolean;
  hints?: boolean;
}

/** Add words of my own to the seed of the dice, in the lobby; the ones before are forgotten. */
export interface AddWords {
  t: "words";
  seat: number;
  words: string;
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

/** Take my seat's choice back while the phase is open. */
export interface Withdraw {
  t: "withdraw";
  seat: number;
  phase: number;
}

/** Take my seat's last decision back after its phase; people who are here are asked, bots are not. */
export interface Undo {
  t: "undo";
  seat: number;
  phase: number;
}

/** Answer somebody who wants to take a decision back. */
export interface AgreeUndo {
  t: "agreeUndo";
  yes: boolean;
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

/** Ask what is best for my seat in this phase; everybody is told that I did, and the record notes it. */
export interface AskHint {
  t: "hint";
  seat: number;
  phase: number;
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

/** Vote for a bot in place of somebody who is here and does not move, at a table without a clock. */
export interface Vote {
  t: "vote";
  seat: number;
}

/** As the host, send a person away from the lobby; or ban them until the game is over, during it too. */
export interface Remove {
  t: "remove";
  seat: number;
  ban?: boolean;
}

/** Take my name out of a finished game. */
export interface ForgetName {
  t: "forgetName";
  seat: number;
}

/** Delete a finished game with its table, or a table where nobody else sits. */
export interface DeleteTable {
  t: "delete";
}

/** Say yes to another game: it begins with the last yes of those here; or `now`, with bots for the others. */
export interface Rematch {
  t: "rematch";
  now?: boolean;
}

/** Show the others a sign, from my seat. */
export interface React {
  t: "react";
  seat: number;
  sign: "bravo" | "hurry" | "laugh" | "ouch" | "thanks" | "wow";
}

/** Is anybody there. */
export interface Ping {
  t: "ping";
}

/** One printed number. */
export interface CellLayout {
  value: number;
  color: string;
  boxed: boolean;
  pair: string;
}

/** One row: its key, the die that leaves with it, and from which place on a cell closes it. */
export interface RowLayout {
  key: string;
  lock: string;
  closesFrom: number;
  cells: CellLayout[];
}

/** A sheet, or the duel's board. */
export interface Layout {
  rows: RowLayout[];
  bar: string[];
  pairs: Record<string, string>;
  points: number[];
  missPoints: number;
  misses: number;
  pawns: number;
  closingCrosses: number;
  endRows: number;
}

/** One game of the family. */
export interface GameEntry {
  id: string;
  seats: [number, number];
  flow: "cards" | "dice";
  duel: boolean;
  mixed: boolean;
  sides: number;
  sheets: string[];
  luckyPads: string[];
  layouts: Record<string, Layout>;
  bots: ("easy" | "master" | "normal" | "strong")[];
}

/** All games, in the order of the rule book. */
export interface Catalogue {
  games: GameEntry[];
}

/** A table was opened; the token of whoever sat down at once. */
export interface Opened {
  code: string;
  token?: string;
}

/** A table in a few words. */
export interface TableFacts {
  code: string;
  variant: string;
  stage: "lobby" | "over" | "playing";
  seats: number;
}

/** How the server is. */
export interface Health {
  ok: boolean;
  version: string;
  tables: number;
  loaded: number;
  connections: number;
  troubles: string[];
}

/** What is kept for how long. */
export interface Keeping {
  unfinishedDays: number;
  finishedDays: number;
  graceDays: number;
  contact: string;
}

/** Why a request was refused. */
export interface Failure {
  code: string;
}

/** How friends reach this server. */
export interface Reached {
  link: string;
  onlyHere: boolean;
  mayOpen: boolean;
}

/** A game came in; the tokens of its people's seats, and whether it is over. */
export interface Brought {
  code: string;
  tokens: string[];
  over: boolean;
}

/** How a game ended: why, with what scores, and who won; equal totals share the win (C12). */
export interface Outcome {
  ending: string;
  scores: number[];
  winners: number[];
}

/** The dice were rolled (C2). */
export interface Rolled {
  e: "rolled";
  roll: string;
}

/** The cards were dealt (K2). */
export interface Dealt {
  e: "dealt";
}

/** The discards became the new pile (K3). */
export interface Shuffled {
  e: "shuffled";
  cards: number;
}

/** A seat has decided; nobody learns what until all have (C3). */
export interface Decided {
  e: "decided";
  seat: number;
}

/** A cell was crossed (C1). */
export interface Crossed {
  e: "crossed";
  seat: number;
  cell: string;
}

/** A seat closed a row and crossed its lock (C7); in the duel, put a pawn on it (D7). */
export interface Locked {
  e: "locked";
  seat: number;
  row: string;
}

/** A boxed cell used a cell of the bar, counted from 1 (BA2). */
export interface BonusUsed {
  e: "bonus";
  seat: number;
  barCell: number;
}

/** A bonus cross that could not be made (BA5, BB2, BB3). */
export interface BonusLost {
  e: "lost";
  seat: number;
  row: string;
}

/** Both cells of a pair are crossed, and it takes effect (BB1, BB4). */
export interface PairCompleted {
  e: "pair";
  seat: number;
  kind: string;
}

/** Cards were played from the hand (K5). */
export interface Played {
  e: "played";
  seat: number;
  cards: string[];
}

/** Cards were taken from the display; everybody saw their numbers (K3). */
export interface Took {
  e: "took";
  seat: number;
  numbers: number[];
}

/** The pile's top card shows the number for all (K4). */
export interface NumberShown {
  e: "number";
  number: number;
}

/** A pawn went to a free cell (D2). */
export interface Placed {
  e: "placed";
  seat: number;
  cell: string;
}

/** A pawn took the place of the opponent's (D3). */
export interface Captured {
  e: "captured";
  seat: number;
  cell: string;
}

/** A pawn was put on top of one's own (D4). */
export interface Stacked {
  e: "stacked";
  seat: number;
  cell: string;
}

/** A row is closed for all (C8). */
export interface RowClosed {
  e: "closed";
  row: string;
}

/** A color die left the game (C8, G3). */
export interface DieLeft {
  e: "die-left";
  color: string;
}

/** A cell of the bar was struck, counted from 1 (BA4). */
export interface BarStruck {
  e: "struck";
  seat: number;
  barCell: number;
}

/** The active seat crossed nothing in its turn (C6, K6, D6). */
export interface Missed {
  e: "missed";
  seat: number;
}

/** The game ended (C11, K8, D8). */
export interface GameOver {
  e: "over";
  ending: string;
}

/** The next seat is active (C13). */
export interface TurnBegan {
  e: "turn";
  seat: number;
}

/** The game goes on to another phase. */
export interface PhaseBegan {
  e: "phase";
  phase: string;
}

/** A seat took its last decision back; the table told it, the rules know nothing of it. */
export interface TakenBack {
  e: "undone";
  seat: number;
}

/** A seat took a hint; the table told it, the rules know nothing of it. */
export interface Hinted {
  e: "hinted";
  seat: number;
}

/** The clock of a table ran out, and the table decided for a seat; the rules know nothing of it. */
export interface TimedOut {
  e: "late";
  seat: number;
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

/** One seat's paper, or its pawns in the duel. */
export interface SheetView {
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

/** A game as somebody sees it. `seat` is None for a spectator. */
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
  gone: string[];
  sheets: SheetView[];
  ending: string | null;
  number: number | null;
  display: (number | null)[];
  pileSize: number;
  discards: string[];
}

/** One step of a game and what it led to; the first frame has no step. */
export interface Frame {
  step: string;
  events: AnyEvent[];
  view: View;
}

/** A whole game. */
export interface Replay {
  code: string;
  variant: string;
  sheet: string;
  names: string[];
  outcome: Outcome;
  frames: Frame[];
}

/** How many have finished a game today. */
export interface PlayedToday {
  variant: string;
  players: number;
}

/** The day: its date, the seconds until the next one, and its games. */
export interface Today {
  date: string;
  ends: number;
  games: PlayedToday[];
}

/** The table of somebody's game of a day, and the token of its seat. */
export interface BegunDay {
  code: string;
  token: string;
  date: string;
}

/** How many scores lie in a span of points, from its least on. */
export interface ScoreBar {
  least: number;
  count: number;
}

/** A score among all of its day. */
export interface DayResult {
  date: string;
  variant: string;
  code: string;
  score: number;
  players: number;
  better: number;
  average: number;
  best: number;
  step: number;
  bars: ScoreBar[];
  optimum: number;
  master?: number | null;
}

/** One seat of the room. */
export interface SeatInfo {
  seat: number;
  name: string;
  kind: "bot" | "person";
  level: "easy" | "master" | "normal" | "strong" | null;
  here: boolean;
  votes: number;
  words: string;
}

/** How a table plays. */
export interface Options {
  timer: number;
  sealed: boolean;
  realDice: boolean;
  sheet: string;
  lucky: string[] | null;
  late: boolean;
  hints: boolean | null;
}

/** Somebody wants to take a decision back. */
export interface UndoWish {
  seat: number;
  waiting: number[];
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
  voteAfter: number;
  undo: UndoWish | null;
  again: number[];
  promise: string;
  seed: string;
  day: string;
  hints: boolean;
  follows: boolean;
}

/** A seat is yours; keep the token. */
export interface Seated {
  t: "seated";
  seat: number;
  token: string;
}

/** What one of my seats may do. */
export interface Mine {
  legal: string[];
  choice: string | null;
  passCost: number;
  passMiss: boolean;
  closes: Record<string, string[]>;
  ends: string[];
  view?: View;
}

/** Where the game stands, and what happened since the last `state`. */
export interface State {
  t: "state";
  phase: number;
  view: View;
  mine: Record<string, Mine>;
  events: AnyEvent[];
  deadline: number | null;
  rollers: number[];
  undoable: number[];
  outcome: Outcome | null;
  choices?: Record<string, string>;
  story?: AnyEvent[];
}

/** What is new in a `View`; of its sheets those that have changed. */
export interface ViewChange {
  variant?: string;
  seat?: number | null;
  seats?: number;
  active?: number;
  turn?: number;
  phase?: string;
  deciders?: number[];
  choice?: string | null;
  dice?: string | null;
  crossed?: boolean;
  closed?: string[];
  gone?: string[];
  sheets?: SheetView[];
  ending?: string | null;
  number?: number | null;
  display?: (number | null)[];
  pileSize?: number;
  discards?: string[];
}

/** What has become of the last `state` or `change`, for pages that understand it: all else is as it was. */
export interface Change {
  t: "change";
  phase: number;
  view: ViewChange;
  mine: Record<string, Mine>;
  events: AnyEvent[];
  deadline: number | null;
  rollers: number[];
  undoable: number[];
  outcome: Outcome | null;
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

/** A fact that speaks for or against a choice: its kind, what it counts, a row, numbers of cells or cards. */
export interface Reason {
  kind: string;
  n?: number;
  row?: string;
  numbers?: number[];
  k?: number;
  total?: number;
}

/** One legal choice, what it is worth and why. */
export interface Advised {
  action: string;
  value: number;
  loss: number;
  reasons: Reason[];
}

/** What a seat asked for: all its legal choices, best first. */
export interface Hint {
  t: "hint";
  seat: number;
  phase: number;
  source: string;
  measure: "points" | "win";
  choices: Advised[];
}

/** Somebody shows a sign. */
export interface Reaction {
  t: "reaction";
  seat: number;
  sign: "bravo" | "hurry" | "laugh" | "ouch" | "thanks" | "wow";
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

/** What the operator has to say to everybody, and for how many seconds; an empty text: nothing any more. */
export interface Announcement {
  t: "announcement";
  text: string;
  seconds: number;
}

export type AnyEvent = Rolled | Dealt | Shuffled | Decided | Crossed | Locked | BonusUsed | BonusLost | PairCompleted | Played | Took | NumberShown | Placed | Captured | Stacked | RowClosed | DieLeft | BarStruck | Missed | GameOver | TurnBegan | PhaseBegan | TakenBack | Hinted | TimedOut;

export type FromPage = Hello | Sit | Rename | Stand | AddBot | RemoveBot | Move | MakeHost | SetOptions | AddWords | Start | Decide | Withdraw | Undo | AgreeUndo | Roll | AskWhy | AskHint | ToBot | TakeBack | Vote | Remove | ForgetName | DeleteTable | Rematch | React | Ping;

export type FromServer = TableState | Seated | State | Change | Why | Hint | Reaction | Error | Pong | Announcement;
