# SPDX-License-Identifier: Apache-2.0
"""The tutorial: each page shows its program as it is, and its commands print what the page shows.

Hosts are this machine by other addresses. tests/cluster/tutorial_test.py has hosts of their own. A line "..." on a page stands for
more lines."""

import pathlib
import shlex
import sys
import tempfile
import unittest

import tutorial

sys.path.insert(0, str(tutorial.ROOT / "tests/support"))
import a_build
import skips

RSH_HERE = shlex.quote("""sh -c 'shift; exec sh -c "$*"' rsh""")
HOSTS = "node1:2,node2:2,node3:2,node4:2"
HERE = f"127.0.0.2:2,127.0.0.3:2,127.0.0.4:2,127.0.0.5:2 --rsh {RSH_HERE}"
HOSTS_HERE = [(rf"\b127\.0\.0\.{number + 1}\b", f"node{number}") for number in range(1, 5)]
arguments = None


def expect_session(test, folder, session, hosts=(HOSTS, HERE), names=HOSTS_HERE):
    printed = folder.run([command.replace(*hosts) for command, _ in session])
    test.assertEqual(len(printed), len(session))
    for (command, shown), lines in zip(session, printed):
        with test.subTest(command=command):
            expected, found = tutorial.plain(shown), tutorial.plain(lines, names)
            if "..." in expected:
                found = [line for line in found if line in expected] + ["..."]
            test.assertEqual(sorted(found), expected, "\n".join(lines))


class Tutorial(unittest.TestCase):
    def folder(self, page):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        return tutorial.Folder(pathlib.Path(directory.name), page, arguments.build, arguments.compiler, arguments.flags)

    def test_each_program_is_on_a_page_as_it_is(self):
        pages = tutorial.pages()
        self.assertEqual(len(pages), 10)
        self.assertEqual(sorted(page.program for page in pages), sorted(path.name for path in tutorial.PROGRAMS.glob("*.cpp")))
        for page in pages:
            with self.subTest(page.path.name):
                self.assertEqual(page.blocks("cpp"), [page.program_text()])

    def test_the_pages_show_what_the_commands_print(self):
        for page in tutorial.pages():
            sessions = list(page.sessions())
            self.assertTrue(sessions, page.path.name)
            folder = self.folder(page)
            for session in sessions:
                with self.subTest(page.path.name):
                    expect_session(self, folder, session)

    def test_what_does_not_compile(self):
        [page] = [page for page in tutorial.pages() if page.program == "mistakes.cpp"]
        refusals = page.refusals()
        self.assertGreater(len(refusals), 5)
        for (call, sentence), words in zip(refusals, self.folder(page).refused([call for call, _ in refusals])):
            with self.subTest(call=call):
                self.assertIn(sentence, words)

    def test_what_compiles_is_not_refused(self):
        self.assertEqual(self.folder(tutorial.pages()[0]).refused(["all.bcast(x, 0)", "all.send(x, 1)"]), ["", ""])


if __name__ == "__main__":
    arguments = a_build.arguments(__doc__)
    skips.main()
