/** The catalogue of games: requested once, and again if the server was unreachable. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { GameEntry } from "../../src/protocol.ts";

const CLASSIC = { id: "classic", seats: [1, 5] } as Partial<GameEntry>;
const ask = vi.fn<typeof fetch>();

function answer(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status });
}

beforeEach(() => {
  vi.resetModules(); // the catalogue is cached while the page is open
  ask.mockReset();
  vi.stubGlobal("fetch", ask);
});
afterEach(() => vi.unstubAllGlobals());

test("all users share one request", async () => {
  const { serverHouse } = await import("../../src/connection/serverHouse.ts");
  const { gameOf } = await import("../../src/house.ts");
  ask.mockImplementation(async () => answer({ games: [CLASSIC] }));
  expect(await Promise.all([serverHouse.games(), serverHouse.games(), gameOf(serverHouse, "classic")])).toEqual([
    [CLASSIC],
    [CLASSIC],
    CLASSIC,
  ]);
  expect(ask.mock.calls).toEqual([["/api/games", undefined]]);
});

test("an unknown game is missing", async () => {
  const { serverHouse } = await import("../../src/connection/serverHouse.ts");
  const { gameOf } = await import("../../src/house.ts");
  ask.mockImplementation(async () => answer({ games: [CLASSIC] }));
  await expect(gameOf(serverHouse, "chess")).rejects.toThrow("404");
});

test("an unreachable server is asked again", async () => {
  const { games } = await import("../../src/connection/httpApi.ts");
  ask.mockImplementationOnce(async () => answer({ code: "trouble" }, 500));
  await expect(games()).rejects.toThrow("500");
  ask.mockImplementation(async () => answer({ games: [CLASSIC] }));
  expect(await games()).toEqual([CLASSIC]);
});

test("a table is opened with the chosen options", async () => {
  const { openTable } = await import("../../src/connection/httpApi.ts");
  ask.mockImplementation(async () => answer({ code: "K7QXA", token: "secret" }, 201));
  expect(await openTable({ variant: "classic", name: "Anna" })).toEqual({ code: "K7QXA", token: "secret" });
  expect(ask.mock.calls[0]?.[1]?.body).toBe('{"variant":"classic","name":"Anna"}');
});
