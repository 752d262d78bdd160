// The way from a request to where its session runs.

import { reason, session } from "../lib/session.svelte";
import type { Ask } from "../lib/wire";
import { answering } from "./state.svelte";

/** To one of them, if there is a way: several would hide each other. What stands in the way is said,
 * unless the line has something to say that is said nowhere else. */
export async function goTo([ask, ...more]: readonly Ask[]): Promise<void> {
  if (!ask?.opens || more.length > 0) return;
  if (answering.notice?.is === "not_shown") answering.notice = undefined;
  try {
    await session.bridge.openSession(ask);
  } catch (error) {
    const { notice } = answering;
    if (notice?.is === "sending" || (notice?.is === "ended" && notice.lost)) return;
    answering.notice = { is: "not_shown", ask, message: reason(error) };
  }
}
