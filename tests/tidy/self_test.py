#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every check finds what is planted in a small tree, and nothing beside it."""

import os
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import cases
import clocks
import determinism
import documents
import formatting
import headers
import includes
import leftovers
import licences
import messages
import names
import prose
import sizes
import snippets
import tree
import skips

LONG_BODY = "  count += 1;\n" * 68  # with the signature and the closing brace: 70 lines
SHORT_BODY = "  count += 1;\n" * 67


class Planted(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.directory.name)
        self.source = tree.Tree(self.root)

    def tearDown(self):
        self.directory.cleanup()

    def write(self, path, text, mode=0o644):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)

    def assert_found(self, violations, *places):
        self.assertEqual(sorted(f"{v.path}:{v.line}" for v in violations), sorted(places), list(map(str, violations)))


class Determinism(Planted):
    def test_receive_any_is_for_users(self):
        self.write("include/cohort/channels.hpp", "Arrival receive_any(R&& data);\n")
        self.write("runtime/a.cpp", "// receive_any()\nOperation::receive_any;\nall.receive_any(data);\n")
        self.write("collectives/b.hpp", "group.start().receive_any(data, 3);\n")
        self.write("tests/c.cpp", "all.receive_any(data);\n")
        self.assert_found(determinism.check(self.source), "runtime/a.cpp:3", "collectives/b.hpp:1")


class Clocks(Planted):
    def test_the_wall_clock(self):
        self.write("runtime/a.cpp", "const auto now = std::chrono::system_clock::now();\nsteady_clock::now();  // no system_clock\n"
                   "long s = time(nullptr);\nlong runtime(long);\nX509_gmtime_adj(date, 0);\n")
        self.write("include/cohort/failure.hpp", "std::chrono::system_clock::time_point when;\n")
        self.write("tests/b.cpp", "::gettimeofday(&now, nullptr);\n")
        self.assert_found(clocks.check(self.source), "runtime/a.cpp:1", "runtime/a.cpp:3", "runtime/a.cpp:5")


class Includes(Planted):
    def test_who_may_include_whom(self):
        self.write("include/cohort/types.hpp", "#include <string>\n")
        self.write("include/cohort/error.hpp", '#include "cohort/types.hpp"\n#include "runtime/job.hpp"\n')
        self.write("runtime/job.hpp", '#include <unistd.h>\n#include "collectives/a.hpp"\n#include <asio.hpp>\n')
        self.write("collectives/a.hpp", '#include <vector>\n#include "cohort/types.hpp"\n#include "cohort/error.hpp"\n')
        self.write("collectives/bcast/b.cpp", '#include "collectives/a.hpp"\n#include <fmt/format.h>\n')
        self.write("collectives/cost.hpp", "#include <string>\n")
        self.write("collectives/patterns/p.hpp", '#include "collectives/cost.hpp"\n#include "collectives/a.hpp"\n')
        self.write("runtime/transport/memory/m.hpp",
                   '#include "runtime/job.hpp"\n#include "runtime/wakeup.hpp"\n#include "runtime/transport/tcp/t.hpp"\n')
        self.write("runtime/wakeup.hpp", "#include <string>\n")
        self.write("runtime/transport/tcp/t.hpp", "#include <asio/ip/tcp.hpp>\n#include <google/protobuf/message.h>\n")
        self.write("runtime/control/c.cpp", '#include "control.pb.h"\n#include "agent.grpc.pb.h"\n')
        self.write("examples/hello.cpp", '#include <cohort/types.hpp>\n#include <png.h>\n#include "runtime/job.hpp"\n')
        self.write("launcher/remote/l.cpp", "#include <grpcpp/grpcpp.h>\n#include <asio.hpp>\n#include <gtest/gtest.h>\n")
        self.write("launcher/host/h.cpp", '#include "launcher/network/fit.hpp"\n#include "launcher/remote/l.cpp"\n#include <grpcpp/grpcpp.h>\n')
        self.write("launcher/network/fit.hpp", '#include "launcher/host/h.cpp"\n')
        self.write("tests/t.cpp", '#include <gtest/gtest.h>\n#include "launcher/remote/l.cpp"\n#include "no/such.hpp"\n')
        self.write("elsewhere/e.cpp", "#include <string>\n")
        self.assert_found(includes.check(self.source), "include/cohort/error.hpp:2", "runtime/job.hpp:3",
                          "collectives/a.hpp:3", "collectives/bcast/b.cpp:2", "collectives/patterns/p.hpp:2",
                          "runtime/transport/memory/m.hpp:1", "runtime/transport/memory/m.hpp:3",
                          "runtime/transport/tcp/t.hpp:1", "runtime/transport/tcp/t.hpp:2", "runtime/control/c.cpp:2", "examples/hello.cpp:3",
                          "launcher/remote/l.cpp:3", "launcher/host/h.cpp:2", "launcher/host/h.cpp:3",
                          "launcher/network/fit.hpp:1", "tests/t.cpp:3", "elsewhere/e.cpp:1")


