"""The functions ``ask`` and ``aask``: one question, one answer."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, Dict, Iterable, List, Literal, Optional, Tuple, Union, overload

from ._desk import Desk, Reply
from ._errors import BeckonError
from ._meant import flag_of, pairs_of

Choice = Union[str, Tuple[str, str]]
"""A choice: a label, or a label and a sentence about it."""


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
    """Asks the human and blocks until they have answered.

    ``choices``: what to pick from; without any, it is an open question. ``multiple``: several may
    be picked, and a list comes back. ``custom``: own text is allowed too. ``timeout``: seconds
    after which the question is taken back; without it, it waits.

    Raises ``Dismissed``, ``TimedOut`` or ``NotRunning`` when there is no answer. Ctrl-C takes the
    question back.
    """
    asked = as_question(question, choices, multiple, custom)
    return _one(asked, wait(Desk([asked], timeout)))


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
    """Asks like ``ask``, for asyncio: other tasks run on meanwhile. Cancelling takes the question
    back.
    """
    asked = as_question(question, choices, multiple, custom)
    return _one(asked, await await_end(Desk([asked], timeout)))


def as_question(
    question: str, choices: Iterable[Choice], multiple: bool, custom: bool
) -> Dict[str, Any]:
    """Returns the JSON of one question."""
    pairs = pairs_of(choices)
    flags = {"multiple": multiple, "custom": custom}
    return {
        "question": question,
        "header": "",
        "options": [{"label": label, "description": about} for label, about in pairs],
        "multiple": flag_of(flags, False, "multiple"),
        "custom": flag_of(flags, True, "custom"),
    }


def wait(desk: Desk) -> List[Reply]:
    """Blocks until a question has ended. Anything else that ends the waiting takes the question
    back.
    """
    try:
        return desk.wait()
    except BeckonError:
        raise
    except BaseException:
        desk.withdraw()
        raise


async def await_end(desk: Desk) -> List[Reply]:
    """Waits like ``wait`` without blocking the loop. Uses a thread of its own, since a pool would
    fill up with askers.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[List[Reply]] = loop.create_future()

    def tell(replies: Optional[List[Reply]], error: Optional[BaseException]) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        elif replies is not None:
            future.set_result(replies)

    def work() -> None:
        try:
            ended: Tuple[Any, Any] = (desk.wait(), None)
        except Exception as error:
            ended = (None, error)
        try:
            loop.call_soon_threadsafe(tell, *ended)
        except RuntimeError:
            # The loop was closed meanwhile, so that nobody listens.
            pass

    threading.Thread(target=work, name="beckon-ask", daemon=True).start()
    try:
        return await future
    except BeckonError:
        raise
    except BaseException:
        # Cancelled, or closed with its loop.
        desk.withdraw()
        raise


def texts_of(question: Dict[str, Any], reply: Reply) -> List[str]:
    """Returns the labels that were chosen, then the human's own text."""
    labels = [question["options"][index]["label"] for index in reply.choices]
    return labels if reply.text is None else [*labels, reply.text]


def _one(question: Dict[str, Any], replies: List[Reply]) -> Union[str, List[str]]:
    texts = texts_of(question, replies[0])
    return texts if question["multiple"] else texts[0]
