# Notifications.
desktop-title = { $project } · { $text }
desktop-answer = Answer…
desktop-questions = { $count ->
    [one] 1 question
   *[other] { $count } questions
}
desktop-choice = { $label }: { $description }
desktop-no-questions = A question without text
desktop-once = Allow once
desktop-reject = Reject
desktop-continue = Continue
desktop-cancel = Cancel
desktop-confirm = Go on?
desktop-unknown = A request in a form Beckon doesn't know
desktop-look = Look…
# Where a notification service draws no buttons.
desktop-elsewhere = Answer in the tray, or with: beckon list
# Finished turns.
desktop-turn-done = 🏁 Done after { $minutes } min
desktop-turn-failed = ⚠️ { $reason }