class Headers(Planted):
    def test_headers_that_need_others_first(self):
        self.write("include/cohort/good.hpp",
                   "#pragma once\n#include <string>\ninline std::string f() { return {}; }\n")
        self.write("groups/lacking.hpp", "#pragma once\nstd::string name();\n")
        self.write("groups/unguarded.hpp", "struct Twice {};\n")
        self.write("groups/user.hpp", '#pragma once\n#include "cohort/good.hpp"\n#include "groups/lacking.hpp"\n')
        self.assert_found(headers.check(self.source), "groups/lacking.hpp:1", "groups/unguarded.hpp:1")

    def test_the_header_that_comes_first_in_a_source_is_compiled_with_the_build(self):
        self.write("groups/alone.cpp", '// What it is.\n#include "groups/alone.hpp"\n\n#include "groups/second.hpp"\n')
        self.write("groups/public.cpp", '#include "cohort/public.hpp"\n')
        self.write("groups/not_built.cpp", '#include "groups/third.hpp"\n')
        self.write("groups/defines.cpp", '#define LACKING\n#include "groups/fourth.hpp"\n')
        compiled = headers.compiled_with_the_build(
            self.source, ["groups/alone.cpp", "groups/public.cpp", "groups/defines.cpp", "groups/gone.cpp"])
        self.assertIn("groups/alone.hpp", compiled)
        self.assertIn("include/cohort/public.hpp", compiled)
        self.assertTrue(compiled.isdisjoint({"groups/second.hpp", "groups/third.hpp", "groups/fourth.hpp"}))


    def test_sources_that_are_compiled_together(self):
        for name in ("one", "two"):
            self.write(f"groups/{name}.cpp", f'#include "groups/{name}.hpp"\n')
            self.write(f"groups/{name}.hpp", "#pragma once\n")
        folder = self.source.root / "build"
        unit = folder / "groups.dir" / "Unity" / "unity_0_cxx.cxx"
        self.write("build/groups.dir/Unity/unity_0_cxx.cxx",
                   "".join(f'#include "{self.source.root}/groups/{name}.cpp"\n' for name in ("one", "two")))
        self.write("build/compile_commands.json", json.dumps(
            [{"directory": str(folder), "file": str(unit), "command": f"ccache c++ -DFOR_GROUPS -O3 -o unit.o -c {unit}"}]))
        commands, firsts = headers.commands_of(self.source, folder)
        self.assertEqual(commands, {f"groups/{name}.cpp": (["c++", "-DFOR_GROUPS"], str(folder)) for name in ("one", "two")})
        self.assertEqual(firsts, {"groups/one.cpp"})


class Names(Planted):
    def test_classes_of_one_name(self):
        self.write("a.hpp", "namespace cohort {\nstruct One;\nstruct Two {};\nclass Three final : public Base {\n  struct Four {};\n};\n"
                   "namespace inner {\nstruct Two {};\n}  // namespace inner\n}  // namespace cohort\n")
        self.write("b.hpp", "namespace cohort {\nstruct One {};\nenum class Two : int { a };\nstruct Four {};\n}  // namespace cohort\n")
        self.write("c.hpp", "namespace cohort::inner {\nclass Two {\n};\nclass Three {};\n}  // namespace cohort::inner\n")
        self.assert_found(names.check(self.source), "b.hpp:3", "c.hpp:2")


