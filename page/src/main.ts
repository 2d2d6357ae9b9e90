import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { preferredLanguage, speak } from "./lib/i18n.svelte.ts";
import { applySettings } from "./lib/settings.svelte.ts";

applySettings();
// Words first: a page that shows ids and then words would jump.
await speak(preferredLanguage());
mount(App, { target: document.getElementById("page")! });

if ("serviceWorker" in navigator && import.meta.env.PROD) {
  navigator.serviceWorker.register("/sw.js").catch(() => undefined); // without it the page works as well
}
