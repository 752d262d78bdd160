// The only way from the pages to Beckon. The pages know this interface and nothing of what is
// behind it.

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

/** An ask as it was shown when a button was pressed. If it has changed since, the answer is
 * refused. */
export type Shown = Pick<Ask, "id" | "fingerprint">;

/** The calls to Beckon. Every call rejects with a `Refusal` when the resident says no. */
export interface Bridge {
  /** Returns the view of the moment at which the page was made; once, then it is forgotten. */
  known(): View | undefined;
  /** Returns the name of the desktop's font, where the page would take long to find it. */
  font(): string | undefined;
  openView(): Promise<View>;
  /** Says that the page is drawn, so that its window may be shown. */
  drawn(): void;
  /** Asks for a window as high as the content, in CSS pixels. */
  fit(height: number): void;
  /** Sets the listener that gets the whole view whenever something changed. */
  onView(listener: (view: View) => void): void;
  /** Sets the listener that is called when Beckon has died. The next view says that it is back. */
  onGone(listener: () => void): void;

  answer(ask: Shown, replies: Reply[]): Promise<Verdict>;
  grant(ask: Shown, always: boolean): Promise<Verdict>;
  deny(ask: Shown, reason?: string): Promise<Verdict>;
  dismiss(ask: Shown): Promise<Verdict>;
  goOn(ask: Shown, yes: boolean): Promise<Verdict>;
  /** Marks a request as seen, snoozed, or wanted again. */
  attend(ask: Shown, to: Attend): Promise<void>;
  /** Brings the window in which a request's session runs to the front. */
  openSession(ask: Shown): Promise<void>;
  keepDraft(id: string, draft: WindowDraft): Promise<void>;

  settings(): Promise<Settings>;
  saveSetting(key: string, value: Plain): Promise<Settings>;
  addServer(server: NewSource & { password?: string }): Promise<Settings>;
  /** Changes a server's name or address. Its password or token is kept for another name, but not
   * for another origin. */
  changeServer(name: string, change: ServerChange): Promise<Settings>;
  removeServer(name: string): Promise<Settings>;
  /** Looks for two seconds for servers that announce themselves on the local network. */
  nearby(): Promise<Nearby[]>;
  /** Asks a server what it is. With a name, the password or token that is kept for it is used. */
  testServer(
    server: Omit<NewSource, "name"> & { name?: string; password?: string },
  ): Promise<Tested>;
  setSecret(name: string, value: string): Promise<void>;
  removeSecret(name: string): Promise<void>;
  /** Puts the plugin into OpenCode, or takes it out. */
  integrateOpenCode(install: boolean): Promise<Settings>;
  /** Sets whether Beckon starts when its human logs in. */
  autostart(on: boolean): Promise<Settings>;
  /** Returns the OpenCodes that run on this computer. */
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
  /** Returns what was always allowed from here, the newest first. */
  grants(): Promise<AlwaysGrant[]>;
  /** Takes an "always" back at the agent's server. Returns the list as it is then. */
  revoke(serial: number): Promise<AlwaysGrant[]>;
  /** Returns how long agents waited, for each of the last seven days. */
  activity(): Promise<Activity>;
  exportHistory(format: "json" | "csv"): Promise<string>;
  /** Returns the machines that share their requests over the hub, and the state of this one among
   * them. */
  hub(): Promise<HubView>;
  /** Joins a hub with the code that `beckon hub invite` prints. */
  hubJoin(code: string): Promise<HubJoined>;
  hubLeave(): Promise<HubLeft>;
  /** Removes another device from the hub that this machine serves. */
  hubRemove(device: string): Promise<boolean>;
  health(): Promise<Finding[]>;
  selfTest(): Promise<Finding[]>;
  /** Asks a test question as an agent would. Returns the answer, if somebody gave one. */
  testQuestion(): Promise<string | null>;

  openLink(url: string): Promise<void>;
  openLogs(): Promise<void>;
  /** Opens config.toml in the program for such files, or its folder where there is none. */
  openConfig(): Promise<void>;
  /** Opens the settings window at the page of the agents. */
  openAgents(): Promise<void>;
  closeWindow(): Promise<void>;
  /** Sets the listener that is called when the window was closed by other means than the page's
   * own. */
  onClosed(listener: () => void): void;
}

/** Connects to Beckon; in the fake build, to a pretend one. */
export async function connect(): Promise<Bridge> {
  if (import.meta.env.MODE === "fake") return (await import("./bridge/fake")).fake();
  return tauri();
}
