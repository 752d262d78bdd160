// The figures of the pretend Beckon: findings, a history, a code.

import cliEn from "../../../client/locales/en/cli.ftl?raw";
import windowsEn from "../../../client/locales/en/windows.ftl?raw";
import cliZh from "../../../client/locales/zh-CN/cli.ftl?raw";
import windowsZh from "../../../client/locales/zh-CN/windows.ftl?raw";
import { words as wordsOf, type Words } from "../lib/texts";
import type { Activity } from "../bindings/Activity";
import type { Finding, HistoryEntry, Replied } from "../lib/wire";
import { NOW } from "./scenes";

/** Beckon's own texts, so that the pictures show what people will read. */
function words(language: string): Words {
  const ftl = language === "zh-CN" ? [cliZh, windowsZh] : [cliEn, windowsEn];
  return wordsOf({ language, languages: [language], ftl: ftl.join("\n") });
}

/** Returns the findings that a scene has besides the usual ones. */
function newer(say: Words, scene: string): Finding[] {
  if (scene !== "health-updates") return [];
  const detail = say("doctor-updates-newer", { version: "0.2.0", running: "0.1.0" });
  const text = say("doctor-updates-note", { detail });
  return [{ leg: "updates", ok: true, note: true, text }];
}

export function findings(language: string, scene: string): Finding[] {
  const say = words(language);
  const leg = (leg: string, word: "ok" | "note" | "bad", detail = ""): Finding => ({
    leg,
    ok: word !== "bad",
    note: word === "note",
    text: say(`doctor-${leg}-${word}`, { detail }),
  });
  return [
    leg("config", "ok", "/home/you/.config/beckon/config.toml"),
    leg("database", "ok", "/home/you/.local/share/beckon/beckon.db"),
    leg("keychain", "ok"),
    leg("running", "ok", "0.1.0"),
    leg("source", "ok", "local (http://127.0.0.1:4096) 1.18.33"),
    leg("source", "bad", "build-box (http://10.0.0.7:4096): connection refused"),
    leg("desktop", "ok", "xfce4-notifyd"),
    leg("tray", "note", "org.kde.StatusNotifierWatcher"),
    leg("telegram", "ok", "my_beckon_bot"),
    leg("paired", "ok", "Ada Lovelace"),
    ...newer(say, scene),
  ];
}

export function selfTest(language: string): Finding[] {
  const say = words(language);
  const leg = (leg: string): Finding => ({
    leg,
    ok: true,
    note: false,
    text: say(`selftest-${leg}-ok`),
  });
  return ["loop", "desktop", "answer", "store", "telegram"].map(leg);
}

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
    directory: "/home/you/src/shop-api",
    agent: null,
    asked_at: settled_at - waited,
    settled_at,
    outcome: "answered",
    by: "window",
    responder: { person: "Ada", device: "workstation", vouched: "machine" },
    answer: [],
    ending: "answered",
    replies: [],
    reason: null,
    waited_ms: waited,
    ...parts,
  };
}

const chosen = (...choices: string[]): Replied => ({ choices, text: null });

/** A permission to run a command, in the history. */
function command(ago: number, text: string, parts: Partial<HistoryEntry>): HistoryEntry {
  return entry(ago, 6_000, {
    kind: "permission",
    title: "bash",
    asked: ["bash", text],
    project: "infra",
    directory: "/home/you/infra",
    session: "Nightly",
    agent: "Claude Code",
    ...parts,
  });
}

/** A history with every ending there is. */
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
    responder: { person: "Ada", device: "Telegram", vouched: "telegram", telegram_user: 1001 },
    answer: [["Auth", "Export", "An audit log would be good,\nbut not in the first week"]],
    replies: [
      {
        choices: ["Auth", "Export"],
        text: "An audit log would be good,\nbut not in the first week",
      },
    ],
  }),
  entry(44 * MINUTE, 2 * MINUTE, {
    title: "Which port should the server listen on?",
    outcome: "answered elsewhere",
    by: null,
    responder: null,
    answer: [["8080"]],
    replies: [chosen("8080")],
    late: {
      by: "notification",
      responder: { person: "Ada", device: "workstation", vouched: "machine" },
      answer: [["3000, the proxy expects it there"]],
      ending: "answered",
      replies: [{ choices: [], text: "3000, the proxy expects it there" }],
      reason: null,
    },
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
    responder: { person: "Ada", device: "Telegram", vouched: "telegram", telegram_user: 1001 },
    answer: [["cancel"]],
    ending: "cancelled",
  }),
  entry(5 * HOUR, 11 * MINUTE, {
    title: "Where will it run?",
    outcome: "answered elsewhere",
    by: "elsewhere",
    responder: null,
    answer: [["Fly.io"]],
    replies: [chosen("Fly.io")],
  }),
  entry(9 * HOUR, 52_000, {
    title: "Shall I write a changelog as well?",
    outcome: "dismissed elsewhere",
    by: "elsewhere",
    responder: null,
    ending: "dismissed",
  }),
  entry(21 * HOUR, 30 * MINUTE, {
    title: "Rename the package?",
    project: "docs-site",
    outcome: "expired",
    by: "clock",
    responder: null,
    ending: "expired",
  }),
  entry(71 * HOUR, 2 * MINUTE, {
    title: "Fetch https://example.com/api?",
    project: "docs-site",
    outcome: "gone",
    by: null,
    responder: null,
    ending: "gone",
  }),
];

/** A picture that looks like a QR code and leads nowhere. */
export const QR = code();

function code(): string {
  const squares: string[] = [];
  for (let i = 0; i < 29 * 29; i += 1) {
    const [x, y] = [i % 29, Math.floor(i / 29)];
    if ((x * 7 + y * 13 + x * y) % 5 < 2) squares.push(`M${x} ${y}h1v1h-1z`);
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29"><path d="${squares.join("")}"/></svg>`;
}

const DAY = 24 * HOUR;

/** Minutes of waiting, and the median in seconds, for each day. The last is today. */
const WEEK: [number, number | null][] = [
  [0, null],
  [2, 22],
  [9, 41],
  [4, 19],
  [12, 55],
  [8, 38],
  [6, 38],
];

export const ACTIVITY: Activity = {
  median_ms: 38_000,
  days: WEEK.map(([minutes, median], i) => ({
    date: new Date(NOW - (WEEK.length - 1 - i) * DAY).toISOString().slice(0, 10),
    waited_ms: minutes * MINUTE,
    answered: minutes * 2,
    median_ms: median === null ? null : median * 1000,
    by:
      minutes === 0
        ? []
        : [
            { place: "notification", count: minutes },
            { place: "telegram", count: Math.ceil(minutes / 2) },
            { place: "window", count: Math.floor(minutes / 2) },
          ],
  })),
};
