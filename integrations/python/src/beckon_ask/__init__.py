"""Questions to a human from Python, through Beckon, the answer desk for coding agents.

    from beckon_ask import ask

    database = ask("Which database?", ["PostgreSQL", "SQLite"])

The question reaches the human as a desktop notification, or on Telegram when they have left the
machine. The call returns when they have answered.
"""

from ._ask import Choice, aask, ask
from ._drive import adrive, drive
from ._errors import BeckonError, Dismissed, NotRunning, TimedOut

__all__ = [
    "BeckonError",
    "Choice",
    "Dismissed",
    "NotRunning",
    "TimedOut",
    "aask",
    "adrive",
    "ask",
    "drive",
]
