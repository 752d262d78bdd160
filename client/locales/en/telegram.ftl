# Telegram. Formatting and escaping are the code's business: no HTML in here.

# A card from top to bottom. $text, $label, $reply and the like are a stranger's words.
telegram-subagent = subagent
# Between two answers to one question.
telegram-comma = ,{" "}
telegram-quote = “{ $text }”
telegram-choice = { $label }: { $description }
telegram-no-questions = A question without text
telegram-place = Question { $number } of { $count }
telegram-so-far = So far: { $reply }
telegram-more-choices = … and { $count } more
telegram-by-number = { $from } to { $to } have no button: reply with the number.
telegram-review = Review
telegram-no-answer-yet = no answer yet
telegram-sure-dismiss = { $count ->
    [one] Dismiss this question?
   *[other] Dismiss all { $count } questions?
}
telegram-sure-dismiss-means = The agent gets no answer and is told that you dismissed it.
telegram-confirm = Go on?
telegram-unknown = The agent asks in a form that Beckon doesn't know.

# After the project's name, before what it is about.
telegram-wants = asks for “{ $name }”
telegram-wants-bash = wants to run
telegram-wants-edit = wants to change
telegram-wants-write = wants to write
telegram-wants-read = wants to read
telegram-wants-webfetch = wants to fetch
telegram-wants-external_directory = wants to leave its directory for
telegram-wants-websearch = wants to search the web for
telegram-wants-plan = wants to go ahead with this plan
telegram-wants-doom_loop = repeats itself and wants to go on
telegram-wants-task = wants to start a subagent
telegram-wants-skill = wants to use a skill
telegram-wants-glob = wants to look for files
telegram-wants-grep = wants to search in files
telegram-wants-list = wants to list a directory
telegram-wants-mcp = wants to use “{ $tool }” of { $server }
telegram-sure-always = Allow this always?
telegram-sure-always-until = All of that is then allowed without asking, until the agent's server ends.
telegram-sure-always-session = All of that is then allowed without asking, until the session ends.
# Before what hides something is allowed, and what that is.
telegram-sure-hidden = Sure? Take a close look first.
telegram-hides-characters = It has hidden characters or gaps that can make it look like something else.
telegram-hides-rest = Not all of it fits on this card.
telegram-hides-change = The change itself isn't shown.
telegram-hides-details = The agent gave no details.

telegram-in-full = 📎 All of it is in { $name }
telegram-not-in-full = 📎 It's too long for a card, and the file with all of it could not be sent: read it at the computer
telegram-expires = ⌛ expires at { $time }
telegram-missed = Beckon may have been offline for a while: if you pressed a button, press it again.

# The last line of an open card: how to answer without its buttons.
telegram-hint-own = Reply with your answer.
telegram-hint-nothing = It takes no answer; it can only be dismissed.
telegram-hint-number = { $count ->
    [1] Or reply with 1.
    [2] Or reply with 1 or 2.
   *[other] Or reply with a number from 1 to { $count }.
}
telegram-hint-number-own = { $count ->
    [1] Or reply with 1 or your own words.
    [2] Or reply with 1, 2 or your own words.
   *[other] Or reply with a number from 1 to { $count } or your own words.
}
telegram-hint-numbers = Or reply with numbers from 1 to { $count }, such as “1 2”.
telegram-hint-numbers-own = Or reply with numbers from 1 to { $count }, such as “1 2”, or your own words.
telegram-hint-permission = Or reply with 1 (once), 2 (always) or 3 (reject).
telegram-hint-permission-once = Or reply with 1 (once) or 3 (reject).
telegram-hint-confirm = Or reply with 1 (continue) or 2 (cancel).
telegram-hint-unknown = It can't be answered from here; please answer it where the agent runs.
telegram-hint-review = Nothing is sent before you press Send.
telegram-hint-buttons = Answer with a button.
telegram-hint-awaited = Write it as a reply. A second tap on ✏️ takes that back.

# Buttons.
telegram-own = ✏️ Own answer
telegram-own-text = ✏️ { $text }
telegram-awaited = ✏️ Awaiting your words…
telegram-done = Done
telegram-back = Back
telegram-send = Send
telegram-dismiss = 🚫 Dismiss
telegram-yes-dismiss = Yes, dismiss
telegram-yes-always = Yes, always
telegram-yes-once = Yes, once
telegram-yes-continue = Yes, continue
telegram-no-back = No, back
telegram-once = Once
telegram-always = Always…
telegram-reject = Reject
telegram-reject-reason = Reject with a reason
telegram-continue = Continue
telegram-cancel = Cancel

