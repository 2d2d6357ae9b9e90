import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { begin, preferredLanguage, speak } from "./words/i18n.svelte.ts";
import { applySettings, settings } from "./device/settings.svelte.ts";
import { isSite } from "./device/origin.ts";
import { keepPage } from "./device/appUpdate.svelte.ts";
import { localHouse } from "./local/localHouse.ts";
import { games } from "./connection/httpApi.ts";
import { recentTables } from "./connection/recentTables.ts";
import { route } from "./connection/route.svelte.ts";

/** How long the page waits for the games of this device, in milliseconds. */
const PATIENCE = 250;

applySettings();
// Games on this device need the rules soon: load them in parallel with the texts.
if (isSite || settings.place === "here") localHouse.games().catch(() => undefined);
else games().catch(() => undefined); // the start page asks for them and shows what is wrong
// Texts and the games to resume first: a page that shows them later would jump. A slow database does not hold it up.
const resumed = Promise.race([recentTables().catch(() => []), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
const texts = route().screen === "start" ? begin : speak; // the other screens wait for all of them
await Promise.all([texts(preferredLanguage()), resumed]);
mount(App, { target: document.getElementById("page")! });

// The offline cache is filled after everything that is needed now.
if (import.meta.env.PROD) void keepPage();
