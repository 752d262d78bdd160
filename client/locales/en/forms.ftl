# Choices of a form (OpenCode 2.x) that it does not spell out, and what only the whole form can tell.
forms-yes = Yes
forms-no = No
forms-none = No answer
forms-opened = I have opened it
forms-missing = “{ $field }” is required, given your other answers
forms-no-number = “{ $field }” needs a number
