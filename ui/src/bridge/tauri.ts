// The bridge over Tauri's commands and its one event.

import { invoke } from "@tauri-apps/api/core";
import { getCurrentWebviewWindow } from "@tauri-apps/api/webviewWindow";
import type { Bridge, Shown } from "../bridge";
import type { View } from "../lib/wire";

declare global {
  interface Window {
    /** The view, set before any script of the page runs. */
    known?: View | null;
    /** The desktop's font, set before any script of the page runs. */
    font?: string | null;
  }
}

function named({ id, fingerprint }: Shown): { id: string; seen: string } {
  return { id, seen: fingerprint };
}

export function tauri(): Bridge {
  return {
    known: () => {
      const view = window.known ?? undefined;
      delete window.known;
      return view;
    },
    font: () => window.font ?? undefined,
    openView: () => invoke("open_view"),
    drawn: () => void invoke("drawn"),
    fit: (height) => void invoke("fit", { height }),
    // Listens to this window only: the view sent to another one is of another page.
    onView: (listener) =>
      void getCurrentWebviewWindow().listen<View>("view", (event) => listener(event.payload)),
    onGone: (listener) => void getCurrentWebviewWindow().listen("gone", () => listener()),

    answer: (ask, replies) => invoke("answer", { ...named(ask), replies }),
    grant: (ask, always) => invoke("grant", { ...named(ask), always }),
    deny: (ask, reason) => invoke("deny", { ...named(ask), reason }),
    dismiss: (ask) => invoke("dismiss", named(ask)),
    goOn: (ask, yes) => invoke("go_on", { ...named(ask), yes }),
    attend: (ask, to) => invoke("attend", { ...named(ask), ...to }),
    openSession: (ask) => invoke("open_session", { id: ask.id }),
    keepDraft: (id, draft) => invoke("keep_draft", { id, ...draft }),

    settings: () => invoke("settings"),
    saveSetting: (key, value) => invoke("save_setting", { key, value }),
    addServer: (server) => invoke("add_server", { ...server }),
    changeServer: (name, change) => invoke("change_server", { name, change }),
    removeServer: (name) => invoke("remove_server", { name }),
    nearby: () => invoke("nearby"),
    testServer: (server) => invoke("test_server", { ...server }),
    setSecret: (name, value) => invoke("set_secret", { name, value }),
    removeSecret: (name) => invoke("remove_secret", { name }),
    integrateOpenCode: (install) => invoke("integrate_opencode", { install }),
    autostart: (on) => invoke("autostart", { on }),
    agents: () => invoke("agents"),
    integrations: () => invoke("integrations"),
    integrateClaudeCode: (install) => invoke("integrate_claude_code", { install }),

    telegramLogin: (token) => invoke("telegram_login", { token }),
    telegramLogout: () => invoke("telegram_logout"),
    telegramPair: () => invoke("telegram_pair"),
    telegramPeople: () => invoke("telegram_people"),
    telegramUnpair: (id) => invoke("telegram_unpair", { id }),
    telegramTest: () => invoke("telegram_test"),

    presence: (said, span) => invoke("presence", { said, for: span }),
    resume: () => invoke("resume"),
    pause: (how) => invoke("pause", how),

    history: (query) => invoke("history", { ...query }),
    grants: () => invoke("grants"),
    revoke: (serial) => invoke("revoke", { serial }),
    activity: () => invoke("activity"),
    exportHistory: (format) => invoke("export_history", { format }),
    hub: () => invoke("hub"),
    hubJoin: (code) => invoke("hub_join", { code }),
    hubLeave: () => invoke("hub_leave"),
    hubRemove: (device) => invoke("hub_remove", { device }),
    health: () => invoke("health"),
    selfTest: () => invoke("self_test"),
    testQuestion: () => invoke("test_question"),

    openLink: (url) => invoke("open_link", { url }),
    openLogs: () => invoke("open_logs"),
    openConfig: () => invoke("open_config"),
    openAgents: () => invoke("open_agents"),
    closeWindow: () => invoke("close_window"),
    onClosed: (listener) => void getCurrentWebviewWindow().listen("closed", listener),
  };
}
