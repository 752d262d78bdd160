# Notifications.
desktop-title = { $project } · { $text }
desktop-answer = Answer…
desktop-open = Open…
# What the agent said, above what it asks for.
desktop-reason = “{ $text }”
desktop-questions = { $count ->
    [one] 1 question
   *[other] { $count } questions
}
desktop-choice = { $label }: { $description }
desktop-no-questions = (no question text)
desktop-once = Allow once
desktop-reject = Reject
desktop-continue = Continue
desktop-cancel = Stop here
desktop-confirm = Continue?
desktop-unknown = A request in a form Beckon doesn't know
desktop-look = Look…
# Where a notification service draws no buttons.
desktop-elsewhere = Answer from the tray, or run: beckon list
# A field for an own answer in the notification, on desktops that have one.
desktop-reply = Own answer…
desktop-reply-placeholder = Your answer
desktop-reply-send = Send
# The words come back with the reason.
desktop-reply-refused = Your reply wasn't sent
desktop-reply-back = { $why }
    You wrote: “{ $text }”
# Finished turns.
desktop-turn-done = Done in { $age }
desktop-turn-failed = Failed after { $age }
desktop-absence = While you were away: { $answered } answered, { $waiting } waiting
desktop-absence-answered = While you were away: { $answered } answered
desktop-absence-waiting = While you were away: { $waiting } waiting
# Beyond a handful of notifications; the next ones are named below it.
desktop-more = { $count ->
    [one] 1 more request is waiting
   *[other] { $count } more requests are waiting
}
# In the place of a card that is over, where a daemon keeps what it has shown.
desktop-over = This is over
desktop-open-inbox = Open inbox
desktop-open-session = Open session
desktop-not-shown = The session didn't open
