# Why an answer is not taken, on every surface.
refusal-unknown = That request isn't open. Run beckon list to see what is.
refusal-changed = This request has changed since you saw it. Nothing was sent: look at it again.
# The title of a notification; a refusal is its text.
press-refused = Not sent
press-not-saved = Not saved yet
refusal-answering = Already being answered { $by }.
refusal-answered = Already answered { $by }.
refusal-dismissed = Already dismissed { $by }.
refusal-expired = It has expired.
refusal-gone = The agent has stopped waiting.
invalid-kind = This kind of request can't be answered that way. Check what it asks.
invalid-always = This can only be allowed once: the agent offers no “always” for it.
invalid-label = Question { $question } has no such choice.
invalid-ambiguous = Question { $question } has several choices with that label. Answer with the number of the one you mean.
invalid-ambiguous-number = That's the number of one choice of question { $question } and the label of another. Tap the one you mean.
invalid-passed = This card shows another step by now. Nothing was sent. Please look at it again.
invalid-unseen = The answers have changed since you saw them. Nothing was sent. Please look at them again.
invalid-count = { $count ->
    [one] There is 1 question.
   *[other] There are { $count } questions; each needs an answer.
}
invalid-empty = Question { $question } has no answer yet.
invalid-question = { $count ->
    [one] There is only 1 question, and no question { $question }.
   *[other] There are only { $count } questions, and no question { $question }.
}
invalid-choice = { $count ->
    [0] Question { $question } has no choices.
    [one] Question { $question } has only 1 choice.
   *[other] Question { $question } has only { $count } choices.
}
invalid-too-many = Question { $question } takes only one answer.
invalid-twice = Question { $question } has the same choice twice.
invalid-own-text = Question { $question } accepts only its choices.
invalid-none = Question { $question } has both an answer and “No answer”.
invalid-format-text = Question { $question } takes a text.
invalid-format-email = Question { $question } takes an e-mail address.
invalid-format-uri = Question { $question } takes an address like https://example.org.
invalid-format-date = Question { $question } takes a date like 2026-02-28.
invalid-format-date-time = Question { $question } takes a time like 2026-02-28T14:30:00Z.
invalid-format-number = Question { $question } takes a number.
invalid-format-integer = Question { $question } takes a whole number.
invalid-value = Question { $question } takes a number from { $least } to { $most }.
invalid-value-least = Question { $question } takes a number of at least { $least }.
invalid-value-most = Question { $question } takes a number of at most { $most }.
invalid-characters = Question { $question } takes { $least } to { $most } characters.
invalid-characters-least = Question { $question } takes at least { $least } characters.
invalid-characters-most = Question { $question } takes at most { $most } characters.
invalid-answers = Question { $question } takes { $least } to { $most } answers.
invalid-answers-least = Question { $question } takes at least { $least } answers.
invalid-answers-most = Question { $question } takes at most { $most } answers.
invalid-above = Question { $question } takes a number above { $demand }.
invalid-below = Question { $question } takes a number below { $demand }.
invalid-step = Question { $question } takes a multiple of { $demand }.
invalid-rounded = Question { $question }: the agent would be given { $demand }, because it can't take that many digits.
invalid-too-large = Question { $question }: that number is too large for the agent.
invalid-pattern = Question { $question } takes a text that matches { $demand }.

