/** What came with the page for the player that has learned. */
import type { Library } from "./master.ts";
import module from "./master.wasm?url";

const FOLDER = "../../../src/qwixx/learn/nets/";
const nets = import.meta.glob<string>("../../../src/qwixx/learn/nets/*.net", {
  query: "?url",
  import: "default",
  eager: true,
});

export const library: Library = {
  module: () => fetch(module),
  weights: (name) => fetch(nets[FOLDER + name] ?? name),
};
