import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { preferredLanguage, speak } from "./lib/i18n.svelte.ts";
import { applySettings } from "./lib/settings.svelte.ts";
import { keepPage } from "./lib/update.svelte.ts";

applySettings();
// Words first: a page that shows ids and then words would jump.
await speak(preferredLanguage());
mount(App, { target: document.getElementById("page")! });

// What is kept for later is fetched after what is needed now.
if (import.meta.env.PROD) void keepPage();
