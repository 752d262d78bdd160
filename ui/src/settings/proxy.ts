// The address of a proxy as people have it at hand: with a password in it, which must not get into
// the settings file.

import { pasted } from "./origin";

/** What the password is called in the keychain. */
export const PROXY_SECRET = "telegram:proxy";

export interface ProxyParts {
  address: string;
  password: string;
}

/** `socks5://user:password@host:port` in two. Whatever else it is, Beckon says what is wrong with it. */
export function apart(typed: string): ProxyParts {
  const address = pasted(typed);
  const [, before, password, after] = /^([^:]+:\/\/[^:@/]*):([^/]*)(@[^@]*)$/.exec(address) ?? [];
  if (before === undefined || password === undefined || after === undefined)
    return { address, password: "" };
  return { address: before + after, password: unescaped(password) };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The proxy is told who asks. */
export function names(address: string): boolean {
  return address.includes("@");
}
