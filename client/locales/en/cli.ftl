# The command line.
cli-about = The answer desk for coding agents. Without a command it starts the tray app.
cli-headless = Run the service without tray and windows
cli-demo = Ask a few sample questions; no server needed
cli-unwritten = What there is to say could not be written: { $why }
cli-already-running = Beckon is already running.
cli-already-running-elsewhere = Beckon is already running in another login of yours, and shows its notifications there. To have it here, quit it there first.
cli-not-running = Beckon isn't running. Start it with: beckon
cli-unproven = Another program, or an older Beckon, is listening where Beckon was. Nothing was sent to it. Restart Beckon with: beckon
cli-status-about = Show whether Beckon is running and what it's connected to
cli-status-json = Print JSON
cli-status-wait = Return once Beckon is ready, or after this many seconds
cli-list-about = List what's waiting for you
cli-list-json = Print JSON
cli-list-window = Open the inbox window
cli-show-about = Show one request in full
cli-show-id = ID of the request
cli-show-json = Print JSON
cli-show-window = Open the answer window
show-no-window = Beckon can't open a window here. Run beckon list, and answer with beckon answer.
cli-answer-about = Answer questions by choice or in your own words
cli-answer-id = ID of the request
cli-answer-question = Which question the next answer is for, from 1
cli-answer-choice = The choice, or several with commas, from 1
cli-answer-text = Your own text
cli-answer-seen = Fingerprint of what you saw, from `list --json`; refused if the request has changed since
cli-answer-json = Print JSON
cli-grant-about = Allow a permission request
cli-grant-id = ID of the permission request
cli-grant-always = Allow from now on, for the patterns that `show` lists
cli-grant-seen = Fingerprint of what you saw, from `list --json`; refused if the request has changed since
cli-grant-json = Print JSON
cli-deny-about = Reject a permission request
cli-deny-id = ID of the permission request
cli-deny-reason = What to tell the agent
cli-deny-seen = Fingerprint of what you saw, from `list --json`; refused if the request has changed since
cli-deny-json = Print JSON
cli-dismiss-about = Dismiss questions without an answer
cli-dismiss-id = ID of the request
cli-dismiss-seen = Fingerprint of what you saw, from `list --json`; refused if the request has changed since
cli-dismiss-json = Print JSON
cli-ask-about = Ask a human from a script: wait, and print the answer. Exit code 0 answered, 3 dismissed, 4 timed out, 5 Beckon is not running
cli-ask-question = What to ask
cli-ask-choice = A choice, optionally with a description; repeat for more. Write \= for an = in the label
cli-ask-multiple = Allow several choices; each is printed on its own line
cli-ask-no_custom = Only the choices, no free text
cli-ask-timeout = Give up after this long, such as 30s, 5m or 1h
cli-ask-agent = Who is asking, as shown on the card; by default the name of the calling program
cli-ask-title = Title of the task
cli-ask-json = Print JSON
cli-acp-about = Start an agent for an editor over ACP, and ask you what it may do in Beckon as well
cli-acp-agent = The agent and its arguments, as the editor would start it
cli-mcp-about = Let an agent ask you over MCP: a server on stdin and stdout
cli-hook-about = Run by an agent's own hooks; reads the event from stdin
cli-hook-claude-code-about = All hooks of Claude Code: asks you and prints your decision. Prints nothing if Beckon isn't running
cli-hook-claude-code-finished = Also notify when Claude has finished
cli-seen-about = Say that you've seen a request: no more reminders, and nothing on your phone
cli-seen-id = ID of the request
cli-seen-undo = Take that back, or end a snooze
cli-seen-json = Print JSON
cli-snooze-about = Put a request off; it notifies you again when the time is over
cli-snooze-id = ID of the request
cli-snooze-time = For how long, such as 1h; 15m if you don't say
cli-snooze-until_back = Until you're back at the computer
cli-snooze-end = End the snooze
cli-snooze-json = Print JSON
cli-open-about = Go to the terminal, window or page where a request's session runs
cli-open-id = ID of the request
cli-open-json = Print JSON
open-terminal = Brought it to the front.
open-browser = Opened in the browser: { $url }
cli-presence-about = Show or set your presence
cli-presence-presence = auto, here or away
cli-presence-time = For how long, such as 1h; then automatic again
cli-presence-span = Same as TIME
cli-presence-json = Print JSON
cli-watch-about = Follow every request as it happens, with timings
cli-watch-json = Print one line of JSON per event
cli-audit-about = Who answered what, where and when, from the database; Beckon need not run
cli-audit-since = From when on: 2h or 7d ago, a date such as 2026-01-31, or a date and time
cli-audit-jsonl = Print one line of JSON per event
cli-audit-hub = All machines, from the log on the hub, with the device that signed each record
cli-doctor-about = Check everything and say how to fix it
cli-doctor-probe = Also check what each OpenCode in config.toml supports. Only reads
cli-doctor-nearby = Also search the local network for servers
cli-doctor-json = Print JSON
cli-telegram-about = Answer on your phone: the bot, and who can answer
cli-telegram-login-about = Store your bot's token, read from a prompt or stdin
cli-telegram-pair-about = Show a link; whoever opens it first can answer
cli-telegram-pair-json = Print link, code and expiry as JSON, and don't wait
cli-telegram-pair-svg = Write the QR code to this file, as SVG
cli-telegram-people-about = List who can answer, and in which group
cli-telegram-people-json = Print JSON
cli-telegram-unpair-about = Unpair a person or a group
cli-telegram-unpair-id = Number or name, as `people` lists them
cli-telegram-test-about = Send a test card to every paired chat
cli-telegram-logout-about = Remove the token
cli-integrate-about = Add Beckon to an agent, so that it can reach you without a server
cli-integrate-claude-code-about = The Claude Code hooks, in its settings.json
cli-integrate-claude-code-remove = Remove them
cli-integrate-opencode-about = The OpenCode plugin: connects any OpenCode in a terminal or the desktop app, without a port
cli-integrate-opencode-remove = Remove it
cli-secret-about = Secrets in the keychain
cli-secret-set-about = Store a secret, read from a prompt or stdin
cli-secret-set-name = For example opencode:local, the password of the server named local, or telegram:proxy
cli-secret-remove-about = Remove a secret
cli-secret-remove-name = As it was stored, for example telegram:proxy
cli-hub-about = Share requests among your machines over a hub
cli-hub-serve-about = Start a hub on this machine; needs nats-server
cli-hub-serve-listen = Address to listen on; 0.0.0.0:4223 lets other machines in, over TLS
cli-hub-serve-address = Name or address at which other machines reach it
cli-hub-serve-tls = Use TLS on this machine, too
cli-hub-invite-about = Print a code that lets one more machine join
cli-hub-invite-person = Whose machine it is; yours by default
cli-hub-invite-json = Print JSON
cli-hub-join-about = Join a hub and share requests with its other machines
cli-hub-join-code = The code that `beckon hub serve` or `beckon hub invite` prints. Without it, or with -, it's read from a prompt or stdin, where other users of this machine can't see it
cli-hub-join-name = What this machine is called there; by default, its own name
cli-hub-leave-about = Leave the hub
cli-hub-people-about = List the people and devices of the hub
cli-hub-people-remove = Remove this device; its answers are refused from then on
cli-hub-people-json = Print JSON
cli-hub-routes-about = Show or set who else on the team sees and decides requests
cli-hub-routes-set = Use the people, routes and rota of this JSON file
cli-hub-routes-json = Print JSON
cli-hub-doctor-about = Check the hub
cli-hub-doctor-json = Print JSON
cli-hub-key-about = Print this device's public key, creating it the first time
cli-outline-about = Print every command and its words as JSON

