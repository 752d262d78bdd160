/** Who decides what this machine's human does not. */
import type { Words } from "./texts";
import type { Held } from "./wire";

/** In a sentence. */
export function holding(t: Words, { deciders, agreed = [] }: Held): string {
  const key = agreed.length > 0 ? "hold-agreed" : "hold";
  const [who, yes] = [names(t, "hold-or", deciders), names(t, "hold-and", agreed)];
  return deciders.length > 0 ? t(key, { who, agreed: yes }) : t(`${key}-nobody`, { agreed: yes });
}

function names(t: Words, last: string, all: readonly string[]): string {
  if (all.length < 2) return all[0] ?? "";
  return t(last, { names: all.slice(0, -1).join(t("hold-comma")), last: all.at(-1) ?? "" });
}
