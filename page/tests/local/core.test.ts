/** The core of a local table says what `tests/golden/core.txt` says, as the server's core does. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isRefusal } from "../../src/engine/index.ts";
import { Core, type Change } from "../../src/local/core.ts";
import { Refused } from "../../src/local/room.ts";
import type { AnyEvent } from "../../src/protocol.ts";
import { builtRules } from "../support/builtEngine.ts";

const FILE = readFileSync("../tests/golden/core.txt", "utf8").trimEnd().split("\n");

function step(core: Core, word: string, [one = "", two = ""]: string[], announces: boolean): Change {
  const seat = Number(one);
  switch (word) {
    case "roll":
      return core.roll(one);
    case "decide":
      return core.decide(seat, core.phase, two, announces);
    case "withdraw":
      return core.withdraw(seat, core.phase, announces);
    case "hint":
      return core.noteHint(seat);
    default:
      core.checkUndo(seat, core.phase);
      return core.undo(seat);
  }
}

function eventText({ e, ...details }: AnyEvent): string {
  return [e, ...Object.values(details).map((each) => (Array.isArray(each) ? each.join(",") : String(each)))].join(" ");
}

function answer(core: Core, word: string, rest: string[], announces: boolean): string {
  try {
    const { lines, events, cut } = step(core, word, rest, announces);
    const texts = lines.map((line) => line.replace(/^deal .*/, "deal ..."));
    return `= ${cut ?? "-"}: ${texts.join("; ")} | ${events.map(eventText).join("; ")}`.trimEnd();
  } catch (error) {
    if (error instanceof Refused) return `! ${error.code}`;
    throw error;
  }
}

test("the core of both hosts", async () => {
  const kernel = await builtRules();
  let core: Core | null = null;
  let announces = false;
  const found: string[] = [];
  for (const line of FILE) {
    const [word = "", ...rest] = line.split(" ");
    if (word === "=" || word === "!") continue;
    found.push(line);
    if (word === "new" || word === "at") {
      announces = word === "at";
      const game = announces
        ? kernel.stand(rest.join(" "))
        : kernel.begin({ variant: rest[0]!, seats: Number(rest[1]), first: 0 });
      if (isRefusal(game)) throw new Error(line);
      core = new Core(game);
    } else if (["roll", "decide", "withdraw", "undo", "hint"].includes(word))
      found.push(answer(core!, word, rest, announces));
  }
  expect(found).toEqual(FILE);
});
