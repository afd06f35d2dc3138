# SPDX-License-Identifier: Apache-2.0
"""The measuring itself is tested, and no time is asserted: statistics, verdicts, wrong answers that must be seen, the document.

    python3 -B bench/frame/selftest.py
"""

import math
import pathlib
import sys
import tempfile
import types
import unittest
import xml.dom.minidom

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import run  # noqa: E402
from frame import document, measure, words  # noqa: E402
from frame.result import Comparison, Series, quartiles  # noqa: E402
from suites import lock_contended, tree_kill, update_counter  # noqa: E402


def grown(cost):
    series = Series("x", "things")
    for size in (10, 100, 1000, 10000):
        series.point(size, [cost(size)])
    return series.to_data()


class Statistics(unittest.TestCase):
    def test_quartiles(self):
        self.assertEqual(quartiles([5]), (5, 5, 5))
        self.assertEqual(quartiles([4, 1, 3, 2, 5]), (3, 2, 4))

    def test_growth_is_told_apart(self):
        self.assertAlmostEqual(grown(lambda n: 700)["exponent"], 0, places=1)
        self.assertAlmostEqual(grown(lambda n: 700 + 3 * n)["exponent"], 1, places=1)
        self.assertTrue(grown(lambda n: 700 + n * math.log(n))["fits"])
        self.assertFalse(grown(lambda n: 700 + n * n)["fits"])
        self.assertFalse(grown(lambda n: 700 + 0.1 * n ** 1.5)["fits"])


class Verdicts(unittest.TestCase):
    def table(self):
        return Comparison("x", "us").ours("holdfast", [30]).floor("bare", [10]).peer("slow", [60])

    def test_a_target_is_met_or_missed(self):
        data = self.table().target("holdfast", "<=", 3, "bare").target("holdfast", "<=", 29).finish().to_data()
        self.assertEqual([target["met"] for target in data["targets"]], [True, False])

    def test_more_may_be_better(self):
        table = Comparison("x", "/s", better="more").ours("holdfast", [30]).peer("a", [10]).peer("b", [20])
        data = table.target("holdfast", ">=", 1.5, "b").finish().to_data()
        self.assertTrue(data["targets"][0]["met"])
        self.assertEqual(data["contestants"][0]["to_best"], 1.5)

    def test_who_does_less_is_no_peer(self):
        data = self.table().beside("quick", [1], note="promises less").finish().to_data()
        self.assertEqual(data["contestants"][0]["to_best"], 0.5)

    def test_a_wrong_answer_is_no_peer(self):
        data = self.table().peer("quick", [1], wrong="lost a step").target("holdfast", "<=", 1, "quick").finish().to_data()
        self.assertEqual(data["contestants"][0]["to_best"], 0.5)
        self.assertIsNone(data["targets"][0]["met"])


class Turns(unittest.TestCase):
    def run_program(self, text):
        return measure.turns(3, {"it": [sys.executable, "-c", text]})["it"]

    def test_values_come_in_order(self):
        text = "print('ready', flush=True)\nfor i, _ in enumerate(open(0)): print(i, flush=True)"
        self.assertEqual(self.run_program(text).values, [1, 2, 3])  # 0 was the warm-up

    def test_what_is_wrong_at_the_end_is_wrong(self):
        text = "import sys\nprint('ready', flush=True)\nfor _ in sys.stdin: print(1, flush=True)\nsys.exit('lost it')"
        self.assertIn("lost it", self.run_program(text).wrong)

    def test_one_that_dies_is_named(self):
        self.assertIn("gone", self.run_program("import sys; sys.exit('gone')").wrong)

    def test_the_first_round_does_not_count_and_every_second_goes_backwards(self):
        turns = list(measure.in_turns("ab", 2))
        self.assertEqual(turns, [(False, "a"), (False, "b"), (True, "b"), (True, "a"), (True, "a"), (True, "b")])
        self.assertEqual(len(list(measure.in_turns("ab", 9, seconds=0))), 4)

    def test_a_command_that_fails_takes_no_part(self):
        runs = measure.commands(types.SimpleNamespace(interleave="not needed"), 1, {"bad": ["false"]})
        self.assertIn("exit 1", runs["bad"].wrong)


