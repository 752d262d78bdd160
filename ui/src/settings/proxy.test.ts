import { expect, test } from "vitest";
import { apart, names } from "./proxy";

test("a password is taken out of an address that was pasted", () => {
  expect(apart(" socks5://me:p%40ss@h:1080 ")).toEqual({
    address: "socks5://me@h:1080",
    password: "p@ss",
  });
  expect(apart("http://me:100%:a@b@h:1").password).toBe("100%:a@b");
});

test("an address without one stays as it is", () => {
  for (const address of ["socks5://h:1080", "http://me@[::1]:8080", "h:1:me:pw", ""]) {
    expect(apart(address)).toEqual({ address, password: "" });
  }
});

test("a user name is seen", () => {
  expect([names("socks5://me@h:1"), names("socks5://h:1")]).toEqual([true, false]);
});
