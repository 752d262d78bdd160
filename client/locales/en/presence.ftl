# Where you are, and what tells so. $source is one of the presence-source texts, $evidence one of
# those from presence-in-use on.

presence-here = here: { $evidence }
presence-unknown = can't tell; you're notified everywhere
presence-said-here = here (set by you)
presence-said-here-until = here (set by you until { $time })
presence-said-away = away (set by you)
presence-said-away-until = away (set by you until { $time })

presence-in-use = keyboard or mouse in use, { $source }
presence-input = keyboard or mouse { $age } ago, { $source }
presence-back = back { $age } ago, { $source }
presence-idle = idle for { $age }, { $source }
presence-idle-for-a-while = idle for a while, { $source }
presence-locked = locked, { $source }
presence-asleep = asleep
presence-said-so = set by you
presence-said-so-until = set by you until { $time }

presence-source-none = nobody
presence-source-said = you
presence-source-x11 = X11
presence-source-wayland = Wayland
presence-source-mutter = GNOME
presence-source-logind = logind
presence-source-screen-saver = screen saver
presence-source-system = the system
presence-source-clock-jump = the clock jumped

# What another machine of theirs says of its human, over the hub. $words is one of these or of the
# texts above.
machine-away = away
machine-away-since = away for { $age }
machine-unknown = can't tell
machine-paused = paused
machine-deaf = no notifications
status-machine = On { $machine } · { $words }
rings-seated = You're notified on { $machines }, where you are, and not here
rings-gone = You aren't at any of your machines: requests go to your phone
rings-deaf = Notifications don't work on { $machines }, where you are: you're notified wherever else it's possible

age-seconds = { $count } s
age-minutes = { $count } min
age-hours = { $count } h
age-days = { $count } d
time-yesterday = yesterday { $time }
time-tomorrow = tomorrow { $time }
time-date = { $date } { $time }
