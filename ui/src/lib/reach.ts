// How far an "always" would reach: which of its patterns would let through what is dangerous. Pure.
// A help, not a guard: a pattern without a mark may do harm as well.

import type { RiskMark } from "./wire";

/** What a pattern would let through, as the ending of its text's key. */
export type Reach = "deletes" | "admin" | "rewrites" | "anything";

/** Programs that do harm by some of their arguments, which a pattern with a star leaves open. */
const PROGRAMS: Partial<Record<string, Reach>> = {
  rm: "deletes",
  rmdir: "deletes",
  unlink: "deletes",
  shred: "deletes",
  dd: "deletes",
  find: "deletes",
  del: "deletes",
  "remove-item": "deletes",
  sudo: "admin",
  doas: "admin",
  su: "admin",
  pkexec: "admin",
  runas: "admin",
  sh: "anything",
  bash: "anything",
  zsh: "anything",
  fish: "anything",
  dash: "anything",
  eval: "anything",
  env: "anything",
  xargs: "anything",
  ssh: "anything",
  cmd: "anything",
  powershell: "anything",
  pwsh: "anything",
  python: "anything",
  python3: "anything",
  node: "anything",
  perl: "anything",
  ruby: "anything",
};

/** Commands of git that throw away or replace work; `git *` has them all. */
const REWRITING = ["*", "push", "reset", "checkout", "clean", "restore", "rebase", "branch"];

/** What a risk of the command itself means for a pattern that begins with the same program. */
const OF_RISK: Partial<Record<string, Reach>> = {
  deletes: "deletes",
  admin: "admin",
  rewrites: "rewrites",
  "runs-download": "anything",
  "runs-unseen": "anything",
};

/** Returns what a pattern of commands would let through that is dangerous. `risks` are those of the
 * command that is asked for. */
export function reach(pattern: string, risks: readonly RiskMark[] = []): Reach | undefined {
  const words = commandOf(pattern)
    .trim()
    .split(/[\s:]+/u);
  const [first = "", second = ""] = words;
  if (!pattern.includes("*")) return undefined;
  if (first === "*") return "anything";
  const program = (first.split("/").at(-1) ?? "").toLowerCase();
  const known = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  if (known) return known;
  if (program === "git" && REWRITING.includes(second)) return "rewrites";
  const risk = risks.find(({ words }) => words.trim().split(/\s+/u)[0] === first);
  return risk && OF_RISK[risk.risk];
}

/** Returns the command in a rule as Claude Code writes it: `npm test:*` of `Bash(npm test:*)`. */
function commandOf(pattern: string): string {
  return /^(?:Bash|PowerShell)\((.*)\)$/su.exec(pattern)?.[1] ?? pattern;
}
