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
telegram-confirm = Continue?
telegram-unknown = The agent asks in a form that Beckon doesn't know.

# Before something is allowed once more, and for how long it is.
telegram-sure-always = Always allow this?
telegram-sure-once = Allow this once?
telegram-sure-always-until = These run without asking until OpenCode restarts.
telegram-sure-always-session = These run without asking for the rest of this session.
telegram-sure-always-project = These run without asking in this project until you revoke it in Beckon's settings.
telegram-sure-always-unsaid = These run without asking. The agent decides for how long.
# Before what hides something is allowed, and what that is.
telegram-sure-hidden = Sure? Take a close look first.
telegram-hides-characters = It has hidden characters or gaps that can make it look like something else.
telegram-hides-rest = Not all of it fits on this card.
telegram-hides-change = The change itself isn't shown.
telegram-hides-details = The agent gave no details.
telegram-hides-arguments = The agent hasn't said all that it would do with this.

telegram-in-full = 📎 All of it is in { $name }
telegram-not-in-full = 📎 It's too long for a card, and the file with all of it could not be sent: read it at the computer
telegram-expires = ⌛ Expires at { $time }
telegram-redrawn-later = It counts. Telegram is holding changes back: this card shows them from { $time } on.
telegram-not-saved = This isn't saved yet: the database can't be written. If Beckon ends before it is, it has to be done again.
telegram-edited = Edits change nothing here: Beckon took your message as you first sent it. If its card is still open, reply to it again.
telegram-rival-card = Another program uses this bot, too, and this button may be its own. Nothing was sent from here.
telegram-missed = Beckon may have been offline for a while. If you tapped a button, tap it again.

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
telegram-hint-unknown = It can't be answered from here; please answer it where the agent runs.
telegram-hint-review = Nothing is sent before you press Send.
telegram-hint-buttons = Use a button to answer.
telegram-hint-awaited = Reply with your answer. Tap ✏️ again to cancel.

# Buttons.
telegram-own = ✏️ Write my own
telegram-own-text = ✏️ { $text }
telegram-copy = 📋 Copy the command
telegram-awaited = ✏️ Waiting for your reply…
telegram-done = Next
telegram-back = Back
telegram-send = Send
telegram-dismiss = 🚫 Dismiss…
telegram-yes-dismiss = Yes, dismiss
telegram-yes-always = Yes, always allow
telegram-yes-once = Yes, allow once
telegram-yes-continue = Yes, continue
telegram-no-back = Go back
telegram-once = Allow once
telegram-always = Always…
telegram-reject = Reject
telegram-reject-reason = Reject and say why
telegram-continue = Continue
telegram-cancel = Stop here

# The message that asks for own words, and what stands in the empty input field (64 characters).
telegram-prompt-text = ✏️ Your answer to “{ $question }”
telegram-placeholder-text = Your answer
telegram-prompt-reason = ✏️ Why? The agent will read your reason.
telegram-placeholder-reason = The reason

# In the file.
telegram-file-last-words = What the agent said:
telegram-file-always = “Always” would allow:

# The first line of a card that is answered: what was answered, in bold, then where and when.
telegram-sending = sending
telegram-answered = { $place }, { $time }
telegram-elsewhere = Answered
telegram-expired = Expired after { $age }
telegram-gone = The agent has stopped waiting
telegram-by-telegram = by you
# Where several people can answer, and nobody knows any more which of them it was.
telegram-by-somebody = on Telegram
telegram-by-notification = on the desktop
telegram-by-tray = in the tray
telegram-by-window = in the window
telegram-by-cli = in a terminal
telegram-by-api = through the API
telegram-by-clock = by timeout
telegram-by-elsewhere = in the agent itself
telegram-by-terminal = in the agent's terminal

# Answers: on their way, and given.
telegram-answers = { $count ->
    [one] 1 answer
   *[other] { $count } answers
}
telegram-no-answer = no answer
telegram-allow-once = Allow once
telegram-allow-always = Allow always
telegram-dismiss-it = Dismiss
telegram-continued = Continued
telegram-cancelled = Stopped
telegram-allowed-once = Allowed once
telegram-allowed-always = Always allowed
telegram-rejected = Rejected
telegram-dismissed = Dismissed
telegram-told-once = Allowed once
telegram-told-always = Always allowed
telegram-told-reject = Rejected
telegram-told-continue = Continued
telegram-told-cancel = Stopped

