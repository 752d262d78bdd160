// Reading a hot key from key presses, spelled as in config.toml: "Ctrl+Alt+B".

export type Keys = Pick<
  KeyboardEvent,
  "code" | "ctrlKey" | "altKey" | "shiftKey" | "metaKey" | "getModifierState"
>;

/** Returns the combination that is pressed, if it can be a hot key. Ctrl with a letter alone is the
 * field's own: copy, paste. */
export function combination(keys: Keys): string | undefined {
  const key = /^(?:Key([A-Z])|Digit(\d))$/.exec(keys.code);
  const types = keys.getModifierState("AltGraph");
  const held = [
    keys.ctrlKey && "Ctrl",
    keys.altKey && "Alt",
    keys.shiftKey && "Shift",
    keys.metaKey && "Super",
  ].filter((name) => name !== false);
  const enough = keys.altKey || keys.metaKey || (keys.ctrlKey && keys.shiftKey);
  return key && enough && !types ? [...held, key[1] ?? key[2]].join("+") : undefined;
}
