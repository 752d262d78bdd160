/** Who answered, beside where that was. */
import type { Words } from "../lib/texts";
import type { AnsweredBy } from "../lib/wire";

/** Nothing of this machine's own user: the place says it. */
export function responding(t: Words, who: AnsweredBy | null): string | undefined {
  if (!who || who.vouched === "machine") return undefined;
  // Of Telegram the place says the device.
  const device = who.vouched === "telegram" ? null : who.device;
  const name = [who.person, device].filter((part) => part).join(" · ");
  if (who.vouched !== "peer") return name || undefined;
  const named = { name: name || t("ui-responder-unknown") };
  return who.peer
    ? t("ui-responder-peer", { ...named, peer: who.peer })
    : t("ui-responder-peer-unnamed", named);
}