status-head = Beckon { $version } · { $count ->
    [0] nobody is waiting
    [one] 1 agent is waiting
   *[other] { $count } agents are waiting
}
status-head-deaf = Beckon { $version } · no agent server is reachable, so Beckon can't know who is waiting
status-source-live = { $name }: { $url } · OpenCode { $version }
status-source-experimental = { $name }: { $url } · OpenCode { $version } · experimental: forms are read by the published contract, finished tasks are not reported
status-source-live-interrupts = { $name }: { $url } · interrupts
status-source-live-langgraph = { $name }: { $url } · LangGraph { $version }
status-source-beckon = { $name }: { $url } · Beckon { $version }
status-source-circle = { $name }: { $url } · Beckon { $version } · { $error }
source-circle = it watches this Beckon too; what's asked here isn't shown twice
status-source-plain = { $name }
status-source-away = { $name } · { $error }
status-source-connecting = { $name }: { $url } · connecting
status-source-unreachable = { $name }: { $url } · unreachable: { $error }
status-source-unauthorized = { $name }: { $url } · password rejected; set it with: beckon secret set opencode:{ $name }
status-source-unauthorized-interrupts = { $name }: { $url } · token rejected; set the right one with: beckon secret set interrupts:{ $name }
status-source-unauthorized-langgraph = { $name }: { $url } · token rejected; set the right one with: beckon secret set interrupts:{ $name }
status-desktop-works = Notifications: { $detail }
status-desktop-down = Notifications: none ({ $detail }). beckon list shows what's waiting
status-desktop-disturb-never = Do not disturb is on: requests arrive silently and are shown again when it's off
status-desktop-disturb-permissions = Do not disturb is on: permissions are marked urgent; everything else arrives silently and is shown again when it's off
status-desktop-disturb-always = Do not disturb is on; requests are marked urgent, which most desktops let through
status-desktop-starting = Notifications: starting
status-telegram = Telegram: { $what }
status-telegram-environment = Telegram: { $what } · token from { $variable }
status-telegram-works = @{ $bot }, { $count ->
    [one] 1 chat paired
   *[other] { $count } chats paired
}
status-telegram-starting = starting
status-telegram-proxy = { $what } · through { $proxy }
status-tray-down = Tray: no icon ({ $detail })
status-warning = Note: { $text }

