"""Tests against the real Beckon, named by BECKON_BIN, each in a home of its own."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from beckon_ask import BeckonError, Dismissed, NotRunning, TimedOut, aask, adrive, ask, drive

BIN = os.environ["BECKON_BIN"]
SOON = 20


class Story(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="beckon-ask-")
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        (self.home / "config.toml").write_text("opencode = []\n")
        os.environ["BECKON_HOME"] = folder.name
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
        self.start()
        self.addCleanup(self.kill)

    def start(self):
        log = (self.home / "stderr.log").open("ab")
        self.program = subprocess.Popen([BIN, "--headless"], stdout=log, stderr=log)
        log.close()
        self.beckon("status", "--wait", "10")

    def kill(self):
        self.program.kill()
        self.program.wait()

    def beckon(self, *arguments):
        done = subprocess.run([BIN, *arguments], capture_output=True, text=True, timeout=SOON)
        return done.stdout

    def open(self, count=1, within=SOON):
        """Returns the open asks, once there are so many."""
        deadline = time.monotonic() + within
        while time.monotonic() < deadline:
            asks = json.loads(self.beckon("list", "--json") or "[]")
            if len(asks) == count:
                return asks
            time.sleep(0.05)
        self.fail(f"waited in vain for {count} open asks")

    def human(self, *acts):
        """Does one act after the other, each to the ask that is open by then."""

        def work():
            done = set()
            for act in acts:
                deadline = time.monotonic() + SOON
                while time.monotonic() < deadline:
                    asks = json.loads(self.beckon("list", "--json") or "[]")
                    fresh = [a["id"] for a in asks if a["id"] not in done and a["state"] == "open"]
                    if fresh:
                        done.add(fresh[0])
                        self.beckon(act[0], fresh[0], *act[1:])
                        break
                    time.sleep(0.05)

        thread = threading.Thread(target=work)
        thread.start()
        self.addCleanup(thread.join)


class Asking(Story):
    def test_a_choice_comes_back_as_its_label(self):
        self.human(("answer", "--choice", "2"))
        self.assertEqual(ask("Welche Datenbank?", ["PostgreSQL", ("数据库 🦀", "eine Datei")]), "数据库 🦀")

    def test_several_choices_and_own_text_come_back_as_a_list(self):
        labels = [f"{n} " + "a rather long label " * 5 for n in range(12)]
        self.human(("answer", "--question", "1", "--choice", "12,1", "--text", "自由 = frei"))
        self.assertEqual(ask("Which?", labels, multiple=True), [labels[11], labels[0], "自由 = frei"])

    def test_own_words_come_back_exactly(self):
        self.human(("answer", "--text", 'two\nlines "quoted"'))
        self.assertEqual(ask("Name?"), 'two\nlines "quoted"')

    def test_dismissed_timed_out_and_not_running_are_different_exceptions(self):
        self.human(("dismiss",))
        with self.assertRaises(Dismissed):
            ask("Go on?")
        with self.assertRaises(TimedOut):
            ask("Quick?", timeout=0.2)
        self.kill()
        with self.assertRaises(NotRunning):
            ask("Anyone?")

    def test_a_question_that_nobody_can_answer_is_refused(self):
        with self.assertRaisesRegex(BeckonError, "neither choices nor own text"):
            ask("Go on?", custom=False)
        with self.assertRaises(TypeError):
            ask("Go on?", "Yes")

    def test_beckon_killed_in_the_middle_comes_back_with_the_answer(self):
        def crash():
            asked = self.open()[0]["id"]
            self.kill()
            self.start()
            self.assertEqual(self.open()[0]["id"], asked)
            self.beckon("answer", asked, "--choice", "1")

        thread = threading.Thread(target=crash)
        thread.start()
        self.assertEqual(ask("Go on?", ["Yes", "No"]), "Yes")
        thread.join()
        self.open(0)

    def test_the_card_says_which_script_asks_and_where(self):
        script = self.home / "release.py"
        script.write_text("from beckon_ask import ask; ask('Go on?')")
        asker = subprocess.Popen([sys.executable, script], cwd=self.home, stderr=subprocess.DEVNULL)
        self.addCleanup(asker.wait)
        self.addCleanup(asker.kill)
        session = self.open()[0]["session"]
        self.assertEqual(session["agent"], "release.py")
        self.assertEqual(session["directory"], str(self.home.resolve()))

    def test_ctrl_c_takes_the_question_back(self):
        # SIGINT may be ignored for all children, where the tests run in the background.
        heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
        source = f"{heed}; from beckon_ask import ask; ask('Go on?')"
        asker = subprocess.Popen([sys.executable, "-c", source], stderr=subprocess.DEVNULL)
        self.open()
        asker.send_signal(signal.SIGINT)
        asker.wait(SOON)
        self.open(0)


class AskingAsync(Story):
    def test_two_at_once_get_their_own_answers(self):
        def human():
            for asked in self.open(2):
                choice = "1" if asked["questions"][0]["question"] == "First?" else "2"
                self.beckon("answer", asked["id"], "--choice", choice)

        async def both():
            return await asyncio.gather(aask("First?", ["A", "B"]), aask("Second?", ["A", "B"]))

        thread = threading.Thread(target=human)
        thread.start()
        self.assertEqual(asyncio.run(both()), ["A", "B"])
        thread.join()

    def test_cancelled_it_takes_the_question_back(self):
        async def cancel():
            asking = asyncio.ensure_future(aask("Go on?"))
            await asyncio.get_running_loop().run_in_executor(None, self.open)
            asking.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await asking

        asyncio.run(cancel())
        self.open(0)

    def test_cancelled_while_beckon_is_away_it_is_not_asked_again(self):
        async def cancel():
            asking = asyncio.ensure_future(aask("Go on?"))
            await asyncio.get_running_loop().run_in_executor(None, self.open)
            self.kill()
            asking.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await asking

        asyncio.run(cancel())
        self.start()
        # Sooner than Beckon notices a missing asker by itself.
        self.open(0, within=10)

    def test_a_program_that_ends_while_beckon_is_away_does_not_wait_for_it(self):
        source = """
