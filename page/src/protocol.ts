// Generated from the server's structs by `python -m qwixx.server.generate_types`; do not edit.

/** Open a table for this game. */
export interface OpenTable {
  variant: string;
  sheet?: string;
  bots?: string[];
  name?: string | null;
}

/** Start a game of today's roll. The device creates its token itself and keeps it. */
export interface BeginDay {
  variant: string;
  device: string;
  name: string;
}

/** Identify this client. It is the first message on a socket; a later one replaces the tokens. */
export interface Hello {
  t: "hello";
  tokens?: string[];
  changes?: boolean;
  table?: string;
}

/** Take a free seat in the lobby; send it again to seat another person on the same device. */
export interface Sit {
  t: "sit";
  name: string;
  seat?: number;
}

/** Rename my seat; in the lobby the host may rename any seat. */
export interface Rename {
  t: "rename";
  seat: number;
  name: string;
}

/** Give up my seat in the lobby, or my seat in the next game. */
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

/** As the host, in the lobby: move a seat to another place in the order of turns. */
export interface Move {
  t: "move";
  seat: number;
  to: number;
}

/** As the host: make another person the host, who stays host from then on. */
export interface MakeHost {
  t: "makeHost";
  seat: number;
}

/** Change the options of the table in the lobby (see `Options`). Missing keys do not change. */
export interface SetOptions {
  t: "options";
  timer?: number;
  sealed?: boolean;
  realDice?: boolean;
  sheet?: string;
  lucky?: string[] | null;
  late?: boolean;
  hints?: boolean;
  announce?: boolean;
  pace?: "calm" | "fast" | "normal";
}

/** Add my own words to the seed of the dice, in the lobby, as a hash. It replaces the earlier one. */
export interface SealWords {
  t: "sealWords";
  seat: number;
  seal: string;
}

/** Open my sealed words while the table is `locked`: note the seals of all seats first. */
export interface OpenWords {
  t: "openWords";
  seat: number;
  words: string;
}

/** Start the game, as the host: the person who was made host, or the first person who is here. */
export interface Start {
  t: "start";
}

/** Decide for my seat in this phase. Until the phase resolves I may decide again, unless my choice is announced. */
export interface Decide {
  t: "decide";
  seat: number;
  phase: number;
  action: string;
}

/** Withdraw my seat's choice while the phase is open, unless it is `announced`. The choices of others stay. */
export interface Withdraw {
  t: "withdraw";
  seat: number;
  phase: number;
}

/** Ask to undo my seat's last decision, while it is in `undoable`. */
export interface Undo {
  t: "undo";
  seat: number;
  phase: number;
}

/** Answer a request to undo, for all my seats. One no is enough to decline it. */
export interface AgreeUndo {
  t: "agreeUndo";
  yes: boolean;
}

/** Real dice: enter the roll, as one of the `rollers`. */
export interface Roll {
  t: "roll";
  dice: string;
}

/** Ask why an action is not possible. The answer is `why`. */
export interface AskWhy {
  t: "why";
  seat: number;
  action: string;
}

/** Ask for the best choice of my seat, if `table.hints` allows it. The answer is `hint`. */
export interface AskHint {
  t: "hint";
  seat: number;
  phase: number;
  quiet?: boolean;
}

/** Give a seat to a bot: mine, or that of a person who left 30 seconds ago or more (`QWIXX_GRACE_SECONDS`). */
export interface ToBot {
  t: "toBot";
  seat: number;
}

/** Take my seat back from the bot. */
export interface TakeBack {
  t: "takeBack";
  seat: number;
}

/** Vote for a bot in place of a person who does not move, at a table without a clock. */
export interface Vote {
  t: "vote";
  seat: number;
}

/** As the host: send a person away from the lobby, or from a seat in the next game. */
export interface Remove {
  t: "remove";
  seat: number;
  ban?: boolean;
}

/** Remove my name from a finished game. `—` appears instead, in the replay too. */
export interface ForgetName {
  t: "forgetName";
  seat: number;
}

/** Delete a finished game with its table, as anyone who sat there; or a table where nobody else sits. */
export interface DeleteTable {
  t: "delete";
}

/** Agree to another game. When all who are here have agreed, the next table opens, with its game started. */
export interface Rematch {
  t: "rematch";
  now?: boolean;
}

/** Show everybody a reaction from my seat. More than one in 0.7 seconds is not shown. */
export interface React {
  t: "react";
  seat: number;
  sign: "bravo" | "hurry" | "laugh" | "ouch" | "thanks" | "wow";
}

/** After the game, lead its review from my seat, so that all at the table can follow. `table.leader` shows the leader. */
export interface Lead {
  t: "lead";
  seat: number;
}

/** As the leader of a review: show the others where I am. The last one is sent as `pointer`. */
export interface PointAt {
  t: "point";
  frame: number;
  seat: number;
  cell?: string;
  tried?: string;
}