list-empty = Nobody is waiting.
list-deaf = No agent server is reachable, so Beckon can't know who is waiting. See: beckon status
list-head = { $id }  { $title } · { $state } · { $waited }
list-state-open = waiting
list-state-answering = sending the answer
list-state-stale = the agent may have stopped waiting
list-machine = asked on { $machine }
list-origin = asked by { $agent } in { $directory }
list-change = change:
list-has-change = { $count ->
    [one] and a change of one line, which “beckon show { $id }” prints
   *[other] and a change of { $count } lines, which “beckon show { $id }” prints
  }
list-no-name = Which request? Give the ID that “beckon list” shows.
list-left-out = and { $count } more that Beckon doesn't keep
list-always = “Always” would allow: { $patterns }
list-choice = { $number }  { $label }: { $description }
list-choice-plain = { $number }  { $label }
list-multiple = choose any number
list-unknown = in a form Beckon doesn't know; answer it where the agent runs. This is what it sent:
list-changed = What this ID stands for has changed since it first came. To answer what it asks now, add --seen { $seen }
list-untold = Not everything that this call is given is known. To allow it all the same, add --seen { $seen }

answer-taken = Delivered.
answer-sent = Sent; the agent hasn't confirmed it yet.
answer-already-answered = Already answered { $by }.
answer-gone = The agent has stopped waiting.
# Where choices or texts were given and nothing is asked that takes them. $what is what is asked.
answer-second-text = Question { $number } has two texts, and takes only one. Nothing was sent
grant-always-means = From now on this is allowed without asking: { $patterns }
answer-questions = This asks a question. Answer it with “beckon answer { $id } --choice 1”, or dismiss it with “beckon dismiss { $id }”
answer-permission = There are no questions to answer here, but a permission request ({ $what }). Allow it with “beckon grant { $id }”, or from now on with “beckon grant { $id } --always”; reject it with “beckon deny { $id }”
answer-permission-once = There are no questions to answer here, but a permission request ({ $what }). Allow it with “beckon grant { $id }”, or reject it with “beckon deny { $id }”
answer-confirm = There are no questions to answer here: the agent asks whether to go on ({ $what }). Let it go on with “beckon grant { $id }”, or stop it with “beckon deny { $id }”
answer-confirm-plain = There are no questions to answer here: the agent asks whether to go on. Let it go on with “beckon grant { $id }”, or stop it with “beckon deny { $id }”
answer-unknown = This request has a form that Beckon doesn't know. Answer it where the agent runs
answer-also-rejected = { $count ->
    [1] 1 other request of this session was rejected with it.
    [9] 9 or more other requests of this session were rejected with it.
   *[other] { $count } other requests of this session were rejected with it.
}
answer-also-rejected-perhaps = { $count ->
    [1] 1 other request of this session may have been rejected with it.
    [9] 9 or more other requests of this session may have been rejected with it.
   *[other] { $count } other requests of this session may have been rejected with it.
}
by- = elsewhere
by-elsewhere = in the agent itself
by-notification = on the desktop
by-tray = in the tray
by-window = in the window
by-cli = in a terminal
by-api = through the API
by-telegram = on Telegram
by-clock = by timeout

status-presence = You · { $words }
status-presence-withheld = Your other machines aren't told whether you're here (hub.share_presence)
status-presence-away = You · { $words } · away
status-blocked = Agents waited for you: { $today } min today, { $week } min in the last 7 days
status-paused = Paused until { $time }: no notifications, nothing new on Telegram

integrate-claude-installed = Claude Code asks through Beckon now, in running sessions too: { $file }
integrate-claude-renewed = The hooks were updated: { $file }
integrate-claude-there = The hooks are already installed: { $file }
integrate-claude-off = The hooks are in { $file }, but Claude Code doesn't run them: { $key } is set in { $by }.
integrate-claude-removed = The hooks were removed: { $file }
integrate-claude-not-there = Beckon's hooks are not installed: { $file }

# Agents that an editor starts (ACP).
acp-not-started = { $agent } can't be started: { $why }
acp-no-reason = a reason for a no doesn't reach this agent
acp-in-editor = The agent asks for something that can only be answered in its editor.

# Notices of an agent's hooks.
hook-title = Claude Code · { $project }
hook-finished = Finished.
hook-failed = Stopped by an error.
hook-unreadable = Claude Code asks something this Beckon can't read. Answer it in its terminal.
hook-not-taken = Claude Code didn't take the answer. It's still asking in its terminal.
# What “always” would allow: Claude Code's mode of that name, until its session ends.
# Its terminal says “auto-approve file edits and common file commands”.
hook-accept-edits = file edits and common file commands, even rm -rf (the mode “accept edits”)
hook-overwrites = the file exists: { $count ->
    [one] one line of it goes
   *[other] { $count } lines of it go
 } away
hook-overwrites-nothing = the file exists: no line of it goes away
hook-overwrites-unseen = the file exists, and can't be shown here: it is overwritten
hook-line-ends = the line ends change: { $from } → { $to }
hook-line-ends-mixed = mixed
hook-replaces = replaces it in { $count ->
    [one] one place
   *[other] { $count } places
}
hook-replaces-unseen = replaces it everywhere in a file that can't be shown here
hook-cell-unseen = the cell that goes away: it can't be shown here
# Choices in a form of an MCP server.
hook-form-yes = Yes
hook-form-no = No
hook-form-empty = Leave it empty
hook-form-default = The default
hook-form-accept = Accept
hook-form-decline = Decline

