"""The meaning of a question whose fields a model has written: lists and truth values as text, bare
labels, ``None`` for what is not said. The resident reads questions that come over its API in the
same way (``api/local_asks/meant.rs``).
"""

from __future__ import annotations

import json
from typing import Any, List, Mapping, Tuple

_TRUE = ("true", "yes", "1")
_FALSE = ("false", "no", "0", "")


def in_text(value: Any) -> Any:
    """Returns the list or object that a text holds as JSON; anything else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def text_of(fields: Mapping[str, Any], *names: str) -> str:
    """Returns the text of the first of these fields that says something."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, bool):
            return str(value).lower()
        if value is not None:
            return str(value)
    return ""


def flag_of(fields: Mapping[str, Any], usual: bool, *names: str) -> bool:
    """Returns the truth value of the first of these fields that says something."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str):
            word = value.strip().lower()
            if word in _TRUE:
                return True
            if word not in _FALSE:
                raise ValueError(f'"{name}" has to be true or false, not {value!r}')
            if word:
                return False
        elif value is not None:
            return bool(value)
    return usual


def choices_of(fields: Mapping[str, Any], *names: str) -> List[Mapping[str, Any]]:
    """Returns the choices under the first of these names that has some."""
    for name in names:
        given = in_text(fields.get(name))
        if isinstance(given, Mapping):
            given = [given]
        if isinstance(given, str):
            if given.strip():
                # One text may be one label or several. It is refused, so that no human is shown
                # wrong labels.
                raise ValueError(f'"{name}" has to be a list of choices, not {given!r}')
        elif given:
            return [_choice(item) for item in given if item is not None]
    return []


def pairs_of(choices: Any) -> List[Tuple[str, str]]:
    """Returns labels with their descriptions, of choices as callers pass them, or pass them on."""
    choices = in_text(choices)
    if isinstance(choices, str):
        raise TypeError("choices is a list of labels, not one text")
    if isinstance(choices, Mapping):
        choices = [choices]
    return [_pair(choice) for choice in choices or () if choice is not None]


def _pair(choice: Any) -> Tuple[str, str]:
    choice = in_text(choice) if isinstance(in_text(choice), Mapping) else choice
    if isinstance(choice, Mapping):
        label = text_of(choice, "label", "title", "name", "text", "value")
        return label, text_of(choice, "description")
    if isinstance(choice, (tuple, list)):
        label, about = choice
        return label, about
    return str(choice), ""


def _choice(item: Any) -> Mapping[str, Any]:
    inner = in_text(item)
    if isinstance(inner, Mapping):
        return inner
    return {"label": item}
