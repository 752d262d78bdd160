// Forms that are half filled in. They outlive the tab on which they stand, until they are sent or given up;
// nothing of them leaves this window.

const forms: Record<string, object | undefined> = {};

/** The form of that name as it was left, or a blank one. */
export function kept<T extends object>(name: string, blank: () => T): T {
  const left = forms[name];
  if (left) return left as T;
  const form = $state(blank());
  forms[name] = form;
  return form;
}

/** It was sent or given up: the next one is blank. */
export function putAside(name: string): void {
  forms[name] = undefined;
}
