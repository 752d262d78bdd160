# Why an answer is not taken, on every surface.
refusal-unknown = No such ask is open. What waits is in the list.
refusal-changed = This request has changed since you saw it. Nothing was sent: look at it again.
# The title of a notification; a refusal is its text.
press-refused = Not sent
refusal-answering = It is already being answered { $by }.
refusal-answered = Already answered { $by }.
refusal-dismissed = Already dismissed { $by }.
refusal-expired = It has expired.
refusal-gone = The agent has stopped waiting.
misfit-kind = This ask cannot be answered like that. Look at it again, and answer what it asks.
misfit-label = Question { $question } has no such choice.
misfit-ambiguous = Question { $question } has several choices with that label. Answer with the number of the one you mean.
misfit-ambiguous-number = That is the number of one choice of question { $question } and the label of another. Tap the one you mean.
misfit-count = { $count ->
    [one] There is 1 question.
   *[other] There are { $count } questions, each needs an answer.
}
misfit-empty = Question { $question } has no answer yet.
misfit-question = There is no question { $question }; there are { $count }.
misfit-choice = { $count ->
    [0] Question { $question } has no choices.
    [one] Question { $question } has only 1 choice.
   *[other] Question { $question } has only { $count } choices.
}
misfit-too-many = Question { $question } takes one answer.
misfit-twice = Question { $question } has a choice twice.
misfit-own-text = Question { $question } takes only its choices.
misfit-none = Question { $question } has an answer and says that it has none.
misfit-format-text = Question { $question } takes a text.
misfit-format-email = Question { $question } takes an e-mail address.
misfit-format-uri = Question { $question } takes an address like https://example.org.
misfit-format-date = Question { $question } takes a date like 2026-02-28.
misfit-format-date-time = Question { $question } takes a time like 2026-02-28T14:30:00Z.
misfit-format-number = Question { $question } takes a number.
misfit-format-integer = Question { $question } takes a whole number.
misfit-value = Question { $question } takes a number from { $least } to { $most }.
misfit-value-least = Question { $question } takes a number of at least { $least }.
misfit-value-most = Question { $question } takes a number of at most { $most }.
misfit-characters = Question { $question } takes { $least } to { $most } characters.
misfit-characters-least = Question { $question } takes at least { $least } characters.
misfit-characters-most = Question { $question } takes at most { $most } characters.
misfit-answers = Question { $question } takes { $least } to { $most } answers.
misfit-answers-least = Question { $question } takes at least { $least } answers.
misfit-answers-most = Question { $question } takes at most { $most } answers.

# Why the local API did not do something. Words like `questions` and `for` are names in its requests.
problem-unauthorized = A bearer token is needed.
problem-shape = The request has another shape than expected: { $reason }
problem-ambiguous = That means { $count } asks. Name the one together with its source, as source/id.
problem-grant = `reply` is one of once, always, reject.
problem-until-and-for = Give `until` or `for`, not both.
problem-for = `for` takes a time like 30s, 5m or 1h.
problem-auto = Going by the evidence has no end; only here and away have one.
problem-no-questions = `questions` is empty. Ask at least one.
problem-question = Question { $question } has no text, or neither choices nor own text.
problem-no-permission = `permission` is empty. Say in a word what is to be allowed.
problem-id = `id` takes 1 to { $most } letters, digits, - _ or .
problem-timeout = `timeout` takes seconds, or a time like 30s, 5m or 1h.
problem-id-taken = Something else was asked under that id. Take another one.
problem-not-open = No ask of that id is open here.
problem-not-asked = Nobody asked anything under that id here.
problem-no-session = No ask of that session is open.
problem-stopping = Beckon is about to end. Ask again once it runs.
problem-ending = Beckon is about to end. Start it again to go on.
problem-settled = That ask is settled, so what was typed is not kept.
problem-not-kept = What was typed was not saved: the database refuses. It is in this window only, so send it before you close it.
problem-empty-notice = `message` is empty.
problem-not-paired = Nobody of that number is paired any more.
problem-address = That is no address like { $like }. A password does not belong in it; it has a place of its own.
problem-name-taken = The name “{ $name }” is taken: it is Beckon's own, stands in the settings, or belongs to a server that is still running. Register under another one.
problem-nameless = The server needs a name.
problem-no-resume = A service with interrupts needs the address for answers too: `resume`.
problem-no-secret = Beckon keeps no secret of that name.
problem-database = The history cannot be read: { $reason }. Asks are shown and answered all the same.
problem-network = Nobody can be asked on the local network: { $reason }. Enter the address by hand.

setting-unknown = There is no setting { $key }.
setting-no-server = There is no server “{ $name }” in config.toml.
setting-broken-file = config.toml has an error of its own, so nothing can be changed from here. Correct that first: { $reason }

