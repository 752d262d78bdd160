"""The functions ``drive`` and ``adrive``: run an agent's loop, and answer its questions by asking
the human.

The agent follows the blocking protocol: when a tool has asked a question, ``run_turn`` returns
early and ``is_waiting_input()`` is true; ``get_pending_question()`` gives the question;
``answer_question(answer)`` puts the answer into the conversation; ``run_turn("")`` goes on. What
the turn returns may say the same: ``needs_input``, with the question as ``question_data``.
"""

from __future__ import annotations

import inspect
from typing import Any, List, Mapping, Optional, Tuple, Union

from ._ask import as_question, await_end, wait
from ._desk import Desk, Reply
from ._meant import choices_of, flag_of, in_text, text_of

Answer = Union[str, List[str]]


def drive(
    agent: Any, user_input: str = "", *, timeout: Optional[float] = None, **options: Any
) -> Any:
    """Runs the agent until it neither works nor asks; returns what its last turn returned.

    Each question is asked once and answered once. When there is no answer (``Dismissed``,
    ``TimedOut``, ``NotRunning``) the exception leaves here and the agent goes on waiting: it is
    never run on without one. Called again without input, it asks the same question again.
    ``timeout``: seconds for each question. ``options`` go to every ``run_turn``.
    """
    result = None
    if user_input or not agent.is_waiting_input():
        result = agent.run_turn(user_input, **options)
    while True:
        told = _told_by(result)
        if agent.is_waiting_input():
            told = agent.get_pending_question() or told
        elif told is None:
            return result
        pending = _Pending(told)
        agent.answer_question(pending.answer(wait(pending.desk(timeout))))
        result = agent.run_turn("", **options)


async def adrive(
    agent: Any, user_input: str = "", *, timeout: Optional[float] = None, **options: Any
) -> Any:
    """Runs the agent like ``drive``, for asyncio. Each method of the agent may be a coroutine or
    not.
    """
    result = None
    if user_input or not await _now(agent.is_waiting_input()):
        result = await _now(agent.run_turn(user_input, **options))
    while True:
        told = _told_by(result)
        if await _now(agent.is_waiting_input()):
            told = await _now(agent.get_pending_question()) or told
        elif told is None:
            return result
        pending = _Pending(told)
        replies = await await_end(pending.desk(timeout))
        await _now(agent.answer_question(pending.answer(replies)))
        result = await _now(agent.run_turn("", **options))


async def _now(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


def _told_by(result: Any) -> Any:
    """Returns the question for which the turn's result says that it waits, if it says so."""

    def field(name: str) -> Any:
        return result.get(name) if isinstance(result, Mapping) else getattr(result, name, None)

    return (field("question_data") or None) if field("needs_input") else None


class _Pending:
    """A pending question as agents write it: one, or a set of several under ``questions``."""

    def __init__(self, pending: Optional[Mapping[str, Any]]) -> None:
        if not pending:
            raise RuntimeError("the agent waits for input, but has no pending question")
        # A whole tool result: the question is its data.
        if pending.get("type") == "question" and isinstance(pending.get("data"), Mapping):
            pending = pending["data"]
        several = in_text(pending.get("questions"))
        self._is_set = isinstance(several, list)
        raw: List[Any] = several if isinstance(several, list) else [several or pending]
        self._questions = [_Question(question) for question in raw]

    def desk(self, timeout: Optional[float]) -> Desk:
        return Desk([question.json for question in self._questions], timeout)

    def answer(self, replies: List[Reply]) -> Answer:
        """Returns the answer: a text; a list where several may be picked; for a set, a text for
        each question.
        """
        given = [q.values(reply) for q, reply in zip(self._questions, replies)]
        if self._is_set:
            return [", ".join(texts) for texts in given]
        return given[0] if self._questions[0].json["multiple"] else given[0][0]


class _Question:
    """A question, and the value that goes back for each choice. Values are found by index, as
    labels may be equal.
    """

    def __init__(self, raw: Any) -> None:
        raw = in_text(raw)
        fields: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {"question": raw}
        options = choices_of(fields, "options", "choices")
        self._values: List[str] = []
        custom = flag_of(fields, True, "custom", "allow_custom")
        choices: List[Tuple[str, str]] = []
        for option in options:
            if flag_of(option, False, "allow_custom") or option.get("value") == "__custom__":
                # Beckon offers own text by itself.
                custom = True
                continue
            label = text_of(option, "label", "title", "name", "text", "value")
            self._values.append(text_of(option, "value") or label)
            choices.append((label, text_of(option, "description")))
        multiple = flag_of(fields, False, "multiple", "multi_select")
        text = text_of(fields, "question", "text")
        self.json = as_question(text, choices, multiple, custom)

    def values(self, reply: Reply) -> List[str]:
        chosen = [self._values[index] for index in reply.choices]
        return chosen if reply.text is None else [*chosen, reply.text]
