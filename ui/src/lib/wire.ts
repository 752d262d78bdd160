// What crosses the seam, in the resident's own names. Nothing here is invented by the windows.

export interface Source {
  name: string;
  url: string;
  state: string;
  version: string | null;
  error: string | null;
}

export interface PresenceStatus {
  state: string;
  away: boolean;
  evidence: string;
  last_input: number | null;
  override: string;
  until: number | null;
}

export interface Status {
  version: string;
  ready: boolean;
  sources: Source[];
  presence: PresenceStatus;
  channels: {
    desktop: { state: string; error: string | null; daemon: string | null };
    telegram: {
      state: string;
      bot: string | null;
      paired: number;
      error: string | null;
      ignored: number;
      token_from_environment: boolean;
    };
  };
  tray: { state: string; error: string | null };
  open: number;
  paused_until: number | null;
  warnings: string[];
}

export interface Session {
  id: string;
  title: string | null;
  directory: string;
  agent: string | null;
  parent: string | null;
  last_words: string | null;
}

export interface Choice {
  label: string;
  description: string;
}

export interface Question {
  header: string;
  question: string;
  multiple: boolean;
  custom: boolean;
  choices: Choice[];
}

export interface Permission {
  permission: string;
  patterns: string[];
  always: string[];
  command: string | null;
  diff: string | null;
}

export interface Reply {
  choices: number[];
  text?: string | null;
}

export interface WindowDraft {
  replies: Reply[];
  page: number;
}

export interface Ask {
  id: string;
  source: string;
  kind: "question" | "permission" | "confirm" | (string & {});
  state: "open" | "answering" | "stale" | (string & {});
  asked_at: number;
  session: Session;
  questions: Question[];
  permission: Permission | null;
  info?: string | null;
  serial: number;
  waited_ms: number;
  can_always: string[];
  draft_of_window?: WindowDraft | null;
}

export type Tab =
  "agents" | "telegram" | "presence" | "notifications" | "history" | "health" | "welcome";

export type Page = { window: "answer"; ask?: string | null } | { window: "settings"; tab: Tab };

export interface UiTexts {
  language: string;
  languages: string[];
  ftl: string;
}

export interface View {
  status: Status;
  asks: Ask[];
  texts: UiTexts;
  page: Page;
  today: { answered: number; waited_longest_ms: number };
  /** So long an answer can be taken back before it is sent; 0 sends at once. */
  undo_ms: number;
}

export interface Verdict {
  state: string;
  by?: string | null;
}

/** What the resident says when it refuses: a word for programs, a sentence for people. */
export interface Refusal {
  code: string;
  message: string;
}

export type Plain = string | boolean | number;

export interface Setting {
  key: string;
  value: Plain;
  default: Plain;
  in_file: boolean;
}

export interface ServerSetting {
  name: string;
  url: string;
  username: string;
  in_file: boolean;
  /** It has registered itself and goes by itself; the settings have no say. */
  registered: boolean;
  has_password: boolean;
}

export interface Settings {
  /** Where `config.toml` lies. */
  file: string;
  /** Why it is not used now; the last good settings hold. */
  error: string | null;
  keys: Setting[];
  servers: ServerSetting[];
}

export interface Tested {
  ok: boolean;
  version?: string | null;
  message: string;
}

export interface Paired {
  id: number;
  name: string;
  group: boolean;
}

export interface Link {
  link: string;
  svg: string;
  expires_at: number;
}

export interface HistoryEntry {
  /** The source's own id. */
  id: string;
  source: string;
  title: string;
  asked: string[];
  project: string;
  session: string | null;
  asked_at: number;
  settled_at: number;
  outcome: string;
  by: string | null;
  answer: string[][];
  waited_ms: number;
}

export interface HistoryQuery {
  text?: string;
  outcome?: string;
  before?: number;
  limit: number;
}

export interface Finding {
  leg: string;
  ok: boolean;
  text: string;
  hint?: string | null;
}