# Toasts, at most 200 characters.
telegram-late = Already answered: { $what }, { $place } { $time }
telegram-late-by = Already answered by { $name } { $time }: { $what }
telegram-refusal-unknown = This card is no longer valid.
telegram-refusal-changed = This card was made for another request. Nothing was sent.
telegram-refusal-answering = It is already being answered, { $place }.
telegram-refusal-answered = Already answered { $place }.
telegram-refusal-dismissed = Already dismissed { $place }.
telegram-refusal-expired = It has expired.
telegram-refusal-gone = The agent has stopped waiting.
telegram-invalid-kind = That doesn't fit this card. Its last line says how to answer.
telegram-passed-answered = { $name } has just answered this: { $reply }. Your answer wasn't taken. To change theirs, tap “Back” on the card.
telegram-passed-moved = { $name } has just moved this card to another step. Nothing was sent. Please look at it again.
telegram-unseen-by = { $name } has just changed the answers. Nothing was sent. Please look at the card again, then send.
telegram-invalid-label = Question { $question } has no such choice. Reply with a number.

# Ringing once more; telegram-about stands below it.
telegram-about = { $place }: { $topic }
telegram-questions = { $count ->
    [one] 1 question
   *[other] { $count } questions
}
telegram-still-waiting = ⏰ Still waiting after { $age }
telegram-returned = ⚠️ Not delivered:
telegram-expires-soon = ⌛ Expires at { $time }

# Finished turns.
telegram-turn-nameless = An agent
telegram-turn-done = Done in { $age }
telegram-turn-failed = Failed

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
telegram-presence-said-here = You're here (set by you)
telegram-presence-said-away = You're away (set by you)
telegram-presence-here = You're here: { $why }
telegram-presence-away = You're away: { $why }
telegram-presence-unknown = Beckon can't tell whether you're here
telegram-presence-until = { $said }, until { $time }
telegram-evidence = { $why } ({ $witness })
telegram-evidence-input = keyboard or mouse { $age } ago
telegram-evidence-using = keyboard or mouse in use
telegram-evidence-idle = no input for { $age }
telegram-evidence-no-input = no input for a while
telegram-evidence-locked = screen locked
telegram-evidence-asleep = computer asleep

# The list of all that waits, a line each; $count and $pages are numbers.
telegram-list-waiting = { $count } waiting
telegram-list-since = longest since { $time }
telegram-list-page = Page { $page } of { $pages }
telegram-list-open = Tap a number to open its card.
telegram-list-none = ✅ Nothing is waiting here.
telegram-list-here = I'm here
telegram-list-pause = Pause 30 min
telegram-list-auto = Automatic
telegram-list-resume = Resume
telegram-resumed = The pause is over.
# On the list: what was said, and by whom. $known is "yes" where that was somebody on Telegram.
telegram-list-set-here = { $known ->
    [yes] 🖥 Set as here by { $name }: new requests stay at the computer
   *[no] 🖥 Set as here: new requests stay at the computer
}
telegram-list-set-here-until = { $known ->
    [yes] 🖥 Set as here until { $time } by { $name }: new requests stay at the computer
   *[no] 🖥 Set as here until { $time }: new requests stay at the computer
}
telegram-list-set-away = { $known ->
    [yes] 📱 Set as away by { $name }
   *[no] 📱 Set as away
}
telegram-list-set-away-until = { $known ->
    [yes] 📱 Set as away until { $time } by { $name }
   *[no] 📱 Set as away until { $time }
}
telegram-list-paused = { $known ->
    [yes] ⏸ Paused until { $time } by { $name }: no notifications, no new cards here
   *[no] ⏸ Paused until { $time }: no notifications, no new cards here
}
# To the others who are paired: somebody has said where they are, and that holds for everybody.
telegram-other-set-here = 🖥 { $name } set presence to “here”: new requests stay at the computer and don't come to Telegram, until somebody changes that.
telegram-other-set-here-until = 🖥 { $name } set presence to “here” until { $time }: until then new requests stay at the computer and don't come to Telegram.
telegram-other-set-away = 📱 { $name } set presence to “away”: every new request comes to Telegram, until somebody changes that.
telegram-other-set-away-until = 📱 { $name } set presence to “away” until { $time }: until then every new request comes to Telegram.
telegram-other-auto = { $name } set presence back to automatic.
telegram-other-paused = ⏸ { $name } paused everything until { $time }: no notifications, no new cards here.
telegram-other-resumed = { $name } ended the pause.
# Below the list, when more is waiting than there are cards.
telegram-list-overflow = 📥 More is waiting than there are cards here: see the list, or send /pending.
telegram-list-elsewhere = This has no card here. Answer it at the computer.

