// The settings window's state: which tab, the settings as Beckon has them, what it refused.

import { reason, session } from "../lib/session.svelte";
import type { Plain, Settings, Tab, View } from "../lib/wire";

class SettingsState {
  tab = $state<Tab>("agents");
  settings = $state.raw<Settings>();
  /** What was refused, by key: shown beside the field. */
  refused = $state<Record<string, string>>({});
  #wish: string | undefined;

  /** A new view: the tab that is wished for, and the file as it is now, also after a change by hand. */
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
      this.refused = { ...this.refused, file: reason(error) };
    }
  }

  text(key: string): string {
    return String(this.settings?.keys.find((setting) => setting.key === key)?.value ?? "");
  }

  flag(key: string): boolean {
    return this.settings?.keys.find((setting) => setting.key === key)?.value === true;
  }

  /** Saved at once; what Beckon refuses stays as it was, with the reason beside it. */
  async save(key: string, value: Plain): Promise<void> {
    try {
      this.settings = await session.bridge.saveSetting(key, value);
      this.refused = Object.fromEntries(Object.entries(this.refused).filter(([k]) => k !== key));
    } catch (error) {
      this.refused = { ...this.refused, [key]: reason(error) };
    }
  }
}

export const settings = new SettingsState();
