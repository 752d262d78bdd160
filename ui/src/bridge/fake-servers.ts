// The pretend Beckon's servers and services, and changing one.

import type { NewSource, ServerChange, ServerSetting } from "../lib/wire";
import { goesElsewhere } from "../settings/origin";

/** Returns a server or service as the settings list it. */
export function setting(source: Partial<NewSource> & { name: string; url: string }): ServerSetting {
  const kind = source.kind ?? "opencode";
  return {
    name: source.name,
    kind,
    url: source.url,
    resume: source.resume ?? null,
    username: source.username ?? (kind === "opencode" ? "opencode" : ""),
    secret: `${kind === "opencode" ? "opencode" : "interrupts"}:${source.name}`,
    in_file: true,
    registered: false,
    has_password: false,
  };
}

function fields({ kind, name, url, resume, username }: ServerSetting): NewSource {
  return { kind, name, url, username, ...(resume !== null && { resume }) };
}

/** Changes a server as the resident does: its password is kept for another name, but not for
 * another origin. */
export function changed(server: ServerSetting, change: ServerChange): ServerSetting {
  if (change.url !== undefined && !/^https?:/.test(change.url)) {
    throw { code: "invalid", message: `opencode.url is "${change.url}"; use an address` };
  }
  const has_password = server.has_password && !goesElsewhere(server, change);
  return { ...setting({ ...fields(server), ...change }), has_password };
}

export const SERVERS: ServerSetting[] = [
  setting({ name: "local", url: "http://127.0.0.1:4096" }),
  setting({ name: "build-box", url: "http://10.0.0.7:4096" }),
  setting({
    kind: "interrupts",
    name: "research",
    url: "http://10.0.0.8:8000/api/stream",
    resume: "http://10.0.0.8:8000/api/resume",
  }),
  setting({ kind: "langgraph", name: "graphs", url: "http://127.0.0.1:2024" }),
];
