import { defineConfig, mergeConfig } from "vitest/config";
import page from "./vite.config.ts";

export default mergeConfig(
  page,
  defineConfig({
    test: {
      include: ["tests/**/*.test.ts"],
      // What runs here is what a browser runs, without the browser: each test brings the few parts that it needs.
      environment: "./tests/support/browserless.ts",
    },
  }),
);
