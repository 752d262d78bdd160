// The texts of the pages: Fluent, from `client/locales`. Components contain no sentences.

import {
  FluentBundle,
  FluentNumber,
  FluentResource,
  type FluentVariable,
  type Scope,
} from "@fluent/bundle";
import type { UiTexts } from "./wire";

type Args = Record<string, FluentVariable>;

/** Looks up a text. A key that no language has comes back as itself: visible, not fatal. */
export type Words = (key: string, args?: Args) => string;

/** Reads the texts. Of a key that is there twice the first one counts, which is the chosen
 * language's. */
export function words(texts: UiTexts): Words {
  // No isolating marks: those around an argument break the search for text. Elements isolate names
  // instead.
  const bundle = new FluentBundle([texts.language, "en"], { useIsolating: false });
  bundle.addResource(new FluentResource(texts.ftl));
  return (key, args) => {
    const pattern = bundle.getMessage(key)?.value;
    return pattern ? bundle.formatPattern(pattern, args ? counted(args) : null, []) : key;
  };
}

/** A number that formats itself quickly. A count below a thousand is written alike in all our
 * languages. Asking the browser would hold up the first picture: its first number takes as long as
 * all other texts together. */
class Count extends FluentNumber {
  override toString(scope: Scope): string {
    const plain = Number.isInteger(this.value) && this.value >= 0 && this.value < 1000;
    return plain ? String(this.value) : super.toString(scope);
  }
}

function counted(args: Args): Args {
  const entries = Object.entries(args);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "number" ? new Count(value) : value]),
  );
}
