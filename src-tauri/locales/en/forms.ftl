# Choices of a form (OpenCode 2.x) that it does not spell out.
forms-yes = Yes
forms-no = No
forms-none = No answer
forms-opened = I have opened it
