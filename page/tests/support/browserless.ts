/** Compile as for a browser, not as for a server, but without a document: these tests draw nothing. */
import type { Environment } from "vitest/runtime";

export default {
  name: "browserless",
  viteEnvironment: "client",
  setup() {
    return { teardown() {} };
  },
} satisfies Environment;
