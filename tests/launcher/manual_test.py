# SPDX-License-Identifier: Apache-2.0
"""What is made of the commands' description: help, manual pages and completions. And the manual's pages in a terminal."""

import os
import pathlib
import pty
import re
import shutil
import subprocess
import tempfile
import unittest

from job_driver import COHORT
from skips import main

LIMIT_S = 60
COMMANDS = ["run", "doctor", "status", "inject", "bench", "tune", "algorithms", "verify", "model", "draw", "help"]


def cohort(*words, **options):
    return subprocess.run([COHORT, *words], capture_output=True, text=True, timeout=LIMIT_S, stdin=subprocess.DEVNULL, **options)


def text_of(*words):
    result = cohort(*words)
    assert (result.returncode, result.stderr) == (0, ""), result
    return result.stdout


def options_of(command):
    """All names of options that the help begins a line with."""
    lines = re.findall(r"(?m)^  (-\S.*?)(?:  .*)?$", text_of(command, "--help"))
    return {name for line in lines for name in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", line)}


def on_terminal(*words, **environment):
    """What a terminal shows."""
    master, slave = pty.openpty()
    with subprocess.Popen([COHORT, *words], stdin=slave, stdout=slave, stderr=slave,
                          env={**os.environ, "TERM": "xterm", "PAGER": "cat", **environment}) as process:
        os.close(slave)
        shown = b""
        try:
            while chunk := os.read(master, 4096):
                shown += chunk
        except OSError:
            pass  # the last process that has the terminal open has ended
        process.wait(LIMIT_S)
    os.close(master)
    return shown.decode().replace("\r\n", "\n")


class Help(unittest.TestCase):
    def test_alone_it_lists_the_commands(self):
        for words in ([], ["--help"], ["-h"]):
            text = text_of(*words)
            self.assertEqual(re.findall(r"(?m)^  ([a-z]+)  +[A-Z]", text), COMMANDS)
        self.assertTrue(text_of("help").startswith(text))

    def test_of_a_command(self):
        for command in COMMANDS:
            self.assertEqual(text_of("help", command), text_of(command, "--help"))
            self.assertTrue({"-h", "--help"} <= options_of(command), command)
            for line in text_of(command, "--help").splitlines():
                self.assertLessEqual(len(line), 120, line)

    def test_the_version(self):
        self.assertRegex(text_of("-V"), r"^cohort \d+\.\d+\.\d+\n$")
        self.assertEqual(text_of("-V"), text_of("--version"))

    def test_a_page_of_the_manual(self):
        listed = text_of("help").partition("Pages of the manual: Tutorial")[2]
        for name in ("tutorial", "what_there_is_not", "04_wordcount", "two_machines", "failures", "run", "tuning", "commands", "architecture"):
            self.assertRegex(listed, rf"(?m)^  {name} +\S")
        page = text_of("help", "environment")
        self.assertTrue(page.startswith("The environment"), page[:100])
        self.assertRegex(page, r"(?m)^  COHORT_JOB\n      \S")
        self.assertIn("bcast/circulant", text_of("help", "bcast"))
        self.assertTrue(text_of("help", "tutorial").startswith("Tutorial: from hello"))
        self.assertNotRegex(page, r"(?m)\]\(|\*\*|^#")

    def test_what_was_meant(self):
        for words, says in [(["rnu"], "no command 'rnu' (did you mean 'run'?)"), (["qqq"], "no command 'qqq' ("),
                            (["help", "failure"], "'failure' (did you mean 'failures'?)"),
                            (["run", "-n", "1", "--timout", "5", "true"], "unknown option --timout (did you mean '--timeout'?)"),
                            (["run", "-n", "1", "--timout=5", "true"], "unknown option --timout (did you mean '--timeout'?)"),
                            (["run", "-N", "2", "true"], "unknown option -N: say how many processes each host gets: --hosts a:4,b:4"),
                            (["run", "-n", "1", "--oversubscribe", "true"], "unknown option --oversubscribe: leave it out"),
                            (["run", "-n", "1", "-machinefile=x", "true"], "unknown option -machinefile: write --hostfile FILE"),
                            (["verify", "-N", "5"], "unknown option -N"), (["verify", "-n", "5"], "-n (did you mean '--ranks'?)"),
                            (["--hepl"], "cohort: unknown option --hepl (did you mean '--help'?)"), (["status", "abc"], "not by abc"),
                            (["inject", "crash", "1"], "not by crash"), (["status", "-1"], "status: unknown option -1"),
                            (["verify", "--rank", "5"], "unknown option --rank (did you mean '--ranks'?)"),
                            (["algorithms", "bcst"], "'bcst' (did you mean 'bcast'?); there are: bcast, "),
                            (["bench", "-n", "1", "redcue"], "'redcue' (did you mean 'reduce'?); there are: sync, "),
                            (["draw", "bcast/cirulant", "-o", "-"], "(did you mean 'bcast/circulant'?); there are: bcast/"),
                            (["run", "-n", "1", "--tuning", "/dev/null", "-x", "COHORT_BCAST=binomal", "true"],
                             "(did you mean 'bcast/binomial'?)")]:
            with self.subTest(words=words):
                result = cohort(*words)
                self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (2, "", 1), result)
                self.assertIn(says, result.stderr)

    def test_options_of_the_program_are_its_own(self):
        for words in (["-np", "1"], ["-n", "1"], ["-n1"], ["--label", "-np", "1", "--"]):
            result = cohort("run", *words, "echo", "--timout", "-np", "7", "--", "-n")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertTrue(result.stdout.endswith("--timout -np 7 -- -n\n"), result.stdout)

    def test_draw_says_which_algorithms_there_are(self):
        result = cohort("draw", "bcast")
        self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), result)
        self.assertRegex(result.stderr, "which algorithm of bcast[?] There are: bcast/linear, .*bcast/two_tree, ")
        self.assertIn("-o FILE.svg is needed", cohort("draw", "bcast/binomial").stderr)


