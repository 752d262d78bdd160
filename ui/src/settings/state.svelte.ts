// The settings window's state: the open tab, the settings as Beckon has them, what it refused.

import { session } from "../lib/session.svelte";
import type { ForwardWhen, Plain, Settings, Tab, View } from "../lib/wire";

/** The values of `telegram.forward`, in the order of the list. */
export const FORWARD = Object.keys({
  away: true,
  always: true,
  never: true,
} satisfies Record<ForwardWhen, true>) as ForwardWhen[];

/** A page of the window. Most are tabs that others may ask for. */
export type SettingsPage = Tab | "allowed";

class SettingsState {
  tab = $state<SettingsPage>("agents");
  settings = $state.raw<Settings>();
  /** The reasons for refused values, by key, shown beside the fields. */
  refused = $state<Record<string, string>>({});
  /** The server that has just been changed: its row takes the focus, or asks for its secret. */
  changed = $state.raw<{ name: string; secret: boolean }>();
  #wish: string | undefined;

  /** Takes in a new view: opens the tab that is wished for, and reads the settings again, which
   * somebody may have changed by hand. */
  async see(view: View): Promise<void> {
    const wish = JSON.stringify(view.page);
    if (view.page.window === "settings" && wish !== this.#wish) this.tab = view.page.tab;
    this.#wish = wish;
    await this.load();
  }

  async load(): Promise<void> {
    try {
      this.settings = await session.bridge.settings();
    } catch (error) {
      this.#refuse("file", error);
    }
  }

  /** Tells whether this Beckon has such a setting. */
  has(key: string): boolean {
    return this.settings?.keys.some((setting) => setting.key === key) ?? false;
  }

  text(key: string): string {
    return String(this.settings?.keys.find((setting) => setting.key === key)?.value ?? "");
  }

  /** Returns when questions go to Telegram; undefined until it is known. */
  forward(): ForwardWhen | undefined {
    const set = this.text("telegram.forward");
    return FORWARD.find((when) => when === set);
  }

  flag(key: string): boolean {
    return this.settings?.keys.find((setting) => setting.key === key)?.value === true;
  }

  /** Saves a setting at once. If Beckon refuses it, it stays as it was, with the reason beside
   * it. */
  async save(key: string, value: Plain): Promise<void> {
    try {
      this.settings = await session.bridge.saveSetting(key, value);
      this.#say(key, undefined);
    } catch (error) {
      this.#refuse(key, error);
    }
  }

  #refuse(key: string, error: unknown): void {
    session.complain(error, (message) => this.#say(key, message));
  }

  #say(key: string, message: string | undefined): void {
    const others = Object.entries(this.refused).filter(([other]) => other !== key);
    this.refused = Object.fromEntries(message ? [...others, [key, message]] : others);
  }
}

export const settings = new SettingsState();

/** Returns how questions go to Telegram, as the ending of a text's key: when the human is away (no
 * ending), always, or not at all. */
export function forwarding(): "" | "-always" | "-none" {
  const telegram = session.view?.status.channels.telegram;
  const forward = settings.forward();
  // The bot's name is not asked for: without a connection it isn't known, although the bot is set
  // up.
  if (telegram?.state === "off" || telegram?.paired === 0 || forward === "never") return "-none";
  return forward === "always" ? "-always" : "";
}
