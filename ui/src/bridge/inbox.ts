// The inbox's scenes, and what the pretend Beckon keeps of a request that was seen or snoozed. Only
// in the fake build.

import type { Ask, Attend, SetAside, Source } from "../lib/wire";
import { spanMs } from "../lib/time";
import * as scene from "./scenes";

/** A service on another machine. */
export const GRAPHS: Source = {
  name: "build server",
  kind: "langgraph",
  url: "http://10.0.0.9:2024",
  state: "live",
  version: null,
  error: null,
  experimental: false,
};

const SUITES = [
  ["cart", 124_000],
  ["checkout", 121_000],
  ["discounts --reporter=dot", 84_000],
  ["orders/refund.test.ts", 50_000],
  ["--run --coverage=false search stock tax vouchers", 13_000],
] as const;

/** A permission for one of several commands of one session. */
export function similar(command: string, waited: number, parts: Partial<Ask> = {}): Ask {
  const asked = scene.ask({
    kind: "permission",
    waited,
    permission: {
      permission: "bash",
      purpose: { verb: "run", objects: ["npm"] },
      patterns: [command],
      always: ["npm test *"],
      always_until: "server" as const,
      command,
      diff: null,
    },
    can_always: ["npm test *"],
    ...parts,
  });
  const title = "Fix the cart total";
  return { ...asked, session: { ...asked.session, id: "ses_cart", title, agent: "build" } };
}

function removal(): Ask {
  const command = "rm -rf build/cache dist";
  const purpose = { verb: "run" as const, objects: ["rm"] };
  const permission = {
    permission: "bash",
    purpose,
    always: [],
    always_until: "server" as const,
    diff: null,
  };
  return { ...scene.command(), permission: { ...permission, patterns: [command], command } };
}

function ofDocs(asked: Ask, set_aside?: SetAside): Ask {
  const session = {
    ...asked.session,
    directory: "/home/you/src/docs-site",
    title: "Move to the new theme",
    agent: "Claude Code",
  };
  return { ...asked, source: "asks", session, set_aside };
}

function settings(): Ask {
  const questions = ["Hosting", "Theme", "Search"].map((header) =>
    scene.question({
      header,
      question: `Which ${header.toLowerCase()}?`,
      choices: [
        { label: "Keep it", description: "" },
        { label: "Replace it", description: "" },
      ],
    }),
  );
  return ofDocs(scene.ask({ questions, waited: 63_000 }), { is: "seen" });
}

function edit(): Ask {
  const lines = (sign: string, count: number) => `${sign}a line of the docs\n`.repeat(count);
  const diff = `--- docs/index.md\n+++ docs/index.md\n@@ -1,9 +1,18 @@\n${lines("-", 3)}${lines("+", 12)}`;
  const asked = scene.edit();
  const permission = {
    permission: "edit",
    purpose: { verb: "edit" as const, objects: ["index.md"] },
    patterns: ["docs/index.md"],
    always: ["*"],
    always_until: "server" as const,
    command: null,
    diff,
  };
  return ofDocs({ ...asked, permission, asked_at: scene.NOW - 40_000 });
}

function snoozed(set_aside: SetAside): Ask {
  return { ...scene.own(), asked_at: scene.NOW - 900_000, set_aside };
}

/** A list of ten requests that wait, and one that is snoozed. */
export function inbox(): Ask[] {
  const research = { ...scene.confirm(), source: GRAPHS.name };
  const blog = snoozed({ is: "snoozed", until: scene.NOW + 58 * 60_000 });
  return [
    research,
    { ...scene.single(), asked_at: scene.NOW - 245_000 },
    ...SUITES.map(([suite, waited]) => similar(`npm test -- ${suite}`, waited)),
    removal(),
    settings(),
    edit(),
    { ...blog, session: { ...blog.session, directory: "/home/you/src/blog" } },
  ];
}

/** A list in which all but one request are snoozed. */
export function later(): Ask[] {
  return [
    { ...scene.single(), asked_at: scene.NOW - 245_000 },
    snoozed({ is: "snoozed", until: scene.NOW + 58 * 60_000 }),
    { ...snoozed({ is: "snoozed" }), questions: scene.single().questions },
  ];
}

/** A list of ten thousand requests, more than anybody reads. */
export function many(): Ask[] {
  return Array.from({ length: 10_000 }, (_, i) => {
    const waited = 1000 * (10_000 - i);
    const project = `project-${(i * 7) % 40}`;
    if (i % 2 === 0) return scene.ask({ ...scene.single(), id: `q${i}`, project, waited });
    const asked = similar(`npm test -- suite-${i}`, waited, { id: `p${i}` });
    const directory = `/home/you/src/${project}`;
    return { ...asked, session: { ...asked.session, id: `ses_${i % 400}`, directory } };
  });
}

/** Returns what Beckon keeps of a request that was marked so. */
export function noted(to: Attend): SetAside | undefined {
  if (to.is === "wanted") return undefined;
  if (to.is === "seen") return { is: "seen" };
  const ms = to.for === undefined ? undefined : spanMs(to.for);
  return { is: "snoozed", until: ms === undefined ? undefined : scene.NOW + ms };
}
