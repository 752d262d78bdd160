// The scenes of the answer window.

/** Returns an act that presses these keys. */
const keys =
  (...names) =>
  async (page) => {
    for (const name of names) await page.keyboard.press(name);
  };

/** A size with room for the list beside the answer. */
const WIDE = { width: 864, height: 600 };

/** Opens the panel before "always", which a dangerous request has in its menu only. */
async function always(page) {
  await page.locator("header button[aria-haspopup=menu]").click();
  await page.getByRole("menuitem", { name: /Always|始终/ }).click();
}

/** The narrowest screen that a page has to fit: 320 px (WCAG 1.4.10). */
const NARROW = { width: 320, height: 560 };
const LARGE = { width: 560, height: 640 };

/** Doubles the text size. */
const enlarge = (page) =>
  page.evaluate(() => {
    document.documentElement.style.fontSize = "28px";
  });

export const ANSWER = [
  { name: "inbox", act: keys("j") },
  { name: "inbox-batch", act: keys("j", "j", "Enter", "j", "x") },
  { name: "inbox-select", scene: "inbox", act: keys("j", "j", "x", "j", "x") },
  {
    name: "inbox-filter",
    scene: "inbox",
    act: async (page) => {
      await keys("/")(page);
      await page.keyboard.type("docs");
    },
  },
  {
    name: "inbox-menu",
    scene: "inbox",
    size: { width: 420, height: 640 },
    act: keys("End", "s"),
  },
  { name: "inbox-wide", scene: "inbox", size: WIDE, act: keys("j") },
  { name: "inbox-wide-batch", scene: "inbox", size: WIDE, act: keys("j", "j") },
  { name: "inbox-many", act: keys("End") },
  { name: "inbox-snoozed" },
  { name: "keys", act: keys("?") },
  { name: "more", scene: "single", size: { width: 420, height: 480 }, act: keys("s") },
  { name: "seen" },
  { name: "single", act: keys("2") },
  { name: "long" },
  { name: "set", act: keys("2", "Enter") },
  { name: "multiple" },
  { name: "review" },
  {
    name: "own",
    act: async (page) => {
      await page.fill("textarea", "shop-ledger\n\n(or shop-books, if that is taken)");
    },
  },
  { name: "command" },
  { name: "plain" },
  { name: "plan" },
  { name: "plan-reject", scene: "plan", act: keys("r") },
  { name: "loop" },
  { name: "mcp" },
  { name: "unknown" },
  { name: "held", act: keys("i", "End", "Enter") },
  { name: "returned" },
  { name: "hidden" },
  { name: "cut" },
  { name: "always", scene: "command", act: always },
  { name: "reject", scene: "command", act: keys("3") },
  { name: "edit" },
  { name: "outside" },
  { name: "tool" },
  { name: "partial", act: keys("a", "Enter") },
  { name: "patch" },
  { name: "confirm" },
  {
    name: "dismiss",
    scene: "set",
    act: (page) => page.getByRole("button", { name: /Dismiss|忽略/ }).click(),
  },
  { name: "missing", scene: "alone", act: (page) => page.locator("[data-main]").click() },
  { name: "undo", act: keys("1", "Enter") },
  { name: "taken", scene: "single", act: keys("1", "Enter") },
  {
    name: "elsewhere",
    scene: "single",
    act: async (page) => {
      await page.fill("textarea", "MariaDB, because the shop already runs one");
      await page.evaluate(() => {
        const { fake } = window;
        fake.end(fake.view.asks[0].id, "answered elsewhere", "telegram", [["SQLite"]]);
      });
      await page.waitForSelector(".lost");
    },
  },
  { name: "stale" },
  { name: "hostile" },
  { name: "thousands" },
  { name: "crowd" },
  { name: "paused" },
  { name: "empty" },
  { name: "empty-paused" },
  { name: "empty-deaf" },
  ...["single", "command", "inbox"].flatMap((scene) => [
    { name: `${scene}-narrow`, scene, size: NARROW },
    { name: `${scene}-large`, scene, size: LARGE, act: enlarge },
  ]),
  { name: "lost" },
];