class Checks(unittest.TestCase):
    def test_lost_steps_are_counted(self):
        with tempfile.TemporaryDirectory() as place:
            _, wrong = update_counter.one_round(pathlib.Path(place), "echo 1 >{counter}", steps=3, in_database=False)
        self.assertIn("23 of 24", wrong)

    def test_a_wrapper_that_does_not_run_its_command_is_seen(self):
        with tempfile.TemporaryDirectory() as place:
            marker = measure.Marker(pathlib.Path(place))
            self.assertIsNone(marker.why_wrong([marker.command]))
            self.assertIn("ran 0 times", marker.why_wrong(["true", marker.command]))
            self.assertIn("ran 2 times", marker.why_wrong(["sh", "-c", f"{marker.command}; {marker.command}"]))

    def test_survivors_are_counted(self):
        class Nothing(tree_kill.Way):
            def end(self, tree):
                pass

        with tempfile.TemporaryDirectory() as place:
            script = pathlib.Path(place, "tree.sh")
            script.write_text(tree_kill.TREE.format(half=2))
            _, left = tree_kill.ended(Nothing(), script, 4)
            _, none_left = tree_kill.ended(tree_kill.EachByNumber(), script, 4)
        self.assertEqual((left, none_left), (5, 0))

    def test_overlaps_are_seen(self):
        printed = '{"grants": [2, 2], "waits": [1, 2, 3, 4], "cpu": 1, "overlaps": 1}'
        bench = types.SimpleNamespace(peer=lambda *words: ["echo", printed])
        _, wrong = lock_contended.python_contends(bench, pathlib.Path("/"), "filelock", 0)
        self.assertEqual(wrong, "1 overlaps")


class Document(unittest.TestCase):
    def results(self):
        table = Comparison("around `true`", "us").ours("holdfast", [30, 31]).peer("peer", [20, 21]).absent("other", "not here")
        table.beside("rename", [2], note="does less: promises nothing")
        table.peer("quick", [1], wrong="lost a step").target("holdfast", "<=", 1, "peer", row="lock", label="lock")
        suite = {"about": "About it.", "comparisons": [table.finish().to_data()], "failed": None, "load_before": 0.1,
                 "seconds": 1, "quick": False, "date": "2026-11-16", "code": {"version": "1.2.3", "revision": "abc+changes"}}
        growth = {**suite, "comparisons": [grown(lambda n: n * n)]}
        machine = {"kernel": "6", "processor": "P", "processors": 2, "virtual": True, "memory_gib": 1, "file_system": "ext4",
                   "compiler": "c++ 12"}
        return {"machine": machine, "peers": {"peer": "1.0"}, "absent": {"other": "not here"}, "date": "2026-11-16",
                "suites": {"lock-wrapper": suite, "growth": growth}}

    def test_it_says_what_is_missed_wrong_and_absent(self):
        with tempfile.TemporaryDirectory() as docs:
            document.write(self.results(), pathlib.Path(docs))
            page = pathlib.Path(docs, "benchmarks.md").read_text()
            for plot in pathlib.Path(docs, "benchmarks").glob("*.svg"):
                xml.dom.minidom.parse(str(plot))
                self.assertIn(f"benchmarks/{plot.name}", page)
        for said in ("**missed**", "is 1.49", "wrong: lost a step", "absent: not here", "not built yet", "worse than n·log n",
                     "does less: promises nothing", "revision abc+changes"):
            self.assertIn(said, page)

    def test_what_can_be_missed_has_its_reason(self):
        reasons = document.reasons()
        for name in run.SUITES:
            if ".target(" in pathlib.Path(run.module_of(name).__file__).read_text():
                self.assertTrue(reasons.get(name), f"bench/missed.md has no section for {name}")

    def test_it_says_which_code_was_measured(self):
        results = self.results()
        self.assertEqual(document.measured_code(results), "holdfast 1.2.3, revision abc+changes,")
        results["suites"]["growth"]["code"] = {"version": "1.2.3", "revision": "def"}
        self.assertIn("revision def (growth)", document.measured_code(results))

    def test_figures_are_readable(self):
        self.assertEqual(words.figure(1234567, "us"), "1.23 s")
        self.assertEqual(words.figure(0.9685, "jain"), "0.9685")
        self.assertEqual(words.figure(123456, "/s"), "123 456/s")


if __name__ == "__main__":
    unittest.main()
