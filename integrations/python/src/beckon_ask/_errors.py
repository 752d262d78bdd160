"""Why there is no answer. Silence is never one."""


class BeckonError(Exception):
    """Beckon refuses the question; the text says why."""


class Dismissed(BeckonError):
    """The human will not answer, or the question was withdrawn."""


class TimedOut(BeckonError):
    """Nobody answered within ``timeout``."""


class NotRunning(BeckonError):
    """There is no Beckon to ask, or it went away and did not come back within a minute."""