# Why the local API did not do something. Words like `questions` and `for` are names in its requests.
problem-unauthorized = A bearer token is needed.
problem-shape = Unexpected request body: { $reason }
problem-ambiguous = { $count } requests have that ID. Name the source too, as source/id.
problem-grant = `reply` must be once, always or reject.
problem-until-and-for = Give `until` or `for`, not both.
problem-for = `for` takes a time like 30s, 5m or 1h.
problem-auto = `auto` takes no duration; only `here` and `away` do.
problem-snooze-time = Only `snoozed` takes a time.
problem-runs-elsewhere = It runs at { $beckon }, another Beckon. Open it there.
problem-runs-somewhere = Beckon doesn't know which window it runs in.
problem-runs-no-more = Its process has ended.
problem-detached = It runs in the tmux session { $session }, and no terminal shows that one. Type: { $command }
problem-unproven-tmux = It runs in tmux, but Beckon can't be sure that this tmux is yours. If it is, type: { $command }
problem-no-pane = It runs in tmux, and tmux didn't show its pane.
problem-not-raised = Beckon can't find its window, or can't bring it to the front on this desktop.
problem-pane-not-raised = Its tmux pane is chosen, but Beckon can't bring that terminal to the front on this desktop.
problem-in-folder = { $sentence } It works in { $directory }.
problem-no-browser = No browser opened. The address is { $url }
problem-no-questions = `questions` is empty. Ask at least one.
problem-question = Question { $question } has no text, or neither choices nor own text.
problem-many-questions = There are more than { $most } questions. Ask them in several steps.
problem-many-choices = Question { $question } has more than { $most } choices. Offer fewer, or let people type their own answer.
problem-all-choices = Together the questions have more than { $most } choices. Ask them in several steps.
problem-long-label = Question { $question } has a choice with a label of more than { $most } kB. Use a short label and put the rest in its description.
problem-all-labels = Together the labels of the choices have more than { $most } kB. Use short labels and put the rest in their descriptions.
problem-no-permission = `permission` is empty. Name in one word what should be allowed.
problem-id = `id` takes 1 to { $most } letters, digits, - _ or .
problem-timeout = `timeout` takes seconds, or a time like 30s, 5m or 1h.
problem-id-taken = That ID was used for another request. Choose a different one.
problem-proof-used = That proof already counts for another answer. Name another, or none.
problem-not-open = No open request has that ID.
problem-not-asked = No request was made under that ID.
problem-no-session = That session has no open request.
problem-stopping = Beckon is shutting down. Ask again once it is back.
problem-ending = Beckon is shutting down. Restart it to continue.
problem-settled = That request is already settled, so your draft isn't kept.
problem-not-saved = This counts from now on, but it isn't saved yet: the database can't be written. Beckon keeps trying. If it ends before that, you have to do it again. “beckon status” says why.
problem-not-kept = Your draft could not be saved: the database is not writable. Send it before you close this window.
problem-empty-notice = `message` is empty.
problem-not-paired = Nobody with that ID is paired.
problem-address-blank = There is a space or an invisible character in this address. Type it by hand, like { $like }.
problem-address-query = Remove the “?” and everything after it; an address looks like { $like }.
problem-address-fragment = Remove the “#” and everything after it; an address looks like { $like }.
problem-address = Enter an address like { $like }, without a password; the password has its own field.
problem-name-taken = The name “{ $name }” is taken: it's reserved by Beckon, used in the settings, or belongs to a server that's still running. Choose another one.
problem-nameless = The server needs a name.
problem-no-resume = A service with interrupts also needs the answers address: `resume`.
problem-no-secret = Beckon stores no secret under that name.
problem-database = The history can't be read: { $reason }. Requests are still shown and can be answered.
problem-network = Can't search the local network: { $reason }. Enter the address by hand.
problem-no-grant = Beckon doesn't list that grant any more.
problem-variable = Its password comes from { $variable }, and would be sent to the new address. Unset that variable first.
problem-irrevocable = This can't be revoked from Beckon: the agent offers no way to take it back.
problem-not-revoked = Not revoked: the agent's server didn't do it ({ $reason }). It may still hold.

setting-unknown = There is no setting { $key }.
setting-changed = The settings have changed meanwhile. Look again, then change what you want.
setting-no-server = There is no server “{ $name }” in config.toml.
setting-broken-file = config.toml has an error, so nothing can be changed from here. Fix it first: { $reason }

