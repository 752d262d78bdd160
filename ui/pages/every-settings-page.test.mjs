// Tests of every scene of the settings window (`every-page.mjs`).

import { testEveryPage } from "./every-page.mjs";

testEveryPage("settings");