class Sizes(Planted):
    def test_long_files(self):
        self.write("a.cpp", "int a;\n" * 400)
        self.write("b.cpp", "int b;\n" * 401)
        self.write("tools/c", "#!/bin/sh\n" + "true\n" * 400)
        self.assert_found(sizes.check(self.source), "b.cpp:401", "tools/c:401")

    def test_long_functions(self):
        shapes = {
            "plain": "void grow(int count) {\n",
            "template": "template <class T, class U = std::vector<T>>\nauto grow(T count) -> U {\n",
            "constructor": "Tree::Tree(int count) : count_{count}, more_(count) {\n",
            "member": "class Tree {\n public:\n  int grow(int count) const noexcept override {\n",
            "test": "TEST(Tree, Grows) {\n",
            "operator": "bool operator==(const Tree& a, const Tree& b) {\n",
            "lambda": "const auto grow = [](int count) {\n",
        }
        for name, opening in shapes.items():
            lines_before = 2 if name == "member" else 0
            end = "};\n};\n" if name == "member" else "};\n"
            before_body = opening.count("\n") - 1 - lines_before
            head = f'namespace n {{\nconst char* text = "{{ }}";  // }}\n{opening}'
            for body, length in ((LONG_BODY, "long"), (SHORT_BODY, "short")):
                body = "".join(body.splitlines(keepends=True)[before_body:])
                self.write(f"{name}_{length}.cpp", f"{head}{body}{end}}}  // namespace n\n")
        expected = [f"{name}_long.cpp:{5 if name == 'member' else 3}" for name in shapes]
        self.assert_found(sizes.check(self.source), *expected)

    def test_classes_of_many_members(self):
        members = "".join(f"  std::map<int, int> m{i}_;\n" for i in range(23))
        head = "enum class E { a_, b_ };\nclass Fine {\n public:\n  int get() const { int local_ = a_; return local_; }\n"
        others = "  struct Inner {\n    int x_ = 0;\n  };\n  void set(int a_);\n  bool a_ = false, b_{true};\n"
        self.write("runtime/fine.hpp", f"{head}{others}{members}}};\n")
        self.write("runtime/many.hpp", f"{head}{others}{members}  std::array<int, 4> c_{{}};  // one more\n}};\n")
        self.assert_found(sizes.check(self.source), "runtime/many.hpp:2")

    def test_what_is_no_function(self):
        table = "const int table[] = {\n" + "  1,\n" * 100 + "};\n"
        words = "enum class E {\n" + "  a,\n" * 80 + "};\n"
        short = 'extern "C" {\n' + "void f() {\n}\n" * 40 + "}\n"
        self.write("a.cpp", table + words + short)
        self.assert_found(sizes.check(self.source))

    def test_other_languages(self):
        self.write("a.py", "def grow(count):\n" + "    count += 1\n" * 69)
        self.write("tools/b", "#!/bin/bash\ngrow() {\n" + "  true\n" * 68 + "}\n")
        self.assert_found(sizes.check(self.source), "a.py:1", "tools/b:2")


class Leftovers(Planted):
    def test_marks(self):
        self.write("a.cpp", "int a;  // FIX" "ME: later\nint mastodon;\n")
        self.write("tools/b", "#!/bin/sh\nmktemp XX" "XXXX\n# TO" "DO\n")
        self.assert_found(leftovers.check(self.source), "a.cpp:1", "tools/b:3")


class Licences(Planted):
    def test_sources_that_name_none(self):
        good = {"a.cpp": "// {}\nint a;\n", "tools/b": "#!/bin/sh\n# {}\ntrue\n", "CMakeLists.txt": "# {}\n", "c.f90": "! {}\n"}
        for path, text in good.items():
            self.write(path, text.format(licences.LICENCE))
        bad = {"bad.cpp": "int a;\n// {}\n", "tools/bad": "#!/bin/sh\ntrue\n", "bad.cmake": "// {}\n", "empty.py": "",
               "other.proto": "// {} OR MIT\n"}
        for path, text in bad.items():
            self.write(path, text.format(licences.LICENCE))
        self.assert_found(licences.check(self.source), "bad.cpp:1", "tools/bad:2", "bad.cmake:1", "empty.py:1", "other.proto:1")
        licences.check(self.source, fix=True)
        self.assert_found(licences.check(self.source))
        self.assertEqual(self.source.text("tools/bad"), f"#!/bin/sh\n# {licences.LICENCE}\ntrue\n")


