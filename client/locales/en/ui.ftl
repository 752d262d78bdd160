# The windows. $text, $label, $place, $answer and the like are a stranger's words.

ui-age-seconds = { $count } s
ui-age-minutes = { $count } min
ui-age-hours = { $count } h
ui-age-days = { $count } d
ui-time-yesterday = yesterday { $time }
ui-time-tomorrow = tomorrow { $time }
ui-time-date = { $date } { $time }

# In both windows.
ui-ok = OK
ui-back = Back
ui-abandon = Cancel
ui-close = Close
ui-copy = Copy
ui-copy-request = Copy request
ui-copy-of = Copy { $what }
ui-open-session = Open session
ui-copied = Copied
ui-link-open = Open in browser
ui-text-more = Show more ({ $count } characters left)
ui-and-more = and { $count } more
ui-lost-title = Can't reach Beckon
ui-lost-text = The Beckon service isn't running. Agents keep waiting and nothing is lost. Start it with:
ui-lost-again = Try again
# A command follows.
ui-gone = Beckon isn't running. What you type stays here, but nothing is sent until it's back. Start it with:

# The answer window.
ui-subagent = subagent
ui-waits-for = waiting for { $age }
ui-last-words = What the agent said
ui-fold = Show less
ui-unfold = Show all
ui-answer-stale = The agent may have stopped waiting. You can still answer; it is delivered if the agent is there.
ui-answer-missing = Choose or type an answer first.
ui-no-text = (no question text)
ui-no-label = (no label)
ui-no-questions = A question without text
ui-only-dismiss = This question can't be answered, only dismissed.
ui-own = Type your own answer…
ui-own-add = Add your own…
ui-own-only = Your answer
ui-find-choice = Search choices
ui-choices-found = { $count ->
    [one] 1 choice
   *[other] { $count } choices
}
ui-choices-and-own = { $count } choices, or your own answer
ui-choices-more = Show more choices ({ $count } left)
ui-chosen = { $count } selected
ui-step = Question { $number } of { $count }
ui-next = Next
ui-to-review = Review
ui-review = Review
ui-review-title = Review your answers
ui-no-answer-yet = Not answered
ui-change = Change
ui-change-which = Change the answer to question { $number }
ui-answer = Answer
ui-answer-which = Answer question { $number }
ui-send = Send
ui-sending = Sending
ui-undo = Undo
ui-undo-counting = Sending in { $count } s
ui-dismiss = Dismiss…
ui-yes-dismiss = Yes, dismiss
ui-sure-dismiss = { $count ->
    [one] Dismiss this question?
   *[other] Dismiss all { $count } questions?
}
ui-sure-dismiss-means = The agent gets no answer, only word that you dismissed this.

# The title of a permission. $project is a directory's name, $what one or several of: programs, names of
# files, a host, a skill, an agent's own name for it. A program knows which text fits.
# In the place of a project that has no name.
place-on = { $project } on { $machine }
place-machine = on { $machine }
title-nobody = An agent
title-run = { $project } wants to run { $what }
title-run-unknown = { $project } wants to run a command
title-edit = { $project } wants to edit { $what }
title-edit-unknown = { $project } wants to edit files
title-write = { $project } wants to write { $what }
title-write-unknown = { $project } wants to write files
title-delete = { $project } wants to delete { $what }
title-delete-unknown = { $project } wants to delete files
title-move = { $project } wants to move { $what }
title-move-unknown = { $project } wants to move files
title-change = { $project } wants to edit, move or delete { $what }
title-change-unknown = { $project } wants to edit, move or delete files
title-read = { $project } wants to read { $what }
title-read-unknown = { $project } wants to read files
title-leave = { $project } wants to access files outside the project
title-fetch = { $project } wants to fetch { $what }
title-fetch-unknown = { $project } wants to fetch a web page
title-search = { $project } wants to search the web
title-tool = { $project } wants to use { $what }
title-tool-of = { $server }: { $tool }
title-delegate = { $project } wants to start a subagent
title-skill = { $project } wants to use the skill { $what }
title-skill-unknown = { $project } wants to use a skill
title-plan = Start with this plan?
title-repeat = { $project } is repeating itself. Keep going?
title-find = { $project } wants to find files
title-grep = { $project } wants to search in files
title-list = { $project } wants to list a directory
title-other = { $project } wants to use { $what }
title-other-unknown = { $project } wants your permission
title-comma = ,{" "}
# A plan, and an agent that repeats itself, have answers of their own: “Allow once” fits neither.
# On buttons; with … where a reason is asked for first.
once-plan = Start
once-repeat = Keep going
reject-plan = Keep planning
reject-repeat = Stop
why-plan = Keep planning…
why-repeat = Stop and say why…
# On Telegram, beside the button that rejects at once.
because-plan = Say what to change
because-repeat = Stop and say why
# What has been answered.
did-once-plan = Started
did-once-repeat = Kept going
did-reject-plan = Kept planning
did-reject-repeat = Stopped
# In the windows: the panels before it, and what was done.
sure-reject-plan = Keep planning?
sure-reject-repeat = Stop here?
why-not-plan = What should change? Optional, the agent reads it
why-not-repeat = What's going wrong? Optional, the agent reads it
sure-always-plan = Start, and always allow this?
sure-always-repeat = Stop asking about this?
yes-always-plan = Start and always allow
yes-always-repeat = Don't ask again
act-once-plan = started
act-once-repeat = kept going
act-deny-plan = planning on
act-deny-repeat = stopped
# More than fit.
title-more = { $what } and { $count } more
# The same where only its kind is known.
ui-wants = Allow “{ $name }”?
ui-wants-bash = Run this command?
ui-wants-edit = Edit this file?
ui-wants-write = Write this file?
ui-wants-read = Read this file?
ui-wants-webfetch = Fetch this page?
ui-wants-external_directory = Access files outside the project?
ui-wants-websearch = Search the web?
ui-wants-plan = Start with this plan?
ui-wants-doom_loop = It is repeating itself. Keep going?
ui-wants-task = Start a subagent?
ui-wants-skill = Use a skill?
ui-wants-glob = Find files?
ui-wants-grep = Search in files?
ui-wants-list = List a directory?
ui-wants-mcp = Use “{ $tool }” of { $server }?
ui-wants-confirm = Continue?
ui-unknown = A request in a form Beckon doesn't know
ui-unknown-means = Beckon can't tell what an answer would mean, so answer it where the agent runs. This is what it sent:
ui-topic-set = { $count ->
    [0] needs an answer
    [one] 1 question
   *[other] { $count } questions
}
ui-command = Command
ui-plan = Plan
ui-patterns = Applies to
ui-no-details = The agent gave no details.
ui-deceptive = Something in this request is hidden or easy to misread. Look closely before you allow it.
ui-command-long = The command is cut off here. Show all of it before you allow it.
ui-plan-long = The plan is cut off here. Show all of it before you start it.
ui-change-long = Not all of the change is shown here. Show all of it before you allow it.
ui-left-out = This asks for more than can be shown. Look in the agent's terminal before you allow it.
ui-partial = The agent hasn't said all that it would do with this. Look in its terminal before you allow it.
ui-arguments = Details
ui-file-add = Add
ui-file-update = Edit
ui-file-delete = Delete
ui-file-move = Move
ui-change-of-file = Change
ui-diff-lines = +{ $added } −{ $removed }
ui-lines-more = Show more lines ({ $count } left)
ui-diff-cut = This change is too large to show in full; { $count } characters are left out.
ui-once = Allow once
ui-always-more = Always…
ui-always-what = Always { $what }…
ui-reject-more = Reject…
ui-reject = Reject
ui-yes-always = { $kind ->
    [bash] Always allow every command
    [edit] Always edit every file
   *[other] Always allow this
}
ui-yes-always-what = Always allow { $what }
ui-yes-always-all = Always allow all { $count }
ui-always-together = The agent takes all of these or none.
# What a pattern would let through.
ui-reach-deletes = can delete any file
ui-reach-admin = anything, with admin rights
ui-reach-rewrites = can discard or overwrite work
ui-reach-anything = any command
ui-sure-once = Allow this once?
ui-sure-always = Always allow this?
ui-sure-always-server = Until OpenCode restarts, these aren't asked about again:
ui-sure-always-session = Until the session ends, these aren't asked about again:
ui-sure-always-revoked = In this project these aren't asked about again, until you revoke it in the settings:
ui-sure-always-unsaid = These aren't asked about again. The agent decides for how long:
# What a lone star stands for.
ui-always-all = { $kind ->
    [bash] every command
    [edit] every file
   *[other] everything of this kind
}
ui-sure-reject = Reject this request?
ui-reason = Why? Optional, the agent reads it
ui-go-on = Continue
ui-cancel = Stop here

