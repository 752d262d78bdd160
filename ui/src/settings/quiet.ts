// Converting quiet hours between the settings file's text and two times.

export interface Hours {
  from: string;
  to: string;
}

/** Reads quiet hours, `23:00-07:30`. Undefined if there are none, or they are written otherwise. */
export function hours(text: string): Hours | undefined {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? [];
  return from && to ? { from, to } : undefined;
}

/** Writes quiet hours as in the file. Undefined while one of the times is half typed, or if both
 * are the same. */
export function written({ from, to }: Hours): string | undefined {
  const text = `${from}-${to}`;
  return hours(text) && from !== to ? text : undefined;
}
