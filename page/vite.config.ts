import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { catalogues } from "./build/catalogues.ts";

export default defineConfig({
  plugins: [catalogues("i18n"), svelte()],
  build: {
    outDir: "../src/qwixx/web",
    emptyOutDir: true,
    target: "es2022",
    // Inlined data: addresses would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      "/api": "http://127.0.0.1:8321",
      "/ws": { target: "ws://127.0.0.1:8321", ws: true },
    },
  },
});