ui-queue = Also waiting
ui-queue-count = { $count } more
ui-queue-snoozed = { $count } snoozed
ui-queue-key = Next
ui-queue-none = Nobody else is waiting
ui-empty = Nobody is waiting
ui-empty-today = Today: { $count } answered, median wait { $age }
ui-empty-today-none = Nothing was asked today
ui-empty-watching = { $count ->
    [one] 1 agent connected
   *[other] { $count } agents connected
}
ui-empty-deaf-title = No agents connected
ui-empty-deaf = Requests can't reach you. Beckon keeps trying.
ui-empty-unset-title = No agents connected
ui-empty-unset = Connect one, and its questions and permissions appear here.
ui-last-answers = Last answers
ui-empty-settings = Connect an agent

# The inbox: all that waits, as a list.
ui-answer-title = Beckon requests
ui-inbox-title = Beckon inbox
ui-inbox = Inbox
ui-inbox-waiting = { $count } waiting
ui-inbox-new = { $count } new
ui-inbox-snoozed = Snoozed
ui-inbox-held = For others to decide
ui-filter = Filter
ui-filter-found = { $count } of { $of }
ui-filter-none = Nothing here matches.
ui-open = Open
ui-select = Select
ui-selected = selected
# What a row is about. $what is a command, files, a host, a tool: a stranger's words.
ui-do-run = Run { $what }
ui-do-run-unknown = Run a command
ui-do-edit = Edit { $what }
ui-do-edit-unknown = Edit files
ui-do-write = Write { $what }
ui-do-write-unknown = Write files
ui-do-delete = Delete { $what }
ui-do-delete-unknown = Delete files
ui-do-move = Move { $what }
ui-do-move-unknown = Move files
ui-do-change = Edit, move or delete { $what }
ui-do-change-unknown = Edit, move or delete files
ui-do-read = Read { $what }
ui-do-read-unknown = Read files
ui-do-leave = Access { $what }
ui-do-leave-unknown = Access files outside the project
ui-do-fetch = Fetch { $what }
ui-do-fetch-unknown = Fetch a web page
ui-do-search = Search the web
ui-do-tool = Use { $what }
ui-do-tool-unknown = Use a tool
ui-do-delegate = Start a subagent
ui-do-skill = Use the skill { $what }
ui-do-skill-unknown = Use a skill
ui-do-plan = Start with this plan?
ui-do-repeat = It's repeating itself. Keep going?
ui-do-find = Find files
ui-do-grep = Search in files
ui-do-list = List a directory
ui-do-other = Use { $what }
ui-do-other-unknown = Do something that needs permission
# The line below it.
ui-row-question = Question
ui-row-permission = Permission
ui-row-confirm = Confirmation
ui-row-change = +{ $added } −{ $removed }
ui-row-similar = { $count } similar permissions
ui-row-returned = not delivered
ui-row-stale = may have stopped waiting
ui-row-answered = Answered
ui-row-allowed = Allowed once
ui-row-rejected = Rejected
ui-row-left = No longer waiting
ui-risk-deletes = deletes files
ui-risk-admin = needs admin rights
ui-risk-rewrites = overwrites work
ui-risk-runs-download = runs a download
ui-risk-runs-unseen = runs what isn't shown
ui-risk-outside = outside the project
# Several similar permissions. $deed is one of the ui-do texts.
ui-pile = { $deed }, { $count } times
ui-pile-list = What is allowed
ui-pile-allow = { $count ->
    [one] Allow 1 once
   *[other] Allow { $count } once
}
ui-pile-reject = { $count ->
    [one] Reject 1…
   *[other] Reject { $count }…
}
ui-pile-reject-sure = { $count ->
    [one] Reject 1 request?
   *[other] Reject { $count } requests?
}
ui-pile-reject-yes = { $count ->
    [one] Reject 1
   *[other] Reject { $count }
}
ui-pile-allow-more = Allow { $count }…
ui-pile-left = { $count ->
    [one] 1 is no longer waiting
   *[other] { $count } are no longer waiting
}
ui-pile-changed = { $count ->
    [one] 1 has changed and was taken out
   *[other] { $count } have changed and were taken out
}
ui-pile-failed = { $what }: { $message }
ui-pile-look = Needs a look of its own

# Seen and snoozed. $until is one of the ui-until texts.
ui-see = Seen, stop reminding
ui-unsee = Remind me again
ui-seen = Seen
ui-is-seen = Seen. You won't be reminded.
ui-snooze = Snooze
ui-snooze-for = Snooze { $span }
ui-snooze-back = Snooze until I'm back
ui-is-snoozed = Snoozed { $until }
ui-wake = Wake now
ui-until = until { $time }
ui-until-back = until you're back
ui-more-of = More for { $what }

