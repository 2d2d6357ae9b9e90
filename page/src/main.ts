import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { preferredLanguage, speak } from "./lib/i18n.svelte.ts";
import { applySettings, settings } from "./lib/settings.svelte.ts";
import { isSite } from "./lib/site.ts";
import { keepPage } from "./lib/update.svelte.ts";
import { here } from "./local/here.ts";

applySettings();
// Where games are played on this device the rules are needed soon: they are fetched beside the words.
if (isSite || settings.place === "here") here.games().catch(() => undefined);
// Words first: a page that shows ids and then words would jump.
await speak(preferredLanguage());
mount(App, { target: document.getElementById("page")! });

// What is kept for later is fetched after what is needed now.
if (import.meta.env.PROD) void keepPage();