# Pairing, commands, texts that fit nothing.
telegram-paired = Paired with { $name }. When you're away, your agents' questions come here.
telegram-nobody-left = Nobody who may answer is paired any more, so no requests come here. To pair somebody, run “beckon telegram pair” on the computer and send its code here.
telegram-parted = 🔒 This chat is not paired any more.
telegram-unpaired = This chat is no longer paired and won't get any more questions.
telegram-code-expired = This link is no longer valid. Make a new one with: beckon telegram pair
telegram-which-card = Nothing was sent. Reply to the card that you mean, so that it's clear which one is answered.
telegram-no-card = Nothing was sent: that message is not an open card. Reply to the card you mean, in your own words.
telegram-reply-in-place = Nothing was sent: you replied from another topic or chat than the card's. Reply to it where it is.
telegram-part-left-out = This part of your answer came too late and was left out: the agent has only what came before. If it matters, write to the agent itself.
telegram-looks-cut = Your answer is about as long as one message can be, and nothing came after it. If it was the beginning of a longer one, the rest is missing.
telegram-text-only = I can only read text. Nothing was sent; please write it.
telegram-caption-only = I can only read text: your caption counts, what it came with doesn't.
telegram-not-understood = No card is waiting for text. /pending lists open requests, /help the commands.
telegram-presence-set-auto = Presence is automatic again.
telegram-presence-set-here = You're set as here until you change it.
telegram-presence-set-here-until = You're set as here until { $time }.
telegram-presence-set-away = You're set as away until you change it.
telegram-presence-set-away-until = You're set as away until { $time }.
telegram-test = 🔔 Test from Beckon, { $time }. Tap the button to check that answers get back.
telegram-test-button = It works
telegram-test-back = ✅ It works · { $time }
telegram-anonymous = You write here as an anonymous admin, and Telegram does not tell who you are. Send it again as yourself: turn off “Remain anonymous” in your admin rights, or choose yourself as the sender.
telegram-code-exposed = This was sent in the name of a group or channel, and Telegram doesn't tell by whom, so nobody was paired. Everybody here could read the code: it no longer works. Choose yourself as the sender (in your admin rights, turn off “Remain anonymous”), and make a new code with: beckon telegram pair
telegram-unknown-command = There is no such command. /help has them all.
telegram-command-no-answer = { $command } is a command to a bot, so it wasn't sent to the agent. If it's your answer, write a word before it.
telegram-unclear-length = It isn't clear how long that is. Write a number with m, h or d: /away 2h
telegram-help =
    /pending: what is waiting for you
    /status: agents, presence and health
    /away, /here, /auto: say where you are; “/away 1h” for an hour
    A permission also takes a reply: 1 allow once, 2 always, 3 reject. “Continue?” takes 1 or 2.
    A card is answered with its buttons, or by a reply to it. 👀 on a card: you've seen it, no more reminders.

telegram-time-at = at { $time }