# The panel of all keys.
ui-keys = Keyboard shortcuts
ui-keys-answer = Answer
ui-keys-go = Go
ui-keys-later = Later
ui-key-choose = Choose
ui-key-send = Choose; again to send
ui-key-both = Choose and send
ui-key-once = Allow once
ui-key-always = Always…
ui-key-reject = Reject…
ui-key-own = Type an answer
ui-key-undo = Undo
ui-key-inbox = Inbox
ui-key-rows = Down, up
ui-key-next = Next request
ui-key-ends = First, last
ui-key-leave = Leave
ui-key-filter = Filter
ui-key-session = Open session
ui-key-select = Select several
ui-key-seen = Seen
ui-key-snooze = Snooze…

# What became of an ask. $act is one of the ui-act texts, $by one of the ui-by texts.
ui-act-answer = { $what }
ui-act-once = allowed once
ui-act-always = always allowed
ui-act-deny = rejected
ui-act-dismiss = dismissed
ui-act-go-on = continued
ui-act-cancel = stopped here
ui-notice-sending = { $place }: { $act } · sending
ui-notice-taken = { $place }: { $act } · delivered
ui-notice-batch-allow = { $place }: { $count } allowed once
ui-notice-batch-reject = { $place }: { $count } rejected
ui-notice-snoozed = { $count ->
    [one] { $place }: snoozed { $until }
   *[other] { $place }: { $count } snoozed { $until }
}
ui-notice-failed = { $place } is still waiting: { $message }
ui-notice-elsewhere = { $place }: answered { $by }
ui-notice-elsewhere-what = { $place }: { $answer } · answered { $by }
ui-notice-dismissed = { $place }: dismissed { $by }
ui-notice-expired = { $place }: the question has expired
ui-notice-gone = { $place }: the agent has stopped waiting
ui-notice-changed = { $place }: it asks something else now
# What a rejection takes along. More than 9 are not counted.
asked-times = Asked { $count } times; one answer goes to all of them.
risk-deletes = Deletes files, and can't be undone.
risk-admin = Runs with administrator rights.
risk-rewrites = Discards or overwrites existing work.
risk-runs-download = Runs what it has just downloaded.
risk-runs-unseen = Runs commands that can't be seen here.
risk-outside = Reaches outside the project.
# The words that are meant, before one of these.
risk-of = { $what }: { $risk }
also-rejects = { $count ->
    [1] Rejecting this also rejects 1 other request of this session.
    [9] Rejecting this also rejects 9 or more other requests of this session.
   *[other] Rejecting this also rejects { $count } other requests of this session.
}
also-rejects-perhaps = { $count ->
    [1] Rejecting this may also reject 1 other request of this session.
    [9] Rejecting this may also reject 9 or more other requests of this session.
   *[other] Rejecting this may also reject { $count } other requests of this session.
}
# Why an answer came back. $why is the agent's own word.
returned-refused = The agent rejected the answer: { $why }
returned-unauthorized = The agent's server rejected Beckon's token. Update the token, then answer again.
returned-forbidden = The agent's server says this request belongs to another user.
returned-unproven = The connection dropped, so Beckon can't tell whether the answer arrived. Check the agent before you answer again.
returned-changed = The agent is asking something else now, so the answer wasn't delivered. Read it again before you answer.
returned-undelivered = The answer didn't get through ({ $why }), and it won't be sent later: by then the agent may be asking something else. Answer again.
returned-left-out = The answer wasn't sent: because of a bug of its own, Beckon runs without this server. Restart Beckon and answer again, or answer in the agent.
returned-unconfirmed = The connection broke after this was asked, so the agent may be waiting for something else by now. The answer wasn't sent. Answer again only if you've seen that it still asks this.
returned-no-thread = The service doesn't say which thread this is, so it can't be answered from here. Answer it there, or name the thread in config.toml (thread = "…" in its [[interrupts]]). Canceling or dismissing it only removes it from the list.
returned-needs-another = The answer counts. Someone else on the team has to agree, too.
# The same of an answer for another machine's agent, which hasn't seen it.
returned-hub-forbidden = The hub doesn't let this device answer, so the answer wasn't sent. Answer on the machine that asks, or check this device's permissions on the server.
returned-hub-no-key = This device can't sign answers for other machines, so this one wasn't sent. Answer on the machine that asks, or give this device a key: beckon hub key
returned-hub-unlisted = The machine that asks doesn't list this device, so it didn't take the answer. Answer there, or let this device join with a new code.
returned-hub-unreadable = The machine that asks couldn't read the answer: it runs another version of Beckon. Answer there, and update the older one.
returned-hub-unfit = The machine that asks didn't take the answer, because it doesn't fit the request. Read it again before you answer.
returned-hub-held = Others on the team decide this, so the machine that asks didn't take the answer.
# A team decides: $who are those who can, $agreed those who have agreed where two must.
hold = Waiting for { $who }.
hold-nobody = Nobody on the team can decide this now. You can still answer in the agent.
hold-agreed = { $agreed } said yes. Someone else has to agree: { $who }.
hold-agreed-nobody = { $agreed } said yes. Someone else has to agree, and nobody on the team can now.
hold-answered = { $agreed } answered. Someone else has to give the same answer: { $who }.
hold-answered-nobody = { $agreed } answered. Someone else has to give the same answer, and nobody on the team can now.
hold-apart = { $agreed } gave different answers. Someone else has to agree with one of them: { $who }.
hold-apart-nobody = { $agreed } gave different answers. Someone else has to agree with one of them, and nobody on the team can now.
hold-yours = Your answer counts. Someone else has to agree: { $who }.
hold-yours-nobody = Your answer counts. Someone else has to agree, and nobody on the team can now.
# The same for someone who can decide it now.
agreed-yes = { $agreed } said yes. If you do, too, it's decided.
agreed-answer = { $agreed } answered. If you give the same answer, it's decided.
agreed-apart = { $agreed } gave different answers. If you agree with one of them, it's decided.
hold-comma = { ", " }
hold-or = { $names } or { $last }
hold-and = { $names } and { $last }
undelivered = The answer hasn't reached the agent yet: { $why }. Beckon keeps trying.
undelivered-unconfirmed = The answer was sent, but the agent hasn't confirmed it yet. Beckon keeps checking.
attention-wanted = It can notify you again.
attention-seen = 👀 Seen: no more reminders, and nothing on your phone
attention-snoozed = 💤 Snoozed until { $time }
attention-until-back = 💤 Snoozed until you're back
undelivered-title = Not delivered yet: { $about }
too-late-title = Too late: { $about }
# The agent stopped waiting before the answer was there; and the same, where nobody knows whether it was there.
not-arrived-title = Didn't arrive: { $about }
unproven-title = May not have arrived: { $about }
lost-not-arrived = Your answer didn't arrive: the agent has stopped waiting.
# The same where others read of it: “-of” names whose answer it was, “-somebody” where that isn't known.
lost-not-arrived-of = { $name }'s answer didn't arrive: the agent has stopped waiting.
lost-not-arrived-somebody = The answer didn't arrive: the agent has stopped waiting.
lost-unproven = Your answer was sent, but the connection broke before the agent confirmed it. It no longer asks, and nothing shows whether it got your answer.
lost-unproven-of = { $name }'s answer was sent, but the connection broke before the agent confirmed it. It no longer asks, and nothing shows whether it got the answer.
lost-unproven-somebody = The answer was sent, but the connection broke before the agent confirmed it. It no longer asks, and nothing shows whether it got the answer.
# Why, and what was answered.
too-late-back = { $why }
    Your answer was: “{ $text }”
