import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { preferredLanguage, speak } from "./words/i18n.svelte.ts";
import { applySettings, settings } from "./device/settings.svelte.ts";
import { isSite } from "./device/origin.ts";
import { keepPage } from "./device/appUpdate.svelte.ts";
import { localHouse } from "./local/localHouse.ts";

applySettings();
// Games on this device need the rules soon: load them in parallel with the texts.
if (isSite || settings.place === "here") localHouse.games().catch(() => undefined);
// Texts first: a page that shows ids and then texts would jump.
await speak(preferredLanguage());
mount(App, { target: document.getElementById("page")! });

// The offline cache is filled after everything that is needed now.
if (import.meta.env.PROD) void keepPage();