/** End the review together: as its leader, or with any seat when the leader has left. */
export interface StopLeading {
  t: "stopLeading";
}

/** Ask for `pong`, which comes after the answers to all earlier messages. */
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

/** One row: its key, the die that is removed with it, and the place of the first cell that closes it. */
export interface RowLayout {
  key: string;
  lock: string;
  closesFrom: number;
  cells: CellLayout[];
}

/** The effect of cells that are marked with the same letter. */
export interface MarkLayout {
  word: string;
  sign: string;
  badge: string;
  inPairs: boolean;
  rule: string;
}

/** A sheet, or the duel's board. */
export interface Layout {
  rows: RowLayout[];
  bar: string[];
  pairs: Record<string, string>;
  marks: Record<string, MarkLayout>;
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
  printed: [number, number];
  flow: "cards" | "dice";
  duel: boolean;
  mixed: boolean;
  sides: number;
  sheets: string[];
  luckyPads: string[];
  layouts: Record<string, Layout>;
  bots: ("easy" | "master" | "normal" | "strong")[];
}

/** All games, in the order of the rulebook. */
export interface Catalogue {
  games: GameEntry[];
}

/** The code of an opened table, and the token of the seat if the request had a name. */
export interface OpenedTable {
  code: string;
  token?: string;
}

/** A summary of a table. */
export interface TableSummary {
  code: string;
  variant: string;
  stage: "lobby" | "over" | "playing";
  seats: number;
}

/** The health of the server. */
export interface Health {
  ok: boolean;
  version: string;
  tables: number;
  loaded: number;
  connections: number;
  troubles: string[];
}

/** The data that the server stores, and for how long. */
export interface RetentionInfo {
  unfinishedDays: number;
  finishedDays: number;
  graceDays: number;
  scoresDays: number;
  addressMarks: boolean;
  contact: string;
}

/** Why a request was refused. */
export interface Failure {
  code: string;
}

/** How friends reach this server. */
export interface PublicLink {
  link: string;
  onlyHere: boolean;
  mayOpen: boolean;
}

/** An imported game: its table, the tokens of its people, and whether it is over. */
export interface ImportedGame {
  code: string;
  tokens: string[];
  over: boolean;
}

/** The end of a game: its reason, the scores and the winners; equal totals share the win (C12). */
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

/** A seat has decided; its choice stays hidden until all have decided (C3). */
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

/** A bonus cross could not be made (BA5, BB2, BB3). */
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

/** Cards were taken from the display; all seats saw their numbers (K3). */
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

/** A pawn captured a pawn of the opponent (D3). */
export interface Captured {
  e: "captured";
  seat: number;
  cell: string;
}

/** A pawn was put on top of an own pawn (D4). */
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

/** The next phase of the game began. */
export interface PhaseBegan {
  e: "phase";
  phase: string;
}

/** A field of the bar exchanged the white sum for another number; counted from 1 (XC2). */
export interface Exchanged {
  e: "exchanged";
  seat: number;
  barCell: number;
}

/** The second box of a cell was crossed (DA2). */
export interface SecondCrossed {
  e: "second";
  seat: number;
  cell: string;
}

/** A cell was crossed because the cell that it is linked to was (CB2). */
export interface LinkedCrossed {
  e: "linked";
  seat: number;
  cell: string;
}

/** A small field was crossed (F4). */
export interface SmallCrossed {
  e: "small";
  seat: number;
  cell: string;
}

/** A cell of a bonus row was crossed (BP2). */
export interface BonusCellCrossed {
  e: "bonus-cell";
  seat: number;
  cell: string;
}

/** A field of the track was crossed; counted from 1 (F2). */
export interface TrackCrossed {
  e: "track";
  seat: number;
  field: number;
}

/** A seat took its last decision back. The table adds this event; the rules do not have it. */
export interface TakenBack {
  e: "undone";
  seat: number;
}

/** A seat took a hint. The table adds this event; the rules do not have it. */
export interface Hinted {
  e: "hinted";
  seat: number;
}

/** The clock ran out, and the table decided for a seat. The table adds this event; the rules do not have it. */
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
  small: number[];
}

/** One seat's sheet, or its pawns in the duel. */
export interface SheetView {
  seat: number;
  rows: RowView[];
  misses: number;
  score: number;
  used: number[];
  struck: number[];
  lucky: number[];
  exchanged: number[];
  track: number;
  pad: string;
  bonusRows: number[][];
  pawnsLeft: number | null;
  hand: string[] | null;
  handSize: number;
  backs: number[];
}

/** A game as a seat sees it. `seat` is None for a spectator. */
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

/** One step of a game with its events and the view after it; the first frame has no step. */
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

