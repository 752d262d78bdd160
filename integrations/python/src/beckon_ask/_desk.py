"""A set of questions at Beckon's local API: asked, waited for, withdrawn.

The id is ours, so that asking again after a lost connection is the same question: Beckon may be
killed and started again while it is open, and the answer still arrives, once. A withdrawal is
repeated until Beckon has heard it. If the program ends before that, Beckon notices that the asker
is gone.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import sys
import threading
import time
import uuid
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from ._errors import BeckonError, Dismissed, NotRunning, TimedOut
from ._line import connect

# The longest that one request waits, in seconds. Then the next one does.
POLL = 60
# The time, in seconds, by which a working Beckon may answer later than that.
SLACK = 5
# A Beckon that went away while a question is open is expected back for so many seconds, and looked
# for in this interval.
RETURNS_WITHIN = 60
LOOK_AGAIN = 0.25
# The longest pause, in seconds, between the attempts at a withdrawal. The pauses grow up to this.
SLOWEST = 5


class Reply(NamedTuple):
    """The answer to one question. Choices are given by index, so that of equal labels the chosen
    one is known.
    """

    choices: List[int]
    text: Optional[str]


class Desk:
    """A set of questions on its way to the human and back."""

    def __init__(
        self,
        questions: List[Dict[str, Any]],
        timeout: Optional[float] = None,
        agent: Optional[str] = None,
    ) -> None:
        self.id = "ask_" + uuid.uuid4().hex
        self._questions = questions
        self._body: Dict[str, Any] = {
            "id": self.id,
            "questions": questions,
            "directory": os.getcwd(),
            "pid": os.getpid(),
            "agent": agent or _program(),
        }
        if timeout is not None:
            self._body["timeout"] = timeout
        # Held while a request asks. Nothing is asked after a withdrawal.
        self._asking = threading.Lock()
        self._given_up = threading.Event()
        self._connection: Optional[http.client.HTTPConnection] = None

    def wait(self) -> List[Reply]:
        """Asks, and blocks until the set has ended. Returns a reply for each question."""
        asked_before = False
        missing_since: Optional[float] = None
        while True:
            try:
                status, said = self._ask()
            except _Unreachable as error:
                if not asked_before and not error.was_there:
                    raise NotRunning("Beckon is not running") from error
                asked_before = True
            else:
                # 401 or 5xx: another Beckon has started between reading its token and the request.
                if status < 500 and status != 401:
                    if status != 202:
                        return self._end(status, said)
                    asked_before, missing_since = True, None
                    continue
            now = time.monotonic()
            missing_since = now if missing_since is None else missing_since
            if now - missing_since >= RETURNS_WITHIN:
                raise NotRunning("Beckon went away and did not come back")
            self._given_up.wait(LOOK_AGAIN)

    def withdraw(self) -> None:
        """Withdraws the questions, as nobody needs the answer any more. Returns at once; a thread
        tells Beckon.
        """
        self._given_up.set()
        _hang_up(self._connection)
        # Not a daemon thread: a program that ends right now still says it once.
        threading.Thread(target=self._withdraw_until_heard, name="beckon-withdraw").start()

    def _ask(self) -> Tuple[int, Any]:
        path = f"/question?wait={POLL}"
        with self._asking:
            return _request("POST", path, self._body, POLL + SLACK, self._connected)

    def _connected(self, connection: http.client.HTTPConnection) -> None:
        # The order matters: with it, a withdrawal at this moment and this request see each other.
        self._connection = connection
        if self._given_up.is_set():
            raise Dismissed("the question was withdrawn")

    def _withdraw_until_heard(self) -> None:
        with self._asking:
            # Waits for the last request to end.
            pass
        pause = LOOK_AGAIN
        while not self._withdraw():
            # Does not hold up the end of the program: Beckon notices that the asker is gone.
            threading.main_thread().join(pause)
            if not threading.main_thread().is_alive():
                return
            pause = min(pause * 2, SLOWEST)

    def _withdraw(self) -> bool:
        try:
            status, _ = _request("DELETE", f"/question/{self.id}", None, SLACK)
        except _Unreachable:
            return False
        # A question that is not open (any more) counts as withdrawn.
        return status < 500 and status != 401

    def _end(self, status: int, said: Any) -> List[Reply]:
        if status >= 400:
            raise BeckonError(said.get("message", str(status)))
        state = said["state"]
        if state == "answered":
            return self._replies(said)
        if state == "timed_out":
            raise TimedOut("nobody answered in time")
        if state == "dismissed":
            raise Dismissed("the human will not answer")
        raise Dismissed("the question was withdrawn")

    def _replies(self, said: Any) -> List[Reply]:
        told = said.get("replies")
        if told is not None:
            return [Reply(reply["choices"], reply["text"]) for reply in told]
        # An older Beckon sends only texts.
        pairs = zip(self._questions, said["answers"])
        return [_from_texts(question, texts) for question, texts in pairs]


def _from_texts(question: Dict[str, Any], texts: List[str]) -> Reply:
    labels = [option["label"] for option in question["options"]]
    choices: List[int] = []
    own: Optional[str] = None
    for text in texts:
        free = [at for at, label in enumerate(labels) if label == text and at not in choices]
        if free:
            choices.append(free[0])
        else:
            own = text
    return Reply(choices, own)


def _program() -> str:
    """Returns the name of the asker for the card: the script's, or that of a package's folder."""
    script = Path(sys.argv[0] if sys.argv else "")
    if script.name == "__main__.py":
        return script.parent.name
    return script.name if script.name not in ("", "-c", "-m") else "Python"


def _hang_up(connection: Optional[http.client.HTTPConnection]) -> None:
    """Ends a connection, so that a thread which reads from it returns now."""
    sock = getattr(connection, "sock", None)
    if sock is not None:
        try:
            sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            # Closed already.
            pass


class _Unreachable(Exception):
    """No response. ``was_there``: whether a connection was made, so that the question may have
    arrived.
    """

    def __init__(self, was_there: bool) -> None:
        super().__init__(was_there)
        self.was_there = was_there


def _request(
    method: str,
    path: str,
    body: Any,
    timeout: float,
    connected: Callable[[http.client.HTTPConnection], None] = lambda connection: None,
) -> Tuple[int, Any]:
    was_there = False
    try:
        connection, token = connect(_endpoint(), timeout)
        try:
            was_there = True
            connected(connection)
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
    """Returns the path of the file in which Beckon leaves its address and the token."""
    return _state() / "run" / "endpoint.json"


def _state() -> Path:
    home = os.environ.get("BECKON_HOME")
    if home:
        if not Path(home).is_absolute():
            # A relative path would lead into the current directory.
            raise ValueError("BECKON_HOME is no absolute path")
        return Path(home)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "")) / "beckon"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "beckon"
    state = os.environ.get("XDG_STATE_HOME")
    whole = state and Path(state).is_absolute()
    return (Path(state) if whole else Path.home() / ".local" / "state") / "beckon"