# What does not fit in config.toml; a part of a sentence.
config-text = { $key } is { $value }; it needs a text in quotation marks
config-yes-no = { $key } is { $value }; use true or false
config-span = { $key } is { $value }; use a time like 30s, 3m or 1h
config-span-or-never = { $key } is { $value }; use “never”, or a time like 30s, 3m or 1h
config-hours = { $key } is { $value }; use a range like 23:00-07:30, or leave it empty
config-one-press = { $key } is { $value }; use unmarked or all
config-break-through = { $key } is { $value }; use never, permissions or always
config-forward = { $key } is { $value }; use away, always or never
config-kind = { $key } is { $value }; use resume or langgraph
config-port = { $key } is { $value }; use a number from 0 to 65535
config-hub = { $key } is { $value }; use an address such as nats://127.0.0.1:4222 on this machine or tls://hub.example:4222. For nats:// to another machine set insecure = true beside it
config-device-key = { $key } is { $value }; copy the whole key there, as “beckon hub key” prints it on that device
config-address = { $key } is { $value }; use an address like { $like }, without a password
config-address-form = { $key } must be an address like { $like }
config-address-login = { $key } contains a user name or password. Remove it, use an address like { $like } and enter the password in the settings or with: beckon secret set
config-address-blank = { $key } contains a space or an invisible character. Delete it and type the address by hand, like { $like }
config-address-query = { $key } contains a “?”. Remove it and everything after it; use an address like { $like }
config-address-fragment = { $key } contains a “#”. Remove it and everything after it; use an address like { $like }
config-proxy-scheme = { $key } must start with socks5://, socks5h://, http:// or https://
config-proxy-port = { $key } has no port; use an address like socks5://127.0.0.1:1080
config-proxy-form = { $key } must be an address like socks5://127.0.0.1:1080 or http://user@proxy.example:8080
config-proxy-password = { $key } contains a password. Remove it and store it in the keychain with: beckon secret set telegram:proxy
config-no-name = { $key } is empty; give it a name
config-name-taken = { $key } { $value } is used twice, or reserved by Beckon; give each its own name
config-unreadable = line { $line } can't be read: { $reason }

# What is amiss until it is put right.
warning-config = config.toml is ignored until it is fixed; the last valid settings stay in use: { $reason }
warning-unknown-keys = Unknown keys in config.toml: { $keys }. They have no effect; check the spelling
warning-not-saved = The database can't be written: { $reason }. Questions still come and can be answered, and Beckon keeps trying to save; a crash before that could lose some
hub-reading = Reading what the other machines ask on the hub: { $megabytes } MB so far
hub-other-user = another user of this machine is listening there; nothing was sent to it. If that's intended, set any_user = true in [hub]
hub-odd-no-nats = what listens there doesn't speak like a NATS server
hub-odd-long-line = the server there sends a line that doesn't end
hub-odd-large-message = the server there sends a message larger than anything Beckon keeps on a hub
hub-odd-speaks-first = the server there sends data before the connection is encrypted
hub-odd-too-much = the server there sends far more than was asked for
warning-hub-down = The hub isn't reachable: { $reason }. Everything on this machine works without it
warning-hub-unknown = The hub doesn't let this device in: it hasn't joined, or was removed from the list. To let it in, run “beckon hub join” with a code from “beckon hub invite”; if it's to stay off, run “beckon hub leave”. Everything on this machine works without it
warning-hub-forbidden = The hub doesn't allow what Beckon needs there: { $what }. Check this device's permissions on the server; those of “beckon hub serve” are enough
warning-hub-rules = The stream { $stream } on the hub isn't set up the way Beckon needs it, so the hub isn't used. Remove the stream or use another server
warning-hub-refused = Answers refused over the hub: { $forged } not signed by a listed device, { $other } to a request that had changed, { $unfit } that didn't fit, { $unreadable } unreadable. None of them was delivered
warning-hub-strange = { $count ->
    [one] 1 record on the hub isn't signed by a device listed here, so it isn't shown
   *[other] { $count } records on the hub aren't signed by a device listed here, so they aren't shown
}. If it's a machine of yours, let it join with “beckon hub invite”
warning-hub-left-out = { $device } has more open requests on the hub than Beckon reads from one device: { $count ->
    [one] 1 of them isn't shown here. Answer it there
   *[other] { $count } of them aren't shown here. Answer them there
}
warning-hub-key = This device can't sign answers for other machines. Run “beckon hub key” and list the key there. { $reason }
warning-unread = { $source }: Beckon can't read everything there, so something may be asked that isn't shown here ({ $what }). Retrying. Reason: { $reason }
warning-strange = { $source }: { $count ->
    [one] one request has
   *[other] { $count } requests have
 } a form Beckon doesn't know. Answer where the agent runs, and look for a newer Beckon
warning-unreadable = { $count ->
    [one] One message of an agent
   *[other] { $count } messages of agents
 } couldn't be read or shown since Beckon started. Answer in the agent's terminal; the log has the reason
unread-directories = { $count ->
    [one] one directory
   *[other] { $count } directories
 }
unread-projects = { $count ->
    [one] the sessions of one project
   *[other] the sessions of { $count } projects
 }
