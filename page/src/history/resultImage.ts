/** An image of a finished game to share: the winner, all points, and a sheet; drawn on a canvas. */
import { drawSheet, STROKES, strokeOf } from "../play/sheetModel.ts";
import type { Layout, View } from "../protocol.ts";
import { columnsOf } from "./resultText.ts";
import { saveFile } from "../device/saveFile.ts";
import { signed } from "../play/scoreParts.ts";

export interface Poster {
  layout: Layout;
  view: View;
  /** The seat whose sheet is shown. */
  seat: number;
  title: string;
  headline: string;
  /** What is said about the game besides, if anything. */
  note?: string;
  names: string[];
  winners: readonly number[];
}

const WIDE = 1080;
const EDGE = 60;
const LINE = 74;
const PAPER = "#f4f0e6";
const INK = "#23262b";
const SOFT = "#5b5e66";
const HUES: Record<string, string> = { r: "#c9332c", y: "#e5ae14", g: "#2f8a43", b: "#2c62bd" };
const TINTS: Record<string, string> = { r: "#f4d6cf", y: "#faeec9", g: "#d6e7d6", b: "#d5dfef" };
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

/** Draw the image; null if the browser cannot. */
export async function pictureOf(poster: Poster): Promise<Blob | null> {
  const { layout, view } = poster;
  const columns = Math.max(...layout.rows.map((row) => row.cells.length)) + 1;
  const cell = (WIDE - 2 * EDGE) / columns;
  const rowHeight = Math.min(84, cell * 1.2) + 12;
  const sheetTop = 250 + view.seats * LINE;
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  canvas.height = sheetTop + layout.rows.length * rowHeight + EDGE;
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  write(pen, poster.title, EDGE, 84, 34, SOFT);
  write(pen, poster.headline, EDGE, 152, 58, INK, WIDE - 2 * EDGE);
  if (poster.note) write(pen, poster.note, EDGE, 186, 26, SOFT, WIDE - 2 * EDGE);
  drawScores(pen, poster);
  drawRows(pen, poster, sheetTop, cell, rowHeight);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function write(
  pen: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  size: number,
  color: string,
  most?: number,
): void {
  pen.font = `800 ${size}px ${FONT}`;
  pen.fillStyle = color;
  pen.fillText(text, x, y, most);
}

function box(
  pen: CanvasRenderingContext2D,
  color: string,
  x: number,
  y: number,
  width: number,
  height: number,
  round: number,
): void {
  pen.fillStyle = color;
  pen.beginPath();
  pen.roundRect(x, y, width, height, round);
  pen.fill();
}

function drawScores(pen: CanvasRenderingContext2D, { layout, view, names, winners }: Poster): void {
  const columns = columnsOf(layout, view);
  const wide = 92;
  const total = 130;
  const left = WIDE - EDGE - total - columns.length * wide;
  const lines = [...view.sheets].sort((a, b) => b.score - a.score);
  lines.forEach((sheet, i) => {
    const top = 196 + i * LINE;
    write(
      pen,
      `${winners.includes(sheet.seat) && view.seats > 1 ? "★ " : ""}${names[sheet.seat] ?? ""}`,
      EDGE,
      top + 46,
      34,
      INK,
      left - EDGE - 16,
    );
    pen.textAlign = "center";
    columns.forEach((column, c) => {
      const color = column.kind === "row" ? layout.rows[c]!.lock : "";
      box(pen, TINTS[color] ?? "#fffdf7", left + c * wide + 3, top, wide - 6, LINE - 10, 12);
      write(pen, signed(column.points(sheet)), left + c * wide + wide / 2, top + 44, 32, INK);
    });
    box(pen, INK, WIDE - EDGE - total + 3, top, total - 3, LINE - 10, 12);
    write(pen, signed(sheet.score), WIDE - EDGE - total / 2, top + 46, 40, PAPER);
    pen.textAlign = "left";
  });
}

function drawRows(
  pen: CanvasRenderingContext2D,
  { layout, view, seat }: Poster,
  top: number,
  cell: number,
  rowHeight: number,
): void {
  const drawn = drawSheet(layout, view, seat);
  drawn.rows.forEach((row, r) => {
    const y = top + r * rowHeight;
    const tall = rowHeight - 12;
    row.cells.forEach((each, i) => {
      const x = EDGE + i * cell;
      box(pen, HUES[each.color] ?? SOFT, x - 2, y - 4, cell + 4, tall + 8, i === 0 ? 10 : 0);
      box(pen, TINTS[each.color] ?? PAPER, x + 2, y, cell - 4, tall, 8);
      pen.textAlign = "center";
      write(pen, String(each.value), x + cell / 2, y + tall / 2 + cell * 0.16, cell * 0.42, INK);
      if (each.crossed) cross(pen, each.name, x, y, cell, tall);
      if (each.pawns) pawn(pen, each.pawns, x + cell / 2, y + tall / 2, cell * 0.34);
    });
    const x = EDGE + row.cells.length * cell;
    box(pen, HUES[row.lock] ?? SOFT, x - 2, y - 4, cell + 4, tall + 8, 10);
    box(pen, TINTS[row.lock] ?? PAPER, x + 2, y, cell - 4, tall, cell / 2);
    write(pen, row.lockedBy.length ? "●" : "○", x + cell / 2, y + tall / 2 + cell * 0.16, cell * 0.42, INK);
    if (row.lockedBy.length && !layout.pawns) cross(pen, `lock${row.lock}`, x, y, cell, tall);
    pen.textAlign = "left";
  });
}

function cross(pen: CanvasRenderingContext2D, name: string, x: number, y: number, wide: number, tall: number): void {
  pen.save();
  pen.translate(x + wide / 2, y + tall / 2);
  pen.scale(wide / 26, wide / 26);
  pen.translate(-12, -12);
  pen.strokeStyle = INK;
  pen.lineWidth = 2.6;
  pen.lineCap = "round";
  for (const stroke of STROKES[strokeOf(name)]!) pen.stroke(new Path2D(stroke));
  pen.restore();
}

function pawn(
  pen: CanvasRenderingContext2D,
  { owner, height }: { owner: number; height: number },
  x: number,
  y: number,
  size: number,
): void {
  pen.beginPath();
  if (owner === 0) pen.arc(x, y, size, 0, 2 * Math.PI);
  else pen.roundRect(x - size, y - size, 2 * size, 2 * size, size / 3);
  pen.fillStyle = owner === 0 ? INK : "#e9e6df";
  pen.fill();
  pen.strokeStyle = owner === 0 ? "#fff" : INK;
  pen.lineWidth = 3;
  pen.stroke();
  if (height > 1) write(pen, String(height), x, y + size * 0.4, size * 1.1, owner === 0 ? "#fff" : INK);
}

/** Share the image by the device's share sheet, or save it as a file. Return which; null if the share sheet was closed. */
export async function sharePicture(picture: Blob, name: string): Promise<"shared" | "saved" | null> {
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
