// Endings of text keys that say what was always allowed, and how long it holds.

import type { AlwaysGrant } from "../lib/wire";

/** Returns what a grant's patterns stand for, where they don't say it themselves. */
export function sort({ purpose }: Pick<AlwaysGrant, "purpose">): string | undefined {
  const sorts: Record<string, string> = {
    run: "run",
    edit: "edit",
    write: "edit",
    read: "read",
    leave: "leave",
  };
  return sorts[purpose.verb];
}

/** Returns how long a grant holds, as far as that is known. Where nobody can tell whether it is
 * over, the row says what would end it. */
export function holding({ until, state }: Pick<AlwaysGrant, "until" | "state">): string {
  if (until === "unsaid" || until === "session") return until;
  if (state === "unwatched") return `${until}-unwatched`;
  if (state === "ended") return `${until}-ended`;
  return until === "revoked" && state === "unknown" ? "revoked-unknown" : until;
}
