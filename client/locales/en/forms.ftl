# Choices of a form (OpenCode 2.x) that it does not spell out, and what only the whole form can tell.
forms-yes = Yes
forms-no = No
forms-none = No answer
forms-opened = I have opened it
forms-missing = “{ $field }” needs an answer, as the others were answered
forms-no-number = “{ $field }” takes a number
