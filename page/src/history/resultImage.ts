/** An image of a finished game to share: the result as a poster, everybody's points, and the sheet; drawn on a canvas. */
import { type DrawnRow, drawSheet } from "../play/sheetModel.ts";
import type { Layout, SheetView, View } from "../protocol.ts";
import { saveFile } from "../device/saveFile.ts";
import { settings } from "../device/settings.svelte.ts";
import { signed } from "../play/scoreParts.ts";
import { language, t } from "../words/i18n.svelte.ts";
import { placeOf } from "./placeOf.ts";
import { bestRow, columnsOf, verdictOn } from "./resultText.ts";

export interface SharedGame {
  layout: Layout;
  view: View;
  winners: readonly number[];
  /** The seat of the player who shares it; null for spectators. */
  me: number | null;
  nameOf: (seat: number) => string;
  code: string;
  /** When it was played, in milliseconds; now by default. */
  at?: number;
}

const WIDE = 1080;
const EDGE = 64;
const INNER = WIDE - 2 * EDGE;
const LINE = 84;
const TEXT_TOP = 150;
const NAMES: Record<string, string> = { r: "red", y: "yellow", g: "green", b: "blue" };
/** The shape of each row, in a box of 40 by 40 around its middle. */
const SHAPES: Record<string, string> = {
  r: "M-17 0a17 17 0 1 0 34 0a17 17 0 1 0-34 0Z",
  y: "M0-18 18 16H-18Z",
  g: "M-16-16H16V16H-16Z",
  b: "M0-20 20 0 0 20-20 0Z",
};
const PADLOCK = {
  body: [-6.6, -1, 13.2, 9.6],
  closed: "M-4.4-.5V-4.4a4.4 4.4 0 0 1 8.8 0V-.5",
  open: "M-4.4-.5V-5a4.4 4.4 0 0 1 8.2-2.2",
};
const CROSS = "M-8-8 8 8M8-8-8 8";

/** Draw the image and share it, or save it as a file. Return whether it was saved. */
export async function shareResult(game: SharedGame): Promise<boolean> {
  const picture = await pictureOf(game);
  return picture !== null && (await sharePicture(picture, `qwixx-${game.view.variant}-${game.code}.png`)) === "saved";
}

/** Draw the image; null if the browser cannot. */
export async function pictureOf(game: SharedGame): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  const look = new Look();
  await look.load();
  new Drawing(canvas, pen, look, game).draw();
  look.close();
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** The colors and fonts of the page, as a canvas needs them. */
class Look {
  readonly #probe = document.createElement("i");
  readonly #known = new Map<string, string>();

