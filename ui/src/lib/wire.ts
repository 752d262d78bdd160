// The types that the pages share with the resident, under its names: those made from Rust, and the
// few shapes that only the commands have.

export type { AlwaysGrant } from "../bindings/AlwaysGrant";
export type { Agreed } from "../bindings/Agreed";
export type { Held } from "../bindings/Held";
export type { AnsweredBy } from "../bindings/AnsweredBy";
export type { AnswerPlace } from "../bindings/AnswerPlace";
export type { AskKind } from "../bindings/AskKind";
export type { Choice } from "../bindings/Choice";
export type { DesktopStatus } from "../bindings/DesktopStatus";
export type { Ending } from "../bindings/Ending";
export type { Finding } from "../bindings/Finding";
export type { ForwardWhen } from "../bindings/ForwardWhen";
export type { LateReply } from "../bindings/LateReply";
export type { HistoryEntry } from "../bindings/HistoryEntry";
export type { HistoryPage } from "../bindings/HistoryPage";
export type { Integrations } from "../bindings/Integrations";
export type { Leg } from "../bindings/Leg";
export type { LocalAgent } from "../bindings/LocalAgent";
export type { Nearby } from "../bindings/Nearby";
export type { Abilities } from "../bindings/Abilities";
export type { OperatingState } from "../bindings/OperatingState";
export type { OutcomeKind } from "../bindings/OutcomeKind";
export type { Page } from "../bindings/Page";
export type { Paired } from "../bindings/Paired";
export type { Permission } from "../bindings/Permission";
export type { PresenceStatus } from "../bindings/PresenceStatus";
export type { HubDevice } from "../bindings/HubDevice";
export type { HubBot } from "../bindings/HubBot";
export type { HubJoined } from "../bindings/HubJoined";
export type { HubLeft } from "../bindings/HubLeft";
export type { MachineStatus } from "../bindings/MachineStatus";
export type { HubMachine } from "../bindings/HubMachine";
export type { HubTeam } from "../bindings/HubTeam";
export type { HubRefused } from "../bindings/HubRefused";
export type { HubView } from "../bindings/HubView";
export type { ProblemCode } from "../bindings/ProblemCode";
export type { Purpose } from "../bindings/Purpose";
export type { RiskMark } from "../bindings/RiskMark";
export type { Question } from "../bindings/Question";
export type { Replied } from "../bindings/Replied";
export type { ServerSetting } from "../bindings/ServerSetting";
export type { ServerTested as Tested } from "../bindings/ServerTested";
export type { Session } from "../bindings/Session";
export type { SetAside } from "../bindings/SetAside";
export type { Setting } from "../bindings/Setting";
export type { Settings } from "../bindings/Settings";
export type { Source } from "../bindings/Source";
export type { SourceKind } from "../bindings/SourceKind";
export type { SourceStatus } from "../bindings/SourceStatus";
export type { Standing } from "../bindings/Standing";
export type { Status } from "../bindings/Status";
export type { Tab } from "../bindings/Tab";
export type { TestCard } from "../bindings/TestCard";
export type { UiTexts } from "../bindings/UiTexts";
export type { Value as Plain } from "../bindings/Value";
export type { Verdict } from "../bindings/Verdict";
export type { VerdictState } from "../bindings/VerdictState";
export type { View } from "../bindings/View";
export type { Waiting as Ask } from "../bindings/Waiting";
export type { WindowDraft } from "../bindings/WindowDraft";

import type { AnswerPlace } from "../bindings/AnswerPlace";
import type { Ending } from "../bindings/Ending";
import type { ProblemCode } from "../bindings/ProblemCode";
import type { SourceKind } from "../bindings/SourceKind";
import type { WindowDraft } from "../bindings/WindowDraft";

/** The attention that a request may ask for: as usual, not any more, or not before a snooze ends
 * (`15m` and the like; without a span, when its human is back). */
export type Attend = { is: "wanted" } | { is: "seen" } | { is: "snoozed"; for?: string };

export type Reply = WindowDraft["replies"][number];

/** A refusal by the resident: a code for programs and a sentence for people. */
export interface Refusal {
  code: ProblemCode;
  message: string;
}

/** A link that pairs a chat, once and for a while. */
export interface Link {
  link: string;
  /** A link that pairs a group. */
  group_link: string;
  group_command: string;
  svg: string;
  /** The moment at which it expires, in milliseconds since 1970. */
  expires_at: number;
}

/** A server or service that is to be watched. */
export interface NewSource {
  kind: SourceKind;
  name: string;
  /** The address; for a service with interrupts, of its events. */
  url: string;
  /** The address for answers, for a service with interrupts. */
  resume?: string;
  /** The user name, for an OpenCode. */
  username?: string;
}

/** The fields of a server or service that are to change. */
export type ServerChange = Partial<Pick<NewSource, "name" | "url" | "resume">>;

export interface HistoryQuery {
  text?: string;
  ending?: Ending;
  /** The place where it was answered. */
  by?: AnswerPlace;
  /** Only what ended before this moment, in milliseconds since 1970. */
  before?: number;
  limit: number;
}
