// Opening the terminal or page in which a request's session runs.

import { reason, session } from "../lib/session.svelte";
import type { Ask } from "../lib/wire";
import { answering } from "./state.svelte";

/** Opens the session of a request, if it is the only one given and there is a way to it: several
 * would hide each other. A failure is said in the notice, unless the notice says something that is
 * said nowhere else. */
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
