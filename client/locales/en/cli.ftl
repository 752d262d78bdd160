# The command line.
cli-about = The answer desk for coding agents. Without a command it starts the tray app.
cli-headless = Run the service without tray and windows
cli-demo = Ask a few pretend questions; no server needed
cli-already-running = Beckon is already running.
cli-not-running = Beckon is not running. Start it with: beckon
cli-unproven = Somebody else listens where Beckon was, or an older Beckon does; it was told nothing. Start Beckon again with: beckon
cli-status-about = Is it running, and what does it see?
cli-status-json = Print JSON
cli-status-wait = Return once it is ready, or after so many seconds
cli-list-about = What waits for you
cli-list-json = Print JSON
cli-show-about = One ask in full
cli-show-id = The ask
cli-show-json = Print JSON
cli-show-window = Open the answer window
show-no-window = Beckon runs without windows here.
cli-answer-about = Answer questions by choice or by own text
cli-answer-id = The ask
cli-answer-question = Which question the next answer is for, from 1
cli-answer-choice = The choice, or several with commas, from 1
cli-answer-text = Own text
cli-answer-seen = What you saw of it, as `list --json` says it; an answer to anything else is refused
cli-answer-json = Print JSON
cli-grant-about = Allow it
cli-grant-id = The permission
cli-grant-always = From now on, for the patterns that `show` lists
cli-grant-seen = What you saw of it, as `list --json` says it; an answer to anything else is refused
cli-grant-json = Print JSON
cli-deny-about = Reject a permission
cli-deny-id = The permission
cli-deny-reason = What to tell the agent
cli-deny-seen = What you saw of it, as `list --json` says it; an answer to anything else is refused
cli-deny-json = Print JSON
cli-dismiss-about = Dismiss questions unanswered
cli-dismiss-id = The ask
cli-dismiss-seen = What you saw of it, as `list --json` says it; an answer to anything else is refused
cli-dismiss-json = Print JSON
cli-ask-about = Ask a human from a script: wait, and print the answer. Exit code 0 answered, 3 dismissed, 4 timed out, 5 Beckon is not running
cli-ask-question = What to ask
cli-ask-choice = A choice, perhaps with a sentence about it; give it once for each. A label with = in it has \= there
cli-ask-multiple = Several may be chosen; each is printed on a line
cli-ask-no_custom = Only the choices, no own text
cli-ask-timeout = Wait no longer than that, as in 30s, 5m, 1h
cli-ask-agent = Who asks, as the card says it; the name of the calling program otherwise
cli-ask-title = What the work is called
cli-ask-json = Print JSON
cli-mcp-about = Let an agent ask you by MCP: a server on stdin and stdout
cli-hook-about = What an agent's own hooks run; reads what happened from stdin
cli-hook-claude-code-about = Every hook of Claude Code: asks you, and prints your decision. Without Beckon it says nothing
cli-hook-claude-code-finished = Also tell when Claude has finished
cli-presence-about = Where you count as being; say it, or go by the evidence
cli-presence-presence = auto, here or away
cli-presence-time = For so long, as in 1h; then by the evidence again
cli-presence-span = The same
cli-presence-json = Print JSON
cli-watch-about = Follow every ask, with the time since it was asked
cli-watch-json = Print a line of JSON each
cli-doctor-about = Check every leg and say what to do
cli-doctor-probe = Look as well at what each OpenCode of config.toml supports, whatever its version. It only reads
cli-doctor-nearby = Look as well for servers that announce themselves on the local network
cli-doctor-json = Print JSON
cli-telegram-about = Asks on your phone: the bot, and who may answer
cli-telegram-login-about = Store the token of your bot, read from a prompt or from stdin
cli-telegram-pair-about = Show a link; whoever opens it first may answer
cli-telegram-pair-json = Print link, code and expiry as JSON, and do not wait
cli-telegram-pair-svg = Write the QR code to this file, as SVG
cli-telegram-people-about = Who may answer, and in which group
cli-telegram-people-json = Print JSON
cli-telegram-unpair-about = Take that away from somebody, or from a group
cli-telegram-unpair-id = Number or name, as `people` lists them
cli-telegram-test-about = Send a test card to every paired chat
cli-telegram-logout-about = Remove the token
cli-integrate-about = Put Beckon's own part into an agent, so that it reaches you without a server
cli-integrate-claude-code-about = The hooks of Claude Code, in its settings.json
cli-integrate-claude-code-remove = Take them out again
cli-integrate-opencode-about = The plugin for OpenCode: one in a terminal or the desktop app, without a port, is seen as well
cli-integrate-opencode-remove = Take it out again
cli-secret-about = Secrets in the keychain
cli-secret-set-about = Store a secret, read from a prompt or from stdin
cli-secret-set-name = For example opencode:local, the password of the server named local, or telegram:proxy
cli-secret-remove-about = Remove a secret
cli-secret-remove-name = As it was stored, for example telegram:proxy