class Colours(unittest.TestCase):
    BOLD = "\033[1m"

    def test_on_a_terminal_only(self):
        self.assertIn(self.BOLD, on_terminal("run", "--help"))
        self.assertIn(self.BOLD + "Exit codes", on_terminal("help", "exit_codes"))
        self.assertIn("\033[1;31mcohort:", on_terminal("rnu"))
        self.assertNotIn("\033", text_of("run", "--help"))
        self.assertNotIn("\033", cohort("rnu").stderr)

    def test_not_if_nobody_wants_them(self):
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            for words in (["run", "--help"], ["help", "exit_codes"], ["rnu"]):
                self.assertNotIn("\033", on_terminal(*words, **environment))


class Made(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.share = pathlib.Path(cls.folder.name)
        subprocess.run([COHORT, "describe", cls.share], check=True, timeout=LIMIT_S)
        cls.bash = cls.share / "bash-completion/completions/cohort"
        cls.zsh = cls.share / "zsh/site-functions/_cohort"
        cls.fish = cls.share / "fish/vendor_completions.d/cohort.fish"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def need(self, program):
        if shutil.which(program) is None:
            self.skipTest(f"there is no {program}")

    def rendered(self, page):
        self.need("man")
        result = subprocess.run(["man", "--warnings=w", "-E", "UTF-8", "-l", self.share / "man/man1" / page], capture_output=True,
                                text=True, timeout=LIMIT_S, env={**os.environ, "MANWIDTH": "200", "MANPAGER": "cat", "LC_ALL": "C.UTF-8"})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return re.sub(".\b", "", result.stdout)

    def test_manual_pages(self):
        self.assertEqual({path.name for path in (self.share / "man/man1").iterdir()},
                         {"cohort.1", *(f"cohort-{command}.1" for command in COMMANDS)})
        all_commands = self.rendered("cohort.1")
        for command in COMMANDS:
            self.assertIn(f"cohort-{command}(1)", all_commands)
            page = self.rendered(f"cohort-{command}.1")
            for option in options_of(command):
                self.assertRegex(page, rf"(?m)^ +(-\S+, )*{option}(,| |$)", f"{command} {option}")

    def completed(self, *words):
        """What bash offers for the last word."""
        script = f'source {self.bash}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cohort; printf "%s\\n" "${{COMPREPLY[@]}}"'
        result = subprocess.run(["bash", "-c", script, "bash", "cohort", *words], capture_output=True, text=True, timeout=LIMIT_S)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return set(result.stdout.split())

    def test_bash(self):
        self.assertEqual(self.completed(""), {*COMMANDS, "--help", "--version"})
        self.assertEqual(self.completed("do"), {"doctor"})
        for command in COMMANDS:
            self.assertEqual(self.completed(command, "-"), options_of(command), command)
        self.assertEqual(self.completed("run", "--mode", ""), {"run", "develop"})
        self.assertEqual(self.completed("run", "--mode", "d"), {"develop"})
        self.assertIn("reduce_scatter", self.completed("model", "red"))
        self.assertEqual(self.completed("help", "inj"), {"inject"})

    def test_fish(self):
        self.need("fish")

        def completed(line):
            result = subprocess.run(["fish", "--no-config", "-c", f"source {self.fish}; complete -C '{line}'"], capture_output=True,
                                    text=True, timeout=LIMIT_S)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            return {entry.split("\t")[0] for entry in result.stdout.splitlines()}

        self.assertEqual(completed("cohort "), set(COMMANDS))
        for command in COMMANDS:
            options = options_of(command)
            self.assertLessEqual({option for option in options if option.startswith("--")}, completed(f"cohort {command} --"), command)
            self.assertLessEqual({option for option in options if len(option) == 2}, completed(f"cohort {command} -"), command)
        self.assertEqual(completed("cohort run --mode "), {"run", "develop"})

    def test_zsh(self):
        """All options are there, and the script is one: zsh offers completions to terminals only."""
        text = self.zsh.read_text()
        for command in COMMANDS:
            part = re.search(rf"(?ms)^    {command}\)$(.*?);;", text).group(1)
            for option in options_of(command):
                self.assertRegex(part, rf"'\*?{option}[\[:]", command)
        self.need("zsh")
        result = subprocess.run(["zsh", "-n", self.zsh], capture_output=True, text=True, timeout=LIMIT_S)
        self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    main()
