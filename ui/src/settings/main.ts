// The entry point of the settings window's page.

import { mount } from "svelte";
import "../lib/base.css";
import { holdThisPage } from "../lib/painted";
import { session } from "../lib/session.svelte";
import Settings from "./Settings.svelte";
import { settings } from "./state.svelte";

holdThisPage();
mount(Settings, { target: document.body });
void session.start((view) => settings.see(view));
