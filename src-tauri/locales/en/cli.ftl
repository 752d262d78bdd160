# The command line.
cli-about = The answer desk for coding agents. Without a command it starts the tray app.
cli-headless = Run the service without tray and windows
cli-demo = Ask a few pretend questions; no server needed
cli-already-running = Beckon is already running.
cli-not-running = Beckon is not running. Start it with: beckon
cli-status-about = Is it running, and what does it see?
cli-status-json = Print JSON
cli-status-wait = Return once it is ready, or after so many seconds
cli-list-about = What waits for you
cli-list-json = Print JSON
cli-show-about = One ask in full
cli-show-id = The ask
cli-show-json = Print JSON
cli-answer-about = Answer questions by choice or by own text
cli-answer-id = The ask
cli-answer-question = Which question the next answer is for, from 1
cli-answer-choice = The choice, or several with commas, from 1
cli-answer-text = Own text
cli-answer-json = Print JSON
cli-grant-about = Allow it
cli-grant-id = The permission
cli-grant-always = From now on, for the patterns that `show` lists
cli-grant-json = Print JSON
cli-deny-about = Reject a permission
cli-deny-id = The permission
cli-deny-reason = What to tell the agent
cli-deny-json = Print JSON
cli-dismiss-about = Dismiss questions unanswered
cli-dismiss-id = The ask
cli-dismiss-json = Print JSON
cli-presence-about = Where you count as being; say it, or go by the evidence
cli-presence-presence = auto, here or away
cli-presence-json = Print JSON
cli-watch-about = Follow every ask, with the time since it was asked
cli-watch-json = Print a line of JSON each
cli-doctor-about = Check every leg and say what to do
cli-doctor-json = Print JSON
cli-secret-about = Secrets in the keychain
cli-secret-set-about = Store a secret, read from a prompt or from stdin
cli-secret-set-name = For example opencode:local, the password of the server named local

status-head = Beckon { $version } · { $count ->
    [0] nobody is waiting
    [one] 1 agent is waiting
   *[other] { $count } agents are waiting
}
status-source-live = { $name }: { $url } · OpenCode { $version }
status-source-plain = { $name }
status-source-connecting = { $name }: { $url } · connecting
status-source-unreachable = { $name }: { $url } · not reachable: { $error }
status-source-unauthorized = { $name }: { $url } · the password is refused; set it with: beckon secret set opencode:{ $name }
status-desktop-works = Notifications: { $detail }
status-desktop-down = Notifications: none ({ $detail }); asks stay in the tray and in beckon list
status-desktop-starting = Notifications: starting
status-warning = Note: { $text }

list-empty = Nobody is waiting.
list-head = { $id }  { $title } · { $state } · { $waited }
list-state-open = waiting
list-state-answering = answer on its way
list-state-stale = the agent seems to have stopped waiting
list-always = “Always” would allow: { $patterns }
list-multiple = several may be chosen
span-seconds = { $n } s
span-minutes = { $n } min
span-hours = { $n } h

answer-taken = Taken by the agent.
answer-sent = Sent; the agent has not confirmed it yet.
answer-already-answered = Already answered { $by }.
answer-gone = The agent has stopped waiting.
by- = elsewhere
by-elsewhere = in OpenCode
by-notification = on the desktop
by-tray = in the tray
by-window = in the window
by-cli = in a terminal
by-api = by a program
by-telegram = on Telegram
by-clock = by the time limit

status-presence = You · { $words }
status-presence-away = You · { $words } · you count as away

watch-line = { $what } after { $ms } ms  { $topic } { $outcome }
watch-line-plain = { $what }  { $topic }
watch-asked = asked
watch-shown = shown
watch-answered = answered
watch-sent = sent
watch-taken = taken
watch-settled = settled
watch-reopened = open again
watch-ended = Beckon has stopped.
watch-source = source changed
watch-presence = presence changed

doctor-config-ok = Settings: { $detail }
doctor-config-bad = Settings: { $detail }. Correct config.toml; until then the last good settings are used
doctor-database-ok = Database: { $detail }
doctor-database-bad = Database: { $detail }. It is set aside at the next start
doctor-keychain-ok = Keychain: works
doctor-keychain-bad = Keychain: { $detail }
doctor-running-ok = Beckon { $detail } is running
doctor-running-bad = { $detail }. Start it with: beckon
doctor-source-ok = Agent: { $detail }
doctor-source-bad = Agent: { $detail }. Start it with: opencode serve, or correct its url in config.toml
doctor-password-ok = Password: { $detail }
doctor-password-bad = Agent { $detail } refuses the password. Set it with: beckon secret set opencode:{ $detail }
doctor-desktop-ok = Notifications: { $detail }
doctor-desktop-bad = Notifications: { $detail }. Start a notification service; until then use the tray or beckon list

secret-prompt = Secret for { $name }:{" "}
secret-empty = The secret is empty; nothing was stored.
secret-stored = Stored in the keychain: { $name }

hint-title = Answer in a terminal
hint-body = beckon show { $id }
running-title = Beckon is running
running-body = { $count ->
    [0] Nobody is waiting.
    [one] 1 agent is waiting.
   *[other] { $count } agents are waiting.
}
warning-set-aside = The database was broken. It is kept as { $file }, and Beckon started with what the agents list.