too-late-back-of = { $why }
    { $name }'s answer was: “{ $text }”
too-late-back-somebody = { $why }
    The answer was: “{ $text }”
ui-over = It's over. What you typed stays here until you go on
ui-over-next = Next request
ui-lost-typed = What you typed wasn't sent
# What was always allowed from Beckon, and how long each holds.
ui-granted = Always allowed
ui-granted-lead = What agents no longer ask about, because you said “always” in Beckon.
ui-granted-ended = { $count ->
    [one] 1 has ended
   *[other] { $count } have ended
}
ui-granted-none = Nothing is always allowed yet.
ui-granted-all = Show all { $count }
ui-granted-when = Allowed { $at }, { $by }
ui-granted-run = Commands
ui-granted-edit = File changes
ui-granted-read = Reading files
ui-granted-leave = Files outside the project
ui-granted-session = Ends with the session
ui-granted-server = Ends when OpenCode restarts
ui-granted-server-ended = Ended when OpenCode restarted
ui-granted-server-unwatched = Until OpenCode stops; not watched now
ui-granted-revoked = Until you revoke it
ui-granted-revoked-ended = Not on its server's list
ui-granted-revoked-unknown = Until it's revoked; its server can't be asked now
ui-granted-revoked-unwatched = Until it's revoked; its server isn't watched now
ui-revoked = Revoked
ui-granted-unsaid = The agent decides for how long
ui-revoke = Revoke
ui-revoke-which = Revoke { $what }
ui-by-notification = on the desktop
ui-by-tray = in the tray
ui-by-window = in the window
ui-by-cli = in a terminal
ui-by-api = through the API
ui-by-telegram = on Telegram
ui-by-clock = by timeout
ui-by-elsewhere = elsewhere
ui-by-person-device = by { $person } on { $device }
ui-by-person = by { $person }
ui-by-device = on { $device }

# The settings window.
ui-settings-title = Beckon settings
ui-tab-general = General
ui-tab-agents = Agents
ui-tab-allowed = Always allowed
ui-tab-telegram = Phone
ui-tab-presence = Presence
ui-tab-notifications = Notifications
ui-tab-history = Activity
ui-tab-health = Health
ui-tab-trouble = (needs attention)
ui-file-broken = config.toml has an error. Beckon keeps using the last valid settings until you fix it.
ui-never = Never
ui-save = Save
ui-test = Test
ui-testing = Testing…
ui-edit = Edit…
ui-edit-which = Edit { $name }
ui-edit-name-text = Its requests come back under the new name.
ui-edit-url-text = A different address means a different server: requests from this one disappear.
ui-edit-password-withheld = That's another server, so the password isn't sent there. You can enter one after saving.
ui-edit-bearer-withheld = That's another service, so the token isn't sent there. You can enter one after saving.
ui-remove = Remove
ui-remove-more = Remove…
ui-remove-which = Remove { $name }
ui-remove-sure = Remove { $name }?
ui-works = OK
ui-note = Note
ui-fails = Failed
ui-channel-works = Working
ui-channel-down = Not working
ui-channel-starting = Starting
ui-channel-standby = Served by another machine
ui-channel-off = Not set up

ui-agents-lead = Requests from these agents come to you.
ui-agents-servers = Your servers
ui-agents-registered = Connected automatically
ui-agents-none = No servers yet
ui-agents-none-text = Add the address of a running server: opencode serve prints it.
ui-agents-sight = What's covered
ui-agents-seen = Covered
ui-agents-seen-text = Every session of these servers, in every directory, subagents at any depth, and what was asked before Beckon started.
ui-agents-unseen = Not covered
ui-agents-unseen-text = An OpenCode started without a port, in a terminal or the desktop app, unless the plugin is installed.
ui-agents-unseen-interrupts = Requests an interrupt service made while Beckon was disconnected, unless the service repeats them.
ui-nearby = Nearby
ui-nearby-title = Servers on the local network
ui-nearby-text = Finds servers started with --mdns. Nothing is added until you choose it.
ui-nearby-look = Search
ui-nearby-looking = Searching…
ui-nearby-use = Add…
ui-nearby-nobody = No other servers found.
ui-plugin-yes = Plugin installed
ui-plugin-outdated = Plugin from another version of Beckon
ui-plugin-foreign = Another program's file has the plugin's name, so it can't be installed: { $file }
ui-plugin-install = Install plugin
ui-plugin-update = Update plugin
ui-plugin-remove = Remove plugin
ui-plugin-installed = Installed. Restart any running OpenCode to load it.
ui-plugin-removed = Removed. A running OpenCode keeps it until it restarts.
# OpenCode on this computer. $count run, $missing of them are not connected, $restart once they are restarted.
ui-opencode-none = Not running here. The plugin connects every OpenCode you start, in a terminal or the desktop app.
ui-opencode-ready = Every OpenCode you start on this computer is connected.
ui-opencode-all = { $count ->
    [one] 1 running, connected
   *[other] { $count } running, all connected
}
ui-opencode-missing = { $count } running, { $missing } not connected
ui-opencode-restart = { $count } running, { $restart ->
    [one] 1 connects after a restart
   *[other] { $restart } connect after a restart
}
ui-local = On this computer
ui-local-connected = Connected
ui-local-unconnected = Not connected
ui-local-restart = Restart OpenCode here
ui-local-somewhere = OpenCode
ui-claude-code = Claude Code
ui-hooks-looking = Checking…
ui-hooks-not-found = Not found. Install it and it appears here.
ui-hooks-no = Found on this computer, not connected
ui-hooks-yes = Connected through hooks
ui-hooks-there = Hooks added
ui-hooks-off = Hooks added, but Claude Code doesn't run them: { $by }
ui-hooks-outdated = Hooks from another version of Beckon or Claude Code
ui-hooks-add = Add hooks
ui-hooks-update = Update hooks
ui-hooks-remove = Remove hooks
ui-hooks-added = Added. Running sessions use them, too.
ui-hooks-removed = Removed.
ui-mcp-any = Any agent with MCP
ui-mcp-text = Gives the agent a tool to ask you. Paste the config into its MCP settings.
ui-mcp-copy = Copy config
ui-mcp-copied = Copied. Paste it into the agent's MCP settings.
ui-source-live = Connected, version { $version }
ui-source-live-plain = Connected
ui-source-connecting = Connecting
ui-source-unreachable = Unreachable: { $error }. Retrying.
ui-source-unauthorized = The token is wrong or missing
ui-source-unauthorized-password = The password is wrong or missing
ui-source-experimental = Experimental: built on the published API; finished tasks are not reported.
ui-kind-opencode = OpenCode
ui-kind-interrupts = Service with interrupts
ui-kind-langgraph = LangGraph
ui-kind-beckon = Another Beckon
ui-password = Password
ui-password-set = Password…
ui-password-replace = Change password…
ui-password-needed = Enter the password…
ui-password-new = New password
ui-password-text = Stored in the system keychain and never shown again.
ui-password-forget = Remove password
ui-bearer = Token
ui-bearer-set = Token…
ui-bearer-replace = New token…
ui-bearer-needed = Enter the token…
ui-bearer-new = New token
ui-add-server = Add a server
ui-add-kind = Type
ui-add-kind-opencode = An OpenCode server, or another Beckon
ui-add-kind-interrupts = Sends interrupt events and accepts answers at /resume
ui-add-kind-langgraph = A LangGraph server; Beckon checks its threads for interrupts
ui-add-turn = Switch to { $kind }
ui-add-name = Name
ui-add-name-text = How it appears in Beckon
ui-add-name-taken = That name is already in use.
ui-add-url = Address
ui-add-url-opencode = The address OpenCode listens on
ui-add-url-interrupts = The stream that announces waiting threads
ui-add-url-langgraph = Where LangGraph listens
ui-add-events = Events address
ui-add-resume = Answers address
ui-add-resume-text = Beckon appends the thread ID. Leave empty to use /resume next to the events address.
ui-add-user = User name
ui-add-test = Test and add
ui-add-anyway = Add anyway
ui-added = Added { $name }

