/** Printable sheets as PDF: from the server, or from the files of a static site. */
import { ServerError } from "./httpApi.ts";
import { atServer, fileOf, isSite } from "../device/origin.ts";
import { TABLE } from "../protocol.ts";

export const PAPERS = TABLE.papers;
export const INKS = ["color", "gray", "large"] as const;
export const PER_PAGE = TABLE.perPage;
export const BACKS = TABLE.backs;

export interface PrintWish {
  paper: (typeof PAPERS)[number];
  perPage: number;
  sheets: number;
  /** Color, gray with patterns, or large type. */
  ink: (typeof INKS)[number];
  /** `rules`, the code of a table, or nothing. */
  qr: string;
  /** The card games' sheet. */
  sheet: string;
  backs: (typeof BACKS)[number];
}

/** Whether this static site contains PDF files. */
export const hasPads = Boolean(globalThis.document?.querySelector('meta[name="qwixx-pads"]'));

/** Return the usual paper size of the reader's country. */
export function usualPaper(): PrintWish["paper"] {
  return /-(US|CA|MX|PH|CL|CO)$/.test(globalThis.navigator?.language ?? "") ? "letter" : "a4";
}

export function printPath(game: string, language: string, wish: PrintWish): string {
  if (isSite) return fileOf(`print/${game}-${language}.pdf`);
  const said = new URLSearchParams({ lang: language, paper: wish.paper, sheets: String(wish.sheets) });
  if (wish.ink === "large") said.set("large", "yes");
  else said.set("perPage", String(wish.perPage));
  if (wish.ink === "gray") said.set("ink", "gray");
  if (wish.qr) said.set("qr", wish.qr);
  if (wish.sheet) said.set("sheet", wish.sheet);
  if (wish.backs !== "duplex") said.set("backs", wish.backs);
  return atServer(`/api/print/${game}.pdf?${said.toString()}`);
}

/** Return the command that prints the same in a terminal, without a server. */
export function printCommand(game: string, language: string): string {
  return `qwixx print ${game} --lang ${language} -o ${game}.pdf`;
}

/** Fetch the PDF. Throws ServerError with the server's error code, or with an empty one without an answer. */
export async function fetchPad(path: string): Promise<Blob> {
  const answer = await fetch(path).catch(() => null);
  if (!answer) throw new ServerError(0, "");
  if (answer.ok) {
    // Check the first bytes: a static host may send any content type, or an HTML page for a missing file.
    const data = await answer.arrayBuffer();
    if (new TextDecoder().decode(data.slice(0, 5)) === "%PDF-") return new Blob([data], { type: "application/pdf" });
    throw new ServerError(answer.status, "");
  }
  const { code } = (await answer.json().catch(() => ({ code: "" }))) as { code: string };
  throw new ServerError(answer.status, code);
}