ask-dismissed = The question was dismissed.
ask-timed-out = Nobody answered in time.
ask-gone = The question was withdrawn.

watch-line = { $what } after { $ms } ms  { $topic } { $outcome }
watch-line-plain = { $what }  { $topic }
watch-asked = asked
watch-shown = shown
watch-answered = answered
watch-sent = sent
watch-returned = came back
watch-taken = delivered
watch-settled = settled
watch-reopened = open again
watch-undelivered = not delivered yet
watch-changed = asks something else
watch-attention = seen, snoozed, or notifying again
watch-held = for others to decide, or for you again
watch-agreed = agreed to, by one of two
watch-ended = Beckon has stopped.
watch-source = source changed
watch-on-desktop = on the desktop
watch-on-telegram = on Telegram
watch-outcome-answered = answered
watch-outcome-answered-elsewhere = answered elsewhere
watch-outcome-dismissed-elsewhere = dismissed elsewhere
watch-outcome-expired = expired
watch-outcome-gone = gone
watch-presence = presence changed

# A line of `beckon audit`: $detail is what was decided, where and by whom; $shown a hash.
audit-line = { $at }  { $what }  { $topic }  { $detail }  { $shown }
audit-returned-refused = refused by the agent
audit-returned-unauthorized = the server wants a password
audit-returned-forbidden = the server allows no answers
audit-returned-unproven = unknown whether it arrived
audit-returned-changed = something else was asked
audit-returned-undelivered = not delivered
audit-returned-unconfirmed = unknown whether the agent still waits
audit-returned-no-thread = its thread is gone
audit-returned-needs-another = somebody else has to agree, too
audit-returned-hub-forbidden = refused by the hub
audit-returned-hub-no-key = not signed, for want of a key
audit-returned-hub-unlisted = refused there: the device isn't listed
audit-returned-hub-unreadable = couldn't be read there
audit-returned-hub-unfit = refused there: it doesn't fit
audit-returned-hub-held = refused there: others decide
audit-hub-begins = writes to the log from here on
audit-hub-record = record { $number } of the hub
audit-hub-unreadable = can't be read
audit-hub-unsigned = not signed by a device that's trusted here
audit-hub-gap = something before it is missing
audit-hub-again = a repetition
audit-hub-doubtful = { $count ->
    [one] One record isn't proven.
   *[other] { $count } records aren't proven.
}

doctor-config-ok = Settings: { $detail }
doctor-config-bad = Settings: { $detail }. Fix config.toml; until then the last valid settings are used
doctor-keys-bad = Settings: unknown keys: { $detail }. They have no effect; check the spelling
doctor-files-bad = Files: you may not write to { $detail }, where Beckon keeps its files. Make it yours, or set BECKON_HOME to a folder that is
doctor-database-ok = Database: { $detail }
doctor-database-bad = Database: { $detail }. It will be set aside at the next start
doctor-keychain-ok = Keychain: OK
doctor-keychain-note = Keychain: none here. Not needed as long as secrets come from the environment: { $detail }
doctor-keychain-bad = Keychain: { $detail }
doctor-running-ok = Beckon { $detail } is running
doctor-running-note = { $detail }
doctor-running-bad = { $detail }
doctor-source-ok = Agent: { $detail }
doctor-source-bad = Agent: { $detail }. Start it with: opencode serve, or fix its url in config.toml
doctor-machine-ok = Agents on { $detail }
doctor-machine-note = Agents on { $detail }
doctor-unread-bad = { $detail }
doctor-unreadable-note = { $detail }
doctor-chat-bad = Telegram: { $detail }
doctor-service-ok = Service: { $detail }
doctor-service-bad = Service: { $detail }. Start it, or fix its addresses in config.toml
doctor-token-ok = Token: { $detail }
doctor-token-bad = Service { $detail } rejects the token. Set it with: beckon secret set interrupts:{ $detail }
doctor-password-ok = Password: { $detail }
doctor-password-bad = Agent { $detail } rejects the password. Set it with: beckon secret set opencode:{ $detail }
doctor-desktop-ok = Notifications: { $detail }
doctor-desktop-note = Notifications: { $detail }. Do not disturb is on; what it holds back is shown when it's off, and is in the tray and in beckon list meanwhile
doctor-desktop-bad = Notifications: { $detail }. Until they work, beckon list shows what's waiting
doctor-desktop-buttons = A click on a notification's text opens nothing there; its buttons do
doctor-desktop-start = Start a notification service; over SSH or outside a desktop there is none
doctor-tray-ok = Tray: OK
doctor-tray-note = Tray: no icon ({ $detail }). Beckon works without one: beckon list shows what's waiting
doctor-telegram-ok = Telegram: @{ $detail } is responding
doctor-telegram-note = Telegram: { $detail }
doctor-telegram-bad = Telegram: { $detail }
doctor-telegram-environment = {" "}(token from { $variable })
doctor-telegram-proxy = {" "}(through { $proxy })
doctor-paired-ok = Telegram: paired with { $detail }
doctor-paired-bad = Telegram: nobody is paired, so nothing is sent. Pair your phone with: beckon telegram pair
doctor-privacy-ok = Telegram: in the group { $detail } the bot sees every message
doctor-privacy-note = Telegram: in the group { $detail } the bot sees only its buttons, commands and replies to its cards, which is enough. To let it see every message: @BotFather, /setprivacy, then take the bot out of the group and add it again
doctor-updates-ok = Updates: { $detail } is the newest version
doctor-updates-note = Updates: { $detail }
doctor-updates-newer = Beckon { $version } is out, and this is { $running }. Get it the way you installed this one; Beckon never replaces itself
doctor-updates-unavailable = the check is on, but whoever built this Beckon gave it no place to ask, so nobody is asked. Look for newer versions where you got this one
doctor-updates-unreachable = Beckon's project couldn't be reached. Beckon tries again within two hours
doctor-updates-no-feed = what answered isn't the list of releases. Beckon asks again tomorrow
doctor-updates-unsigned = what came isn't signed by Beckon's project, so it's ignored. Beckon asks again tomorrow
doctor-updates-strange = the list of releases is signed, but this version can't read it. Look for newer versions where you got this one
doctor-updates-replayed = the list of releases is older than the last one, so it's ignored. Beckon asks again tomorrow
doctor-updates-outdated = it's unclear whether this is the newest version. By this computer's date, the list of releases is more than two months old, or from the future. If the date is right, look for newer versions where you got this one

