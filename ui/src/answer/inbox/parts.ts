// The components that are loaded later, in one file.

export { default as KeyPanel } from "../KeyPanel.svelte";
export { default as Inbox } from "./Inbox.svelte";
export { default as Pile } from "./Pile.svelte";
