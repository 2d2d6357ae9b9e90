/** The files of the net player: its wasm module and its weights, shipped with the page. */
import type { Library } from "./netPlayer.ts";
import module from "../master.wasm?url";

const FOLDER = "../../../../src/qwixx/nets/trained/";
const nets = import.meta.glob<string>("../../../../src/qwixx/nets/trained/*.net", {
  query: "?url",
  import: "default",
  eager: true,
});

export const library: Library = {
  module: () => fetch(module),
  weights: (name) => fetch(nets[FOLDER + name] ?? name),
};
