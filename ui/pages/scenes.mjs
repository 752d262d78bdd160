// The scenes: every state of both windows that is worth a picture and an accessibility check.

import { ANSWER } from "./scenes-answer.mjs";

const next = (times) => async (page) => {
  for (let i = 0; i < times; i += 1) await page.click("footer button:last-child");
};

/** Adds a server that does not answer: the error is shown beside the field. */
async function addServer(page) {
  await page.click("p > button");
  await page.fill("#add-name", "laptop");
  await page.fill("#add-url", "http://10.0.0.9:1234");
  await page.click("form button.main");
  await page.waitForSelector("[role=alert]");
  await page.locator(".foot").scrollIntoViewIfNeeded();
}

const add = (kind, more) => async (page) => {
  await page.click("p > button");
  await page.selectOption("#add-kind", kind);
  await more?.(page);
  await page.locator(".foot").scrollIntoViewIfNeeded();
};

/** Adds a service without its token, which its row then asks for. */
async function refused(page) {
  await page.fill("#add-name", "thesis");
  await page.fill("#add-url", "http://10.0.0.8:8000/api/stream");
  await page.click("form button.main");
  await page.waitForSelector("[role=alert]");
}

async function mistaken(page) {
  await page.fill("#add-name", "graphs-2");
  await page.fill("#add-url", "http://10.0.0.9:2024");
  await page.click("form button.main");
  await page.waitForSelector("[role=alert]");
  await page.locator("#add-kind").scrollIntoViewIfNeeded();
}

