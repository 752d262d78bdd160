// The asks and the view that the pretend Beckon's scenes are made of. Only in the fake build.

import type { Ask, Choice, Leg, Page, Question, View } from "../lib/wire";

/** The pretend wall clock's moment. It is fixed, since pictures must come out the same every
 * time. */
export const NOW = Date.UTC(2026, 10, 20, 13, 2, 0);

const choice = (label: string, description = ""): Choice => ({ label, description });

export function question(parts: Partial<Question>): Question {
  return { header: "", question: "", multiple: false, custom: true, choices: [], ...parts };
}

let serial = 0;

export function ask(parts: Partial<Ask> & { project?: string; waited?: number }): Ask {
  const { project = "shop-api", waited = 125_000, ...rest } = parts;
  serial += 1;
  return {
    id: `que_${serial}`,
    source: "local",
    kind: "question",
    state: "open",
    asked_at: NOW - waited,
    fingerprint: `fingerprint-${serial}`,
    session: {
      id: `ses_${serial}`,
      title: "Pick a storage engine",
      directory: `/home/you/src/${project}`,
      agent: "build",
      parent: null,
      last_words: null,
    },
    questions: [],
    permission: null,
    serial,
    waited_ms: waited,
    can_always: [],
    opens: true,
    ...rest,
  };
}

const database = question({
  header: "Database",
  question: "Which database should I use?",
  choices: [
    choice("PostgreSQL", "Robust relational store, needs a server"),
    choice("SQLite", "One file, no server"),
  ],
});
const features = question({
  header: "Features",
  question: "Which features do you want in the first version?",
  multiple: true,
  choices: [
    choice("Auth", "Sessions and password reset"),
    choice("Search", "Full text over products"),
    choice("Export", "CSV and JSON"),
  ],
});
const deploy = question({
  header: "Deploy",
  question: "Where will it run?",
  choices: [choice("Fly.io"), choice("Own server", "systemd unit and nginx")],
});

export const LAST_WORDS =
  "The schema is ready. Before I write the migrations I need to know **where it will live**:\n\n- `orders` grows by about 2,000 rows a day\n- nothing needs replication yet";

export const single = (): Ask => withWords(ask({ questions: [database] }), LAST_WORDS);

export function withWords(ask: Ask, words: string): Ask {
  return { ...ask, session: { ...ask.session, last_words: words } };
}

export const set = (): Ask => ask({ questions: [database, features, deploy], waited: 42_000 });

export const multiple = (): Ask => ask({ questions: [features], waited: 42_000 });

export const own = (): Ask =>
  ask({
    questions: [question({ header: "Name", question: "What should the package be called?" })],
    waited: 8_000,
  });

export const command = (): Ask =>
  ask({
    kind: "permission",
    waited: 12_000,
    permission: {
      permission: "bash",
      purpose: { verb: "run", objects: ["rm", "npm"] },
      patterns: ["rm -rf build && npm run build -- --mode production"],
      always: ["rm *", "npm run *"],
      always_until: "server" as const,
      command: "rm -rf build && npm run build -- --mode production",
      diff: null,
    },
    can_always: ["rm *", "npm run *"],
    risks: [{ risk: "deletes", words: "rm -rf", start: 0, end: 6 }],
  });

const DIFF = `Index: src/config.ts
===================================================================
--- src/config.ts
+++ src/config.ts
@@ -3,7 +3,8 @@
 export const config = {
   port: env.PORT ?? 3000,
-  db: "postgres://localhost/shop",
+  db: env.DATABASE_URL,
+  pool: 8,
   log: env.LOG_LEVEL ?? "info",
 };
`;

export const edit = (): Ask =>
  ask({
    kind: "permission",
    waited: 12_000,
    permission: {
      permission: "edit",
      purpose: { verb: "edit", objects: ["config.ts"] },
      patterns: ["src/config.ts"],
      always: ["*"],
      always_until: "server" as const,
      command: null,
      diff: DIFF,
    },
    can_always: ["*"],
  });

export const outside = (): Ask =>
  ask({
    kind: "permission",
    permission: {
      permission: "external_directory",
      purpose: { verb: "leave", objects: [] },
      patterns: ["/home/you/.config/shop/*"],
      always: [],
      always_until: "server" as const,
      command: null,
      diff: null,
    },
    risks: [{ risk: "outside", words: "/home/you/.config/shop/*", start: 0, end: 0 }],
  });

export const confirm = (): Ask =>
  ask({
    kind: "confirm",
    project: "research",
    info: "I have 14 sources and a draft of 3,200 words. The next step searches the web again and costs about 0.40 $.",
    waited: 380_000,
  });

export const long = (): Ask =>
  ask({
    questions: [
      question({
        header: "Region",
        question:
          "Which region should the first cluster be in? Latency to the warehouse matters more than price, and the data has to stay in the EU.",
        choices: [
          ...["Frankfurt", "Paris", "Stockholm", "Dublin", "Milan", "Zürich", "Warsaw"].map(
            (name) => choice(name, `eu-${name.toLowerCase()}-1, three zones`),
          ),
        ],
      }),
    ],
  });

export const others = (): Ask[] => [
  ask({ project: "docs-site", questions: [deploy], waited: 96_000 }),
  ask({ ...command(), project: "infra", waited: 31_000 }),
];

/** A leg, one of the sources that tell where the human is. It works unless `parts` says
 * otherwise. */
export function leg(what: Leg["what"], source: string, parts: Partial<Leg> = {}): Leg {
  return { what, source, works: true, holds: false, last_input: null, ...parts };
}

export function view(parts: Partial<View> & { page?: Page }, texts: View["texts"]): View {
  return {
    status: {
      version: "0.1.0",
      ready: true,
      sources: [
        {
          name: "local",
          kind: "opencode",
          url: "http://127.0.0.1:4096",
          state: "live",
          version: "1.18.33",
          error: null,
          experimental: false,
        },
        {
          name: "build-box",
          kind: "opencode",
          url: "http://10.0.0.7:4096",
          state: "live",
          version: "1.18.33",
          error: null,
          experimental: false,
        },
      ],
      presence: {
        state: "here",
        away: false,
        evidence: "x11",
        last_input: NOW - 12_000,
        override: "auto",
        elsewhere: "unheard",
        withheld: false,
        until: null,
        legs: [
          leg("idle", "x11", { last_input: NOW - 12_000 }),
          leg("lock", "logind"),
          leg("sleep", "logind"),
        ],
      },
      channels: {
        desktop: {
          state: "works",
          error: null,
          daemon: "xfce4-notifyd",
          can: { buttons: true, sound: true, keeps: true },
          do_not_disturb: false,
          break_through: "never",
        },
        telegram: {
          state: "works",
          bot: "my_beckon_bot",
          paired: 1,
          error: null,
          troubles: [],
          ignored: 0,
          unread_updates: 0,
          pairing_exposed: false,
          token_from_environment: false,
          proxy: null,
        },
      },
      tray: { state: "works", error: null },
      open: parts.asks?.length ?? 0,
      paused_until: null,
      warnings: [],
      unreadable: 0,
      hotkey_error: null,
      updates: { state: "off", version: null },
    },
    asks: [],
    page: { window: "answer" },
    call: 1,
    today: { answered: 14, waited_median_ms: 38_000 },
    undo_ms: 0,
    ...parts,
    texts,
  };
}
