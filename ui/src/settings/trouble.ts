// Finding the tabs that have something to mend.

import { machineOf, servers } from "../lib/sources";
import type { Source, Status, Tab } from "../lib/wire";

export function troubles(status: Status): Tab[] {
  const { sources, channels } = status;
  const found: Tab[] = [];
  if (sources.length === 0 || servers(sources).some(isTrouble)) found.push("agents");
  if (sources.some((source) => isMachine(source) && isTrouble(source))) found.push("machines");
  if (channels.telegram.state === "down") found.push("telegram");
  if (channels.desktop.state === "down") found.push("notifications");
  if (status.hotkey_error) found.push("general");
  if (status.warnings.length > 0) found.push("health");
  return found;
}

const isMachine = ({ name }: Source): boolean => machineOf(name) !== undefined;

export function isTrouble(source: Source): boolean {
  switch (source.state) {
    case "unreachable":
    case "unauthorized":
      return true;
    case "connecting":
    case "live":
      return false;
    default:
      // An unknown word, from another version of Beckon.
      source.state satisfies never;
      return false;
  }
}