class Messages(Planted):
    def test_strings(self):
        self.write("proto/a.proto", 'syntax = "proto3";\nmessage A {\n  string a = 1;\n  repeated string b = 2;  // words\n'
                   "  bytes c = 3;  // string d = 4;\n  map<int32, string> e = 5;\n}\n")
        self.assert_found(messages.check(self.source), "proto/a.proto:3", "proto/a.proto:4", "proto/a.proto:6")

    def test_settings_travel_whole(self):
        self.write("proto/a.proto", "message Settings {\n  bool barrier = 1;\n}\nmessage Welcome {\n  int32 pid = 1;\n"
                   "  Settings settings = 2;\n  bool barrier = 3;\n}\nmessage Other {\n  bool barrier = 1;\n}\n")
        self.assert_found(messages.check(self.source), "proto/a.proto:7")


class Formatting(Planted):
    def test_unformatted_sources(self):
        self.write(".clang-format", "BasedOnStyle: Google\n")
        self.write("a.cpp", "int a;\nint  b;\nint  c;\n")
        self.write("good.hpp", "int a;\n")
        self.write("z.hpp", "int a ;\n")
        if formatting.clang_format() is None:
            self.skipTest("no clang-format of the right version")
        self.assertEqual({v.path for v in formatting.check(self.source)}, {"a.cpp", "z.hpp"})


class Documents(Planted):
    COHORT = """#!/bin/sh
case $1 in
  run) echo 'cohort run -n P [--label] [--timeout SECONDS] PROGRAM' ;;
  *) echo 'cohort run     starts a job'; echo 'cohort draw    draws' ;;
esac
"""

    def test_paths_commands_and_options(self):
        self.write("tools/test", "#!/bin/sh\n# --preset\n", 0o755)
        self.write("collectives/bcast/binomial.cpp", "")
        self.write("build/release/bin/cohort", self.COHORT, 0o755)
        self.write("build/release/bin/hello", "", 0o755)
        self.write("docs/good.md", "`collectives/OPERATION/ALGORITHM.cpp` `collectives/{bcast,bcast}/*.cpp`\n"
                   "`bcast/binomial` `tools/NAME_test.cpp` `docs/NNNN-name.md`\n"
                   "[tests](../tools/test) `tools/test --preset asan` `cohort run -n 4 --label hello` `std::span`\n"
                   "```\ncohort run -n 2 --timeout 5 ./program --any\nbuild/release/bin/hello\n```\n"
                   "```cpp\n#include <no/such/file.hpp>\n```\n")
        self.write("docs/bad.md", "`collectives/bcast/gone.cpp`\n[gone](gone.md)\n`tools/test --fast`\n`cohort dance`\n"
                   "`cohort run --colour red hello`\n`cohort run -n 3 goodbye`\n```\n$ build/release/bin/goodbye\n"
                   "tools/gone\n```\n`collectives/gather/`\n`collectives/{bcast,gone}/`\n`tools/README.md`\n")
        self.write("elsewhere/ignored.md", "`tools/gone`\n")
        violations = documents.check(self.source, self.root / "build/release/bin")
        self.assert_found(violations, *(f"docs/bad.md:{line}" for line in (1, 2, 3, 4, 5, 6, 8, 9, 11, 12, 13)))