import asyncio, os, signal, sys
from beckon_ask import aask

async def main():
    asking = asyncio.ensure_future(aask("Go on?"))
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    asking.cancel()

asyncio.run(main())
"""
        asker = subprocess.Popen([sys.executable, "-c", source], stdin=subprocess.PIPE)
        self.open()
        self.kill()
        asker.communicate(b"\n", timeout=SOON)
        self.assertEqual(asker.returncode, 0)

    def test_exceptions_are_the_same(self):
        with self.assertRaises(TimedOut):
            asyncio.run(aask("Quick?", timeout=0.2))


class Agent:
    """An agent with the documented loop: each turn asks the next question, or is done."""

    def __init__(self, *questions):
        self.left, self.pending, self.messages, self.turns = list(questions), None, [], []

    def run_turn(self, user_input, on_event=None):
        assert self.pending is None, "it ran on without an answer"
        self.turns.append(user_input)
        if not self.left:
            return {"status": "done", "messages": self.messages}
        self.pending = self.left.pop(0)
        if on_event:
            on_event("question_pending", self.pending)
        return {"status": "input_needed", "question": self.pending}

    def is_waiting_input(self):
        return self.pending is not None

    def get_pending_question(self):
        return self.pending

    def answer_question(self, answer):
        assert self.pending is not None, "an answer to nothing"
        self.messages.append(answer)
        self.pending = None


class AsyncAgent(Agent):
    async def run_turn(self, user_input, on_event=None):
        await asyncio.sleep(0)
        return super().run_turn(user_input, on_event)


SET = {
    "questions": [
        {"question": "One?", "options": ["A", "B"]},
        {"question": "Two?", "options": ["C", "D", "E"], "multiple": True},
    ]
}
VALUES = {"question": "Colour?", "options": [
    {"label": "Rot", "value": "red"},
    {"label": "Own", "value": "__custom__", "allow_custom": True},
]}


TWINS = {"question": "Which one goes?", "options": [
    {"label": "Drop it", "value": "prod"},
    {"label": "Own", "value": "__custom__", "allow_custom": True},
    {"label": "Drop it", "value": "staging"},
    {"label": "staging", "value": "nothing"},
]}
TWINS_OF_MANY = {**TWINS, "question": "Which ones go?", "multiple": True}


class TurnResult:
    """The result of a turn by the contract: a turn that ended early says so, and with which
    question.
    """

    def __init__(self, needs_input=False, question_data=None, text=""):
        self.needs_input, self.question_data, self.text = needs_input, question_data, text


class TellsByItsResult(Agent):
    """An agent that says only by what its turns return that it waits."""

    def run_turn(self, user_input, on_event=None):
        super().run_turn(user_input, on_event)
        if self.pending is None:
            return TurnResult(text="done")
        return TurnResult(needs_input=True, question_data=self.pending)

    def is_waiting_input(self):
        return False

    def get_pending_question(self):
        return None


class Driving(Story):
    def test_of_equal_labels_the_chosen_ones_value_goes_back(self):
        agent = Agent(TWINS, TWINS_OF_MANY, TWINS, {"questions": [TWINS, TWINS_OF_MANY]})
        self.human(
            ("answer", "--choice", "2"),
            ("answer", "--question", "1", "--choice", "2,1", "--text", "Drop it"),
            ("answer", "--text", "staging"),
            ("answer", "--choice", "2", "--choice", "3,2"),
        )
        drive(agent, "Begin")
        expected = ["staging", ["staging", "prod", "Drop it"], "staging"]
        self.assertEqual(agent.messages, [*expected, ["staging", "nothing, staging"]])

    def test_a_turn_says_by_its_result_that_it_waits_and_for_what(self):
        agent = TellsByItsResult(TWINS, {"question": "Name?"})
        self.human(("answer", "--choice", "2"), ("answer", "--text", "Ada"))
        self.assertEqual(drive(agent, "Begin").text, "done")
        self.assertEqual(agent.messages, ["staging", "Ada"])

    def test_a_result_that_wants_the_next_prompt_asks_nothing(self):
        class Chat(Agent):
            def run_turn(self, user_input, on_event=None):
                return {"needs_input": True}

        self.assertEqual(drive(Chat(), "Begin"), {"needs_input": True})

    def test_an_agents_loop_is_driven_to_its_end(self):
        result_of_tool = {"type": "question", "status": "pending", "data": {"question": "Name?"}}
        agent = Agent({"question": "Go?", "options": ["Yes", "No"]}, result_of_tool, SET, VALUES)
        self.human(
            ("answer", "--choice", "1"),
            ("answer", "--text", "Ada"),
            ("answer", "--choice", "2", "--choice", "1,3"),
            ("answer", "--choice", "1"),
        )
        events = []
        result = drive(agent, "Begin", on_event=lambda *event: events.append(event[0]))
        self.assertEqual(result["status"], "done")
        self.assertEqual(agent.messages, ["Yes", "Ada", ["B", "C, E"], "red"])
        self.assertEqual(agent.turns, ["Begin", "", "", "", ""])
        self.assertEqual(events, ["question_pending"] * 4)

    def test_questions_are_read_as_models_write_them(self):
        agent = Agent(
            {"question": "Go?", "options": '["Yes", {"label": "No"}]', "multiple": "false"},
            {"question": "Which?", "choices": [1, 2.5, None, '{"label": "C"}'], "multi_select": "true"},
            {"question": "Sure?", "options": {"title": "Only"}, "custom": None, "description": None},
            {"questions": '[{"question": "One?", "options": ["A", "B"]}]'},
        )
        self.human(
            ("answer", "--choice", "2"),
            ("answer", "--choice", "1,3"),
            ("answer", "--choice", "1"),
            ("answer", "--choice", "2"),
        )
        drive(agent, "Begin")
        self.assertEqual(agent.messages, ["No", ["1", "C"], "Only", ["B"]])
        for unclear in ({"options": "Yes, No"}, {"options": ["A"], "multiple": "maybe"}):
            with self.assertRaisesRegex(ValueError, "has to be"):
                drive(Agent({"question": "Go?", **unclear}), "Begin")

    def test_an_async_agents_loop_is_driven_to_its_end(self):
        agent = AsyncAgent({"question": "Go?", "options": ["Yes", "No"]}, {"question": "Name?"})
        self.human(("answer", "--choice", "2"), ("answer", "--text", "Ada"))
        result = asyncio.run(adrive(agent, "Begin"))
        self.assertEqual(result["messages"], ["No", "Ada"])

    def test_without_an_answer_the_agent_goes_on_waiting_and_can_be_asked_for_again(self):
        agent = Agent({"question": "Go?", "options": ["Yes"]})
        with self.assertRaises(TimedOut):
            drive(agent, "Begin", timeout=0.2)
        self.assertTrue(agent.is_waiting_input())
        self.human(("answer", "--choice", "1"))
        self.assertEqual(drive(agent)["messages"], ["Yes"])
        self.assertEqual(agent.turns, ["Begin", ""])

    def test_beckon_killed_in_the_middle_the_answer_is_given_once(self):
        agent = Agent({"question": "Go?", "options": ["Yes"]})

        def crash():
            self.open()
            self.kill()
            self.start()
            self.beckon("answer", self.open()[0]["id"], "--choice", "1")

        thread = threading.Thread(target=crash)
        thread.start()
        self.assertEqual(drive(agent, "Begin")["messages"], ["Yes"])
        thread.join()


if __name__ == "__main__":
    unittest.main()
