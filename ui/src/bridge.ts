// The one door to Beckon. The pages know this interface and nothing of what is behind it.

import { tauri } from "./bridge/tauri";
import type { Activity } from "./bindings/Activity";
import type {
  AlwaysGrant,
  Ask,
  Attend,
  Finding,
  Integrations,
  HistoryPage,
  HistoryQuery,
  HubJoined,
  HubLeft,
  HubView,
  Link,
  LocalAgent,
  Nearby,
  NewSource,
  ServerChange,
  Paired,
  Plain,
  Reply,
  Settings,
  TestCard,
  Tested,
  Verdict,
  View,
  WindowDraft,
} from "./lib/wire";

/** An ask as it was shown when a button was pressed: one that has changed since is not answered. */
export type Shown = Pick<Ask, "id" | "fingerprint">;

/** Every verb rejects with a `Refusal` when the resident says no. */
export interface Bridge {
  /** What was to be seen when the page was made; given once, then it is forgotten. */
  known(): View | undefined;
  /** The desktop's font by its name, where it takes long to find without. */
  font(): string | undefined;
  openView(): Promise<View>;
  /** The page is drawn: its window may be seen. */
  drawn(): void;
  /** The content is so high, in CSS pixels. */
  fit(height: number): void;
  /** Called with the whole view whenever something changed. */
  onView(listener: (view: View) => void): void;
  /** Called when Beckon has died; the next view says that it is back. */
  onGone(listener: () => void): void;

  answer(ask: Shown, replies: Reply[]): Promise<Verdict>;
  grant(ask: Shown, always: boolean): Promise<Verdict>;
  deny(ask: Shown, reason?: string): Promise<Verdict>;
  dismiss(ask: Shown): Promise<Verdict>;
  goOn(ask: Shown, yes: boolean): Promise<Verdict>;
  /** Says that a request was seen, is to wait, or may ring again. */
  attend(ask: Shown, to: Attend): Promise<void>;
  /** Where its session runs comes to the front. */
  openSession(ask: Shown): Promise<void>;
  keepDraft(id: string, draft: WindowDraft): Promise<void>;

  settings(): Promise<Settings>;
  saveSetting(key: string, value: Plain): Promise<Settings>;
  addServer(server: NewSource & { password?: string }): Promise<Settings>;
  /** Another name or address. A password or token goes along to a name, not to another origin. */
  changeServer(name: string, change: ServerChange): Promise<Settings>;
  removeServer(name: string): Promise<Settings>;
  /** Servers that announce themselves on the local network: two seconds' look. */
  nearby(): Promise<Nearby[]>;
  /** Asks what is there; with a name, by the password or token that is kept for it. */
  testServer(
    server: Omit<NewSource, "name"> & { name?: string; password?: string },
  ): Promise<Tested>;
  setSecret(name: string, value: string): Promise<void>;
  removeSecret(name: string): Promise<void>;
  /** Puts the plugin into OpenCode, or takes it out. */
  integrateOpenCode(install: boolean): Promise<Settings>;
  /** Beckon starts when its human logs in, or no longer. */
  autostart(on: boolean): Promise<Settings>;
  /** The OpenCodes that run on this computer. */
  agents(): Promise<LocalAgent[]>;
  integrations(): Promise<Integrations>;
  /** Puts the hooks into Claude Code's settings, or takes them out. */
  integrateClaudeCode(install: boolean): Promise<Integrations>;

  telegramLogin(token: string): Promise<{ bot: string }>;
  telegramLogout(): Promise<void>;
  telegramPair(): Promise<Link>;
  telegramPeople(): Promise<Paired[]>;
  telegramUnpair(id: number): Promise<void>;
  /** Sends a card with a button, and waits a minute for a tap. */
  telegramTest(): Promise<TestCard>;

  presence(said: "auto" | "here" | "away", span?: string): Promise<void>;
  /** Ends a pause, and nothing else. */
  resume(): Promise<void>;
  pause(how: { minutes?: number; until?: "tomorrow"; off?: true }): Promise<void>;

  history(query: HistoryQuery): Promise<HistoryPage>;
  /** How long agents waited in the last seven days. */
  /** What was always allowed from here, the newest first. */
  grants(): Promise<AlwaysGrant[]>;
  /** Takes it back at the agent's server; the list, as it is then. */
  revoke(serial: number): Promise<AlwaysGrant[]>;
  activity(): Promise<Activity>;
  exportHistory(format: "json" | "csv"): Promise<string>;
  /** The machines that share what they ask, and how this one stands among them. */
  hub(): Promise<HubView>;
  /** By what `beckon hub invite` prints. */
  hubJoin(code: string): Promise<HubJoined>;
  hubLeave(): Promise<HubLeft>;
  /** Takes another device off the hub that this machine serves. */
  hubRemove(device: string): Promise<boolean>;
  health(): Promise<Finding[]>;
  selfTest(): Promise<Finding[]>;
  /** Asks as an agent would; the answer, if somebody gave one. */
  testQuestion(): Promise<string | null>;

  openLink(url: string): Promise<void>;
  openLogs(): Promise<void>;
  /** config.toml, in the program for such files; its folder where there is none. */
  openConfig(): Promise<void>;
  /** The settings window, where the agents are. */
  openAgents(): Promise<void>;
  closeWindow(): Promise<void>;
  /** Called when the window was closed by other means than the page's own. */
  onClosed(listener: () => void): void;
}

/** Beckon itself; in the fake build, a pretend one. */
export async function connect(): Promise<Bridge> {
  if (import.meta.env.MODE === "fake") return (await import("./bridge/fake")).fake();
  return tauri();
}
