/** Lessons: read from their files, played step by step, left and resumed; wrong answers are explained. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { readLesson, readLessons } from "../../build/lessons.ts";
import { isRefusal, loadKernel, type Kernel } from "../../src/engine/index.ts";
import { Lesson } from "../../src/tutorial/lesson.svelte.ts";
import type { ScriptRules } from "../../src/tutorial/scriptedHouse.svelte.ts";
import { keepProgress, progressOf } from "../../src/tutorial/progress.ts";
import type { Step } from "../../src/tutorial/lessonFiles.ts";
import type { FromServer, State } from "../../src/protocol.ts";
import { MemoryStore } from "../../src/local/gameStore.ts";
import { TableRegistry } from "../../src/local/registry.ts";

const FOLDER = "../src/qwixx/tutorial/lessons";
const LESSONS = readLessons(FOLDER, "en") as unknown as Record<string, Step[]>;

/** The built engine: next to the sources, or in the built page if there is nothing else. */
function module(): string {
  for (const folder of ["src/engine", "../src/qwixx/web/assets"]) {
    const found = readdirSync(folder).find((name) => /^kernel.*\.wasm$/.test(name));
    if (found) return join(folder, found);
  }
  throw new Error("The rules have not been built: run make.");
}

let kernel: Kernel;
let rules: TableRegistry;
beforeAll(async () => {
  kernel = await loadKernel(readFileSync(module()));
  rules = new TableRegistry(kernel, new MemoryStore(), () => undefined);
});
beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  });
});

/** A player of a lesson, with all messages. */
class Pupil {
  readonly received: FromServer[] = [];
  readonly lesson: Lesson;
  private readonly line;

