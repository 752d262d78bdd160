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
ui-close = Close
ui-copy = Copy
ui-copied = Copied
ui-link-open = Open in the browser
ui-text-more = Show more ({ $count } characters are left)
ui-and-more = and { $count } more
ui-lost-title = Beckon does not answer
ui-lost-text = The service behind this window is not running. Agents go on waiting, nothing is lost. Start it with:
ui-lost-again = Try again

# The answer window.
ui-subagent = subagent
ui-waits-for = waits for { $age }
ui-last-words = The agent's last words
ui-fold = Show less
ui-unfold = Show all
ui-answer-stale = The agent seems to have stopped waiting. An answer is still sent if it has not.
ui-answer-missing = This one needs an answer first.
ui-no-text = A question without text
ui-no-label = (no label)
ui-no-questions = A question without text
ui-only-dismiss = It takes no answer; it can only be dismissed.
ui-own = Your own answer
ui-own-add = Add your own
ui-own-only = Your answer
ui-find-choice = Find a choice
ui-choices-found = { $count ->
    [one] 1 choice
   *[other] { $count } choices
}
ui-choices-more = Show more choices ({ $count } are left)
ui-chosen = { $count } chosen
ui-step = Question { $number } of { $count }
ui-next = Next
ui-to-review = Review
ui-review = Review
ui-review-title = This is what is sent
ui-no-answer-yet = no answer yet
ui-change = Change
ui-change-which = Change the answer to question { $number }
ui-send = Send
ui-sending = Sending
ui-undo = Take back
ui-undo-counting = Sending in { $count } s
ui-dismiss = Dismiss
ui-yes-dismiss = Yes, dismiss
ui-sure-dismiss = { $count ->
    [one] Dismiss this question?
   *[other] Dismiss all { $count } questions?
}
ui-sure-dismiss-means = The agent gets no answer and is told that you dismissed it.

ui-wants = Allow “{ $name }”?
ui-wants-bash = Run a command?
ui-wants-edit = Change a file?
ui-wants-write = Write a file?
ui-wants-read = Read a file?
ui-wants-webfetch = Fetch a web page?
ui-wants-external_directory = Leave the project directory?
ui-wants-websearch = Search the web?
ui-wants-plan = Go ahead with this plan?
ui-wants-doom_loop = Go on, although it repeats itself?
ui-wants-task = Start a subagent?
ui-wants-skill = Use a skill?
ui-wants-glob = Look for files?
ui-wants-grep = Search in files?
ui-wants-list = List a directory?
ui-wants-mcp = Use “{ $tool }” of { $server }?
ui-wants-confirm = Go on?
ui-unknown = The agent asks in a form that Beckon doesn't know
ui-unknown-means = Beckon can't tell what an answer would mean, so it can't be answered here. Please answer it where the agent runs. This is what came:
ui-topic-set = { $count ->
    [0] wants an answer
    [one] 1 question
   *[other] { $count } questions
}
ui-command = The command
ui-patterns = Asks for
ui-no-details = The agent gives no details.
ui-deceptive = Something in this request is hidden or easy to misread. Look closely before you allow it.
ui-command-long = Not all of the command is shown. Unfold it before you allow it.
ui-change-of-file = The change
ui-diff-lines = { $added } lines added, { $removed } removed
ui-lines-more = Show more lines ({ $count } are left)
ui-diff-cut = The change is too large to show; { $count } characters are missing here.
ui-once = Allow once
ui-always-more = Always…
ui-reject-more = Reject…
ui-reject = Reject
ui-yes-always = Yes, always
ui-sure-always = Always allow this?
ui-sure-always-means = { $kind ->
    [bash] Commands that match these then run without asking, until the agent's server ends:
    [edit] Changes to files that match these are then made without asking, until the agent's server ends:
   *[other] All of this is then allowed without asking, until the agent's server ends:
}
ui-sure-always-session = All of this is then allowed without asking, until the session ends:
# What a lone star stands for.
ui-always-all = { $kind ->
    [bash] every command
    [edit] every file
   *[other] everything of this kind
}
ui-sure-reject = Reject it?
ui-sure-reject-means = The agent reads what you write here. It may stay empty.
ui-reason = The reason
ui-go-on = Continue
ui-cancel = Cancel
ui-confirm-means = “Cancel” tells the agent to stop here.

