// The pretend Beckon's settings: keys that are kept, servers that come and go, a bot that pairs.

import type { Bridge } from "../bridge";
import type { HistoryQuery, Plain, Setting, Settings, Status } from "../lib/wire";
import type { Fake } from "./fake";
import { GRANTS, revoked } from "./fake-grants";
import { localAgents, type LocalPart } from "./fake-local";
import { hubIn, without } from "./fake-hub";
import { tried } from "./fake-network";
import { changed, setting, SERVERS } from "./fake-servers";
import { findings, ACTIVITY, HISTORY, QR, selfTest } from "./fake-figures";
import { NOW } from "./scenes";

const DEFAULTS: Record<string, Plain> = {
  language: "auto",
  "telegram.forward": "away",
  "telegram.api_url": "https://api.telegram.org",
  "telegram.proxy": "",
  "presence.away_after": "3m",
  "presence.lock_is_away": true,
  "escalation.after": "10m",
  "escalation.remind": "never",
  "escalation.quiet_hours": "",
  "questions.expire_after": "never",
  "questions.before_dialog": "never",
  "permissions.one_press": "unmarked",
  "notifications.sound": true,
  "notifications.break_through": "never",
  "turns.desktop_after": "2m",
  "turns.telegram": true,
  "window.hotkey": "",
  "window.undo": "never",
  "hub.share_presence": true,
};

class Kept {
  readonly values = new Map<string, Plain>(Object.entries(DEFAULTS));
  servers = SERVERS;
  error: string | null = null;
  proxyPassword = false;
  autostart = false;
  installed: Settings["plugin"]["installed"] = "no";

  all(byHand: [string, Plain][] = []): Settings {
    byHand.forEach(([key, value]) => this.values.set(key, value));
    const keys = [...this.values].map(([key, value]): Setting => {
      const usual = DEFAULTS[key] ?? "";
      return { key, value, default: usual, in_file: value !== usual };
    });
    const plugin: Settings["plugin"] = {
      installed: this.installed,
      file: "/home/you/.config/opencode/plugin/beckon.js",
      error: null,
    };
    return {
      file: "/home/you/.config/beckon/config.toml",
      error: this.error,
      keys,
      servers: this.servers,
      has_proxy_password: this.proxyPassword && this.values.get("telegram.proxy") !== "",
      plugin,
      autostart: this.autostart,
    };
  }
}

type Part = Pick<
  Bridge,
  | "settings"
  | "saveSetting"
  | "addServer"
  | "changeServer"
  | "removeServer"
  | "testServer"
  | "nearby"
  | "setSecret"
  | "removeSecret"
  | "integrateOpenCode"
  | "autostart"
>;

function file(state: Fake, kept: Kept): Part {
  return {
    settings: async () => kept.all(state.takeByHand()),
    saveSetting: async (key, value) => {
      state.note("save_setting", key, value);
      if (key === "window.hotkey" && value !== "" && !/\+\w$/.test(String(value))) {
        throw { code: "invalid", message: `${key} is “${value}”; use keys like Ctrl+Alt+B` };
      }
      if (key === "telegram.proxy") {
        if (/^(?!$|socks5h?:|https?:)/.test(String(value))) {
          throw { code: "invalid", message: `${key} must start with socks5:// or http://` };
        }
        state.goThrough(String(value));
      }
      kept.values.set(key, value);
      return kept.all();
    },
    addServer: async (server) => {
      state.note("add_server", server);
      kept.servers = [...kept.servers, setting(server)];
      return kept.all();
    },
    changeServer: async (name, change) => {
      state.note("change_server", name, change);
      kept.servers = kept.servers.map((it) => (it.name === name ? changed(it, change) : it));
      return kept.all();
    },
    removeServer: async (name) => {
      kept.servers = kept.servers.filter((server) => server.name !== name);
      return kept.all();
    },
    nearby: async () => [{ name: "opencode-4096", url: "http://10.0.0.9:4096" }],
    testServer: async (server) => tried(server),
    setSecret: async (name) => {
      state.note("set_secret", name);
      if (name === "telegram:proxy") kept.proxyPassword = true;
      kept.servers = kept.servers.map((server) =>
        server.secret === name ? { ...server, has_password: true } : server,
      );
      state.letIn(name.slice(name.indexOf(":") + 1));
    },
    removeSecret: async (name) => {
      state.note("remove_secret", name);
      if (name === "telegram:proxy") kept.proxyPassword = false;
    },
    autostart: async (on) => {
      state.note("autostart", on);
      kept.autostart = on;
      return kept.all();
    },
    integrateOpenCode: async (install) => {
      state.note("integrate_opencode", install);
      kept.installed = install ? "yes" : "no";
      return kept.all();
    },
  };
}

type Chat = Pick<
  Bridge,
  | "telegramLogin"
  | "telegramLogout"
  | "telegramPair"
  | "telegramPeople"
  | "telegramUnpair"
  | "telegramTest"
>;

