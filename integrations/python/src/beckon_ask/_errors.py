"""The reasons why there is no answer. No answer never counts as one."""


class BeckonError(Exception):
    """The error when Beckon refuses the question; its text says why."""


class Dismissed(BeckonError):
    """The error when the human will not answer, or the question was withdrawn."""


class TimedOut(BeckonError):
    """The error when nobody answered within ``timeout``."""


class NotRunning(BeckonError):
    """The error when there is no Beckon to ask, or it went away and did not come back within a
    minute.
    """