ui-queue = Others who wait
ui-queue-count = { $count } more
ui-queue-key = The next one
ui-queue-none = Nobody else is waiting
ui-empty = Nobody is waiting
ui-empty-today = Today: { $count } answered, median wait { $age }
ui-empty-today-none = Nothing was asked today
ui-empty-watching = { $count ->
    [one] Watching 1 agent server
   *[other] Watching { $count } agent servers
}
ui-empty-deaf-title = No agents connected
ui-empty-deaf = Beckon can't reach any agent server, so it can't know who is waiting. It keeps trying.
ui-empty-settings = Settings…

# What became of an ask. $act is one of the ui-act texts, $by one of the ui-by texts.
ui-act-answer = { $what }
ui-act-once = allowed once
ui-act-always = allowed always
ui-act-deny = rejected
ui-act-dismiss = dismissed
ui-act-go-on = continued
ui-act-cancel = cancelled
ui-notice-sending = { $place }: { $act } · on its way
ui-notice-taken = { $place }: { $act } · taken by the agent
ui-notice-failed = { $place } still waits: { $message }
ui-notice-elsewhere = { $place }: answered { $by }
ui-notice-elsewhere-what = { $place }: { $answer } · answered { $by }
ui-notice-dismissed = { $place }: dismissed elsewhere
ui-notice-expired = { $place }: the question has expired
ui-notice-gone = { $place }: the agent has stopped waiting
# What a rejection takes along. More than 9 are not counted.
asked-times = Asked { $count } times; one answer goes to all of them.
risk-deletes = Deletes files, and can't be undone.
risk-admin = Runs with administrator rights.
risk-rewrites = Discards or overwrites existing work.
risk-runs-download = Runs what it has just downloaded.
risk-outside = Reaches outside the project.
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
returned-refused = The agent did not take the answer: { $why }
returned-unauthorized = The agent's server does not accept Beckon's token. Set the right one and answer again.
returned-forbidden = The agent's server says that this is another user's.
returned-unproven = Nobody knows whether the agent got the answer: the connection broke. Look before you answer again.
returned-changed = The agent asks something else by now, so your answer was not delivered. Look again before you answer.
returned-undelivered = The answer didn't get through ({ $why }), and it won't be sent later: by then the agent may be asking something else. Answer again.
returned-unconfirmed = The connection broke after this was asked, so the agent may be waiting for something else by now. The answer wasn't sent. Answer again only if you've seen that it still asks this.
returned-no-thread = The service doesn't say which thread this is, so it can't be answered from here. Answer it there, or name the thread in config.toml (thread = "…" in its [[interrupts]]). Cancelling or dismissing it only takes it off the list.
undelivered = Your answer hasn't reached the agent yet: { $why }. Beckon keeps trying.
undelivered-unconfirmed = The agent was sent your answer and hasn't confirmed it. Beckon keeps asking.
undelivered-title = Not delivered yet: { $about }
ui-lost-typed = What you typed was not sent
ui-by-notification = on the desktop
ui-by-tray = in the tray
ui-by-window = in the window
ui-by-cli = in a terminal
ui-by-api = by a program
ui-by-telegram = on Telegram
ui-by-clock = by the time limit
ui-by-elsewhere = elsewhere

# The settings window.
ui-settings-title = Beckon settings
ui-tab-agents = Agents
ui-tab-telegram = Telegram
ui-tab-presence = Presence
ui-tab-notifications = Notifications
ui-tab-history = History
ui-tab-health = Health
ui-tab-trouble = (something to look at)
ui-file-broken = The settings file has an error; the last good settings hold until it is mended.
ui-never = never
ui-save = Save
ui-test = Test
ui-testing = Testing…
ui-remove = Remove
ui-remove-which = Remove { $name }
ui-remove-sure = Remove { $name }?
ui-works = works
ui-note = note
ui-fails = fails
ui-channel-works = Works
ui-channel-down = Does not work
ui-channel-starting = Starting
ui-channel-off = Not set up

