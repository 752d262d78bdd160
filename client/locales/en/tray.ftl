# The tray: its tooltip, its menu and its errors.

tray-tooltip-quiet = Beckon: nobody is waiting
tray-tooltip-waiting = { $count ->
    [one] Beckon: 1 waiting, { $age }
   *[other] Beckon: { $count } waiting, longest { $age }
}
tray-tooltip-no-source = Beckon: no agents connected
tray-tooltip-on-phone = { $count ->
    [0] Beckon: you're away, nobody is waiting
   *[other] Beckon: you're away, { $count } waiting on your phone
}
tray-tooltip-away = Beckon: you're away, { $count } waiting
tray-tooltip-paused = { $count ->
    [0] Beckon: paused until { $time }
   *[other] Beckon: paused until { $time }, { $count } waiting
}
tray-tooltip-paused-no-source = Beckon: paused until { $time }, no agents connected

# An ask and what stands below it. $place is a directory's name.
tray-ask = { $place }: { $topic }
# Behind it how long it has waited; … where its line opens the window.
tray-ask-age = { $ask } · { $age }
tray-ask-opens = { $ask }… · { $age }
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
tray-cancel = Stop here
tray-answer = Answer in the window…
tray-open-ask = Open…
tray-open-session = Open session
tray-look = Look…
tray-more-asks = and { $count } more…

# Where you are.
tray-here = You're here
tray-away = You're away
# $machines are others of one's own machines.
tray-at = You're at { $machines }
tray-rings-there = You're notified on { $machines }, and not here
tray-rings-deaf = No notifications on { $machines }: you're notified elsewhere
tray-rings-phone = You're at none of your machines: requests go to your phone
tray-presence-unknown = Presence: automatic
tray-presence-auto = Automatic
tray-presence-here = Here
tray-presence-here-until = Here until { $time }
tray-presence-away = Away
tray-presence-away-until = Away until { $time }
tray-presence-away-hour = Away for 1 h

tray-pause = Pause
tray-pause-means = No notifications, nothing on Telegram
tray-pause-half-hour = 30 min
tray-pause-tomorrow = Until tomorrow
tray-paused = Paused until { $time }
tray-pause-end = Resume

tray-source-unreachable = { $source }: unreachable
tray-hub-down = Hub: not connected
tray-source-unauthorized = { $source }: the password or token is wrong or missing

tray-open = Open Beckon
tray-settings = Settings…
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
tray-latest-cancelled = Stopped here
tray-latest-dismissed = Dismissed
tray-latest-expired = Expired after { $age }

tray-error-bus = No session bus for a tray icon: { $reason }
tray-error-host = This desktop has no tray; the icon appears as soon as there is one
tray-error-system = The system refused the tray icon: { $reason }
