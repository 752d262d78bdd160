"""``drive`` and ``adrive``: run an agent's loop, and answer its questions by asking the human.

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

Answer = Union[str, List[str]]


def drive(
    agent: Any, user_input: str = "", *, timeout: Optional[float] = None, **options: Any
) -> Any:
    """Run the agent until it neither works nor asks; what its last turn returned comes back.

    Each question is asked once and answered once. When there is no answer (``Dismissed``,
    ``TimedOut``, ``NotRunning``) the exception leaves here and the agent goes on waiting: it is never
    run on without one. Called again without input, the same question is asked again.
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
    """``drive`` for asyncio. Each method of the agent may be a coroutine or not."""
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
    """The question that the turn's result says it waits for, if it says so."""

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
        several = pending.get("questions")
        self._is_set = isinstance(several, list)
        raw: List[Any] = several if isinstance(several, list) else [pending]
        self._questions = [_Question(question) for question in raw]

    def desk(self, timeout: Optional[float]) -> Desk:
        return Desk([question.json for question in self._questions], timeout)

    def answer(self, replies: List[Reply]) -> Answer:
        """A text; a list where several may be picked; for a set a text for each question."""
        given = [q.values(reply) for q, reply in zip(self._questions, replies)]
        if self._is_set:
            return [", ".join(texts) for texts in given]
        return given[0] if self._questions[0].json["multiple"] else given[0][0]


class _Question:
    """One question, and what goes back for each choice: by its index, as labels may be equal."""

    def __init__(self, raw: Any) -> None:
        fields: Mapping[str, Any] = {"question": raw} if isinstance(raw, str) else raw
        options = fields.get("options") or fields.get("choices") or []
        self._values: List[str] = []
        custom = bool(fields.get("custom", fields.get("allow_custom", True)))
        choices: List[Tuple[str, str]] = []
        for option in options:
            option = {"label": option} if isinstance(option, str) else option
            if option.get("allow_custom") or option.get("value") == "__custom__":
                # Beckon offers own text by itself.
                custom = True
                continue
            label = str(option.get("label", option.get("value", "")))
            self._values.append(str(option.get("value", label)))
            choices.append((label, str(option.get("description", ""))))
        multiple = bool(fields.get("multiple", fields.get("multi_select", False)))
        text = str(fields.get("question", fields.get("text", "")))
        self.json = as_question(text, choices, multiple, custom)

    def values(self, reply: Reply) -> List[str]:
        chosen = [self._values[index] for index in reply.choices]
        return chosen if reply.text is None else [*chosen, reply.text]