ui-agents-lead = The servers and services that Beckon listens to. Whatever an agent asks there reaches you.
ui-agents-servers = In config.toml
ui-agents-registered = Came by themselves
ui-agents-none = No server
ui-agents-none-text = Add the address of a running OpenCode: opencode serve prints it.
ui-agents-sight = What Beckon sees
ui-agents-seen = Seen
ui-agents-seen-text = Every session of these servers, in every directory, subagents at any depth, and what was asked before Beckon started.
ui-agents-unseen = Not seen
ui-agents-unseen-text = An OpenCode in a terminal or the desktop app that opens no port, unless the plugin is installed.
ui-agents-unseen-interrupts = Of a service with interrupts: what it asked while Beckon was not connected, unless it says it again.
ui-nearby = Nearby
ui-nearby-title = Servers on the local network
ui-nearby-text = Those that were started with --mdns announce themselves. None is watched unless you add it.
ui-nearby-look = Look
ui-nearby-looking = Looking…
ui-nearby-use = Use…
ui-nearby-nobody = No other server announces itself.
ui-plugin = OpenCode without a server
ui-plugin-no = The plugin is not installed
ui-plugin-yes = The plugin is installed
ui-plugin-outdated = The plugin is of another version
ui-plugin-foreign = Another program's file has the plugin's name
ui-plugin-text = With it an OpenCode in a terminal or the desktop app is seen as well, though it opens no port.
ui-plugin-install = Install
ui-plugin-installed = Done. An OpenCode that runs already sees it after a restart.
ui-plugin-removed = Done. An OpenCode that runs already keeps it until it is restarted.
ui-source-live = Connected, version { $version }
ui-source-live-plain = Connected
ui-source-connecting = Connecting
ui-source-unreachable = Not reachable: { $error }. Beckon keeps trying.
ui-source-unauthorized = The token is wrong or missing
ui-source-unauthorized-password = The password is wrong or missing
ui-source-experimental = Experimental: it is read by its published contract, and finished turns are not told.
ui-kind-opencode = OpenCode
ui-kind-interrupts = Service with interrupts
ui-kind-langgraph = LangGraph
ui-kind-beckon = Another Beckon
ui-password = Password
ui-password-set = Password…
ui-password-replace = New password…
ui-password-needed = Enter the password…
ui-password-new = New password
ui-password-text = It goes into the system keychain and is never shown again.
ui-password-forget = Forget it
ui-bearer = Token
ui-bearer-set = Token…
ui-bearer-replace = New token…
ui-bearer-needed = Enter the token…
ui-bearer-new = New token
ui-add-server = Add a server
ui-add-kind = Kind
ui-add-kind-opencode = An OpenCode server, or another Beckon
ui-add-kind-interrupts = It sends interrupt events and takes answers at /resume
ui-add-kind-langgraph = A LangGraph server, whose threads are looked through
ui-add-turn = Choose { $kind }
ui-add-name = Name
ui-add-name-text = As you want to see it
ui-add-name-taken = Something has that name already; each needs its own.
ui-add-url = Address
ui-add-url-opencode = Where OpenCode listens
ui-add-url-interrupts = The stream on which it says that a thread waits
ui-add-url-langgraph = Where LangGraph listens
ui-add-events = Address of the events
ui-add-resume = Address for answers
ui-add-resume-text = The thread's id is put behind it. Empty: beside the events.
ui-add-user = User name
ui-add-test = Test and add
ui-add-anyway = Add anyway
ui-added = { $name } is added

