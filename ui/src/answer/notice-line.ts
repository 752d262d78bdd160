// The text of a notice, in one line.

import { t } from "../lib/session.svelte";
import { answeredBy } from "../lib/responding";
import { told } from "./act";
import { until } from "./menu";
import type { Notice } from "./notice";
import { project } from "./queue";

/** Characters of an answer that a notice quotes. The history has the whole. */
const BRIEF = 60;

export function noticeLine(notice: Notice): string {
  const place = project(notice.ask.session).slice(0, 40);
  if (notice.is === "not_shown") return notice.message;
  if (notice.is === "failed") return t("ui-notice-failed", { place, message: notice.message });
  if (notice.is === "ended") return ending(notice, place);
  if (notice.is === "batch") {
    return t(`ui-notice-batch-${notice.does}`, { place, count: notice.count });
  }
  if (notice.is === "snoozed") return snoozed(notice, place);
  const { key, what } = told(notice.ask, notice.act);
  const act = t(key, { what: brief(what) });
  return t(notice.is === "taken" ? "ui-notice-taken" : "ui-notice-sending", { place, act });
}

function ending(notice: Extract<Notice, { is: "ended" }>, place: string): string {
  const by = answeredBy(t, notice.by, notice.who);
  if (notice.how !== "elsewhere") return t(`ui-notice-${notice.how}`, { place, by });
  const answer = brief((notice.answer ?? []).map((texts) => texts.join(", ")).join(" · "));
  return answer
    ? t("ui-notice-elsewhere-what", { place, by, answer })
    : t("ui-notice-elsewhere", { place, by });
}

function snoozed({ count, to }: Extract<Notice, { is: "snoozed" }>, place: string): string {
  return t("ui-notice-snoozed", { place, count, until: until({ set_aside: to }) });
}

function brief(text: string): string {
  return text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text;
}
