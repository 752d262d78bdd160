"""Graphs that do nothing but ask: what they were told is what a test looks at."""

import operator
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt


class State(TypedDict, total=False):
    steps: list
    answers: Annotated[list, operator.add]


def ask(state: State) -> State:
    """One interrupt after the other, in one node."""
    return {"answers": [interrupt(step) for step in state["steps"]]}


def left(state: State) -> State:
    return {"answers": [{"left": interrupt("Left?")}]}


def right(state: State) -> State:
    return {"answers": [{"right": interrupt("Right?")}]}


def graph(*nodes):
    builder = StateGraph(State)
    for node in nodes:
        builder.add_node(node.__name__, node)
        builder.add_edge(START, node.__name__)
        builder.add_edge(node.__name__, END)
    return builder.compile()


def step(state: State) -> State:
    return {"answers": [{"stepped": True}]}


def stepping():
    """It stops before its only node, and no interrupt says so."""
    builder = StateGraph(State)
    builder.add_node("step", step)
    builder.add_edge(START, "step")
    builder.add_edge("step", END)
    return builder.compile(interrupt_before=["step"])


asker = graph(ask)
pair = graph(left, right)
stepper = stepping()