status-head = Beckon { $version } · { $count ->
    [0] nobody is waiting
    [one] 1 agent is waiting
   *[other] { $count } agents are waiting
}
status-head-deaf = Beckon { $version } · no agent server can be reached, so Beckon can't know who is waiting
status-source-live = { $name }: { $url } · OpenCode { $version }
status-source-experimental = { $name }: { $url } · OpenCode { $version } · experimental: forms are read by the published contract, finished turns are not told
status-source-live-interrupts = { $name }: { $url } · interrupts
status-source-live-langgraph = { $name }: { $url } · LangGraph { $version }
status-source-beckon = { $name }: { $url } · Beckon { $version }
status-source-circle = { $name }: { $url } · Beckon { $version } · { $error }
source-circle = it watches this Beckon too; what is asked here is not shown a second time
status-source-plain = { $name }
status-source-connecting = { $name }: { $url } · connecting
status-source-unreachable = { $name }: { $url } · not reachable: { $error }
status-source-unauthorized = { $name }: { $url } · the password is refused; set it with: beckon secret set opencode:{ $name }
status-source-unauthorized-interrupts = { $name }: { $url } · the token is refused; set the right one with: beckon secret set interrupts:{ $name }
status-source-unauthorized-langgraph = { $name }: { $url } · the token is refused; set the right one with: beckon secret set interrupts:{ $name }
status-desktop-works = Notifications: { $detail }
status-desktop-down = Notifications: none ({ $detail }); asks stay in the tray and in beckon list
status-desktop-disturb-never = Do not disturb is on: requests appear without a sign, and are shown again when it's off
status-desktop-disturb-permissions = Do not disturb is on: permissions are marked urgent, all else appears without a sign and is shown again when it's off
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
list-deaf = No agent server can be reached, so Beckon can't know who is waiting. See: beckon status
list-head = { $id }  { $title } · { $state } · { $waited }
list-state-open = waiting
list-state-answering = answer on its way
list-state-stale = the agent seems to have stopped waiting
list-origin = asked by { $agent } in { $directory }
list-change = the change:
list-always = “Always” would allow: { $patterns }
list-choice = { $number }  { $label }: { $description }
list-choice-plain = { $number }  { $label }
list-multiple = several may be chosen
list-unknown = in a form that Beckon doesn't know; it can't be answered from here, only where the agent runs. This is what came:
list-changed = Something else was asked under this id before. To answer what is asked now, add --seen { $seen }

answer-taken = Taken by the agent.
answer-sent = Sent; the agent has not confirmed it yet.
answer-already-answered = Already answered { $by }.
answer-gone = The agent has stopped waiting.
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
by-elsewhere = at the agent itself
by-notification = on the desktop
by-tray = in the tray
by-window = in the window
by-cli = in a terminal
by-api = by a program
by-telegram = on Telegram
by-clock = by the time limit

status-presence = You · { $words }
status-presence-away = You · { $words } · you count as away
status-paused = Paused until { $time }: no notifications, nothing new on Telegram

integrate-claude-installed = Claude Code asks through Beckon now, in running sessions too: { $file }
integrate-claude-renewed = The hooks are renewed: { $file }
integrate-claude-there = The hooks are there already: { $file }
integrate-claude-removed = The hooks are taken out: { $file }
integrate-claude-not-there = There are no hooks of Beckon: { $file }

# Notices of an agent's hooks.
hook-title = Claude Code · { $project }
hook-finished = Finished.
hook-failed = Stopped by an error.
hook-not-taken = Claude Code didn't take your answer. It's still asking in its terminal.
# What “always” would allow: Claude Code's mode of that name, until its session ends.
hook-accept-edits = edits of files (the mode “accept edits”)
# Choices in a form of an MCP server.
hook-form-yes = Yes
hook-form-no = No
hook-form-empty = Leave it empty
hook-form-accept = Accept
hook-form-decline = Decline

ask-dismissed = The human will not answer.
ask-timed-out = Nobody answered in time.
ask-gone = The question was withdrawn.

watch-line = { $what } after { $ms } ms  { $topic } { $outcome }
watch-line-plain = { $what }  { $topic }
watch-asked = asked
watch-shown = shown
watch-answered = answered
watch-sent = sent
watch-returned = came back
watch-taken = taken
watch-settled = settled
watch-reopened = open again
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

