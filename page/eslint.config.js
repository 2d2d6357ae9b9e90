import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig, globalIgnores } from "eslint/config";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default defineConfig(
  // Generated: python -m qwixx.server.generate_types and python -m qwixx.wasm.generate_types write them.
  globalIgnores(["src/protocol.ts", "src/engine/exports.ts"]),
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  {
    rules: {
      // TypeScript reports unknown names, and unused ones better than a linter can.
      "no-undef": "off",
      "@typescript-eslint/no-unused-vars": "off",
      eqeqeq: ["error", "always", { null: "ignore" }],
      // Sets and maps in state are replaced as a whole, never changed.
      "svelte/prefer-svelte-reactivity": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig } },
  },
  {
    // Rules that need types. In templates they see `any` for what svelte-check knows, so only modules are checked.
    files: ["**/*.ts"],
    extends: [ts.configs.recommendedTypeCheckedOnly],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // A function may be async because its interface is.
      "@typescript-eslint/require-await": "off",
      // "This is never undefined" is worth saying even where undefined would compile.
      "@typescript-eslint/no-unnecessary-type-assertion": "off",
    },
  },
);