# How Telegram itself stands.
telegram-no-token = not set up; do it with: beckon telegram login
telegram-token-refused = the token is refused; make a new one with @BotFather, then: beckon telegram login
# Several machines share the bot over a hub.
telegram-served-by = @{ $bot } is served by { $machine }; what waits here reaches the phone through that machine
telegram-served-soon = it isn't settled yet which machine serves @{ $bot }
telegram-served-unknown = the hub isn't reachable, so it isn't known which machine serves @{ $bot }. If none does, this one takes over in a few minutes
telegram-served-left = since this machine left the hub, it leaves @{ $bot } to the machines there as long as one of them serves it, and sends nothing. It looks again at least every ten minutes. To use the bot from here, remove its token there; if not, remove it here
telegram-served-foreign = somebody who isn't on this hub uses @{ $bot }: another hub, or another program. Nothing is sent from here while they do, and this machine looks again at least every ten minutes. A bot serves one hub: give this one a bot of its own, or remove the token there
telegram-unknown-here = Nothing was sent: that request isn't known right now. Press again in a moment, or answer on the machine that asks.
telegram-press-again = Another machine has taken over. Here is the list as it stands; press again.
telegram-nobody-paired = nobody is paired; do it with: beckon telegram pair
telegram-nobody-open = everyone paired has blocked the bot or never opened it; open it in Telegram and press Start
# What is amiss in a single chat although Telegram works. $name is a person or a group.
telegram-chat-held-back = Telegram accepts nothing for { $name } until { $time }; until then answer at the computer
telegram-chat-blocked = { $name } has blocked the bot, so nothing reaches them. They can open it in Telegram and press Start
telegram-chat-removed = The bot was removed from { $name }, so nothing arrives there. Add it again, or unpair the group
telegram-cards-refused = { $count ->
    [one] Telegram refuses a card ({ $reason }). Retrying; until then answer at the computer
   *[other] Telegram refuses { $count } cards ({ $reason }). Retrying; until then answer at the computer
}
# $reason is one of the next ones. Said where cards are meant, and not where a token is tried.
telegram-cards-wait = { $reason }; cards wait until it works again
telegram-trouble-network = Telegram cannot be reached ({ $detail })
# The proxy on the way to Telegram; $proxy is its address.
telegram-proxy-unreachable = the proxy { $proxy } doesn't answer ({ $detail }). Start it, or correct telegram.proxy in config.toml
telegram-proxy-another-user = another user of this machine listens at { $proxy }, so the password of the proxy isn't shown there. If that is meant to be so, set telegram.any_user = true in config.toml
telegram-proxy-protocol = what answers at { $proxy } isn't a proxy of that kind. Check the beginning (socks5:// or http://) and the port of telegram.proxy
telegram-proxy-password-missing = the proxy { $proxy } wants a user name and a password. Put the name into telegram.proxy, as in socks5://NAME@proxy.example:1080, and store the password with: beckon secret set telegram:proxy
telegram-proxy-password-refused = the proxy { $proxy } refuses the user name or the password. Store the right password with: beckon secret set telegram:proxy
telegram-proxy-password-unwanted = the proxy { $proxy } takes no user name. Take it out of telegram.proxy
telegram-proxy-password-out-of-reach = the password of the proxy { $proxy } can't be read: { $detail }
telegram-proxy-no-route = the proxy { $proxy } answers, but doesn't get through to Telegram ({ $detail }). Try another proxy
telegram-trouble-server = Telegram is having problems ({ $detail })
telegram-trouble-too-fast = Telegram is rate-limiting; next try in { $detail } s
telegram-trouble-odd = unexpected reply from Telegram; check telegram.api_url in config.toml
telegram-trouble-other = Telegram refuses: { $detail }
telegram-trouble-other-poller = another program is using this bot; stop it, or create a bot just for Beckon with @BotFather
telegram-trouble-webhook = this bot has a webhook, so another program owns it; make a bot of Beckon's own with @BotFather
telegram-old-card = This card is from an earlier installation; nothing was sent.
telegram-menu-pending = Open requests
telegram-menu-status = Agents, presence and health
telegram-menu-away = Set yourself away (“/away 1h” for an hour)
telegram-menu-here = Set yourself here
telegram-menu-auto = Detect presence automatically
telegram-menu-help = List of commands
