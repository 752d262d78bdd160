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
ui-text-more = Show more ({ $count } characters are left)
ui-and-more = and { $count } more
ui-lost-title = Beckon does not answer
ui-lost-text = The window is fine, the service behind it is not running. Start it with: beckon
ui-lost-again = Try again

# The answer window.
ui-answer-title = Beckon
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
ui-undo-counting = Sent in { $count } s
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
ui-wants-confirm = Go on?
ui-topic-set = { $count ->
    [0] wants an answer
    [one] 1 question
   *[other] { $count } questions
}
ui-command = The command
ui-patterns = It is asked for
ui-no-details = The agent gives no details.
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
ui-sure-always = Allow this always?
ui-sure-always-means = All of this is then allowed without asking, until the agent's server ends:
ui-sure-reject = Reject it?
ui-sure-reject-means = The agent reads what you write here. It may stay empty.
ui-reason = The reason
ui-go-on = Continue
ui-cancel = Cancel

ui-queue = Others who wait
ui-queue-count = { $count } more
ui-queue-none = Nobody else is waiting
ui-empty = Nobody is waiting
ui-empty-today = Today: { $count } answered, longest wait { $age }
ui-empty-today-none = Nothing was asked today
ui-empty-watching = { $count ->
    [one] Watching 1 agent server
   *[other] Watching { $count } agent servers
}
ui-empty-deaf = No agent server is reachable: an agent that asks now is not heard.

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
ui-lost-typed = What you typed was not sent
ui-by-notification = on the desktop
ui-by-tray = in the tray
ui-by-window = in another window
ui-by-cli = in a terminal
ui-by-api = by a program
ui-by-telegram = on Telegram
ui-by-clock = by the time limit
ui-by-elsewhere = elsewhere
