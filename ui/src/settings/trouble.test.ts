// Tests of which tabs have something to mend.

import { expect, test } from "vitest";
import type { Source, Status } from "../lib/wire";
import { troubles } from "./trouble";

const source = (name: string, state: Source["state"]) => ({ name, state }) as Source;

function status(...sources: Source[]): Status {
  const works = { state: "works" };
  const channels = { desktop: works, telegram: works };
  return { sources, channels, warnings: [] } as unknown as Status;
}

test("a server that is away is to be mended among the agents, a machine among the machines", () => {
  const local = source("local", "live");
  expect(troubles(status(local, source("hub:tower", "live")))).toEqual([]);
  expect(troubles(status(local, source("hub:tower", "unreachable")))).toEqual(["machines"]);
  expect(troubles(status(source("local", "unreachable")))).toEqual(["agents"]);
  expect(troubles(status(source("hub:tower", "live"))), "it has no agents of its own").toEqual([]);
  expect(troubles(status())).toEqual(["agents"]);
});
