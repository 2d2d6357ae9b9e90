/** Compile as for a browser, not as for a server, but without a document: nothing that is tested here draws. */
import type { Environment } from "vitest/runtime";

export default {
  name: "browserless",
  viteEnvironment: "client",
  setup() {
    return { teardown() {} };
  },
} satisfies Environment;