  constructor(variant: string, asked: ScriptRules = rules) {
    this.lesson = new Lesson(variant, LESSONS[variant]!, ["Anna", "Mia"], asked);
    this.line = this.lesson.connect("", {
      receive: (message) => this.received.push(message),
      connected: () => undefined,
    });
  }
  async decide(action: string): Promise<void> {
    this.line.send({ t: "decide", seat: 0, phase: this.state.phase, action });
    await settled();
  }
  async ask(action: string): Promise<void> {
    this.line.send({ t: "why", seat: 0, action });
    await settled();
  }
  get state(): State {
    return this.received.filter((message) => message.t === "state").at(-1)!;
  }
  get answer(): string {
    const last = this.received.at(-1)!;
    return "code" in last ? String(last.code) : "";
  }
  crosses(row: number): number[] {
    return this.state.view.sheets[0]!.rows[row]!.crosses;
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

async function begun(variant: string): Promise<Pupil> {
  const pupil = new Pupil(variant);
  await settled();
  return pupil;
}

test("a script has headings and lines; its claims for tests are left out", () => {
  const text =
    '# remark\n\n[[step]]\nid = "one"\nasks = ["r7", "pass"]\n[step.holds]\ncounts = { r = 7 }\n[step.says]\nen = "Say \\"7\\"."\nde = "Sag 7."\n';
  expect(readLesson(text, "de")).toEqual([{ id: "one", asks: ["r7", "pass"], says: "Sag 7." }]);
  expect(readLesson(text, "en")[0]!.says).toBe('Say "7".');
  expect(() => readLesson("[[step]]\nsays = '''\n", "en")).toThrow();
  expect(() => readLesson("[[step]]\nnothing\n", "en")).toThrow("No line of a lesson");
});

test("the task is done, and the sheet shows it", async () => {
  const pupil = await begun("classic");
  expect(pupil.state.mine[0]!.legal).toEqual(["r7", "y7", "g7", "b7", "pass"]);
  expect(pupil.state.events.map((event) => event.e)).toContain("rolled");
  await pupil.decide("g7");
  expect(pupil.lesson.isDone).toBe(true);
  expect(pupil.crosses(2)).toEqual([7]);
  expect(pupil.state.mine[0]!.legal).toEqual([]);
  await pupil.decide("y10");
  expect(pupil.answer).toBe("lesson-next");
});

test("other actions are explained, by the rules if they are illegal", async () => {
  const pupil = await begun("classic");
  await pupil.ask("r8");
  expect(pupil.answer).toBe("not-the-sum");
  await pupil.decide("pass");
  expect([pupil.answer, pupil.lesson.isDone]).toEqual(["lesson-other", false]);
  await pupil.decide("r7");
  await pupil.lesson.next();
  await pupil.decide("y10");
  await pupil.lesson.next();
  expect(pupil.lesson.step.tries).toEqual(["y8"]);
  await pupil.decide("r8");
  expect([pupil.answer, pupil.lesson.isDone]).toEqual(["lesson-other", false]);
  await pupil.ask("y8");
  expect([pupil.answer, pupil.lesson.isDone]).toEqual(["left-of-cross", true]);
});

test("counting takes the right number only", async () => {
  keepProgress("classic", { at: 8, answers: [] });
  const pupil = await begun("classic");
  expect(pupil.state.view.phase).toBe("over");
  pupil.lesson.pick(7);
  expect([pupil.lesson.missed, pupil.lesson.isDone]).toEqual([7, false]);
  pupil.lesson.pick(28);
  expect([pupil.lesson.missed, pupil.lesson.isDone, progressOf("classic").finished]).toEqual([null, true, true]);
});

test.each(Object.keys(LESSONS))("%s: every step can be skipped, shown again and resumed", async (variant) => {
  const pupil = await begun(variant);
  const seen: string[] = [];
  for (const _ of LESSONS[variant]!) {
    seen.push(JSON.stringify(pupil.state.view.sheets));
    await pupil.lesson.next();
    await settled();
  }
  expect(pupil.lesson.isLast && !pupil.lesson.isBroken).toBe(true);
  const back = await begun(variant); // the same device, later
  for (let at = LESSONS[variant]!.length - 1; at >= 0; at--) {
    expect(back.lesson.at).toBe(at);
    expect(JSON.stringify(back.state.view.sheets)).toBe(seen[at]);
    await back.lesson.back();
    await settled();
  }
  expect(back.lesson.at).toBe(0);
});

test("progress is restored later, and invalid progress is ignored", async () => {
  const pupil = await begun("classic");
  await pupil.decide("b7");
  await pupil.lesson.next();
  const later = await begun("classic");
  expect([later.lesson.at, later.crosses(3)]).toEqual([1, [7]]);
  keepProgress("classic", { at: 99, answers: ["nonsense"] });
  const lost = await begun("classic");
  expect([lost.lesson.at, lost.lesson.isBroken]).toEqual([0, false]);
  localStorage.setItem("qwixx.lessons", '{"classic":{"at":"x","answers":7,"finished":true}}');
  expect(progressOf("classic")).toEqual({ at: 0, answers: [], finished: true, declined: false });
  localStorage.setItem("qwixx.lessons", "nonsense");
  expect(progressOf("classic").at).toBe(0);
});

test("if the engine cannot be loaded, there is a message", async () => {
  const away = () => Promise.reject(new Error("no module"));
  const pupil = new Pupil("classic", { stand: away, whyInScript: away, games: away });
  await settled();
  expect(pupil.lesson.isBroken).toBe(true);
});

test.each([
  "chess | - | -",
  "classic | r=7,5 | -", // not from left to right
  "classic | r=12 | -", // closing needs five
  "classic | r=2,3,4,5,6,12 | -",
  "classic roll=34/2615 | - | -",
  "classic misses | - | -",
  "classic active=2 | - | -",
  "duel | -",
  "longo | lucky=1/2 | -",
  "cards phase=draw display=g4,r9 pile=* | hand=r2 | hand=r3",
  "cards phase=draw display=g4,r9,y6,b2 pile=g4,* | hand=r2,r4,r5,r6 | hand=b3,b4,b5,b6",
])("a position that cannot be set up here is refused: %s", (line) => {
  expect(isRefusal(kernel.stand(line))).toBe(true);
});