ui-telegram-lead = When you are away, questions follow you here. An answer takes one tap.
ui-telegram-bot = Your bot
ui-bot-make = Make a bot
ui-bot-make-text = In Telegram write /newbot to @BotFather and choose a name. It answers with a token.
ui-bot-open = Open @BotFather
ui-token = Token of the bot
ui-token-text = Paste it here. It goes into the system keychain and nowhere else.
ui-token-check = Check and keep
ui-token-keychain = The token is in the system keychain
ui-token-environment = The token comes from the environment variable BECKON_TELEGRAM_TOKEN
ui-token-replace = Replace…
ui-telegram-logout-sure = Forget the token and everybody who is paired?
ui-proxy = Proxy
ui-proxy-none = None. For networks where Telegram is blocked.
ui-proxy-works = Works: { $proxy }
ui-proxy-trouble = Doesn't work: { $proxy }
ui-proxy-set-up = Set up…
ui-proxy-change = Change…
ui-proxy-remove-sure = Connect to Telegram without it?
ui-proxy-address = Address of the proxy
ui-proxy-address-text = For example socks5://127.0.0.1:1080 or http://user@proxy.example:8080
ui-proxy-password = Password
ui-proxy-password-text = Only if the proxy wants one. It goes into the system keychain and is never shown again.
ui-proxy-password-kept = One is in the keychain. Leave this empty to keep it.
ui-proxy-no-user = A password needs a user name in the address, as in socks5://user@proxy.example:1080.
ui-telegram-meanwhile = Questions ring on this computer as always.
ui-telegram-people = Who may answer
ui-person = Answers everything
ui-person-group = A group: each of its members who is paired may answer
ui-person-remove-sure = Nothing goes there any more.
ui-pair = Pair your phone
ui-pair-another = Pair another phone
ui-pair-text = Only paired people get questions and may answer them.
ui-pair-do = Show the code
ui-pair-scan = Scan this with your phone
ui-pair-scan-text = Or open the link there, and press Start in the chat with { $bot }. It works once, for { $age }.
ui-pair-code = QR code of the link
ui-pair-late = The code is no longer valid.
ui-telegram-when = When it rings on Telegram
ui-telegram-forward = Forward questions
ui-telegram-forward-away = when I am away
ui-telegram-forward-always = always
ui-telegram-forward-never = never
ui-telegram-forward-away-text = When you're away or Beckon can't tell, when notifications don't work, or when you haven't answered for { $age }.
ui-telegram-forward-away-only-text = When you're away or Beckon can't tell, or when notifications don't work.
ui-telegram-forward-always-text = Every question rings here and on the desktop.
ui-telegram-forward-never-text = Nothing goes to Telegram, even when nobody answers.
ui-telegram-test = A test card
ui-telegram-test-text = Goes to everybody who is paired, with a button to tap.
ui-telegram-test-do = Send a test card
ui-telegram-test-sent = It is on its way: tap its button in Telegram.
ui-telegram-test-back = The card came back after { $age }, from { $name }.
ui-telegram-test-late = Nobody has tapped it yet. It still counts when they do: the card then says so.
ui-telegram-test-nowhere = It went nowhere: the bot may not write to anybody.