/** How a seat's value changed from start to end: `start + luck + own + others` is `final`. */
export interface ValueBreakdown {
  seat: number;
  start: number;
  luck: number;
  own: number;
  others: number;
  final: number;
  accuracy: number | null;
  grades: Record<"best" | "blunder" | "good" | "mistake" | "slip", number>;
}

/** How one step, or all decisions of one window, changed the value of each seat. */
export interface ValueChange {
  step: number;
  turn: number;
  kind: string;
  text: string;
  values: number[];
  points: number[];
  luck: number[];
  own: number[];
  others: number[];
}

/** One legal action: its value for its seat, and its loss against the best action. */
export interface Choice {
  action: string;
  value: number;
  points: number;
  loss: number;
  interval?: number;
}

/** One decision of a seat, with all its choices. */
export interface Decision {
  step: number;
  turn: number;
  seat: number;
  phase: string;
  position?: string;
  chosen: string;
  best: string;
  loss: number;
  grade: "best" | "blunder" | "good" | "mistake" | "slip";
  close: boolean;
  source: "exact" | "learned" | "played on" | "rollouts";
  choices: Choice[];
}

/** The analysis of a game. */
export interface Analysis {
  variant: string;
  seats: number;
  measure: "points" | "win";
  by: string;
  source: "exact" | "learned" | "played on" | "rollouts";
  error: number;
  start: number[];
  start_points: number[];
  scores: number[] | null;
  accounts: ValueBreakdown[];
  swings: ValueChange[];
  decisions: Decision[];
}

/** A position in which the solver has to find the best choice. */
export interface Puzzle {
  position: string;
  seat: number;
  theme: "capture" | "close" | "draw" | "miss" | "play" | "row" | "skip";
  tricky: boolean;
  choices: [string, number, number][];
  interval: number;
}

/** The number of players who have finished a game today. */
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

/** The table of a daily game, and the token of its seat. */
export interface BegunDay {
  code: string;
  token: string;
  date: string;
}

/** One bar of the histogram: the number of scores from `least` on. */
export interface ScoreBar {
  least: number;
  count: number;
}

/** A score compared with all scores of its day. */
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

/** How many other players made a choice. */
export interface ChoiceCount {
  action: string;
  players: number;
}

/** What other players chose in one of my decisions. */
export interface OthersChoices {
  step: number;
  sameSheet: boolean;
  players: number;
  choices: ChoiceCount[];
}

/** What others chose with the dice of a day, and what it cost them, for a player who has finished. */
export interface DayChoices {
  decisions: OthersChoices[];
  players: number;
  lost: number;
  luck: number;
}

/** One seat of the table. */
export interface SeatInfo {
  seat: number;
  name: string;
  kind: "bot" | "person";
  level: "easy" | "master" | "normal" | "strong" | null;
  here: boolean;
  votes: number;
  words: string;
  seal: string;
  nextSeal: string;
  plain: boolean;
}

/** The options of a table. */
export interface Options {
  timer: number;
  sealed: boolean;
  realDice: boolean;
  sheet: string;
  lucky: string[] | null;
  late: boolean;
  hints: boolean | null;
  announce: boolean | null;
  pace: "calm" | "fast" | "normal";
}

/** A request to undo a decision. */
export interface UndoRequest {
  seat: number;
  waiting: number[];
}

/** The table with its seats and options. Sent after `hello` and after every change. */
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
  undo: UndoRequest | null;
  again: number[];
  promise: string;
  seed: string;
  nextPromise: string;
  day: string;
  hints: boolean;
  lateSeats: number[];
  announces: boolean;
  follows: boolean;
  locked: boolean;
  joinCode: string;
  waiting: string[];
  waits: number[];
  leader: number | null;
}

/** You own a seat. Keep the token. */
export interface Seated {
  t: "seated";
  seat: number;
  token: string;
}

/** The choices of one seat of this client. */
export interface SeatState {
  legal: string[];
  choice: string | null;
  passCost: number;
  passMiss: boolean;
  closes: Record<string, string[]>;
  ends: string[];
  view?: View;
}

/** The whole state of the game. Several moves that come at the same time may share one `state`. */
export interface State {
  t: "state";
  phase: number;
  view: View;
  mine: Record<string, SeatState>;
  events: AnyEvent[];
  deadline: number | null;
  rollers: number[];
  undoable: number[];
  outcome: Outcome | null;
  choices?: Record<string, string>;
  announced?: Record<string, string[]>;
  undoLeft?: number;
  story?: AnyEvent[];
}

/** The changes of a `View`; of its sheets those that have changed. */
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

/** The changes since the last `state` or `change`, for clients whose `hello` had `changes`. */
export interface StateChange {
  t: "change";
  phase: number;
  view: ViewChange;
  mine: Record<string, SeatState>;
  events: AnyEvent[];
  deadline: number | null;
  rollers: number[];
  undoable: number[];
  outcome: Outcome | null;
  choices?: Record<string, string>;
  announced?: Record<string, string[]>;
  undoLeft?: number;
}

