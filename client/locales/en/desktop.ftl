# Notifications.
desktop-title = { $project } · { $text }
desktop-answer = Answer…
desktop-questions = { $count ->
    [one] 1 question
   *[other] { $count } questions
}
desktop-choice = { $label }: { $description }
desktop-no-questions = (no question text)
desktop-once = Allow once
desktop-reject = Reject
desktop-continue = Continue
desktop-cancel = Cancel
desktop-confirm = Continue?
desktop-unknown = A request in a form Beckon doesn't know
desktop-look = Look…
# Where a notification service draws no buttons.
desktop-elsewhere = Answer from the tray, or run: beckon list
# Finished turns.
desktop-turn-done = 🏁 Done in { $minutes } min
desktop-turn-failed = ⚠️ { $reason }
desktop-absence = While you were away: { $answered } answered, { $waiting } waiting
desktop-absence-answered = While you were away: { $answered } answered
desktop-absence-waiting = While you were away: { $waiting } waiting
desktop-open-inbox = Open inbox