unread-both = { $directories } and { $projects }
unread-looking = its sessions are still being listed
warning-unread-updates = { $count ->
    [one] One message or tap on Telegram
   *[other] { $count } messages or taps on Telegram
 } couldn't be read since Beckon started, so it counts for nothing. Send it again if an answer is missing; the log has the number
hotkey-unreadable = window.hotkey is “{ $keys }”; use keys like Ctrl+Alt+B, or leave it empty
hotkey-taken = Another program already uses this shortcut. Choose another
hotkey-nowhere = This desktop doesn't let programs register shortcuts. Bind this command in its keyboard settings: beckon show --window

# What went wrong. $reason comes from the system or a library.
failed = Something went wrong: { $reason }
failed-open = { $file } can't be opened: { $reason }
failed-exposed = Other users of this machine can access { $file }, so nothing in it can be trusted. Make it yours alone: chmod 700
failed-read = { $file } can't be read: { $reason }
failed-write = { $file } can't be written: { $reason }
failed-remove = { $file } can't be removed: { $reason }
failed-create = { $file } can't be created: { $reason }
failed-no-place = { $file }, where Beckon keeps its files, can't be created: { $reason }. Make sure you may write there, or set BECKON_HOME to a folder of yours
failed-understand = { $file } has unexpected contents and was left unchanged: { $reason }
failed-entry = The input can't be read: { $reason }
failed-no-home = No place for Beckon's files: set the environment variable { $variable }
failed-not-whole = { $variable } must be an absolute path
failed-no-app-image = Beckon runs from an AppImage, and can't tell where that file is. Start the AppImage itself, by its full path, and try again
failed-no-web-page = That isn't the address of a web page, so it wasn't opened
config-utf16 = { $file } is saved as UTF-16. Save it as UTF-8.
failed-taken = { $file } wasn't put there by Beckon, so it was left unchanged.
failed-hook-line = Nothing was changed. The hook's command doesn't run here: { $line }: { $reason }
failed-start = { $program } can't be started: { $reason }
failed-newer = A newer Beckon wrote { $file } (schema { $found }, this one knows { $known }). Install that version again, or move the file away
failed-database-busy = Another program is using { $file }, perhaps a backup or a database viewer. Beckon waited and has not started; nothing was changed. Close that program, then start Beckon again
failed-database-full = The disk with { $file } is full, so Beckon has not started; nothing was changed. Make some room, then start Beckon again
failed-database-not-permitted = Beckon may not read and write { $file }: { $reason }. It has not started, and nothing was changed. Check who owns this file and those beside it (a start with sudo leaves them to root), then start Beckon again
failed-database-unreachable = { $file } can't be used at the moment: { $reason }. Beckon has not started, and nothing was changed. Check the disk and its free space, then start Beckon again
failed-loop = Beckon stopped unexpectedly; the end of its log says why. Restart it with: beckon
failed-silent = Beckon isn't responding: { $reason }. Stop it, then start it with: beckon
failed-too-large = That's more than Beckon takes at once (2 MB). Shorten it
failed-odd = Unexpected reply from Beckon ({ $status }), perhaps from another version. Restart it
other-version = Beckon { $running } is running, and { $installed } is installed. Restart Beckon; what's open stays open.

# Why a source is out of reach; a part of a sentence.
fault-another-user = another user of this machine is listening there; nothing was sent to it. If that's intended, set any_user = true for it in config.toml
fault-owner-away = that machine is away
fault-left-out = a bug of Beckon's own keeps it out for now; Beckon tries again later, or when you restart it
telegram-left-out = a bug of Beckon's own keeps Telegram out until you restart Beckon
mute-left-out = a bug of Beckon's own keeps them out until you restart Beckon
fault-hub-down = the hub isn't connected
fault-silent = it accepts connections but doesn't respond
fault-fell-silent = it stopped responding
fault-ended = it closed the connection
fault-status = it returned HTTP { $detail }
fault-no-events = it sends { $detail } instead of events
fault-no-type = it sends no events
fault-too-large = it sends more than Beckon reads (32 MB)
fault-too-slow = it sends too slowly
fault-newer = its version has changed; reconnecting

# Why there are no notifications; a part of a sentence.
mute-no-bus = the session bus can't be reached: { $reason }
mute-no-service = no notification service is running: { $reason }
mute-off-for-beckon = Beckon's notifications are turned off in the system settings
mute-off = all notifications are turned off in the system settings
mute-off-by-policy = a policy on this computer turns notifications off