# The message that asks for own words, and what stands in the empty input field (64 characters).
telegram-prompt-text = ✏️ Your answer to “{ $question }”
telegram-placeholder-text = Your answer
telegram-prompt-reason = ✏️ Why not? The agent reads what you write.
telegram-placeholder-reason = The reason

# In the file.
telegram-file-last-words = The agent's last words:
telegram-file-always = “Always” would allow:

# The last line of a card that is answered.
telegram-sending = ⏳ { $what } · sending
telegram-answered = ✅ { $what } · { $place }, { $time }
telegram-refused = 🚫 { $what } { $place }, { $time }
telegram-elsewhere = ☑️ answered { $place }, { $time }
telegram-elsewhere-what = ☑️ { $what } · answered { $place }, { $time }
telegram-expired = expired after { $age }
telegram-gone = 👻 the agent has stopped waiting
telegram-by-telegram = here
telegram-by-notification = on the desktop
telegram-by-tray = in the tray
telegram-by-window = in the window
telegram-by-cli = in a terminal
telegram-by-api = by a program
telegram-by-clock = by the time limit
telegram-by-elsewhere = in OpenCode
telegram-by-terminal = in the agent's terminal

# Answers: on their way, and given.
telegram-answers = { $count ->
    [one] 1 answer
   *[other] { $count } answers
}
telegram-no-answer = no answer
telegram-allow-once = allow once
telegram-allow-always = allow always
telegram-dismiss-it = dismiss
telegram-continued = continued
telegram-cancelled = cancelled
telegram-allowed-once = allowed once
telegram-allowed-always = allowed always
telegram-rejected = rejected
telegram-rejected-reason = rejected (“{ $reason }”)
telegram-dismissed = dismissed
telegram-told-once = allowed once
telegram-told-always = allowed always
telegram-told-reject = rejected
telegram-told-continue = continued
telegram-told-cancel = cancelled

# Toasts, at most 200 characters.
telegram-late = Already answered: { $what }, { $place } { $time }
telegram-refusal-unknown = Beckon does not know this card any more.
telegram-refusal-changed = This card was made for another request. Nothing was sent.
telegram-refusal-answering = It is already being answered, { $place }.
telegram-refusal-answered = Already answered { $place }.
telegram-refusal-dismissed = Already dismissed { $place }.
telegram-refusal-expired = It has expired.
telegram-refusal-gone = The agent has stopped waiting.
telegram-misfit-kind = That does not answer this card. Its last line says how to.
telegram-misfit-label = Question { $question } has no such choice. Reply with its number.

# Ringing once more. $about is telegram-about.
telegram-about = { $place }: { $topic }
telegram-questions = { $count ->
    [one] 1 question
   *[other] { $count } questions
}
telegram-still-waiting = ⏰ still waiting after { $age } · { $about }
# $why is one of the returned texts.
telegram-undelivered = ⚠️ { $about }: { $why }
telegram-returned = ⚠️ { $about } · { $why }
telegram-expires-soon = ⌛ expires at { $time } · { $about }

# Finished turns.
telegram-turn-nameless = An agent
telegram-turn-done = done after { $age }
telegram-turn-failed = failed
# $end is one of these, or what the agent's server said; the names stand before it.
telegram-turn-end = : { $end }

# /pending and /status.
telegram-waiting = { $count ->
    [one] 1 agent is waiting
   *[other] { $count } agents are waiting
}
telegram-pending-none = Nobody is waiting.
telegram-pending-deaf = No agent server can be reached, so Beckon can't know who is waiting.
telegram-pending-more = … and { $count } more
telegram-source-live = { $name }: OpenCode { $detail }
telegram-source-plain = { $name }: connected
telegram-source-connecting = { $name }: connecting
telegram-source-unreachable = { $name }: not reachable ({ $detail })
telegram-source-unauthorized = { $name }: the password or token is refused
telegram-desktop-works = Notifications work
telegram-desktop-down = No notifications on the desktop
telegram-paused = Paused until { $time }: no notifications, no new cards here
telegram-presence-said-here = You count as here, because you said so
telegram-presence-said-away = You count as away, because you said so
telegram-presence-here = You count as here: { $why }
telegram-presence-away = You count as away: { $why }
telegram-presence-unknown = Beckon can't tell whether you're here
telegram-presence-until = { $said }, until { $time }
telegram-evidence = { $why } ({ $witness })
telegram-evidence-input = keyboard or mouse { $age } ago
telegram-evidence-using = keyboard or mouse in use
telegram-evidence-idle = no input for { $age }
telegram-evidence-no-input = no input for a while
telegram-evidence-locked = the screen is locked
telegram-evidence-asleep = the computer sleeps

