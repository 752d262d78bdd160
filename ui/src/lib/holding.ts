/** Texts about people who decide a request with this machine's human, or in their place. */
import type { Words } from "./texts";
import type { Agreed, Held } from "./wire";

const HOLDS = { yes: "hold-agreed", answer: "hold-answered", apart: "hold-apart" };

/** Says who has given the same answer already, to a human whose agreement completes it. */
export function agreeing(t: Words, { people, said }: Agreed): string {
  return t(`agreed-${said}`, { agreed: names(t, "hold-and", people) });
}

/** Says in a sentence who decides a request that this machine's human does not. */
export function holding(t: Words, { deciders, agreed = [], said }: Held): string {
  const key = agreed.length > 0 ? HOLDS[said] : "hold";
  const [who, yes] = [names(t, "hold-or", deciders), names(t, "hold-and", agreed)];
  return deciders.length > 0 ? t(key, { who, agreed: yes }) : t(`${key}-nobody`, { agreed: yes });
}

function names(t: Words, last: string, all: readonly string[]): string {
  if (all.length < 2) return all[0] ?? "";
  return t(last, { names: all.slice(0, -1).join(t("hold-comma")), last: all.at(-1) ?? "" });
}
