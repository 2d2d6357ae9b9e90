/**
 * Which modules share a file. The start page and the table are loaded as a whole, so each is one file: dozens of small ones cost
 * a request each, and compress badly.
 */
import { resolve } from "node:path";

interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/**
 * Return the name of a module's file for Rolldown: the first of these files whose root module imports it, or none.
 *
 * The root of the page itself stays outside: it waits for the texts, and nothing else may wait for it.
 */
export function sharedFiles(roots: Record<string, string>): (id: string, graph: Graph) => string | null {
  const files = new Map<string, string>();
  const visit = (id: string, file: string, graph: Graph): void => {
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) {
      if (files.has(next)) continue;
      files.set(next, file);
      visit(next, file, graph);
    }
  };
  return (id, graph) => {
    if (!files.size) for (const [file, root] of Object.entries(roots)) visit(resolve(root), file, graph);
    return files.get(id) ?? null;
  };
}