# What keeps a secret out of reach, and the way out.
keychain-absent = there is no keychain here. Start one (GNOME Keyring, KWallet), or give Beckon the secret in { $variable }
keychain-locked = the keychain is locked. Unlock it and try again, or give Beckon the secret in { $variable }
keychain-no-place = the keychain has no default collection to store anything in. Create one (in Passwords and Keys or KWalletManager), make it the default and try again, or give Beckon the secret in { $variable }
keychain-several = the keychain has several different entries for this. Store the secret again, which replaces them all, or give it to Beckon in { $variable }
keychain-silent = the keychain isn't responding; it may be waiting to be unlocked. Unlock it and try again, or give Beckon the secret in { $variable }
keychain-no-text = the keychain's entry isn't text. Store the secret again, or give it to Beckon in { $variable }
keychain-refused = the keychain refused ({ $detail }). Fix that, or give Beckon the secret in { $variable }
doctor-hint = { $text }. { $hint }
doctor-probe = { $name }, OpenCode { $version }, supports:
doctor-probe-events = events
doctor-probe-questions = open questions
doctor-probe-permissions = open permissions
doctor-probe-status = which sessions are busy
doctor-probe-answers = answers, by its own description
doctor-probe-second-core = questions of the second core (1.18)
doctor-probe-forms = forms (2.x)
doctor-probe-known = { $part }: as Beckon knows it ({ $path })
doctor-probe-absent = { $part }: not there ({ $path })
doctor-probe-odd = { $part }: not as Beckon knows it ({ $path }: { $detail })
doctor-nearby = Nearby: { $name } at { $url } found. To connect it, add it to config.toml
doctor-nearby-none = Nearby: no OpenCode found on the local network
doctor-nearby-bad = Nearby: { $detail }
doctor-plugin-ok = OpenCode plugin: { $file }
doctor-plugin-outdated = OpenCode plugin: { $file } belongs to another version of Beckon
doctor-plugin-renew = Update it with: beckon integrate opencode
doctor-hooks-ok = Claude Code hooks: { $file }
doctor-hooks-off = Claude Code hooks: { $file } has them, but Claude Code doesn't run them: { $by }
doctor-hooks-last = { $text } (last used: { $time })
doctor-hooks-never = { $text } (not used yet)
doctor-hooks-old = Claude Code hooks: { $file } has those of another version of Beckon or Claude Code
doctor-hooks-renew = Update them with: beckon integrate claude-code
doctor-plugin-foreign = OpenCode plugin: { $file } isn't Beckon's, so the plugin isn't installed
doctor-coverage-port = OpenCode in { $directory } (process { $pid }): connected at its port, as { $source }
doctor-coverage-door = OpenCode in { $directory } (process { $pid }): connected through the plugin, as { $source }
doctor-coverage-events = OpenCode in { $directory } (process { $pid }): connected through the plugin, as { $source }, events only: the plugin found no way to its server
doctor-coverage-unseen = OpenCode in { $directory } (process { $pid }): not connected, it has no port that Beckon watches
doctor-coverage-older = OpenCode in { $directory } (process { $pid }): not connected, it started before the plugin was installed
doctor-coverage-silent = OpenCode in { $directory } (process { $pid }): not connected, though the plugin is installed
doctor-coverage-integrate = Install the plugin with: beckon integrate opencode, then restart that OpenCode
doctor-coverage-restart = Restart that OpenCode
doctor-presence-ok = You · { $detail }