function telegram(state: Fake, scene: string): Chat {
  const bot = (name: string | null, paired: number) => {
    const { status } = state.view;
    const telegram: Status["channels"]["telegram"] = {
      ...status.channels.telegram,
      bot: name,
      paired,
      state: name ? "works" : "off",
    };
    state.change({ status: { ...status, channels: { ...status.channels, telegram } } });
  };
  return {
    telegramLogin: async (token) => {
      state.note("telegram_login", token.length);
      if (!token.includes(":"))
        throw { code: "token", message: "Telegram does not know this token." };
      if (token.startsWith("0:")) throw { code: "refused", message: "Telegram can't be reached" };
      bot("my_beckon_bot", 0);
      return { bot: "my_beckon_bot" };
    },
    telegramLogout: async () => bot(null, 0),
    telegramPair: async () => ({
      link: "https://t.me/my_beckon_bot?start=Kq3vRz81mPTx0aWb",
      group_link: "https://t.me/my_beckon_bot?startgroup=Kq3vRz81mPTx0aWb",
      group_command: "/start@my_beckon_bot Kq3vRz81mPTx0aWb",
      svg: QR,
      expires_at: NOW + 9 * 60_000 + 40_000,
    }),
    telegramPeople: async () =>
      state.view.status.channels.telegram.paired > 0
        ? [{ id: 7, name: "Ada Lovelace", group: false, blocked: false }]
        : [],
    telegramUnpair: async () => bot("my_beckon_bot", 0),
    telegramTest: async () => ({
      chats: state.view.status.channels.telegram.paired,
      back: scene === "telegram-late" ? null : { by: "Ada Lovelace", after_ms: 3200 },
    }),
  };
}

type Rest = Omit<
  Bridge,
  | keyof Part
  | keyof Chat
  | keyof LocalPart
  | "attend"
  | "openSession"
  | "known"
  | "openView"
  | "drawn"
  | "font"
  | "fit"
  | "onView"
  | "onGone"
  | "answer"
  | "grant"
  | "deny"
  | "dismiss"
  | "goOn"
  | "keepDraft"
  | "openLink"
  | "openLogs"
  | "openConfig"
  | "openAgents"
  | "resume"
  | "closeWindow"
  | "onClosed"
>;

function rest(state: Fake, scene: string): Rest {
  const seen = scene === "history-empty" ? [] : HISTORY;
  let grants = scene === "agents-none" ? [] : GRANTS;
  return {
    presence: async (said, span) => {
      const { status } = state.view;
      const until = span ? NOW + 3_600_000 : null;
      const presence = { ...status.presence, override: said, away: said === "away", until };
      state.change({ status: { ...status, presence } });
    },
    pause: async (how) => {
      const paused_until = how.off ? null : NOW + (how.minutes ?? 600) * 60_000;
      state.change({ status: { ...state.view.status, paused_until } });
    },
    history: async (query: HistoryQuery) => {
      const needle = (query.text ?? "").toLowerCase();
      const entries = [...state.history, ...seen].filter(
        (entry) =>
          JSON.stringify(entry).toLowerCase().includes(needle) &&
          (!query.ending || entry.ending === query.ending) &&
          (!query.by || entry.by === query.by),
      );
      return { entries: entries.slice(0, query.limit), more: false };
    },
    grants: async () => grants,
    revoke: async (serial) => {
      state.note("revoke", serial);
      grants = grants.map((grant) => (grant.serial === serial ? revoked(grant) : grant));
      return grants;
    },
    activity: async () => (scene === "history-empty" ? { days: [], median_ms: null } : ACTIVITY),
    exportHistory: async (format) => `/home/you/beckon-history.${format}`,
    hub: async () => (state.hub ??= hubIn(scene, state.view.texts.language)),
    hubJoin: async (code: string) => {
      state.note("hub_join", code);
      const refused = state.refuse;
      state.refuse = undefined;
      if (refused) throw refused;
      state.hub = hubIn("machines");
      state.change({});
      return { url: state.hub.url ?? "", device: "laptop", person: "Ada" };
    },
    hubLeave: async () => {
      state.note("hub_leave");
      const { url, bot } = state.hub ?? hubIn(scene);
      state.hub = hubIn("machines-none");
      state.change({});
      return { url: url ?? "", serves: false, untold: null, bot: bot?.name ?? null };
    },
    hubRemove: async (name: string) => {
      state.note("hub_remove", name);
      const refused = state.refuse;
      state.refuse = undefined;
      if (refused) throw refused;
      state.hub = without(state.hub ?? hubIn(scene), name);
      state.change({});
      return true;
    },
    health: async () => findings(state.view.texts.language, scene),
    selfTest: async () => selfTest(state.view.texts.language),
    testQuestion: async () => (state.note("test_question"), "Yes"),
  };
}

export function settingsBridge(state: Fake, scene: string): Part & Chat & Rest & LocalPart {
  const kept = new Kept();
  const { proxy } = state.view.status.channels.telegram;
  if (proxy) kept.values.set("telegram.proxy", proxy.address);
  // This key exists only in a build that knows where to ask for updates. The others offer no
  // switch.
  if (scene === "general-updates") kept.values.set("updates.check", false);
  if (scene === "presence-broken") kept.error = 'presence.away_after is "soon"';
  if (scene === "agents-none" || scene.startsWith("welcome"))
    kept.servers = kept.servers.slice(0, 1);
  const installed = () => kept.installed === "yes";
  return {
    ...file(state, kept),
    ...telegram(state, scene),
    ...rest(state, scene),
    ...localAgents(state, scene, installed),
  };
}
