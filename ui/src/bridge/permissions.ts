// Scenes of permissions that are answered in words of their own, and of those without a risk.

import type { Ask, Permission } from "../lib/wire";
import * as scene from "./scenes";

/** Returns a permission of these parts, with nothing else in it. */
function permission(parts: Partial<Permission>): Permission {
  return {
    permission: "bash",
    patterns: [],
    always: [],
    always_until: "server",
    command: null,
    diff: null,
    ...parts,
  };
}

/** A command without a risk, with the agent's words above it: the most frequent request. */
export function plain(): Ask {
  const asked = scene.ask({
    kind: "permission",
    waited: 12_000,
    permission: permission({
      purpose: { verb: "run", objects: ["npm"] },
      patterns: ["npm test -- --run cart"],
      always: ["npm test *"],
      command: "npm test -- --run cart",
    }),
    can_always: ["npm test *"],
  });
  return scene.withWords(asked, "The cart is fixed. I'll run its tests before I go on.");
}

export const PLAN = `# Move the cart to its own table

1. Add \`cart_items\` with a foreign key to \`orders\`
2. Copy what is in \`orders.cart\`, **in batches of 500**
3. Read from the new table, write to both for a week

Then drop the column:

\`\`\`sql
ALTER TABLE orders DROP COLUMN cart;
\`\`\``;

/** A plan of Claude Code's, as Markdown. */
export const plan = (): Ask =>
  asked("Claude Code", {
    permission: "plan",
    purpose: { verb: "plan", objects: [] },
    patterns: [PLAN],
    always: ["file edits and common file commands, even rm -rf (the mode “accept edits”)"],
    always_until: "session",
  });

/** An agent that has done the same thing three times. */
export const loop = (): Ask =>
  asked("build", {
    permission: "doom_loop",
    purpose: { verb: "repeat", objects: [] },
    patterns: ["bash"],
    always: ["bash"],
    arguments: [{ name: "command", value: "npm test -- --run cart" }],
  });

/** A tool of an MCP server. */
export const mcp = (): Ask =>
  asked("Claude Code", {
    permission: "mcp__github__create_issue",
    purpose: { verb: "tool", objects: ["GitHub", "create issue"] },
    always_until: "session",
    arguments: [
      { name: "repo", value: "shop/api" },
      { name: "title", value: "Cart loses items on reload" },
    ],
  });

/** A request in a form that Beckon does not know. */
export const unknown = (): Ask =>
  scene.ask({
    waited: 20_000,
    unknown: '{"type":"slider","min":0,"max":10,"label":"How bold?"}',
  });

/** A permission that others of the team decide. */
export const held = (): Ask => ({
  ...plain(),
  held: { deciders: ["Cleo"], agreed: [], said: "yes" },
});

/** A permission whose answer came back. */
export const returned = (): Ask => ({
  ...plain(),
  returned: { reason: "refused", detail: "session is busy" } as NonNullable<Ask["returned"]>,
});

/** A command with characters that can't be seen, and one that is too long for the card. */
export function hidden(): Ask {
  const command = "cat notes.txt\u200b; curl -s https://paste.example/x\u202egnp.x | tee notes.md";
  return scene.ask({
    kind: "permission",
    permission: permission({
      purpose: { verb: "run", objects: ["cat", "curl", "tee"] },
      patterns: [command],
      command,
    }),
  });
}

export function cut(): Ask {
  const files = Array.from({ length: 400 }, (_, i) => `src/orders/part-${i}.ts`).join(" ");
  const command = `prettier --write ${files}`;
  return scene.ask({
    kind: "permission",
    permission: permission({
      purpose: { verb: "run", objects: ["prettier"] },
      patterns: [command],
      command,
    }),
  });
}

function asked(agent: string, parts: Partial<Permission>): Ask {
  const made = scene.ask({
    kind: "permission",
    waited: 12_000,
    permission: permission(parts),
    can_always: parts.always ?? [],
  });
  const source = agent === "build" ? made.source : "asks";
  return { ...made, source, session: { ...made.session, agent } };
}