class Prose(Planted):
    LONG = " ".join(["word"] * 24)

    def test_sentences_words_and_shapes(self):
        self.write("docs/good.md", f"# {self.LONG} {self.LONG}\n\nIt {self.LONG}. `A piece of code` [{self.LONG}](a.md).\n\n"
                   f"| {self.LONG} {self.LONG} |\n\n```\nOf {self.LONG} {self.LONG}\n```\n\n- What is it?\n- Who may call:\n\n"
                   "**What it costs.** It is no word of `the former`. That one process ends.\n")
        self.write("docs/bad.md", f"It {self.LONG} more.\n\n- {self.LONG} is\n  more.\n\nOf these, nothing.\n\nWho is late waits.\n\n"
                   "It leaves by luck.\n\nThe latter\nis late. Take that one.\n")
        self.write("elsewhere/ignored.md", f"{self.LONG} {self.LONG}\n")
        self.assert_found(prose.check(self.source), *(f"docs/bad.md:{line}" for line in (1, 3, 6, 8, 10, 12, 12)))

    def test_decisions_are_short(self):
        for name, words in (("short", 270), ("long", 271), ("README", 300)):
            self.write(f"docs/decisions/{name}.md", "word.\n\n" * words)
        self.assert_found(prose.check(self.source), "docs/decisions/long.md:1")


class Cases(Planted):
    def test_tables_and_tests_that_do_not_know_each_other(self):
        self.write("tests/one_test.py", "def test_1_2_first(self):\n")
        self.write("tests/two_test.cpp", "TEST_F(Two, Case3Third) {\nTEST(Two, Fourth) {\n")
        self.write("docs/reference/reliability.md", "## Case by case\n| 1 | `tests/one_test.py` |\n| 3 | `tests/two_test.cpp` |\n"
                   "| 4 | `tests/two_test.cpp` |\n| 5 | nothing |\n## Times\n| 1 | 7 ms |\n")
        places = ["docs/reference/reliability.md:4", "docs/reference/reliability.md:5", "tests/one_test.py:1"]
        self.assert_found(cases.check(self.source, {1, 3, 4, 5}), *places)
        self.assert_found(cases.check(self.source, {1, 2, 4, 5, 6}), *places, *3 * ["docs/reference/reliability.md:1"])


class Snippets(Planted):
    def test_programs_that_do_not_compile(self):
        self.write("README.md", "A\n```cpp\nint main() {}\n```\nB\n```cpp\nint main() { no }\n```\n")
        self.write("docs/part.md", "```cpp\nall.combine(x, y, sum);\n```\n```sh\nmain(\n```\n")
        self.assert_found(snippets.check(self.source), "README.md:6")


class Skips(unittest.TestCase):
    """Not a check, but what all test programs end with."""

    PROGRAM = """
import unittest
import at_once, skips

class Some(unittest.TestCase):
    def test_one(self):
        {one}

    def test_other(self):
        {other}

if __name__ == "__main__":
    {main}
"""
    SKIP, GOOD, BAD = 'self.skipTest("none here")', "pass", "self.fail()"

    def run_program(self, main, one, other, **environment):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as program:
            program.write(self.PROGRAM.format(one=one, other=other, main=main))
            program.flush()
            return subprocess.run([sys.executable, "-B", program.name], capture_output=True, timeout=60,
                                  env={"PYTHONPATH": os.path.dirname(skips.__file__), **environment})

    def expect_statuses(self, main):
        skip, good, bad = self.SKIP, self.GOOD, self.BAD
        for tests, status, strict in [((good, good), 0, 0), ((good, skip), 0, 1), ((skip, skip), skips.SKIPPED, 1),
                                      ((skip, bad), 1, 1), ((bad, good), 1, 1)]:
            with self.subTest(tests):
                self.assertEqual(self.run_program(main, *tests).returncode, status)
                self.assertEqual(self.run_program(main, *tests, COHORT_NO_SKIPS="1").returncode, strict)

    def test_what_ctest_is_told(self):
        self.expect_statuses("skips.main()")

    def test_what_ctest_is_told_of_tests_that_run_at_once(self):
        self.expect_statuses("at_once.main(2)")

    def test_tests_run_at_once_and_each_of_them_once(self):
        """Each of the two waits until the other has begun."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("one", "other"):
                os.mkfifo(f"{folder}/{name}")
            result = self.run_program("at_once.main(2)", f'open("{folder}/one", "w"); print(open("{folder}/other").read())',
                                      f'print(open("{folder}/one").read()); open("{folder}/other", "w")')
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual((result.stdout.count(b"test_one"), result.stdout.count(b"test_other")), (2, 2), result.stdout)


if __name__ == "__main__":
    skips.main()