ui-telegram-lead = When you're away, requests come here. Answer with one tap.
ui-telegram-bot = Your bot
ui-bot-make = Create a bot
ui-bot-make-text = Send /newbot to @BotFather in Telegram and pick a name. It replies with a token.
ui-bot-open = Open @BotFather
ui-token = Bot token
ui-token-text = Paste it here. It is stored only in the system keychain.
ui-token-check = Check and save
ui-token-keychain = The token is in the system keychain
ui-token-environment = The token comes from the environment variable BECKON_TELEGRAM_TOKEN
ui-token-replace = Replace…
ui-telegram-logout-sure = Remove this bot? Everyone paired stops getting requests.
ui-proxy = Proxy
ui-proxy-none = None. For networks where Telegram is blocked.
ui-proxy-works = Working: { $proxy }
ui-proxy-trouble = Not working: { $proxy }
ui-proxy-set-up = Set up…
ui-proxy-change = Change…
ui-proxy-remove-sure = Connect to Telegram without it?
ui-proxy-address = Proxy address
ui-proxy-address-text = For example socks5://127.0.0.1:1080 or http://user@proxy.example:8080
ui-proxy-password = Password
ui-proxy-password-text = Only if the proxy needs one. Stored in the system keychain and never shown again.
ui-proxy-password-kept = One is in the keychain. Leave this empty to keep it.
ui-proxy-no-user = A password needs a user name in the address, as in socks5://user@proxy.example:1080.
ui-telegram-meanwhile = You're still notified on this computer.
ui-telegram-people = Who can answer
ui-person = Can answer everything
ui-person-blocked = Has blocked the bot: nothing reaches them
ui-group-removed = The bot was removed from this group
ui-person-group = A group: members who are paired can answer
ui-person-remove-sure = They will stop getting requests.
ui-pair = Pair your phone
ui-pair-another = Pair another phone
ui-pair-text = Only paired people get requests and can answer them.
ui-pair-do = Show QR code
ui-pair-scan = Scan this with your phone
ui-pair-group = For a group, open { $link } or send { $command } there.
ui-pair-scan-text = Or open the link on your phone and press Start in the chat with { $bot }. Works once, expires in { $age }.
ui-pair-code = QR code of the link
ui-pair-late = This code has expired.
ui-pair-exposed = The code was sent in the name of a group or channel, so nobody was paired, and others could read it: it no longer works. Show a new one, and send it as yourself.
ui-telegram-when = Forwarding
ui-telegram-forward = Forward requests
ui-telegram-forward-away = When I'm away
ui-telegram-forward-always = Always
ui-telegram-forward-never = Never
ui-telegram-forward-away-text = When you're away or Beckon can't tell, when notifications don't work, or when you haven't answered for { $age }.
ui-telegram-forward-away-only-text = When you're away or Beckon can't tell, or when notifications don't work.
ui-telegram-forward-always-text = Every request goes to your phone and this computer.
ui-telegram-forward-never-text = Nothing goes to Telegram, even when nobody answers.
ui-telegram-test = Test card
ui-telegram-test-text = Goes to everyone who is paired, with a button to tap.
ui-telegram-test-do = Send a test card
ui-telegram-test-sent = Sent. Tap the button in Telegram.
ui-telegram-test-back = { $name } tapped it { $age } later: it works both ways.
ui-telegram-test-late = No tap yet. You can still tap it later.
ui-telegram-test-nowhere = Not sent: the bot isn't allowed to message anyone who is paired.