doctor-config-ok = Settings: { $detail }
doctor-config-bad = Settings: { $detail }. Correct config.toml; until then the last good settings are used
doctor-database-ok = Database: { $detail }
doctor-database-bad = Database: { $detail }. It is set aside at the next start
doctor-keychain-ok = Keychain: works
doctor-keychain-note = Keychain: none here. None is needed as long as secrets come from the environment: { $detail }
doctor-keychain-bad = Keychain: { $detail }
doctor-running-ok = Beckon { $detail } is running
doctor-running-bad = { $detail }
doctor-source-ok = Agent: { $detail }
doctor-source-bad = Agent: { $detail }. Start it with: opencode serve, or correct its url in config.toml
doctor-unread-bad = { $detail }
doctor-service-ok = Service: { $detail }
doctor-service-bad = Service: { $detail }. Start it, or correct its addresses in config.toml
doctor-token-ok = Token: { $detail }
doctor-token-bad = Service { $detail } refuses the token. Set it with: beckon secret set interrupts:{ $detail }
doctor-password-ok = Password: { $detail }
doctor-password-bad = Agent { $detail } refuses the password. Set it with: beckon secret set opencode:{ $detail }
doctor-desktop-ok = Notifications: { $detail }
doctor-desktop-note = Notifications: { $detail }. Do not disturb is on; what it holds back is shown when it's off, and is in the tray and in beckon list meanwhile
doctor-desktop-bad = Notifications: { $detail }. Start a notification service; until then use the tray or beckon list
doctor-tray-ok = Tray: there
doctor-tray-note = Tray: no icon ({ $detail }). Asks are still shown as notifications, and in beckon list
doctor-telegram-ok = Telegram: @{ $detail } answers
doctor-telegram-note = Telegram: { $detail }
doctor-telegram-bad = Telegram: { $detail }
doctor-telegram-environment = {" "}(token from { $variable })
doctor-telegram-proxy = {" "}(through { $proxy })
doctor-paired-ok = Telegram: paired with { $detail }
doctor-paired-bad = Telegram: nobody is paired, so nothing is sent. Pair your phone with: beckon telegram pair
doctor-privacy-ok = Telegram: in the group { $detail } the bot hears every message
doctor-privacy-note = Telegram: in the group { $detail } the bot hears only its buttons, commands and replies to its cards, and that is enough. To let it hear every message: @BotFather, /setprivacy, then take the bot out of the group and add it again

# What keeps a secret out of reach, and the way out.
keychain-absent = there is no keychain here. Start one (GNOME Keyring, KWallet), or give Beckon the secret in { $variable }
keychain-locked = the keychain is locked. Unlock it and try again, or give Beckon the secret in { $variable }
keychain-silent = the keychain does not answer; perhaps it waits to be unlocked. Unlock it and try again, or give Beckon the secret in { $variable }
keychain-no-text = what the keychain holds there is no text. Store the secret anew, or give it to Beckon in { $variable }
keychain-refused = the keychain refuses ({ $detail }). Correct that, or give Beckon the secret in { $variable }
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
doctor-nearby = Nearby: { $name } at { $url } announces itself. To watch it, add it to config.toml
doctor-nearby-none = Nearby: no OpenCode announces itself on the local network
doctor-nearby-bad = Nearby: { $detail }
doctor-plugin-ok = Plugin for OpenCode: { $file }
doctor-plugin-outdated = Plugin for OpenCode: { $file } is of another version of Beckon
doctor-plugin-renew = Renew it with: beckon integrate opencode
doctor-hooks-ok = Hooks of Claude Code: { $file }
doctor-hooks-old = Hooks of Claude Code: { $file } has them as another Beckon or for another Claude Code wrote them
doctor-hooks-renew = Renew them with: beckon integrate claude-code
doctor-plugin-foreign = Plugin for OpenCode: { $file } is not Beckon's, so the plugin is not installed
doctor-coverage-port = OpenCode in { $directory } (process { $pid }): seen at its port, as { $source }
doctor-coverage-door = OpenCode in { $directory } (process { $pid }): seen through the plugin, as { $source }
doctor-coverage-events = OpenCode in { $directory } (process { $pid }): seen through the plugin, as { $source }, by its events only: it shows the plugin no way to its server
doctor-coverage-unseen = OpenCode in { $directory } (process { $pid }): not seen, it has no port that Beckon watches
doctor-coverage-older = OpenCode in { $directory } (process { $pid }): not seen, it began before the plugin was installed
doctor-coverage-silent = OpenCode in { $directory } (process { $pid }): not seen, though the plugin is installed
doctor-coverage-integrate = Install the plugin with: beckon integrate opencode, then restart that OpenCode
doctor-coverage-restart = Restart that OpenCode
doctor-presence-ok = You · { $detail }

