/** The rules that came with the page. */
import { loadKernel, type Kernel } from "./index.ts";
import url from "./kernel.wasm?url";

/** Fetch and start them. Throws where they cannot be had, or where the browser cannot run them. */
export function fetchKernel(): Promise<Kernel> {
  return loadKernel(fetch(url));
}
