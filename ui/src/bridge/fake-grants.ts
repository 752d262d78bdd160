// The list of what was always allowed at the pretend Beckon: one entry of each sort.

import type { AlwaysGrant } from "../lib/wire";
import { NOW } from "./scenes";

const HOUR = 3_600_000;

function grant(serial: number, ago: number, parts: Partial<AlwaysGrant>): AlwaysGrant {
  return {
    serial,
    source: "local",
    project: "shop-api",
    directory: "/home/you/src/shop-api",
    session: "Fix the cart total",
    agent: null,
    permission: "bash",
    purpose: { verb: "run", objects: ["npm"] },
    patterns: ["npm test *"],
    granted_at: NOW - ago * HOUR,
    by: "window",
    until: "server",
    state: "holds",
    can_revoke: false,
    ...parts,
  };
}

export const GRANTS: AlwaysGrant[] = [
  grant(41, 0.4, { patterns: ["git status *", "git push *"], by: "telegram" }),
  grant(38, 2, {
    project: "docs-site",
    session: "Broken links",
    permission: "edit",
    purpose: { verb: "edit", objects: [] },
    patterns: ["src/**"],
    until: "revoked",
    can_revoke: true,
  }),
  grant(35, 3, { agent: "Claude Code", patterns: ["Bash(npm run build:*)"], until: "session" }),
  grant(20, 27, { state: "ended" }),
  grant(12, 50, { source: "old-box", state: "unwatched", patterns: ["cargo *"], by: "cli" }),
];

/** Returns a grant as its server lists it once it is taken back. */
export function revoked(grant: AlwaysGrant): AlwaysGrant {
  return { ...grant, state: "ended", can_revoke: false };
}