  constructor() {
    this.#probe.hidden = true;
    document.body.append(this.#probe);
  }

  color(token: string): string {
    let found = this.#known.get(token);
    if (found === undefined) {
      this.#probe.style.color = `var(--${token})`;
      found = getComputedStyle(this.#probe).color;
      this.#known.set(token, found);
    }
    return found;
  }

  font(kind: "display" | "text", size: number): string {
    const family = getComputedStyle(document.documentElement).getPropertyValue(`--${kind}`) || "sans-serif";
    return `${kind === "display" ? 900 : 700} ${size}px ${family}`;
  }

  /** Wait for the fonts; without them the system's are drawn. */
  async load(): Promise<void> {
    await Promise.all((["display", "text"] as const).map((kind) => document.fonts.load(this.font(kind, 40)))).catch(
      () => undefined,
    );
  }

  close(): void {
    this.#probe.remove();
  }
}

class Drawing {
  readonly #sheet: SheetView;
  readonly #cell: number;
  readonly #tall: number;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly pen: CanvasRenderingContext2D,
    private readonly look: Look,
    private readonly game: SharedGame,
  ) {
    const { layout, view, me, winners } = game;
    this.#sheet = view.sheets.find(({ seat }) => seat === (me ?? winners[0] ?? 0)) ?? view.sheets[0]!;
    this.#cell = INNER / (Math.max(...layout.rows.map((row) => row.cells.length)) + 1);
    this.#tall = Math.min(92, this.#cell * 1.15);
  }

  draw(): void {
    const { layout, view } = this.game;
    const posterEnd = 640;
    const scores = view.seats > 1 ? view.seats * LINE : 0;
    const sheetTop = posterEnd + 44 + scores;
    const rowsEnd = sheetTop + layout.rows.length * (this.#tall + 14);
    const barTall = layout.bar.length ? 64 : 0;
    this.canvas.width = WIDE;
    this.canvas.height = Math.round(rowsEnd + barTall + 130);
    this.#fill("ground", 0, 0, WIDE, this.canvas.height);
    this.#poster(posterEnd);
    if (scores) this.#scores(posterEnd + 30);
    const drawn = drawSheet(layout, view, this.#sheet.seat);
    drawn.rows.forEach((row, r) => this.#row(row, sheetTop + r * (this.#tall + 14)));
    if (barTall) this.#bar(rowsEnd + 4);
    this.#misses(drawn.misses, drawn.missesBy, rowsEnd + barTall + 26);
  }

  #poster(tall: number): void {
    const { layout, view, winners, me, nameOf, at = Date.now() } = this.game;
    const verdict = verdictOn(view, winners, me, nameOf);
    const best = bestRow(this.#sheet);
    const lock = best ? (layout.rows[best.at]?.lock ?? "") : "";
    const isWin =
      verdict.mood === "win" &&
      lock in NAMES &&
      !layout.rows.some((row) => row.cells.some((cell) => cell.color !== row.lock));
    const ink = isWin ? `${NAMES[lock]}-on` : "on-stage";
    this.#fill(isWin ? NAMES[lock]! : "stage", 0, 0, WIDE, tall);
    this.#shapes(isWin ? lock : "", ink);
    const date = new Intl.DateTimeFormat(language(), { dateStyle: "long" }).format(at);
    this.#write(`${t("page.title")} · ${t(`game.${view.variant}`)}`, EDGE, 92, 36, ink, { kind: "display" });
    this.#write(date, WIDE - EDGE, 92, 30, ink, { align: "right" });
    const title = verdict.mood === "win" && me !== null && view.seats > 1 ? t("end.picture.won") : verdict.title;
    this.#write(title, EDGE, TEXT_TOP + 80, 88, ink, { kind: "display", most: INNER });
    this.#write(verdict.hero, EDGE - 10, TEXT_TOP + 350, verdict.hero.length > 2 ? 230 : 320, ink, {
      kind: "display",
      most: 640,
    });
    const says = [verdict.unit || t("score.points", { n: this.#sheet.score }), ...verdict.says].join(" ");
    this.#write(says, EDGE, TEXT_TOP + 430, 40, ink, { most: INNER });
  }

  /** A win is a burst of shapes; else each shape is as large as its row. */
  #shapes(ground: string, ink: string): void {
    const others = [..."rygb"].filter((color) => color !== ground);
    const burst: [number, number, number, number][] = [
      [960, 170, 2.2, 0],
      [850, 330, 4.6, 14],
      [1010, 300, 2.4, 0],
      [745, 240, 1, 20],
      [985, 440, 1.8, 0],
      [730, 430, 1.2, 35],
    ];
    if (ground) {
      burst.forEach(([x, y, size, turn], i) => {
        const color = i === 3 || i === 4 ? "" : others[i % others.length]!;
        this.#shape(color || (i === 3 ? "g" : "b"), color ? NAMES[color]! : ink, x, y, size, turn);
      });
      return;
    }
    const places: [number, number][] = [
      [800, 280],
      [990, 300],
      [720, 440],
      [920, 460],
    ];
    [..."rygb"].forEach((color, i) => {
      const points = this.#sheet.rows[i]?.points ?? 0;
      if (points > 0) this.#shape(color, `${NAMES[color]}-x`, ...places[i]!, Math.min(5, 0.75 * Math.sqrt(points)));
    });
  }

  #scores(top: number): void {
    const { layout, view, me, nameOf } = this.game;
    const parts = columnsOf(layout, view).filter(({ kind }) => kind !== "misses");
    const sum = (sheet: SheetView): number => parts.reduce((all, part) => all + Math.max(0, part.points(sheet)), 0);
    const most = Math.max(1, ...view.sheets.map(sum));
    const wide = 520;
    [...view.sheets]
      .sort((a, b) => placeOf(view, a.seat) - placeOf(view, b.seat))
      .forEach((sheet, i) => {
        const y = top + i * LINE;
        const name = sheet.seat === me ? settings.name.trim() || t("end.picture.me") : nameOf(sheet.seat);
        this.#write(`${placeOf(view, sheet.seat)}.`, EDGE, y + 48, 34, "ink-2");
        this.#write(name, EDGE + 52, y + 48, 38, "ink", { most: 250 });
        let x = EDGE + 320;
        parts.forEach((part) => {
          const points = Math.max(0, part.points(sheet));
          const token = part.kind === "row" ? (NAMES[part.key] ?? "ink-2") : "ink";
          const length = (wide * points) / most;
          this.#fill(token, x, y + 14, length, 48);
          if (length > 44) {
            const on = part.key in NAMES ? `${NAMES[part.key]}-on` : "ground";
            this.#write(String(points), x + length / 2, y + 48, 28, on, { align: "center" });
          }
          x += length;
        });
        this.#write(signed(sheet.score), WIDE - EDGE, y + 56, 52, "ink", { kind: "display", align: "right" });
      });
  }

  #row(row: DrawnRow, top: number): void {
    const { layout } = this.game;
    const [cell, tall] = [this.#cell, this.#tall];
    const token = (color: string): string => NAMES[color] ?? "ink-2";
    row.cells.forEach((each, i) => {
      const x = EDGE + i * cell;
      const name = token(each.color);
      const isGone = each.passed || (row.closed && !each.crossed && !each.pawns);
      this.#fill(isGone ? `${name}-dim` : name, x, top, cell + 0.5, tall);
      if (each.crossed) {
        this.#fill("punch", x + 3, top + 3, cell - 6, tall - 6, 8);
        this.#cross(x + cell / 2, top + tall / 2, cell / 30, `${name}-x`);
      } else if (each.pawns) {
        this.#pawn(each.pawns.owner, each.pawns.height, x + cell / 2, top + tall / 2, cell * 0.34);
      } else {
        const size = cell * (isGone ? 0.36 : 0.46);
        this.#write(
          String(each.value),
          x + cell / 2,
          top + tall / 2 + size * 0.36,
          size,
          isGone ? `${name}-dim-on` : `${name}-on`,
          { align: "center" },
        );
      }
      if (each.boxed && !each.crossed) this.#frame(`${name}-on`, x + 5, top + 5, cell - 10, tall - 10);
    });
    const x = EDGE + row.cells.length * cell;
    const name = token(row.lock);
    const isShut = row.closed || row.lockedBy.length > 0;
    this.#fill(isShut ? `${name}-dim` : name, x, top, cell, tall);
    const middle: [number, number] = [x + cell / 2, top + tall / 2];
    if (row.lockedBy.length && layout.pawns) this.#pawn(row.lockedBy[0]!, 1, ...middle, cell * 0.34);
    else this.#lock(row.lock, isShut, ...middle, cell / 46);
    if (row.lockedBy.length && !layout.pawns) this.#frame("ink", x + 3, top + 3, cell - 6, tall - 6);
  }

  #lock(color: string, isShut: boolean, x: number, y: number, size: number): void {
    const name = NAMES[color] ?? "ink-2";
    const [shape, hole] = isShut ? [`${name}-dim-on`, `${name}-dim`] : [`${name}-on`, name];
    this.#shape(color in SHAPES ? color : "g", shape, x, y, size);
    const { pen } = this;
    pen.save();
    pen.translate(x, y + (color === "y" ? 4 * size : 0));
    pen.scale(size, size);
    pen.fillStyle = pen.strokeStyle = this.look.color(hole);
    pen.fillRect(...(PADLOCK.body as [number, number, number, number]));
    pen.lineWidth = 2.6;
    pen.stroke(new Path2D(isShut ? PADLOCK.closed : PADLOCK.open));
    pen.restore();
  }

  #bar(top: number): void {
    this.game.layout.bar.forEach((color, i) => {
      const name = NAMES[color] ?? "ink-2";
      const wide = INNER / this.game.layout.bar.length;
      const x = EDGE + i * wide;
      const isUsed = this.#sheet.used.includes(i + 1);
      const isStruck = this.#sheet.struck.includes(i + 1);
      this.#fill(isStruck ? `${name}-dim` : name, x + 3, top, wide - 6, 46, 8);
      if (isUsed) {
        this.#fill("punch", x + 6, top + 3, wide - 12, 40, 6);
        this.#cross(x + wide / 2, top + 23, 1.5, `${name}-x`);
      }
    });
  }