# What does not fit in config.toml; a part of a sentence.
config-text = { $key } is { $value }; it takes a text in quotation marks
config-yes-no = { $key } is { $value }; it takes true or false
config-span = { $key } is { $value }; it takes a time like 30s, 3m or 1h
config-span-or-never = { $key } is { $value }; it takes “never”, or a time like 30s, 3m or 1h
config-hours = { $key } is { $value }; it takes hours like 23:00-07:30, or nothing
config-one-press = { $key } is { $value }; it takes unmarked or all
config-break-through = { $key } is { $value }; it takes never, permissions or always
config-forward = { $key } is { $value }; it takes away, always or never
config-kind = { $key } is { $value }; it takes resume or langgraph
config-port = { $key } is { $value }; it takes a number from 0 to 65535
config-address = { $key } is { $value }; it takes an address like { $like }, without a password in it
config-proxy-scheme = { $key } begins with none of socks5://, socks5h://, http:// and https://
config-proxy-port = { $key } has no port; it takes an address like socks5://127.0.0.1:1080
config-proxy-form = { $key } takes an address like socks5://127.0.0.1:1080 or http://user@proxy.example:8080
config-proxy-password = { $key } has a password in it. Take it out: it belongs in the keychain. Store it with: beckon secret set telegram:proxy
config-no-name = { $key } is empty; it takes any other text
config-name-taken = { $key } { $value } is there twice, or is Beckon's own; each needs a name of its own
config-unknown-keys = Beckon does not know { $keys }
config-unreadable = line { $line } cannot be read: { $reason }

# What is amiss until it is put right.
warning-config = config.toml is not used until it is corrected; meanwhile the last good settings hold: { $reason }
warning-unknown-keys = config.toml has keys that Beckon does not know: { $keys }. They change nothing; look for a slip in their names
warning-not-saved = The database takes nothing in: { $reason }. Asks still ring and can be answered, but a crash now could lose some
warning-unread = { $source }: Beckon can't read everything there, so something may be asked that isn't shown here ({ $what }). It is tried again. Reason: { $reason }
warning-strange = { $source }: { $count ->
    [one] one request has
   *[other] { $count } requests have
 } a form that Beckon doesn't know. Please answer where the agent runs, and look for a newer Beckon
unread-directories = { $count ->
    [one] one directory
   *[other] { $count } directories
 }
unread-projects = { $count ->
    [one] the sessions of one project
   *[other] the sessions of { $count } projects
 }
unread-both = { $directories } and { $projects }
unread-looking = it takes its time to list its sessions
warning-cards-refused = { $count ->
    [one] Telegram refuses a card ({ $reason }). It is tried again; until then answer at the computer
   *[other] Telegram refuses { $count } cards ({ $reason }). They are tried again; until then answer at the computer
}
hotkey-unreadable = window.hotkey is “{ $keys }”; it takes keys like Ctrl+Alt+B, or nothing
hotkey-taken = Another program has the hot key already. Choose other keys
hotkey-nowhere = Programs can have no hot key of their own here. Bind this command in the settings of the desktop: beckon show --window

# What went wrong. $reason comes from the system or a library.
failed = That did not work: { $reason }
failed-open = { $file } cannot be opened: { $reason }
failed-exposed = Other users of this machine may use { $file }, so nothing in it can be trusted. It has to be yours alone: chmod 700
failed-read = { $file } cannot be read: { $reason }
failed-write = { $file } cannot be written: { $reason }
failed-remove = { $file } cannot be removed: { $reason }
failed-create = { $file } cannot be created: { $reason }
failed-understand = { $file } is not as expected, and stays as it is: { $reason }
failed-entry = What was entered cannot be read: { $reason }
failed-no-home = Nobody says where Beckon's files belong. Set the environment variable { $variable }
failed-not-whole = { $variable } has to be a full path, from the root on. As it is, it means another place in each directory
failed-no-app-image = Beckon runs from an AppImage, and can’t tell where that file is. Start the AppImage itself, by its full path, and try again
failed-no-web-page = That is no address of a web page, so it is not opened
failed-start = { $program } cannot be started: { $reason }
failed-newer = A newer Beckon wrote { $file } (schema { $found }, this one knows { $known }). Install that version again, or move the file away
failed-database-busy = Another program is using { $file }, perhaps a backup or a database viewer. Beckon waited and has not started; nothing was changed. Close that program, then start Beckon again
failed-database-full = The disk with { $file } is full, so Beckon has not started; nothing was changed. Make some room, then start Beckon again
failed-database-not-permitted = Beckon may not read and write { $file }: { $reason }. It has not started, and nothing was changed. Check who owns this file and those beside it (a start with sudo leaves them to root), then start Beckon again
failed-database-unreachable = { $file } can't be used at the moment: { $reason }. Beckon has not started, and nothing was changed. Check the disk and its free space, then start Beckon again
failed-loop = Beckon has stopped by itself. The last line of its log says why. Start it again with: beckon
failed-silent = Beckon does not answer: { $reason }. End it, and start it again with: beckon
failed-odd = Beckon answers { $status }, which is not understood here: perhaps it is of another version. Restart it

# Why a source is out of reach; a part of a sentence.
fault-another-user = another user of this machine listens there; it was told nothing. If that is meant to be so, set any_user = true for it in config.toml
fault-silent = it takes connections but does not answer
fault-fell-silent = it has fallen silent
fault-ended = it has closed the connection
fault-status = it answers HTTP { $detail }
fault-no-events = it sends no events but { $detail }
fault-no-type = it sends no events
fault-too-large = it sends more than Beckon reads (32 MB)
fault-too-slow = it sends too slowly
fault-newer = it is of another version than it seemed; it is heard anew

# Why there are no notifications; a part of a sentence.
mute-no-bus = the session bus cannot be reached: { $reason }
mute-no-service = no notification service is there: { $reason }
mute-off-for-beckon = the settings of the system turn off Beckon's notifications
mute-off = the settings of the system turn off all notifications
mute-off-by-policy = a policy of this machine turns notifications off
