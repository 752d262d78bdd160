// Tests of every scene of the answer window (`every-page.mjs`).

import { testEveryPage } from "./every-page.mjs";

testEveryPage("answer");
