/** Texts that say who answered, and where. */
import type { Words } from "./texts";
import type { AnsweredBy, AnswerPlace } from "./wire";

/** Says where an answer was given, or by whom at another machine, as part of a sentence. */
export function answeredBy(
  t: Words,
  place: AnswerPlace | null | undefined,
  who: AnsweredBy | null | undefined,
): string {
  const there = who?.vouched === "device" || who?.vouched === "peer" ? who : undefined;
  const { person, device } = there ?? {};
  if (person && device) return t("ui-by-person-device", { person, device });
  if (person) return t("ui-by-person", { person });
  if (device) return t("ui-by-device", { device });
  return t(`ui-by-${place ?? "elsewhere"}`);
}

/** Names who answered, beside the place. Undefined for this machine's own user, whom the place
 * names already. */
export function responding(t: Words, who: AnsweredBy | null): string | undefined {
  // A device of the hub is named in place of the place.
  if (!who || who.vouched === "machine" || who.vouched === "device") return undefined;
  // For Telegram the place names the device.
  const device = who.vouched === "telegram" ? null : who.device;
  const name = [who.person, device].filter((part) => part).join(" · ");
  if (who.vouched !== "peer") return name || undefined;
  const named = { name: name || t("ui-responder-unknown") };
  return who.peer
    ? t("ui-responder-peer", { ...named, peer: who.peer })
    : t("ui-responder-peer-unnamed", named);
}
