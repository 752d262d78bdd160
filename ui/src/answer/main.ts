// The answer window's page.

import { mount } from "svelte";
import "../lib/base.css";
import { session } from "../lib/session.svelte";
import Answer from "./Answer.svelte";
import { answering } from "./state.svelte";

mount(Answer, { target: document.body });
void session.start((view) => answering.see(view));
