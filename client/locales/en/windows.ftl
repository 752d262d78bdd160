# What the resident says for its windows; the windows' own words are in ui.ftl.
server-test-opencode = OpenCode is responding.
server-test-opencode-version = OpenCode { $version } is responding.
server-test-beckon = Another Beckon is responding.
server-test-beckon-version = Another Beckon is responding, version { $version }.
server-test-langgraph = A LangGraph server is responding.
server-test-langgraph-version = LangGraph { $version } is responding.
server-test-interrupts = It sends events and takes answers.
server-test-interrupts-half = It sends events. Whether the other address takes answers shows with the first one.
server-test-unauthorized = It's responding, but the password is wrong or missing.
server-test-unauthorized-token = It's responding, but the token is wrong or missing.
server-test-failed = No response: { $detail }
server-test-no-opencode = Something responds there, but it isn't OpenCode.
server-test-no-interrupts = Something responds there, but it sends no events.
server-test-no-langgraph = Something responds there, but it isn't a LangGraph server.
server-test-is-opencode = That's an OpenCode server. Choose that type.
server-test-is-interrupts = That's a service with interrupts. Choose that type.
server-test-is-langgraph = That's a LangGraph server. Choose that type.

# The self-test. $reason comes from the system.
selftest-title = Self-test
selftest-question = Does everything work?
selftest-choice = Yes
selftest-reason = Reason: { $reason }
selftest-paused = notifications are paused
selftest-not-shown = no notification appeared
selftest-not-withdrawn = the notification didn't go away
selftest-loop-ok = A test question came in.
selftest-loop-bad = The question was lost inside Beckon.
selftest-desktop-ok = A notification came and went.
selftest-desktop-bad = No notification.
selftest-answer-ok = The answer went back and was confirmed.
selftest-answer-bad = The answer wasn't confirmed.
selftest-store-ok = Saved to the database.
selftest-store-bad = Not saved to the database.
selftest-telegram-ok = A test message is on its way to Telegram.
selftest-telegram-bad = Telegram isn't working.
selftest-telegram-off = Telegram isn't set up.
selftest-telegram-nobody = The bot works, but nobody is paired with it.

test-question = Did this reach you?
test-question-title = Test
test-question-yes = Yes
test-question-no = No