# The same for each way that questions go to Telegram: when the human is away, always, or not at all.
ui-presence-lead = While you're at the computer, questions ring here. When you step away, or don't answer, they go to Telegram.
ui-presence-lead-always = Questions ring on this computer and on Telegram, wherever you are.
ui-presence-lead-none = Questions ring on this computer. Nothing goes to Telegram: it isn't set up, or forwarding is off.
ui-presence-now = Now
ui-presence-here = You count as here
ui-presence-away = You count as away
ui-presence-unknown = Beckon can't tell whether you're here
ui-presence-say = Say where you are
ui-presence-say-auto = Automatic
ui-presence-say-here = Here
ui-presence-say-away = Away
ui-presence-say-hour = Away for 1 h
ui-evidence-said = Because you said so
ui-evidence-said-until = Because you said so, until { $time }
ui-evidence-input = Keyboard or mouse { $age } ago, seen by { $source }
ui-evidence-using = Keyboard or mouse in use, seen by { $source }
ui-evidence-idle = No input for { $age }, seen by { $source }
ui-evidence-no-input = No input for a while, seen by { $source }
ui-evidence-locked = The screen is locked, says { $source }
ui-evidence-asleep = The computer sleeps
ui-evidence-unknown = This desktop gives no sign of you
ui-legs = What tells of you
ui-leg-idle = Idle time
ui-leg-idle-missing = { $kind ->
    [system] Whether keyboard and mouse rest cannot be told here: the system does not say.
   *[other] Whether keyboard and mouse rest cannot be told here: that takes X11, GNOME, or a Wayland desktop with ext-idle-notify.
}
ui-leg-lock = Screen lock
ui-leg-lock-on = Locked, says { $source }
ui-leg-lock-off = Not locked, says { $source }
ui-leg-lock-missing = { $kind ->
    [system] Whether the screen is locked cannot be told here: the system does not say.
   *[other] Whether the screen is locked cannot be told here: neither logind nor a screen saver says so.
}
ui-leg-sleep = Sleep
ui-leg-sleep-on = About to sleep, says { $source }
ui-leg-sleep-off = Awake; { $source } says when it is about to sleep
ui-leg-sleep-missing = { $kind ->
    [system] Nobody says before the computer sleeps: the system does not. It is noticed after waking, by the clock.
   *[other] Nobody says before the computer sleeps: logind is not reachable. It is noticed after waking, by the clock.
}
ui-leg-both = { $missing } { $rest }
ui-leg-rest-idle = Idle time still counts.
ui-leg-rest-lock = Locking the screen still counts.
ui-leg-rest-none = Say above when you leave; until then everything rings.
ui-leg-disturb = Do not disturb
ui-leg-disturb-on-never = On: questions appear without a sign, and are shown again when it's off.
ui-leg-disturb-on-permissions = On: questions appear without a sign, and are shown again when it's off. Permissions are marked urgent, which most desktops let through.
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
ui-away-when = When you count as away
ui-away-after = Without keyboard and mouse for
ui-away-after-text = After { $age } without input you count as away, and open questions go to Telegram.
ui-away-after-text-always = After { $age } without input you count as away. Questions go to Telegram in any case.
ui-away-after-text-none = After { $age } without input you count as away.
ui-lock-is-away = A locked screen counts as away
ui-lock-is-away-on = Locking the screen sends open questions to Telegram at once.
ui-lock-is-away-on-always = You count as away at once. Questions go to Telegram in any case.
ui-lock-is-away-on-none = You count as away at once.
ui-lock-is-away-off = A locked screen alone changes nothing.
ui-escalation = When nobody answers
ui-escalation-after = Telegram as well after
ui-escalation-after-text = If you're here but don't answer within { $age }, the question goes to Telegram as well.
ui-escalation-after-text-always = After { $age }; but questions go to Telegram in any case.
ui-escalation-after-text-none = After { $age }; but nothing goes to Telegram now: it isn't set up, or forwarding is off.
ui-escalation-never-text = A question that you don't answer here isn't sent to Telegram for that.
ui-escalation-never-text-always = Questions go to Telegram in any case.
ui-escalation-never-text-none = Nothing goes to Telegram now: it isn't set up, or forwarding is off.
ui-remind = Ring again every
ui-remind-text = An open question rings again every { $age }.
ui-remind-never-text = A question rings once.
ui-quiet = Quiet hours
ui-quiet-text = Telegram cards come without a sound, { $hours }.
ui-quiet-none-text = None. Write them as 23:00-07:30.
ui-expire = Give up after
ui-expire-text = A question without an answer is rejected after { $age }; the agent is told that it expired.
ui-expire-never-text = A question waits until somebody answers. Silence is never an answer.
ui-before-dialog = Ask before OpenCode’s dialog
ui-before-dialog-text = Where the plugin is installed, a question is asked here first, and nowhere else. If nobody has answered after { $age }, OpenCode’s own dialog appears.
ui-before-dialog-never-text = A question appears in OpenCode and here at the same time.

