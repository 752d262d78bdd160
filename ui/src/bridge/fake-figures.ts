// What the pretend Beckon tells of itself: findings, a history, a code.

import type { Finding, HistoryEntry, Replied } from "../lib/wire";
import { NOW } from "./scenes";

function works(leg: string, text: string): Finding {
  return { leg, ok: true, note: false, text };
}

export const FINDINGS: Finding[] = [
  works("config", "The settings are read: /home/you/.config/beckon/config.toml"),
  works("database", "The database is whole: /home/you/.local/share/beckon/beckon.db"),
  works("keychain", "The keychain opens"),
  works("source", "local (http://127.0.0.1:4096) answers, 1.18.33"),
  {
    leg: "source",
    ok: false,
    note: false,
    text: "build-box: connection refused",
    hint: "Start it there with: opencode serve --hostname 10.0.0.7",
  },
  works("desktop", "Notifications are shown by xfce4-notifyd"),
  works("telegram", "@my_beckon_bot answers; 1 person is paired"),
];

export const SELF_TEST: Finding[] = [
  works("store", "The test question was saved in 0.4 ms"),
  works("desktop", "The notification was shown after 3 ms and withdrawn after 9 ms"),
  works("telegram", "The message arrived after 212 ms"),
];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function entry(ago: number, waited: number, parts: Partial<HistoryEntry>): HistoryEntry {
  const settled_at = NOW - ago;
  return {
    id: `que_${ago}`,
    source: "local",
    kind: "question",
    title: "",
    asked: parts.title ? [parts.title] : [],
    project: "shop-api",
    session: "Pick a storage engine",
    asked_at: settled_at - waited,
    settled_at,
    outcome: "answered",
    by: "window",
    answer: [],
    ending: "answered",
    replies: [],
    reason: null,
    waited_ms: waited,
    ...parts,
  };
}

const chosen = (...choices: string[]): Replied => ({ choices, text: null });

/** Leave to run a command. */
function command(ago: number, text: string, parts: Partial<HistoryEntry>): HistoryEntry {
  return entry(ago, 6_000, {
    kind: "permission",
    title: "bash",
    asked: ["bash", text],
    project: "infra",
    ...parts,
  });
}

/** Every ending there is. */
export const HISTORY: HistoryEntry[] = [
  entry(3 * MINUTE, 38_000, {
    title: "Which database should I use?",
    answer: [["SQLite"]],
    replies: [chosen("SQLite")],
  }),
  command(9 * MINUTE, "rm -rf build", { by: "notification", answer: [["once"]], ending: "once" }),
  entry(26 * MINUTE, 4 * MINUTE, {
    title: "Which features do you want in the first version?",
    by: "telegram",
    answer: [["Auth", "Export", "An audit log would be good,\nbut not in the first week"]],
    replies: [
      {
        choices: ["Auth", "Export"],
        text: "An audit log would be good,\nbut not in the first week",
      },
    ],
  }),
  command(51 * MINUTE, "git push --force origin main", {
    answer: [["reject"]],
    ending: "rejected",
    reason: "Not on a Friday: open a pull request instead",
  }),
  command(58 * MINUTE, "npm test", { by: "cli", answer: [["always"]], ending: "always" }),
  entry(2 * HOUR, 6 * MINUTE, {
    kind: "confirm",
    source: "research",
    title: "The next step searches the web again and costs about 0.40 $.",
    project: "research",
    by: "tray",
    answer: [["continue"]],
    ending: "continued",
  }),
  entry(3 * HOUR, 2 * MINUTE, {
    kind: "confirm",
    source: "research",
    title: "Send the draft to 14 people?",
    project: "research",
    by: "telegram",
    answer: [["cancel"]],
    ending: "cancelled",
  }),
  entry(5 * HOUR, 11 * MINUTE, {
    title: "Where will it run?",
    outcome: "answered elsewhere",
    by: "elsewhere",
    answer: [["Fly.io"]],
    replies: [chosen("Fly.io")],
  }),
  entry(9 * HOUR, 52_000, {
    title: "Shall I write a changelog as well?",
    outcome: "dismissed elsewhere",
    by: "elsewhere",
    ending: "dismissed",
  }),
  entry(21 * HOUR, 30 * MINUTE, {
    title: "Rename the package?",
    project: "docs-site",
    outcome: "expired",
    by: "clock",
    ending: "expired",
  }),
  entry(71 * HOUR, 2 * MINUTE, {
    title: "Fetch https://example.com/api?",
    project: "docs-site",
    outcome: "gone",
    by: null,
    ending: "gone",
  }),
];

/** Looks like a code; leads nowhere. */
export const QR = code();

function code(): string {
  const squares: string[] = [];
  for (let i = 0; i < 29 * 29; i += 1) {
    const [x, y] = [i % 29, Math.floor(i / 29)];
    if ((x * 7 + y * 13 + x * y) % 5 < 2) squares.push(`M${x} ${y}h1v1h-1z`);
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29"><path d="${squares.join("")}"/></svg>`;
}
