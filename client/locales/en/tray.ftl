# The tray: its tooltip, its menu and its errors.

tray-tooltip-quiet = Beckon: nobody is waiting
tray-tooltip-waiting = Beckon: { $count } waiting, longest { $age }
tray-tooltip-no-source = Beckon: no agents connected
tray-tooltip-forwarding = Beckon: you're away, Telegram rings
tray-tooltip-paused = { $said } · notifications paused until { $time }

# An ask and what stands below it. $place is a directory's name.
tray-ask = { $place }: { $topic }
# Two lines that would say the same: who asks.
tray-place-of = { $place } ({ $who })
tray-topic-set = { $count ->
    [0] needs an answer
   *[other] { $count } questions
}
tray-topic-confirm = Continue?
tray-topic-unknown = A request in a form Beckon doesn't know
tray-choice = { $label }: { $description }
tray-more-choices = and { $count } more choices
tray-once = Allow once
tray-reject = Reject
tray-continue = Continue
tray-cancel = Cancel
tray-answer = Answer…
tray-look = Look…
tray-dismiss = Dismiss
tray-more-asks = and { $count } more

# Where you are. $evidence is from presence.ftl.
tray-here = You're here ({ $evidence })
tray-away = You're away ({ $evidence })
tray-presence-unknown = Can't tell whether you're here
tray-presence-auto = Automatic
tray-presence-here = Here
tray-presence-here-until = Here until { $time }
tray-presence-away = Away
tray-presence-away-until = Away until { $time }
tray-presence-away-hour = Away for 1 h

tray-pause = Pause notifications
tray-pause-half-hour = 30 min
tray-pause-tomorrow = Until tomorrow
tray-paused = Paused until { $time }
tray-pause-end = Resume

tray-source-unreachable = { $source }: unreachable
tray-source-unauthorized = { $source }: the password or token is wrong or missing

tray-open = Open Beckon
tray-settings = Settings…
tray-open-logs = Open log folder
tray-quit = Quit Beckon

# The last answers. $place is a directory's name, $what one of the texts below or the answer itself,
# $by one of the ui-by texts, e.g. "in the window".
tray-latest = Recent answers
tray-latest-line = { $place }: { $what } · { $by }, { $time }
tray-latest-nobody = { $place }: { $what } · { $time }
tray-latest-comma = ,{" "}
tray-latest-answers = { $count } answers
tray-latest-answered = Answered
tray-latest-once = Allowed once
tray-latest-always = Always allowed
tray-latest-rejected = Rejected
tray-latest-continued = Continued
tray-latest-cancelled = Canceled
tray-latest-dismissed = Dismissed
tray-latest-expired = Expired after { $age }

tray-error-bus = No session bus for a tray icon: { $reason }
tray-error-host = This desktop has no tray; the icon appears as soon as there is one
tray-error-system = The system refused the tray icon: { $reason }
