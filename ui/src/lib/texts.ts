// The words of the pages: Fluent, from `src-tauri/locales`. No sentence stands in a component.

import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";
import type { UiTexts } from "./wire";

/** Looks a text up; a key that no language has comes back as itself: visible, not fatal. */
export type Words = (key: string, args?: Record<string, FluentVariable>) => string;

/** Reads the texts; where a key is there twice the first one, the chosen language's, counts. */
export function words(texts: UiTexts): Words {
  // The marks that isolate an argument's direction break the search for text; names are isolated by
  // their elements instead.
  const bundle = new FluentBundle([texts.language, "en"], { useIsolating: false });
  bundle.addResource(new FluentResource(texts.ftl));
  return (key, args) => {
    const pattern = bundle.getMessage(key)?.value;
    return pattern ? bundle.formatPattern(pattern, args ?? null, []) : key;
  };
}
