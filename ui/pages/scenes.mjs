// Every state of both windows that is worth a picture and an accessibility check.

const keys =
  (...names) =>
  async (page) => {
    for (const name of names) await page.keyboard.press(name);
  };

export const SCENES = {
  answer: [
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
    { name: "always", scene: "command", act: keys("2") },
    { name: "reject", scene: "command", act: keys("3") },
    { name: "edit" },
    { name: "outside" },
    { name: "confirm" },
    { name: "dismiss", scene: "set", act: (page) => page.click("button.bad") },
    { name: "missing", scene: "alone", act: keys("Enter") },
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
    { name: "empty" },
    { name: "empty-deaf" },
  ],
  settings: [],
};