secret-prompt = Secret for { $name }:{" "}
secret-empty = The secret is empty; nothing was stored.
secret-out-of-reach = Nothing was changed: { $reason }
secret-stored = Stored in the keychain: { $name }
secret-removed = Removed from the keychain: { $name }
secret-none = Nothing in the keychain under that name: { $name }
secret-proxy-unused = It's used once telegram.proxy in config.toml has a user name, as in socks5://NAME@proxy.example:1080

login-prompt = Token from @BotFather:{" "}
login-no-token = That isn't a token; one looks like 123456789:AAExample. Nothing was stored.
login-unknown = Telegram doesn't know this token. Copy it again from @BotFather
login-failed = Nothing was stored: { $reason }
login-stored = The token of @{ $bot } is in the keychain.
login-hidden = But { $variable } is set and takes precedence over the keychain. Unset it and restart Beckon.
login-next = Now pair your phone: beckon telegram pair
logout-removed = The token was removed from the keychain. Paired people stay paired for the next login; see beckon telegram people.
logout-none = There was no token in the keychain. Paired people stay paired; see beckon telegram people.
logout-hidden = But { $variable } is set, so Beckon still uses that token. Unset it and restart Beckon.
pair-link = Open this on your phone, and press Start: { $link }
pair-svg = The QR code is in { $file }
pair-group = For a group, open this and choose it: { $link }
  If the bot is in the group already, send there: { $command }
pair-waiting = It works once, for { $minutes } min. Waiting (Ctrl-C to stop) …
pair-done = Paired:
pair-expired = Nobody opened the link and it has expired. Create a new one with: beckon telegram pair
pair-exposed = The code was sent in the name of a group or channel, so nobody was paired, and others could read it: it no longer works. Send a new one as yourself: beckon telegram pair
pair-replaced = A newer link was created; this one no longer works.
people-none = Nobody is paired. Pair your phone with: beckon telegram pair
people-person = { $name } ({ $id })
people-person-blocked = { $name } ({ $id }), has blocked the bot
people-group-removed = { $name } ({ $id }, group), the bot was removed from it
people-group = { $name } ({ $id }, group)
unpair-nobody = Nobody with that number or name is paired. See: beckon telegram people
unpair-several = That name matches several. Use the number; see: beckon telegram people
unpair-group-left = Nobody is left who may answer in { $name }, so nothing goes there. To pair somebody, run “beckon telegram pair”, or unpair the group as well.
unpair-done = { $name } is no longer paired.
test-sent = { $count ->
    [one] A message is on its way to 1 chat.
   *[other] A message is on its way to { $count } chats.
}
test-failed = No message was sent: { $reason }
telegram-starting = still connecting to the bot; try again in a moment

hint-title = Answer in a terminal
hint-body = beckon show { $id }
running-title = Beckon is running
running-body-deaf = No agent server is reachable.
running-body = { $count ->
    [0] Nobody is waiting.
    [one] 1 agent is waiting.
   *[other] { $count } agents are waiting.
}
warning-set-aside = The database was damaged. It was kept as { $file }, and Beckon restarted from what the agents report.
warning-log-set-aside = Part of the database couldn't be read: what happened just before Beckon stopped may be missing, and answers given then may be asked for again. A copy is kept as { $file }
warning-fault = Beckon hit a bug of its own and restarted. The log in { $folder } says what happened: please report it
warning-part-left-out = Beckon runs without what keeps failing: { $parts }. It tries again by itself later, or when you restart it. The log in { $folder } says what happened: please report it
part-discovery = the search for servers
part-hub = the hub
part-notifications = notifications
part-presence = presence
part-sources = the agents' servers
part-source = the server { $name }
part-telegram = Telegram
part-updates = the check for updates
warning-damaged = The database { $file } is damaged. You're still notified and can answer. Restart Beckon: it keeps the damaged file and starts from what the agents report

integrate-installed = Installed: { $file }. Restart any running OpenCode to load it
integrate-there = Already installed: { $file }
integrate-renewed = Updated: { $file }. Restart any running OpenCode to load it
integrate-removed = Removed: { $file }. A running OpenCode keeps it until it restarts
integrate-not-there = Not installed: { $file }
integrate-foreign = { $file } isn't Beckon's and was left unchanged. Move it away first

# The headings of the help, and why arguments are not taken. $argument is as in the help.
cli-usage = Usage:{" "}
cli-commands = Commands
cli-arguments = Arguments
cli-options = Options
cli-print-help = Print help
cli-print-version = Print version
cli-help-about = Print the help of a command
cli-wrong-value = { $argument } can't be “{ $value }”.
cli-wrong-one-of = { $argument } can't be “{ $value }”; use { $valid }.
cli-wrong-no-value = { $argument } needs a value.
cli-wrong-too-many = { $argument } takes no value.
cli-wrong-argument = Unknown argument { $argument }.
cli-wrong-command = Unknown command “{ $argument }”.
cli-wrong-missing = { $argument } is missing.
cli-wrong-conflict = { $argument } can't be used with { $other }.
cli-wrong-time = { $argument } takes a time like 30s, 5m or 1h, not “{ $value }”.
cli-wrong-when = { $argument } takes 2h, 7d, a date such as 2026-01-31, or a date and time, not “{ $value }”.
cli-wrong-label = { $argument } needs a label before the =.
cli-wrong-numbers = { $argument } takes numbers from 1, as in 1,3, not “{ $value }”.
cli-wrong-more = For more, add --help.