# The same for each way that questions go to Telegram: when the human is away, always, or not at all.
ui-presence-lead = While you're at the computer, you're notified here. When you step away, or don't answer, requests go to Telegram.
ui-presence-lead-always = You're notified on this computer and on Telegram, wherever you are.
ui-presence-lead-none = You're notified on this computer. Nothing goes to Telegram: it isn't set up, or forwarding is off.
ui-presence-now = Now
ui-presence-here = You're here
ui-presence-away = You're away
ui-presence-unknown = Beckon can't tell whether you're here
ui-presence-at = You're at { $machines }
ui-presence-seated = You're notified on { $machines }, and not here.
ui-presence-deaf = Notifications don't work on { $machines }, so you're notified wherever else it's possible.
ui-presence-shared = { $count ->
    [one] Shared with 1 machine
   *[other] Shared with { $count } machines
}
ui-presence-shared-text = Each tells the others whether you're at it, so you're notified where you are.
ui-presence-withheld = Not shared with your other machines
ui-presence-withheld-text = They aren't told whether you're here, and count you as away from this one.
ui-presence-machines = Machines…
ui-presence-gone = You aren't at any of your machines. Requests go to your phone.
ui-presence-say = Set your presence
ui-presence-say-auto = Automatic
ui-presence-say-here = Here
ui-presence-say-away = Away
ui-presence-say-hour = Away for 1 h
ui-evidence-said = Set by you
ui-evidence-said-until = Set by you until { $time }
ui-evidence-input = Last input { $age } ago ({ $source })
ui-evidence-using = Keyboard or mouse in use ({ $source })
ui-evidence-idle = No input for { $age } ({ $source })
ui-evidence-no-input = No input for a while ({ $source })
ui-evidence-locked = Screen locked ({ $source })
ui-evidence-asleep = Computer asleep
ui-evidence-unknown = This desktop reports no activity
ui-legs = How Beckon knows
ui-leg-idle = Idle time
ui-leg-idle-missing = { $kind ->
    [system] Not available here: the system doesn't report idle time.
   *[other] Not available here: idle time needs X11, GNOME, or a Wayland desktop with ext-idle-notify.
}
ui-leg-lock = Screen lock
ui-leg-lock-on = Locked ({ $source })
ui-leg-lock-off = Not locked ({ $source })
ui-leg-lock-missing = { $kind ->
    [system] Not available here: the system doesn't report it.
   *[other] Not available here: neither logind nor a screen saver reports it.
}
ui-leg-sleep = Sleep
ui-leg-sleep-on = About to sleep ({ $source })
ui-leg-sleep-off = Awake ({ $source } reports sleep)
ui-leg-sleep-missing = { $kind ->
    [system] Not reported here. Beckon notices after waking.
   *[other] Not reported here: logind isn't reachable. Beckon notices after waking.
}
ui-leg-both = { $missing } { $rest }
ui-leg-rest-idle = Idle time is still used.
ui-leg-rest-lock = The screen lock is still used.
ui-leg-rest-none = Set yourself away above when you leave.
ui-leg-disturb = Do Not Disturb
ui-leg-disturb-on-never = On: questions arrive silently and are shown again when it's off.
ui-leg-disturb-on-permissions = On: questions arrive silently and are shown again when it's off. Permissions are marked urgent, which most desktops let through.
ui-leg-disturb-on-always = On, but questions are marked urgent, which most desktops let through.
ui-leg-disturb-off = Off
ui-leg-disturb-unknown = This desktop doesn't say whether it's on. Questions are marked urgent, so they may come through it.
ui-witness-none = nobody
ui-witness-said = you
ui-witness-x11 = X11
ui-witness-wayland = Wayland
ui-witness-mutter = GNOME
ui-witness-logind = logind
ui-witness-screen_saver = the screen saver
ui-witness-system = the system
ui-witness-clock_jump = the clock
ui-pause = Pause notifications
ui-pause-text = No notifications and nothing new on Telegram until then; questions wait in the tray and the answer window.
ui-paused-until = Paused until { $time }: no notifications and nothing new on Telegram. Questions wait in the tray and the answer window.
# In the answer window.
ui-paused-band = Paused until { $time }: no notifications, nothing new on Telegram.
ui-pause-half-hour = 30 min
ui-pause-tomorrow = Until tomorrow
ui-pause-end = Resume
ui-away-when = Away
ui-away-after = Away after
ui-away-after-text = After { $age } without input, open questions go to Telegram.
ui-away-after-text-always = After { $age } without input you're away. Questions go to Telegram in any case.
ui-away-after-text-none = After { $age } without input you're away.
ui-lock-is-away = Away when the screen is locked
ui-lock-is-away-on = Locking the screen sends open questions to Telegram at once.
ui-lock-is-away-on-always = Locking the screen sets you away at once. Questions go to Telegram in any case.
ui-lock-is-away-on-none = Locking the screen sets you away at once.
ui-lock-is-away-off = A locked screen changes nothing.
ui-escalation-after = Also send to Telegram after
ui-escalation-after-text = If you're here but don't answer within { $age }, the question goes to Telegram as well.
ui-escalation-after-text-always = No effect now: questions go to Telegram in any case.
ui-escalation-after-text-none = No effect now: Telegram isn't set up, or forwarding is off.
ui-escalation-never-text = While you're here, unanswered questions aren't sent to Telegram.
ui-escalation-never-text-always = Questions go to Telegram in any case.
ui-escalation-never-text-none = Telegram isn't set up, or forwarding is off.
ui-remind = Remind me
ui-remind-text = You're notified again every { $age } while a request waits.
ui-remind-never-text = Each request notifies you once.
ui-quiet = Quiet hours
ui-quiet-text = Telegram cards arrive silently, { $hours }.
ui-quiet-none-text = Off.
ui-expire = Expire questions after
ui-expire-text = Unanswered questions are rejected after { $age }, and the agent is told they expired.
ui-expire-never-text = Questions wait until someone answers.
ui-before-dialog = Ask before OpenCode's dialog
ui-before-dialog-text = With the plugin, a question is asked here first. If nobody answers for { $age }, OpenCode's own dialog appears.
ui-before-dialog-never-text = A question appears in OpenCode and here at the same time.

