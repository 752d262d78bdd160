// Scenes of permissions whose call is given more than their patterns say.

import type { Ask } from "../lib/wire";
import * as scene from "./scenes";

/** A permission for an MCP server's tool, with all its arguments. */
export const tool = (): Ask =>
  scene.ask({
    kind: "permission",
    waited: 12_000,
    permission: {
      permission: "db_drop",
      purpose: { verb: "other", objects: ["db drop"] },
      patterns: ["*"],
      always: [],
      always_until: "server" as const,
      command: null,
      diff: null,
      arguments: [
        { name: "cascade", value: "true" },
        { name: "reason", value: "No longer used.\nThe new table has all of it." },
        { name: "table", value: "users" },
      ],
    },
  });

/** A permission like `tool`, from a server that does not tell the arguments. */
export function partial(): Ask {
  const asked = tool();
  const permission = asked.permission && {
    ...asked.permission,
    arguments: [],
    is_partial: true,
  };
  return { ...asked, permission };
}

/** A permission for a patch that moves one file and deletes another. */
export function patch(): Ask {
  const asked = scene.edit();
  const permission = asked.permission && {
    ...asked.permission,
    purpose: { verb: "change" as const, objects: ["old.ts", "config.ts → src/env/config.ts"] },
    patterns: ["src/config.ts", "src/old.ts"],
    files: [
      { does: "move" as const, path: "src/config.ts", to: "src/env/config.ts" },
      { does: "delete" as const, path: "src/old.ts" },
    ],
  };
  return {
    ...asked,
    permission,
    risks: [{ risk: "deletes", words: "src/old.ts", start: 0, end: 10 }],
  };
}