# Of the window program, in a message box of Windows.
window-no-web-view = Beckon's windows need the WebView2 Runtime by Microsoft, which isn't installed. Get it from https://developer.microsoft.com/microsoft-edge/webview2, then open the window again. Until then requests can be answered from notifications, the tray, and the command line.

# beckon hub
hub-unnamed = this-machine
hub-not-joined = This machine hasn't joined a hub. Start one with “beckon hub serve”, or join one with “beckon hub join” and a code from there
hub-joined-already = This machine is on another hub ({ $url }). Leave it first with “beckon hub leave”
hub-serve-missing = nats-server isn't installed. Install version 2.9 or newer (Debian and Ubuntu: apt install nats-server, macOS: brew install nats-server, or https://github.com/nats-io/nats-server/releases) and run this again
hub-serve-too-old = nats-server { $version } is too old: Beckon needs 2.9 or newer. Get one from https://github.com/nats-io/nats-server/releases and run this again
hub-serve-ready = The hub is running: nats-server { $version } at { $url }. It runs until you stop this with Ctrl+C. This machine has joined
hub-serve-syncs-not = This nats-server writes to the disk with a delay, so a power cut can lose an answer on its way. Version 2.10 or newer doesn't
hub-serve-here-only = Only this machine can reach the hub. To let others in, stop it and run: beckon hub serve --listen { $listen }
hub-serve-others = Other machines reach it at { $url }. If that doesn't work there, restart this with --address and the name or address that does
hub-serve-taken = Another program is using that address ({ $reason }). Choose another with --listen, for example 127.0.0.1:4233
hub-serve-joined = { $device } has joined
hub-serve-left = { $device } is off the hub
hub-serve-stopped = The hub has stopped. The machines keep working on their own until it's back
hub-serve-already = This machine already serves a hub. For another code, run “beckon hub invite”
hub-serve-ended = nats-server stopped: { $reason }
hub-serve-silent = nats-server is running but doesn't let Beckon in: { $reason }
hub-invite = To let a machine join, run “beckon hub join” on it within { $minutes ->
    [one] a minute
   *[other] { $minutes } minutes
} and enter this code there. It works once:
hub-invite-person = It becomes one of { $person }'s machines. For somebody else's: beckon hub invite --person NAME
hub-not-built = This Beckon was built without the hub. Install one of the published packages
hub-join-still-listed = Nothing was saved here: { $reason }. The hub couldn't be told, so it lists this machine all the same. Once that's fixed, join again, with the same code while it's good or with a new one; or remove it there with “beckon hub people --remove”
hub-join-may-be-listed = { $reason }. The hub may list this machine all the same. Join again, with the same code while it's good or with a new one; or remove it there with “beckon hub people --remove”
hub-join-prompt = Code:{" "}
hub-join-no-code = That isn't a code from “beckon hub invite”. Copy the whole code; it begins with bkj1-
hub-join-done = This machine has joined the hub at { $url } as { $device }
hub-join-person = It's one of { $person }'s machines now
hub-join-next = What's asked on any of its machines can now be answered on all of them. A running Beckon connects automatically
hub-left = This machine has left the hub at { $url }
hub-left-admin = The hub itself keeps running for the others as long as “beckon hub serve” does
hub-left-bot = This machine still has the token of @{ $bot }. If a machine on the hub has it, too, the bot stays with that one, and this one sends nothing to your phone as long as that one does. Remove the token there to use the bot from here
hub-left-untold = The hub couldn't be told, so it still lists this machine. { $reason }. On the machine that serves the hub, remove it with “beckon hub people --remove”
hub-people-none = No devices
hub-people-line = { $device }: { $notes }
hub-people-owned = { $device } ({ $person })
hub-people-here = connected
hub-people-away = not connected
hub-people-own = this device
hub-people-admin = serves the hub
hub-people-version = Beckon { $version }
hub-people-removed = { $device } is off the hub. Its answers are refused from now on
hub-list-older = The hub shows an older list of its devices (revision { $shown }) than this machine knows ({ $known }). The newer one counts here. Look at the machine that serves the hub: its server may have been restored, or lie
# A route: $projects and $kinds are those that it is for; $rule is its parts, one after the other.
hub-routes-line = { $scope }: { $rule }
hub-routes-scope = { $projects } · { $kinds }
hub-routes-kind = { $kind ->
    [question] questions
    [permission] permissions
   *[confirm] confirmations
}
hub-routes-kinds-all = everything
hub-routes-dangerous = { $kinds } (dangerous)
hub-routes-starter = whoever started it
hub-routes-not-starter = not whoever started it
hub-routes-others = { $minutes ->
    [0] { $who }
    [one] after 1 minute { $who }
   *[other] after { $minutes } minutes { $who }
}
hub-routes-seen = seen by { $who }
hub-routes-two = two must agree
hub-routes-comma = { "; " }
hub-routes-all = all projects
hub-who-everyone = everyone
hub-who-role = anyone with the role { $name }
hub-who-on-duty = whoever is on duty ({ $name })
hub-shift = { $rota }, { $from } to { $to } ({ $zone })
hub-shift-at = { $kind ->
    [mon] Mon { $time }
    [tue] Tue { $time }
    [wed] Wed { $time }
    [thu] Thu { $time }
    [fri] Fri { $time }
    [sat] Sat { $time }
   *[sun] Sun { $time }
}
# Below a route: whom its roles and rotas mean now.
hub-routes-now = at the moment: { $names }
hub-routes-now-nobody = at the moment: nobody
hub-on-duty = on duty now ({ $rota })
hub-routes-none = No routes: requests are decided by the person whose machine the agent runs on
hub-routes-set = { $count ->
    [0] No routes from now on
    [one] 1 route is in force
   *[other] { $count } routes are in force
}
hub-routes-strangers = Nobody with a device is called { $names }. Routes go by the names in “beckon hub people”
hub-routes-nobody-has = Routes name { $names }, and nobody has that role or shift. Check the spelling, or give it to somebody
hub-routes-stuck = As things are, what { $names } starts can't be decided by anyone under “{ $route }”
hub-routes-unread = { $file } can't be used, so nothing has changed: { $reason }
# Why a file of routes can't be used.
hub-routes-no-table = it isn't a table, which begins with {"{"}
hub-routes-no-table-at = “{ $at }” isn't a table, which begins with {"{"}
hub-routes-missing = it has no “routes”. Write "routes": [] if there are to be none
hub-routes-key = “{ $key }” isn't a key that it can have
hub-routes-key-near = “{ $key }” isn't a key that it can have. Did you mean “{ $near }”?
hub-routes-offset = the utc_offset of { $minutes } minutes is more than 14 hours
hub-routes-no-shift = the shift of { $person } begins and ends at { $at }
hub-no-name = “{ $name }” can't be a person's name: routes couldn't name them by it
hub-fault-keychain = The keychain didn't give out this device's key ({ $reason })
hub-fault-unreachable = The hub isn't reachable ({ $reason })
# Said by itself, and as the reason why the hub isn't reachable.
hub-fault-ca = { $file }, which “ca” in [hub] names, can't be read: { $reason }
hub-fault-ca-empty = { $file }, which “ca” in [hub] names, holds no certificate
hub-fault-not-let-in = The hub doesn't let this device in: it never joined, or was taken off the list
hub-fault-other-server = The server at that address isn't the one that the code is for. Nothing was sent to it
hub-fault-forbidden = The hub doesn't allow this device to do that ({ $reason })
hub-fault-not-served = Nobody is serving the hub at the moment: “beckon hub serve” isn't running
hub-fault-forged = What came back isn't signed by the hub's admin, so it's ignored
hub-fault-not-loaded = The list of devices has changed, but nats-server still goes by an older one ({ $reason }). Whoever was taken off can read on until it takes the new one; Beckon keeps trying. Restarting “beckon hub serve” may help
hub-fault-failed = It didn't work ({ $reason })
hub-refused-used = This code has already been used by another device. Get a new one with “beckon hub invite”
hub-refused-expired = This code has expired, or was never given out by this hub. Get a new one with “beckon hub invite”
hub-refused-no-such-device = No device has that name; “beckon hub people” lists them
hub-refused-admin = This device serves the hub, so it stays on the list
hub-refused-invalid = Only the machine that serves the hub can do that
hub-refused-login-taken = The hub lists this device's login for another device. Take that one off first: “beckon hub people” lists them
hub-refused-failed = The machine that serves the hub couldn't do it; its output says why
doctor-hub-ok = Hub: { $detail }
doctor-hub-bad = Hub: { $detail }
doctor-hub-place = nats-server { $version } at { $url }, { $ms } ms
doctor-hub-login-ok = Login: { $detail }
doctor-hub-login-bad = Login: { $detail }
doctor-hub-as-admin = this device serves the hub
doctor-hub-as-device = this device is let in
doctor-hub-streams-ok = Streams: as Beckon needs them
doctor-hub-streams-bad = Streams: missing or set up differently: { $detail }. Remove those that are there and restart “beckon hub serve”
doctor-hub-list-bad = List of devices: { $detail }
doctor-hub-there-ok = Connected now: { $detail }
doctor-hub-there-note = Connected now: { $detail }
doctor-hub-there-bad = Connected now: { $detail }
doctor-hub-nobody = no Beckon
doctor-hub-sync-ok = Power cuts: what the hub has acknowledged is on its disk
doctor-hub-sync-note = Power cuts: { $detail }
doctor-hub-sync-bad = Power cuts: { $detail }
doctor-hub-syncs-not = an answer on its way can be lost. Use nats-server 2.10 or newer
doctor-hub-syncs-unknown = can't tell; set sync_interval to always in the server's jetstream block, or an answer on its way can be lost
doctor-hub-clock-ok = Clock: differs from the hub's by { $detail }
doctor-hub-clock-note = Clock: differs from the hub's by { $detail }
doctor-hub-clock-unknown = an unknown amount
