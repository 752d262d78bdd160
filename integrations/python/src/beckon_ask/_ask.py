"""``ask`` and ``aask``: one question, one answer."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, Dict, Iterable, List, Literal, Optional, Tuple, Union, overload

from ._desk import Desk

Choice = Union[str, Tuple[str, str]]
"""A label, or a label and a sentence about it."""


@overload
def ask(
    question: str,
    choices: Iterable[Choice] = ...,
    *,
    multiple: Literal[False] = ...,
    custom: bool = ...,
    timeout: Optional[float] = ...,
) -> str: ...
@overload
def ask(
    question: str,
    choices: Iterable[Choice] = ...,
    *,
    multiple: Literal[True],
    custom: bool = ...,
    timeout: Optional[float] = ...,
) -> List[str]: ...
def ask(
    question: str,
    choices: Iterable[Choice] = (),
    *,
    multiple: bool = False,
    custom: bool = True,
    timeout: Optional[float] = None,
) -> Union[str, List[str]]:
    """Ask the human and block until they have answered.

    ``choices``: what to pick from; none is an open question. ``multiple``: several may be picked,
    and a list comes back. ``custom``: own text is allowed too. ``timeout``: seconds, after which
    the question is taken back; without one it waits.

    Raises ``Dismissed``, ``TimedOut`` or ``NotRunning`` when there is no answer. Ctrl-C takes the
    question back.
    """
    desk = Desk([as_question(question, choices, multiple, custom)], timeout)
    return _one(wait(desk), multiple)


@overload
async def aask(
    question: str,
    choices: Iterable[Choice] = ...,
    *,
    multiple: Literal[False] = ...,
    custom: bool = ...,
    timeout: Optional[float] = ...,
) -> str: ...
@overload
async def aask(
    question: str,
    choices: Iterable[Choice] = ...,
    *,
    multiple: Literal[True],
    custom: bool = ...,
    timeout: Optional[float] = ...,
) -> List[str]: ...
async def aask(
    question: str,
    choices: Iterable[Choice] = (),
    *,
    multiple: bool = False,
    custom: bool = True,
    timeout: Optional[float] = None,
) -> Union[str, List[str]]:
    """``ask`` for asyncio: other tasks run on meanwhile. Cancelled, it takes the question back."""
    desk = Desk([as_question(question, choices, multiple, custom)], timeout)
    return _one(await await_end(desk), multiple)


def as_question(
    question: str, choices: Iterable[Choice], multiple: bool, custom: bool
) -> Dict[str, Any]:
    """The JSON of one question."""
    if isinstance(choices, str):
        raise TypeError("choices is a list of labels, not one text")
    pairs = [(choice, "") if isinstance(choice, str) else choice for choice in choices]
    return {
        "question": question,
        "header": "",
        "options": [{"label": label, "description": about} for label, about in pairs],
        "multiple": multiple,
        "custom": custom,
    }


def wait(desk: Desk) -> List[List[str]]:
    """Block until it has ended; whatever else ends the waiting takes the question back."""
    try:
        return desk.wait()
    except (KeyboardInterrupt, SystemExit):
        desk.withdraw()
        raise


async def await_end(desk: Desk) -> List[List[str]]:
    """The same without blocking the loop. A thread of its own: a pool would fill up with askers."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[List[List[str]]] = loop.create_future()

    def tell(answers: Optional[List[List[str]]], error: Optional[BaseException]) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        elif answers is not None:
            future.set_result(answers)

    def work() -> None:
        try:
            ended: Tuple[Any, Any] = (desk.wait(), None)
        except Exception as error:
            ended = (None, error)
        try:
            loop.call_soon_threadsafe(tell, *ended)
        except RuntimeError:
            # The loop was closed meanwhile; nobody listens.
            pass

    threading.Thread(target=work, name="beckon-ask", daemon=True).start()
    try:
        return await future
    except asyncio.CancelledError:
        threading.Thread(target=desk.withdraw, name="beckon-withdraw").start()
        raise


def _one(answers: List[List[str]], multiple: bool) -> Union[str, List[str]]:
    return answers[0] if multiple else answers[0][0]
