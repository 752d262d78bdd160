# What the resident says for its windows; the windows' own words are in ui.ftl.
server-test-opencode = An OpenCode answers.
server-test-opencode-version = OpenCode { $version } answers.
server-test-beckon = Another Beckon answers.
server-test-beckon-version = Another Beckon answers, version { $version }.
server-test-langgraph = A LangGraph server answers.
server-test-langgraph-version = LangGraph { $version } answers.
server-test-interrupts = It sends events and takes answers.
server-test-interrupts-half = It sends events. Whether it takes answers at the other address, only the first one will tell.
server-test-unauthorized = It answers, but the password is wrong or missing.
server-test-unauthorized-token = It answers, but the token is wrong or missing.
server-test-failed = It does not answer: { $detail }
server-test-no-opencode = Something answers there, but it is no OpenCode.
server-test-no-interrupts = Something answers there, but it sends no events.
server-test-no-langgraph = Something answers there, but it is no LangGraph server.
server-test-is-opencode = An OpenCode answers there. Choose that kind.
server-test-is-interrupts = Events come from there, as from a service with interrupts. Choose that kind.
server-test-is-langgraph = A LangGraph server answers there. Choose that kind.

# The self-test. $reason comes from the system.
selftest-title = Self-test
selftest-question = Does everything work?
selftest-choice = Yes
selftest-reason = The reason: { $reason }
selftest-paused = ringing is paused
selftest-not-shown = no card came up
selftest-not-withdrawn = the card did not go away
selftest-loop-ok = A question came in.
selftest-loop-bad = The question was lost inside Beckon.
selftest-desktop-ok = A notification came and went.
selftest-desktop-bad = No notification.
selftest-answer-ok = The answer went back and was confirmed.
selftest-answer-bad = The answer was not confirmed.
selftest-store-ok = It is written down.
selftest-store-bad = It was not written down.
selftest-telegram-ok = A test message is on its way to Telegram.
selftest-telegram-bad = Telegram does not work.
selftest-telegram-off = Telegram is not set up.
selftest-telegram-nobody = The bot works, but nobody is paired with it.

test-question = Does this reach you?
test-question-title = A test
test-question-yes = Yes
test-question-no = No
