// Finding a request by any of its words, in any order. Only words that are shown or known of it are
// searched, and only so many characters, so that a list of thousands answers at once.

import type { Words } from "../../lib/texts";
import type { Ask } from "../../lib/wire";

/** Characters of each text that are searched. */
const SEARCHED = 400;

/** The searched text of each ask. Views bring new objects only when something has changed, so that
 * an ask's object identifies its text. */
const texts = new WeakMap<Ask, string>();

export function matcher(t: Words, wanted: string): (ask: Ask) => boolean {
  const needles = wanted.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  if (needles.length === 0) return () => true;
  const deeds = new Map<string, string>();
  return (ask) => {
    const verb = ask.permission?.purpose?.verb ?? "";
    // The word for the verb in the reader's language ("edit"), as a row shows it. Looked up once
    // for all asks.
    let deed = deeds.get(verb);
    if (deed === undefined) {
      deed = verb ? t(`ui-do-${verb}`, { what: "" }).toLocaleLowerCase() : "";
      deeds.set(verb, deed);
    }
    const text = `${deed}\n${searched(ask)}`;
    return needles.every((needle) => text.includes(needle));
  };
}

function searched(ask: Ask): string {
  const known = texts.get(ask);
  if (known !== undefined) return known;
  const { session, permission, questions } = ask;
  const all = [
    session.directory,
    session.title,
    session.agent,
    ask.source,
    ask.info,
    permission?.permission,
    permission?.command,
    ...(permission?.purpose?.objects ?? []),
    ...(permission?.patterns.slice(0, 8) ?? []),
    ...questions
      .slice(0, 8)
      .flatMap((question) => [
        question.header,
        question.question,
        ...question.choices.slice(0, 8).map((choice) => choice.label),
      ]),
  ];
  const text = all
    .map((part) => part?.slice(0, SEARCHED) ?? "")
    .join("\n")
    .toLocaleLowerCase();
  texts.set(ask, text);
  return text;
}