ui-notifications-lead = What rings on this computer, and how the windows behave.
ui-desktop = Desktop notifications
ui-desktop-daemon = Shown by { $daemon }
ui-desktop-nobody = Notifications of this desktop
ui-desktop-meanwhile = Questions still appear in the tray and the window.
ui-break-through = During do not disturb
ui-break-through-never = hold questions back
ui-break-through-permissions = let permissions through
ui-break-through-always = let everything through
ui-break-through-never-text = Questions appear without a sign, and are shown again when it's off.
ui-break-through-permissions-text = Permissions are marked urgent, which most desktops let through. Questions are shown again when it's off.
ui-break-through-always-text = Whatever agents ask is marked urgent, which most desktops let through.
ui-one-press = Allow with one press
ui-one-press-unmarked = what is fully in view
ui-one-press-all = everything
ui-one-press-unmarked-text = Notifications and the tray offer “Allow once” only beside a request that is shown in full, hides nothing and isn't marked as dangerous. The rest you open first; on Telegram it takes a second tap.
ui-one-press-all-text = Notifications and the tray always offer “Allow once”, even beside a request that is cut off, hides something or is marked as dangerous. On Telegram one tap is enough, too.
ui-desktop-disturb-never = Do not disturb is on: questions appear without a sign, and are shown again when it's off.
ui-desktop-disturb-permissions = Do not disturb is on: permissions are marked urgent, all else appears without a sign and is shown again when it's off.
ui-desktop-disturb-always = Do not disturb is on; questions are marked urgent, which most desktops let through.
ui-desktop-buttons = Buttons: you answer in the notification.
ui-desktop-no-buttons = No buttons: the notification says how else to answer.
ui-desktop-sounds = Plays sounds.
ui-desktop-no-sounds = Plays no sounds.
ui-desktop-keeps = Keeps what you have not dealt with in a list.
ui-desktop-keeps-none = Keeps no list: a question that you wave away still stands in the tray.
ui-sound = Sound
ui-sound-on = A question is heard when it comes. All else is silent.
ui-sound-unheard = On, but the notifications of this desktop play no sounds.
ui-sound-off = Notifications come without a sound.
ui-desktop-test = A test question
ui-desktop-test-text = Asks you something, as an agent would. Press one of its buttons.
ui-desktop-test-plain = Asks you something, as an agent would. The notification says how to answer.
ui-desktop-test-do = Send a test question
ui-desktop-test-sent = It is on its way: look at your notifications.
ui-desktop-test-answered = You answered: { $answer }
ui-desktop-test-silent = Nobody answered.
ui-turns = When an agent has finished
ui-turns-desktop = Tell me on the desktop after
ui-turns-desktop-text = When a turn took longer than { $age }, a notification says that it is done.
ui-turns-desktop-never-text = Finished turns are not announced here.
ui-turns-telegram = Tell me on Telegram
ui-turns-telegram-on = When you are away, Telegram says that a turn is done or has failed.
ui-turns-telegram-off = Telegram only brings questions.
ui-windows = Windows
ui-language = Language
ui-language-text = Of windows, notifications, tray and Telegram
ui-language-auto = as the system
ui-undo-setting = Time to take an answer back
ui-undo-on = An answer waits 3 s before it is sent.
ui-undo-off = An answer is sent at once.
ui-hotkey = Key for the answer window
ui-hotkey-text = Press the keys in the field; they then work from anywhere. Empty: none. Some desktops let no program have one.

ui-history-lead = What was asked, who answered it where, and how long the agent waited.
ui-history-search = Search
ui-history-filter = What is shown
ui-history-all = everything
ui-history-endings = How it ended
ui-history-surfaces = Where it was decided
ui-history-export = Export { $format }
ui-history-exported = Saved as { $path }
ui-history-more = Show older ones
ui-history-empty = Nothing yet. Whatever is asked and answered stands here.
ui-history-nothing-found = Nothing fits.
ui-history-by = answered { $by }
ui-history-waited = waited { $age }
# $ending is one of the ui-ending texts, $reason a human's own words.
ui-history-because = { $ending }: { $reason }
ui-ending-answered = Answered
ui-ending-once = Allowed once
ui-ending-always = Always allowed
ui-ending-rejected = Rejected
ui-ending-continued = Continued
ui-ending-cancelled = Cancelled
ui-ending-dismissed = Dismissed
ui-ending-expired = Expired
ui-ending-gone = The agent stopped waiting

ui-health-lead = Everything between an agent and you, a sentence each.
ui-health-legs = Every leg
ui-health-looking = Looking…
ui-health-warning = Look at this
ui-self-test = Self-test
ui-self-test-title = Send a test through everything
ui-self-test-text = A pretend question goes through store, notifications and Telegram, and is withdrawn again.
ui-self-test-do = Run it
ui-self-test-runs = Running…
ui-files = Files
ui-logs = Logs
ui-logs-text = What Beckon has done; no answers, no tokens
ui-logs-open = Open the folder

ui-welcome-step = Step { $number } of { $count }
ui-welcome-agents = Which agents may beckon you?
ui-welcome-agents-text = Beckon listens to OpenCode servers and brings what their agents ask to you.
ui-welcome-phone = And when you are away?
ui-welcome-phone-text = Then questions go to Telegram. You need a bot of your own; making one takes a minute.
ui-welcome-try = Try it
ui-welcome-try-text = Let Beckon ask you something.
ui-welcome-next = Next
ui-welcome-later = Later
ui-welcome-done = Done