# Pairing, commands, texts that fit nothing.
telegram-paired = Paired with { $name }. What your agents ask comes here when you are away.
telegram-unpaired = This chat is no longer paired. Nothing comes here any more.
telegram-code-expired = This link is no longer valid. Make a new one with: beckon telegram pair
telegram-which-card = Several cards are open. Reply to the card you mean.
telegram-no-card = Nothing was sent: that message is not an open card. Reply to the card you mean, in your own words.
telegram-text-only = I can only read text. Nothing was sent; please write it.
telegram-caption-only = I can only read text: your caption counts, what it came with doesn't.
telegram-not-understood = Nothing here waits for words. /pending lists what is open, /help what can be written.
telegram-presence-set-auto = Your presence goes by the evidence again.
telegram-presence-set-here = You count as here until you say otherwise.
telegram-presence-set-here-until = You count as here until { $time }.
telegram-presence-set-away = You count as away until you say otherwise.
telegram-presence-set-away-until = You count as away until { $time }.
telegram-test = 🔔 A test from Beckon, { $time }. Cards arrive here. Tap the button to see whether answers come back.
telegram-test-button = It works
telegram-test-back = ✅ It works · { $time }
telegram-help =
    /pending: what waits for you
    /status: agents, presence, what works
    /away, /here, /auto: say where you are; “/away 1h” for a while
    A card is answered with its buttons, or by a reply to it.

telegram-time-at = at { $time }

# How Telegram itself stands.
telegram-no-token = not set up; do it with: beckon telegram login
telegram-token-refused = the token is refused; make a new one with @BotFather, then: beckon telegram login
telegram-nobody-paired = nobody is paired; do it with: beckon telegram pair
telegram-nobody-open = everybody who is paired has blocked the bot or never opened it; open it in Telegram and press Start
telegram-trouble-network = Telegram cannot be reached ({ $detail }); cards wait until it can
# The proxy on the way to Telegram; $proxy is its address.
telegram-proxy-unreachable = the proxy { $proxy } doesn't answer ({ $detail }). Start it, or correct telegram.proxy in config.toml; cards wait until it does
telegram-proxy-another-user = another user of this machine listens at { $proxy }, so the password of the proxy isn't shown there. If that is meant to be so, set telegram.any_user = true in config.toml
telegram-proxy-protocol = what answers at { $proxy } isn't a proxy of that kind. Check the beginning (socks5:// or http://) and the port of telegram.proxy
telegram-proxy-password-missing = the proxy { $proxy } wants a user name and a password. Put the name into telegram.proxy, as in socks5://NAME@proxy.example:1080, and store the password with: beckon secret set telegram:proxy
telegram-proxy-password-refused = the proxy { $proxy } refuses the user name or the password. Store the right password with: beckon secret set telegram:proxy
telegram-proxy-password-unwanted = the proxy { $proxy } takes no user name. Take it out of telegram.proxy
telegram-proxy-password-out-of-reach = the password of the proxy { $proxy } can't be read: { $detail }
telegram-proxy-no-route = the proxy { $proxy } answers, but doesn't get through to Telegram ({ $detail }). Try another proxy; cards wait until it does
telegram-trouble-server = Telegram is out of order ({ $detail }); cards wait until it works
telegram-trouble-too-fast = Telegram asks to wait { $detail } s
telegram-trouble-odd = Telegram answers what is not understood; look at telegram.api_url in config.toml
telegram-trouble-other = Telegram refuses: { $detail }
telegram-trouble-other-poller = another program reads this bot's messages; end it, or make a bot of Beckon's own with @BotFather
telegram-trouble-webhook = this bot has a webhook, so another program owns it; make a bot of Beckon's own with @BotFather
telegram-old-card = This card is from another time; nothing was sent.
telegram-menu-pending = What waits for you
telegram-menu-status = Agents, presence, what works
telegram-menu-away = You count as away; “/away 1h” for a while
telegram-menu-here = You count as here
telegram-menu-auto = Your presence goes by the evidence
telegram-menu-help = What can be written
