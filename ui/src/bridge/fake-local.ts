// The pretend Beckon's view of this computer: two OpenCodes that run, and a Claude Code.

import type { Bridge } from "../bridge";
import type { Integrations } from "../lib/wire";
import type { Fake } from "./fake";

export type LocalPart = Pick<Bridge, "agents" | "integrations" | "integrateClaudeCode">;

const MCP = { mcpServers: { beckon: { command: "/usr/bin/beckon", args: ["mcp"] } } };

/** Returns the part of the bridge for local agents. `installed` tells whether the plugin is in
 * OpenCode. */
export function localAgents(state: Fake, scene: string, installed: () => boolean): LocalPart {
  const none = scene === "welcome-none";
  const fresh = scene === "welcome-new";
  const integrations: Integrations = {
    claude_code: {
      state: none ? "not-found" : "no",
      file: "/home/you/.claude/settings.json",
      switched_off: null,
      error: null,
    },
    mcp: JSON.stringify(MCP, null, 2),
  };
  return {
    agents: async () => {
      if (none) return [];
      const waiting = installed() ? "restart" : "unconnected";
      return [
        fresh
          ? { pid: 11, directory: "/home/you/shop-api", state: waiting, source: null }
          : { pid: 11, directory: "/home/you/shop-api", state: "connected", source: "local" },
        { pid: 12, directory: "/home/you/blog", state: waiting, source: null },
      ];
    },
    integrations: async () => structuredClone(integrations),
    integrateClaudeCode: async (install) => {
      state.note("integrate_claude_code", install);
      integrations.claude_code.state = install ? "yes" : "no";
      return structuredClone(integrations);
    },
  };
}