ui-notifications-lead = How this computer gets your attention.
ui-desktop = Desktop notifications
ui-desktop-daemon = Through { $daemon }
ui-desktop-nobody = This desktop has no notification service.
ui-desktop-meanwhile = Questions still appear in the tray and the window.
ui-break-through = During Do Not Disturb
ui-break-through-never = Hold questions back
ui-break-through-permissions = Let permissions through
ui-break-through-always = Let everything through
ui-break-through-never-text = Questions arrive silently and are shown again when it's off.
ui-break-through-permissions-text = Permissions are marked urgent, which most desktops let through. Questions are shown again when it's off.
ui-break-through-always-text = Every request is marked urgent, which most desktops let through.
ui-one-press = Allow from notifications
ui-one-press-unmarked = Only what's shown in full
ui-one-press-all = Everything
ui-one-press-unmarked-text = What is cut off, hides something or is dangerous has to be opened first, or takes a second tap on Telegram.
ui-one-press-all-text = “Allow once” is offered even for what is cut off, hides something or is dangerous. One tap is enough on Telegram.
ui-desktop-disturb-never = Do Not Disturb is on: questions arrive silently and are shown again when it's off.
ui-desktop-disturb-permissions = Do Not Disturb is on: permissions are marked urgent; everything else arrives silently and is shown again when it's off.
ui-desktop-disturb-always = Do Not Disturb is on; questions are marked urgent, which most desktops let through.
ui-can-buttons = Buttons
ui-cannot-buttons = No buttons
ui-cannot-buttons-text = The notification says how else to answer.
ui-can-sound = Sound
ui-cannot-sound = No sound
ui-can-keeps = List
ui-cannot-keeps = No list
ui-cannot-keeps-text = A notification you close isn't kept; its question stays in the tray.
ui-sound = Sound
ui-sound-on = New requests and reminders play a sound; everything else is silent.
ui-sound-unheard = On, but this desktop's notifications can't play sounds.
ui-sound-off = Notifications come without a sound.
ui-desktop-test = Test question
ui-desktop-test-text = A question like an agent's. Press one of its buttons.
ui-desktop-test-plain = A question like an agent's. The notification says how to answer.
ui-desktop-test-do = Send a test question
ui-desktop-test-sent = Sent. Check your notifications.
ui-desktop-test-answered = You answered: { $answer }
ui-desktop-test-silent = Nobody answered.
# The test question, and its picture in the first run.
test-question = Did this reach you?
test-question-title = Test
test-question-yes = Yes
test-question-no = No
ui-turns-desktop = When a task finishes, if it took over
ui-turns-desktop-text = Tasks that took over { $age } end with a notification.
ui-turns-desktop-never-text = No notification when a task finishes.
ui-turns-telegram = When a task finishes, tell me on Telegram
ui-turns-telegram-on = While you're away, Telegram tells you when a task finishes or fails.
ui-turns-telegram-off = Telegram only gets requests.
ui-answering = Answering
ui-autostart = Start Beckon when I log in
ui-autostart-on = So you don't miss requests after a restart.
ui-autostart-off = After a restart, start it yourself.
ui-updates = Check for updates
ui-updates-on = Checks once a day; news is under Health. Nothing is sent but your IP address.
ui-updates-off = Off. When on, checks once a day; nothing is sent but your IP address.
ui-config-open = Open file
ui-config-text = Most settings can also be changed in this file: { $file }
ui-unanswered = Unanswered requests
ui-notifications-less = Reminders and quiet
ui-quiet-from = Quiet from
ui-quiet-until = Quiet until
ui-quiet-to = to
ui-language = Language
ui-language-text = For windows, notifications, the tray and Telegram
ui-language-auto = Same as system
ui-undo-setting = Undo send
ui-undo-on = Answers from the window wait 3 s, so you can undo.
ui-undo-off = Answers are sent immediately.
ui-hotkey = Shortcut to open Beckon
ui-hotkey-press = Press the keys
ui-hotkey-text = Press the keys you want, or leave it empty. Some desktops don't allow this.

ui-history-lead = What was asked, how and where it was answered, and how long the agent waited.
ui-activity-waited = Agents waited { $age } for you
ui-activity-days = in the last 7 days
ui-activity-answered = { $count } answered
ui-activity-median = median { $age }
ui-activity-chart = How long agents waited: { $days }
ui-activity-below = Median wait
ui-activity-today = Today
ui-activity-yesterday = Yesterday
ui-history-search = Search
ui-history-filter = Filter
ui-history-all = All
ui-history-endings = How it ended
ui-history-surfaces = Where it was answered
ui-history-export = Export { $format }
ui-history-exported = Saved as { $path }
ui-history-more = Show older ones
ui-history-empty = Nothing yet. Answered questions will appear here.
ui-history-nothing-found = No matches.
ui-history-by = answered { $by }
# Who answered, as another Beckon says, which is called $peer.
ui-responder-peer = { $name } (according to { $peer })
ui-responder-peer-unnamed = { $name } (according to another Beckon)
ui-responder-unknown = unknown
# An answer of ours that was not taken: another one was faster. $by is a place, as in ui-history-by.
ui-history-late = An answer { $by } came too late:
ui-history-unproven = An answer { $by } was sent, and the agent never confirmed it:
ui-history-waited = waited { $age }
# $ending is one of the ui-ending texts, $reason a human's own words.
ui-history-because = { $ending }: { $reason }
ui-ending-answered = Answered
ui-ending-once = Allowed once
ui-ending-always = Always allowed
ui-ending-rejected = Rejected
ui-ending-continued = Continued
ui-ending-cancelled = Stopped here
ui-ending-dismissed = Dismissed
ui-ending-expired = Expired
ui-ending-gone = The agent stopped waiting

ui-health-legs = Checks
ui-health-looking = Checking…
ui-health-well = { $count ->
    [one] 1 check is fine
   *[other] { $count } checks are fine
}
ui-health-warning = Needs attention
ui-health-open = Open { $tab }
ui-way-agents = Agents
ui-way-agents-none = None connected yet
ui-way-agents-connecting = Connecting…
ui-way-agents-connected = { $count ->
    [one] 1 connected
   *[other] { $count } connected
 }
ui-way-agents-unreachable = { $count } of { $of } unreachable
ui-way-beckon = Beckon
ui-way-beckon-running = Running
ui-way-beckon-warnings = { $count ->
    [one] 1 thing to look at
   *[other] { $count } things to look at
 }
ui-way-computer = This computer
ui-way-computer-works = Notifications on
ui-way-computer-off = Notifications off
ui-way-computer-paused = Paused
ui-way-computer-disturb = Do Not Disturb is on
ui-way-computer-down = No notifications
ui-way-phone = Phone
ui-way-phone-none = Not set up
ui-way-phone-nobody = Nobody paired yet
ui-way-phone-down = Telegram isn't working
ui-way-phone-starting = Starting
ui-way-phone-standby = Served by another machine
ui-way-phone-works = { $count ->
    [one] 1 person paired
   *[other] { $count } people paired
 }
ui-self-test = Self-test
ui-self-test-title = Run an end-to-end test
ui-self-test-text = Sends a test question through the database, notifications and Telegram, then withdraws it.
ui-self-test-do = Run test
ui-self-test-runs = Running…
ui-files = Files
ui-logs = Logs
ui-logs-text = What Beckon did, without answers or tokens
ui-logs-open = Open folder

ui-step-agents = Connect
ui-step-phone = Phone
ui-step-try = Try it
ui-welcome-step = Step { $number } of { $count }
ui-welcome-other = Another server
ui-welcome-anytime = You can change all of this later in Settings.
ui-welcome-agents = Connect your agents
ui-welcome-agents-text = When a coding agent needs an answer or a permission, Beckon brings it to you.
ui-welcome-phone = Answer from your phone
ui-welcome-phone-text = When you're away, requests go to Telegram through a bot of your own. Creating one takes a minute.
ui-welcome-try = Try it out
ui-welcome-try-text = Beckon will send you a test question.
ui-welcome-picture = It looks something like this; your desktop decides the details.
ui-welcome-works = It works
ui-welcome-works-text = From now on your agents ask the same way.
ui-welcome-tray = Beckon lives in the tray
ui-welcome-tray-text = A number on the bell is how many requests are waiting. Click it to answer.
ui-welcome-next = Next
ui-welcome-later = Skip for now
ui-welcome-done = Done

