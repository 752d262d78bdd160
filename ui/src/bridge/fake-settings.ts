// The pretend Beckon's settings.

import type { Bridge } from "../bridge";
import type { Fake } from "./fake";

export function settingsBridge(
  state: Fake,
  _scene: string,
): Omit<
  Bridge,
  | "openView"
  | "onView"
  | "answer"
  | "grant"
  | "deny"
  | "dismiss"
  | "goOn"
  | "keepDraft"
  | "openLink"
  | "openLogs"
  | "closeWindow"
> {
  return { history: async () => ({ entries: state.history, more: false }) } as never;
}