export const SCENES = {
  answer: ANSWER,
  settings: [
    { name: "agents" },
    { name: "agents-none" },
    { name: "agents-add", scene: "agents", act: addServer },
    { name: "agents-service", scene: "agents", act: add("interrupts") },
    { name: "agents-refused", scene: "agents", act: add("interrupts", refused) },
    { name: "agents-mistaken", scene: "agents", act: add("opencode", mistaken) },
    {
      name: "agents-token",
      scene: "agents",
      act: (page) => page.click("main button.main"),
    },
    {
      name: "agents-edit",
      scene: "agents",
      act: async (page) => {
        await page.getByRole("button", { name: /build-box/ }).click();
        await page.getByRole("menuitem", { name: /Edit|编辑/ }).click();
        await page.locator("form").scrollIntoViewIfNeeded();
      },
    },
    {
      name: "agents-allowed",
      scene: "agents",
      act: async (page) => {
        await page.getByRole("button", { name: /^(Always allowed|始终允许)/ }).click();
        await page.getByText("src/**").waitFor();
        await page.locator("summary").scrollIntoViewIfNeeded();
      },
    },
    { name: "telegram" },
    { name: "telegram-new" },
    {
      name: "telegram-pair",
      act: async (page) => {
        await page.click("button.main");
        await page.waitForSelector("img");
      },
    },
    {
      name: "telegram-quiet",
      scene: "telegram",
      act: async (page) => {
        await page.locator("#quiet").click();
        await page.locator("#quiet").scrollIntoViewIfNeeded();
      },
    },
    { name: "telegram-down" },
    { name: "telegram-proxy" },
    {
      name: "telegram-proxy-set",
      scene: "telegram-proxy",
      act: async (page) => {
        await page.locator("main button[aria-expanded]").last().click();
        await page.waitForSelector("#proxy-password");
      },
    },
    { name: "presence" },
    { name: "presence-away" },
    { name: "presence-blind" },
    { name: "presence-broken" },
    { name: "presence-elsewhere" },
    { name: "machines", act: (page) => page.getByText("workstation").first().waitFor() },
    {
      name: "machines-withheld",
      scene: "machines",
      act: async (page) => {
        await page.getByText("workstation").first().waitFor();
        await page.locator("#share-presence").click();
        await page.waitForSelector("#share-presence:not(:checked)");
      },
    },
    { name: "machines-away", act: (page) => page.getByText("workstation").first().waitFor() },
    { name: "machines-team", act: (page) => page.getByText("studio").first().waitFor() },
    {
      name: "machines-people",
      scene: "machines-team",
      size: { width: 820, height: 1180 },
      act: (page) => page.getByText("studio").first().waitFor(),
    },
    {
      name: "machines-refused-code",
      scene: "machines-none",
      act: async (page) => {
        await page.fill("#hub-code", `bkj1-${"AbCdEfGh".repeat(14)}`);
        await page.evaluate(() => {
          const { language } = window.fake.view.texts;
          const message =
            language === "zh-CN"
              ? "这个邀请码已过期，或不是这个中枢生成的。请用“beckon hub invite”再生成一个"
              : "This code has expired, or was never given out by this hub. Get a new one with “beckon hub invite”";
          window.fake.refuse = { code: "refused", message };
        });
        await page.press("#hub-code", "Enter");
        await page.waitForSelector("[role=alert]");
      },
    },
    {
      name: "machines-leave",
      scene: "machines",
      act: async (page) => {
        await page.getByText("workstation").first().waitFor();
        await page.getByRole("button", { name: /^(Leave|退出)/ }).click();
      },
    },
    {
      name: "machines-remove",
      scene: "machines-serving",
      size: { width: 820, height: 880 },
      act: async (page) => {
        await page.getByText("workstation").first().waitFor();
        await page
          .getByRole("button", { name: /^(Remove|移除|删除)/ })
          .last()
          .click();
      },
    },
    {
      name: "machines-left",
      scene: "machines",
      act: async (page) => {
        await page.getByText("workstation").first().waitFor();
        await page.getByRole("button", { name: /^(Leave|退出)/ }).click();
        await page.locator("main button.bad").last().click();
        await page.waitForSelector("#hub-code");
      },
    },
    { name: "machines-unbuilt", act: (page) => page.waitForSelector("main h1") },
    { name: "machines-none", act: (page) => page.getByText("beckon hub serve").waitFor() },
    { name: "machines-alone", act: (page) => page.getByText("hub.example").waitFor() },
    { name: "machines-down", act: (page) => page.getByText("hub.example").waitFor() },
    { name: "machines-unknown", act: (page) => page.getByText("hub.example").waitFor() },
    { name: "machines-refused", act: (page) => page.getByText("hub.example").waitFor() },
    { name: "notifications" },
    { name: "notifications-plain" },
    { name: "notifications-down" },
    { name: "history", act: (page) => page.waitForSelector("article") },
    {
      name: "history-nothing",
      scene: "history",
      act: async (page) => {
        await page.fill("input[type=search]", "aardvark");
        await page.waitForSelector(".none");
      },
    },
    { name: "history-empty", act: (page) => page.waitForSelector(".none") },
    { name: "health-way", scene: "health", act: (page) => page.waitForSelector(".mark.fails") },
    {
      name: "health",
      act: async (page) => {
        await page.click("main button[aria-disabled]");
        await page.waitForSelector("ul:nth-of-type(1)");
      },
    },
    { name: "health-updates", act: (page) => page.getByText("0.2.0").waitFor() },
    { name: "general" },
    { name: "general-updates" },
    {
      name: "general-refused",
      scene: "general",
      act: async (page) => {
        await page.fill("#hotkey", "Ctrl");
        await page.press("#hotkey", "Tab");
        await page.waitForSelector("[role=alert]");
      },
    },
    { name: "welcome" },
    {
      name: "welcome-works",
      scene: "welcome",
      act: async (page) => {
        await next(2)(page);
        await page.click("main button.main");
        await page.waitForSelector("#autostart");
      },
    },
    { name: "welcome-new" },
    { name: "welcome-none" },
    { name: "welcome-phone", scene: "welcome", act: next(1) },
    { name: "welcome-try", scene: "welcome", act: next(2) },
  ],
};
