"""One question at Beckon's local API: asked, waited for, withdrawn.

The id is ours, so asking again after a lost connection is the same question: Beckon may be killed
and started again while it is open, and the answer still arrives, once.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import time
import uuid
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from ._errors import BeckonError, Dismissed, NotRunning, TimedOut
from ._line import connect

# Seconds. One request waits for so long; then the next one does.
POLL = 60
# A Beckon that answers at all answers within this much more.
SLACK = 5
# One that went away in the middle of it is expected back for so long, and looked for so often.
RETURNS_WITHIN = 60
LOOK_AGAIN = 0.25


class Desk:
    """A set of questions on its way to the human and back."""

    def __init__(self, questions: List[Dict[str, Any]], timeout: Optional[float] = None) -> None:
        self.id = "ask_" + uuid.uuid4().hex
        self._body: Dict[str, Any] = {
            "id": self.id,
            "questions": questions,
            "directory": os.getcwd(),
        }
        if timeout is not None:
            self._body["timeout"] = timeout

    def wait(self) -> List[List[str]]:
        """Ask, and block until it has ended: one list of texts per question."""
        asked_before = False
        missing_since: Optional[float] = None
        while True:
            try:
                status, said = _request("POST", f"/question?wait={POLL}", self._body, POLL + SLACK)
            except _Unreachable as error:
                if not asked_before and not error.was_there:
                    raise NotRunning("Beckon is not running") from error
                asked_before = True
            else:
                if status < 500:
                    if status != 202:
                        return _end(status, said)
                    asked_before, missing_since = True, None
                    continue
            now = time.monotonic()
            missing_since = now if missing_since is None else missing_since
            if now - missing_since >= RETURNS_WITHIN:
                raise NotRunning("Beckon went away and did not come back")
            time.sleep(LOOK_AGAIN)

    def withdraw(self) -> None:
        """Nobody needs the answer any more."""
        try:
            _request("DELETE", f"/question/{self.id}", None, SLACK)
        except _Unreachable:
            # Beckon will miss us.
            pass


def _end(status: int, said: Any) -> List[List[str]]:
    if status >= 400:
        raise BeckonError(said.get("message", str(status)))
    state = said["state"]
    if state == "answered":
        answers: List[List[str]] = said["answers"]
        return answers
    if state == "timed_out":
        raise TimedOut("nobody answered in time")
    if state == "dismissed":
        raise Dismissed("the human will not answer")
    raise Dismissed("the question was withdrawn")


class _Unreachable(Exception):
    """No response. ``was_there``: a connection was made, so the question may have arrived."""

    def __init__(self, was_there: bool) -> None:
        super().__init__(was_there)
        self.was_there = was_there


def _request(method: str, path: str, body: Any, timeout: float) -> Tuple[int, Any]:
    was_there = False
    try:
        connection, token = connect(_endpoint(), timeout)
        try:
            was_there = True
            headers = {"Authorization": "Bearer " + token}
            data = None
            if body is not None:
                headers["Content-Type"] = "application/json"
                data = json.dumps(body).encode("utf-8")
            connection.request(method, path, data, headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()
    except (OSError, ValueError, KeyError, http.client.HTTPException) as error:
        raise _Unreachable(was_there) from error


def _endpoint() -> Path:
    """Where Beckon leaves its address and the token."""
    return _state() / "run" / "endpoint.json"


def _state() -> Path:
    home = os.environ.get("BECKON_HOME")
    if home:
        return Path(home)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "")) / "beckon"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "beckon"
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "beckon"
