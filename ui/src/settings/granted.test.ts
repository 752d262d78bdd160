import { expect, test } from "vitest";
import { holding } from "./granted";

test("a row says what would end it, and that it's over only where that is known", () => {
  expect(holding({ until: "server", state: "unknown" })).toBe("server");
  expect(holding({ until: "server", state: "holds" })).toBe("server");
  expect(holding({ until: "server", state: "ended" })).toBe("server-ended");
  expect(holding({ until: "session", state: "unknown" })).toBe("session");
});

test("what only its server can take back says when that can't be asked", () => {
  expect(holding({ until: "revoked", state: "holds" })).toBe("revoked");
  expect(holding({ until: "revoked", state: "unknown" })).toBe("revoked-unknown");
  expect(holding({ until: "revoked", state: "unwatched" })).toBe("revoked-unwatched");
});