/** The answer to `why`: why an action is not possible. */
export interface Why {
  t: "why";
  seat: number;
  action: string;
  code: string;
  rule: string;
  details: Record<string, number | string>;
}

/** A fact for or against a choice, as data; `sentence` and the page have the words. */
export interface Reason {
  kind: string;
  n?: number;
  row?: string;
  numbers?: number[];
  k?: number;
  total?: number;
}

/** One legal choice with its value and its reasons. */
export interface RankedChoice {
  action: string;
  value: number;
  points: number;
  loss: number;
  reasons: Reason[];
}

/** The answer to `hint`, only for the client that asked. */
export interface Hint {
  t: "hint";
  seat: number;
  phase: number;
  source: "exact" | "learned" | "played on" | "rollouts";
  measure: "points" | "win";
  choices: RankedChoice[];
}

/** A seat shows a reaction. */
export interface Reaction {
  t: "reaction";
  seat: number;
  sign: "bravo" | "hurry" | "laugh" | "ouch" | "thanks" | "wow";
}

/** Where the leader of the review points. Sent when it changes, and after the `table` that answers a `hello`. */
export interface Pointer {
  t: "pointer";
  frame: number;
  seat: number;
  cell: string;
  tried: string;
}

/** A refusal; nothing changed. If the table refused it, a `state` follows, so that the client is up to date. */
export interface Error {
  t: "error";
  code: RefusalCode;
  rule?: string;
  details?: Record<string, number | string>;
}

/** The answer to `ping`. */
export interface Pong {
  t: "pong";
}

/** A message from the operator to everybody. */
export interface Announcement {
  t: "announcement";
  text: string;
  seconds: number;
}

export type RefusalCode = "announced" | "bad-name" | "bad-options" | "banned" | "barred" | "bot-plays" | "busy" | "closed" | "damaged" | "foreign-host" | "foreign-origin" | "full" | "illegal" | "late" | "name-taken" | "no-hint" | "no-hints" | "no-judge" | "no-network" | "no-record" | "no-such-game" | "no-such-seat" | "no-such-table" | "no-undo" | "not-host" | "not-now" | "not-your-seat" | "not-your-turn" | "removed" | "still-here" | "too-fast" | "too-few" | "too-large" | "too-many-tables" | "too-soon" | "trouble" | "undo-declined" | "unreadable" | (string & {});

export type AnyEvent = Rolled | Dealt | Shuffled | Decided | Crossed | Locked | BonusUsed | BonusLost | PairCompleted | Played | Took | NumberShown | Placed | Captured | Stacked | RowClosed | DieLeft | BarStruck | Missed | GameOver | TurnBegan | PhaseBegan | Exchanged | SecondCrossed | LinkedCrossed | SmallCrossed | BonusCellCrossed | TrackCrossed | TakenBack | Hinted | TimedOut;

export type FromPage = Hello | Sit | Rename | Stand | AddBot | RemoveBot | Move | MakeHost | SetOptions | SealWords | OpenWords | Start | Decide | Withdraw | Undo | AgreeUndo | Roll | AskWhy | AskHint | ToBot | TakeBack | Vote | Remove | ForgetName | DeleteTable | Rematch | React | Lead | PointAt | StopLeading | Ping;

export type FromServer = TableState | Seated | State | StateChange | Why | Hint | Reaction | Pointer | Error | Pong | Announcement;

/** Constants of a table, at a server and on a device, of its dice, and of printed sheets. */
export const TABLE = {
  irreversible: ["dealt", "number", "over", "played", "rolled", "shuffled", "took"],
  beginning: ["over", "phase"],
  silent: ["decided", "phase"],
  undone: "# taken back: ",
  hinted: "# hint: ",
  announcing: ["classic", "gemixxt-a", "gemixxt-b", "bonus-a", "bonus-b", "longo"],
  maxStory: 240,
  maxName: 24,
  maxTimer: 600,
  maxTokens: 10,
  maxWords: 60,
  noName: "—",
  alphabet: "ABCDEFGHJKLMNPQRSTUVWXYZ23456789",
  codeLength: 10,
  bot: "normal",
  paces: { calm: 2, normal: 1, fast: 0.4 },
  options: { timer: 0, sealed: true, realDice: false, sheet: "", lucky: null, late: true, hints: null, announce: null, pace: "normal" },
  signs: ["bravo", "laugh", "wow", "ouch", "hurry", "thanks"],
  dice: ["w", "w", "r", "y", "g", "b"],
  papers: ["a4", "letter", "a5"],
  perPage: [1, 2, 4],
  backs: ["duplex", "fold", "none"],
  botDelay: 0.7,
  undoSeconds: 1,
} as const;