  #misses(count: number, by: readonly number[], top: number): void {
    const { layout } = this.game;
    const size = 52;
    this.#write(t("score.misses"), EDGE, top + 37, 32, "ink-2");
    for (let i = 0; i < layout.misses; i++) {
      const x = WIDE - EDGE - (layout.misses - i) * (size + 12) + 12;
      this.#frame("line-strong", x, top, size, size);
      if (i >= count) continue;
      if (layout.pawns) this.#pawn(by[i]!, 1, x + size / 2, top + size / 2, 18);
      else this.#cross(x + size / 2, top + size / 2, 1.9, "ink");
    }
    const isPublic = !["localhost", "127.0.0.1", "[::1]", ""].includes(location.hostname);
    if (isPublic) this.#write(location.host, WIDE / 2, top + 37, 30, "ink-2", { align: "center" });
  }

  #write(
    text: string,
    x: number,
    y: number,
    size: number,
    token: string,
    { kind = "text", align = "left", most }: { kind?: "text" | "display"; align?: CanvasTextAlign; most?: number } = {},
  ): void {
    const { pen } = this;
    pen.font = this.look.font(kind, size);
    pen.textAlign = align;
    pen.fillStyle = this.look.color(token);
    pen.fillText(text, x, y, most);
  }

  #fill(token: string, x: number, y: number, wide: number, tall: number, round = 0): void {
    const { pen } = this;
    pen.fillStyle = this.look.color(token);
    pen.beginPath();
    pen.roundRect(x, y, wide, tall, round);
    pen.fill();
  }

  #frame(token: string, x: number, y: number, wide: number, tall: number): void {
    const { pen } = this;
    pen.strokeStyle = this.look.color(token);
    pen.lineWidth = 4;
    pen.beginPath();
    pen.roundRect(x, y, wide, tall, 8);
    pen.stroke();
  }

  #shape(shape: string, token: string, x: number, y: number, size: number, turn = 0): void {
    const { pen } = this;
    pen.save();
    pen.translate(x, y);
    pen.rotate((turn * Math.PI) / 180);
    pen.scale(size, size);
    pen.fillStyle = this.look.color(token);
    pen.fill(new Path2D(SHAPES[shape]));
    pen.restore();
  }

  #cross(x: number, y: number, size: number, token: string): void {
    const { pen } = this;
    pen.save();
    pen.translate(x, y);
    pen.scale(size, size);
    pen.strokeStyle = this.look.color(token);
    pen.lineWidth = 5;
    pen.stroke(new Path2D(CROSS));
    pen.restore();
  }

  #pawn(owner: number, height: number, x: number, y: number, size: number): void {
    const { pen } = this;
    pen.beginPath();
    if (owner === 0) pen.arc(x, y, size, 0, 2 * Math.PI);
    else pen.roundRect(x - size, y - size, 2 * size, 2 * size, size / 4);
    const [inside, outside] = owner === 0 ? ["punch", "lit"] : ["lit", "punch"];
    pen.fillStyle = this.look.color(inside!);
    pen.fill();
    pen.strokeStyle = this.look.color(outside!);
    pen.lineWidth = 4;
    pen.stroke();
    if (height > 1) this.#write(String(height), x, y + size * 0.42, size * 1.2, outside!, { align: "center" });
  }
}

/** Share the image by the device's share sheet, or save it as a file. Return which; null if the share sheet was closed. */
async function sharePicture(picture: Blob, name: string): Promise<"shared" | "saved" | null> {
  const file = new File([picture], name, { type: picture.type });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file] });
      return "shared";
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return null;
    }
  }
  saveFile(file, name);
  return "saved";
}
