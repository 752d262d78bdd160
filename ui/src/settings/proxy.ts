// Splitting the address of a proxy, which people often have with a password in it. The password
// must not get into the settings file.

import { pasted } from "./origin";

/** The name of the password in the keychain. */
export const PROXY_SECRET = "telegram:proxy";

export interface ProxyParts {
  address: string;
  password: string;
}

/** Splits `socks5://user:password@host:port` into the address and the password. Any other text is
 * returned as it is: Beckon says what is wrong with it. */
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

/** Tells whether the address names a user, as which Beckon signs in at the proxy. */
export function names(address: string): boolean {
  return address.includes("@");
}
