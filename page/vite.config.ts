import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { catalogues } from "./build/catalogues.ts";
import { sharedFiles } from "./build/chunks.ts";
import { lessons } from "./build/lessons.ts";
import { offline } from "./build/offline.ts";
import { reasons } from "./build/reasons.ts";
import { rulebook } from "./build/rulebook.ts";
import { puzzles } from "./build/puzzles.ts";

// Some static hosts do not serve names that begin with a low line, as those of our own modules would.
const chunkFileNames = (chunk: { name: string }): string => `assets/${chunk.name.replace(/^_+/, "")}-[hash].js`;

const START = "src/main.ts";
const name = sharedFiles({ start: START, table: "src/screens/TableScreen.svelte" });

// Times of plugins are no warning.
const checks = { pluginTimings: false };

export default defineConfig({
  base: "./",
  plugins: [
    catalogues("../src/qwixx/text/catalogues", START),
    rulebook("../src/qwixx/rulebook"),
    lessons("../src/qwixx/tutorial/lessons"),
    reasons("../src/qwixx/coach/reasons"),
    puzzles("../src/qwixx/puzzles/positions"),
    svelte(),
    offline(/\.net$|^(previews|screenshots)\//),
  ],
  worker: { format: "es", rolldownOptions: { checks } },
  build: {
    outDir: "../src/qwixx/web",
    emptyOutDir: true,
    target: "es2022",
    // Inlined data: addresses would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { chunkFileNames, codeSplitting: { groups: [{ name }] } }, checks },
  },
  server: {
    proxy: {
      "/api": "http://127.0.0.1:8321",
      "/ws": { target: "ws://127.0.0.1:8321", ws: true },
    },
  },
});