secret-prompt = Secret for { $name }:{" "}
secret-empty = The secret is empty; nothing was stored.
secret-out-of-reach = Nothing was changed: { $reason }
secret-stored = Stored in the keychain: { $name }
secret-removed = Removed from the keychain: { $name }
secret-none = The keychain has nothing of that name: { $name }
secret-proxy-unused = It's used once telegram.proxy in config.toml has a user name, as in socks5://NAME@proxy.example:1080

login-prompt = Token that @BotFather gave you:{" "}
login-no-token = That is no token: one looks like 123456789:AAExample. Nothing was stored.
login-unknown = Telegram does not know it. Copy it anew from @BotFather
login-failed = Nothing was stored: { $reason }
login-stored = The token of @{ $bot } is in the keychain.
login-hidden = But { $variable } is set, and goes before the keychain. Unset it and start Beckon anew.
login-next = Now pair your phone: beckon telegram pair
logout-removed = The token is removed from the keychain. Who is paired stays paired for the next login; see beckon telegram people.
logout-none = There was no token in the keychain. Who is paired stays paired; see beckon telegram people.
logout-hidden = But { $variable } is set, so Beckon still uses the token in it. Unset it and start Beckon anew.
pair-link = Open this on your phone, and press Start: { $link }
pair-svg = The QR code is in { $file }
pair-waiting = It works once, for { $minutes } min. Waiting (Ctrl-C to stop) …
pair-done = Paired:
pair-expired = Nobody opened the link, and now it is void. Make a new one with: beckon telegram pair
pair-replaced = A newer link was made; this one is void.
people-none = Nobody is paired. Pair your phone with: beckon telegram pair
people-person = { $name } ({ $id })
people-group = { $name } ({ $id }, group)
unpair-nobody = Nobody of that number or name is paired. See: beckon telegram people
unpair-several = That means several. Give the number; see: beckon telegram people
unpair-done = { $name } is no longer paired.
test-sent = { $count ->
    [one] A message is on its way to 1 chat.
   *[other] A message is on its way to { $count } chats.
}
test-failed = No message arrives: { $reason }
telegram-starting = the bot is not known yet; try again in a moment

hint-title = Answer in a terminal
hint-body = beckon show { $id }
running-title = Beckon is running
running-body-deaf = No agent server can be reached.
running-body = { $count ->
    [0] Nobody is waiting.
    [one] 1 agent is waiting.
   *[other] { $count } agents are waiting.
}
warning-set-aside = The database was broken. It is kept as { $file }, and Beckon started with what the agents list.
warning-log-set-aside = Part of the database couldn't be read: what happened just before Beckon stopped may be missing, and answers given then may be asked for again. A copy is kept as { $file }
warning-damaged = The database { $file } is damaged. Asks still ring and can be answered. Restart Beckon: it then keeps the damaged file and starts with what the agents list

integrate-installed = Installed: { $file }. An OpenCode that runs already sees it after a restart
integrate-there = It is installed already: { $file }
integrate-renewed = Renewed: { $file }. An OpenCode that runs already sees it after a restart
integrate-removed = Removed: { $file }. An OpenCode that runs already keeps it until it is restarted
integrate-not-there = It is not installed: { $file }
integrate-foreign = { $file } is not Beckon's and stays as it is. Move it away first

# The headings of the help, and why arguments are not taken. $argument is as in the help.
cli-usage = Usage:{" "}
cli-commands = Commands
cli-arguments = Arguments
cli-options = Options
cli-print-help = Print help
cli-print-version = Print version
cli-help-about = Print the help of a command
cli-wrong-value = { $argument } does not take “{ $value }”.
cli-wrong-one-of = { $argument } does not take “{ $value }”, only { $valid }.
cli-wrong-no-value = { $argument } needs a value.
cli-wrong-too-many = { $argument } takes no value.
cli-wrong-argument = There is no { $argument } here.
cli-wrong-command = There is no command “{ $argument }”.
cli-wrong-missing = { $argument } is missing.
cli-wrong-conflict = { $argument } does not go together with { $other }.
cli-wrong-time = { $argument } takes a time like 30s, 5m or 1h, not “{ $value }”.
cli-wrong-label = { $argument } needs a label before the =.
cli-wrong-numbers = { $argument } takes numbers from 1, as in 1,3, not “{ $value }”.
cli-wrong-more = For more, add --help.