# The machines that share what they ask. $name is a device, $machine a machine's name.
ui-tab-machines = Machines
ui-machines-lead = Answer from whichever machine you're at: what's asked on one shows up on all of them.
ui-machines-unseen = The machines can't be shown
ui-machine-this = This computer
ui-machine-there = Connected
ui-machine-away = Not reachable
ui-machine-removed = No longer trusted
ui-machine-last-seen = Last seen { $time }
ui-machine-seated = You're here
ui-machine-phone = Talks to your phone
# When keyboard or mouse of a machine were touched last.
ui-hands-input = Last input { $age } ago
ui-hands-using = In use
ui-hands-idle = Idle for { $age }
ui-machine-version = Beckon { $version }
ui-machine-unknown = Unknown
ui-machine-waiting = { $count ->
    [0] Nobody waiting
   *[other] { $count } waiting
}
ui-machine-nobody = No other machine
ui-machine-nobody-text = Connect one to answer from there.
ui-hub = Hub
ui-hub-connecting = Connecting…
ui-hub-connected = Connected
ui-hub-down = Not connected: { $detail }
ui-hub-down-still = This computer keeps working on its own. What you answer for another machine is sent when the hub is back.
ui-hub-unknown = The hub doesn't let this device in: it hasn't joined, or was removed
ui-hub-unknown-still = This computer keeps working on its own. To come back, join with a new code below.
ui-hub-forbidden = The hub doesn't allow what Beckon needs: { $detail }
ui-hub-forbidden-still = This computer keeps working on its own. Check this device's permissions on the server.
ui-hub-rules = Not used: its stream { $detail } isn't set up the way Beckon needs it
ui-hub-rules-still = This computer keeps working on its own. Remove that stream, or use another server: Beckon creates its own.
ui-hub-phone = Your phone
ui-hub-phone-here = through this computer
ui-hub-phone-elsewhere = through { $machine }
ui-hub-phone-nobody = no machine talks to it yet
ui-hub-phone-unknown = machine unknown
ui-hub-phone-foreign = the bot is in use outside this hub
ui-hub-share = Share presence
ui-hub-share-on = Your other machines know when you're here, so you're notified where you are.
ui-hub-share-off = Off. Other machines treat you as away and may notify you, too.
ui-hub-served = Served by { $name }
ui-hub-served-here = Served by this computer
ui-hub-join = Join with a code
ui-hub-code = Code
ui-hub-code-text = Get one on the machine that serves the hub, with beckon hub invite. It works once and expires after 10 minutes.
ui-hub-join-do = Join
ui-hub-joining = Joining…
ui-hub-joined = This computer has joined the hub as { $device }
ui-hub-joined-person = It's one of { $person }'s machines now.
ui-hub-leave = Leave
ui-hub-leaving = Leaving…
ui-hub-leave-sure = Leave the hub? Requests from the other machines will no longer show up here.
ui-hub-left = This computer has left the hub
ui-hub-left-serves = The hub itself keeps running for the others as long as beckon hub serve does.
ui-hub-left-untold = The hub still lists this computer: { $reason }. On the machine that serves it, run beckon hub people --remove.
ui-hub-left-bot = This computer still has the token of @{ $bot }. If another machine has it, too, the bot stays with that one, and this one sends nothing to your phone as long as that one does. Remove the token there to use the bot from here.
ui-hub-not-built = This Beckon can't join a hub
ui-hub-not-built-text = It was built without the hub. The published packages include it.
ui-hub-more = One more machine
ui-hub-more-here = Create a code here and enter it on the new machine, under Machines.
ui-hub-more-at = Create a code on { $name } and enter it on the new machine, under Machines.
ui-hub-steps = No hub yet?
ui-hub-step-serve = Start the hub
ui-hub-step-serve-text = On a machine that's always on. It starts a NATS server that only your machines can use.
ui-hub-step-invite = Create a code
ui-hub-step-invite-text = On the same machine, one for each of the others. Enter it there, under Machines.
ui-hub-devices = Trusted devices
ui-hub-own = { $name } (this device)
ui-hub-own-key = This device
ui-hub-own-key-text = The other machines need its public key in their settings.
ui-hub-no-key = This device can't sign
ui-hub-no-key-text = Its requests and answers aren't shared until it has a key.
ui-hub-device-admin = Serves the hub.
ui-hub-device-text = Its answers are delivered to the agents here.
ui-hub-device-of = { $person }'s device. Its answers are delivered to the agents here.
ui-hub-no-devices = No other device
ui-hub-no-devices-text = Answers given on other machines aren't delivered to the agents here.
ui-hub-remove-sure = Remove { $name }? Its answers stop counting, until a new code brings it back.
ui-hub-removing = Removing…
ui-hub-removed = Removed
ui-hub-remove-at = Remove a device
ui-hub-remove-at-text = On { $name }, which serves the hub:
ui-hub-remove-blank = DEVICE
ui-hub-people = People
ui-person-you = { $name } (you)
ui-person-no-device = No device
ui-person-roles = Role: { $roles }
ui-person-shift = On duty: { $shift }
ui-hub-routes = Team rules
ui-hub-no-routes = Nobody else
ui-hub-no-routes-text = Requests are decided by the person whose machine the agent runs on.
ui-hub-routes-change = Change these rules
ui-hub-routes-change-text = On the machine that serves the hub:
ui-hub-refused = Refused
ui-hub-refused-forged = { $count ->
    [one] 1 answer from an unknown device
   *[other] { $count } answers from unknown devices
}
ui-hub-refused-forged-text = Nothing was delivered. If it's your device, let it join, or add its key.
ui-hub-refused-strange = { $count ->
    [one] 1 record from an unknown device
   *[other] { $count } records from unknown devices
}
ui-hub-refused-strange-text = Not shown. If it's your device, let it join, or add its key.
ui-hub-refused-other-content = { $count ->
    [one] 1 answer to a request that had changed
   *[other] { $count } answers to requests that had changed
}
ui-hub-refused-other-content-text = Nothing was delivered: the request had changed since it was seen.
ui-hub-refused-unfit = { $count ->
    [one] 1 answer that doesn't fit
   *[other] { $count } answers that don't fit
}
ui-hub-refused-unfit-text = Nothing was delivered.
ui-hub-refused-unreadable = { $count ->
    [one] 1 unreadable record
   *[other] { $count } unreadable records
}
ui-hub-refused-unreadable-text = Another machine may be running a different version of Beckon. Update the older one.
