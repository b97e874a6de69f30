#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Debian packages' description in debian/ fits what the build installs: each file is installed once and goes to one package,
the version is CMake's, and no file names a folder of the build. tools/packages makes the packages."""

import argparse
import collections
import fnmatch
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest


def installed(build, root):
    """The paths that the build installs below /usr, each as often as it is installed."""
    result = subprocess.run(["cmake", "--install", build, "--prefix", f"{root}/usr"], text=True, capture_output=True, timeout=120)
    assert result.returncode == 0, result.stderr
    named = re.findall(rf"^-- (?:Installing|Up-to-date): {re.escape(root)}/(.*)$", result.stdout, re.MULTILINE)
    return [path for path in named if not pathlib.Path(root, path).is_dir() or pathlib.Path(root, path).is_symlink()]


def patterns(file):
    """What a list of debhelper's takes. In packages, libraries are in a folder of the architecture."""
    return [line.split()[0].replace("usr/lib/*/", "usr/lib/") for line in file.read_text().splitlines() if line.strip()]


def takes(pattern, path):
    """Whether a pattern names a path, or a folder that holds it. As in a shell, * goes no deeper."""
    wanted = pattern.split("/")
    parts = path.split("/")
    return len(parts) >= len(wanted) and all(map(fnmatch.fnmatchcase, parts, wanted))


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory(prefix="cohort-packages-")
        cls.root = cls.directory.name
        cls.paths = installed(arguments.build, cls.root)
        cls.description = arguments.source / "debian"
        cls.lists = {file.name: patterns(file) for file in
                     [*cls.description.glob("*.install"), cls.description / "not-installed"]}

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def test_the_target_installed_builds_all_that_is_installed(self):
        """For tools/quickstart, which builds no tests."""
        def ninja(*words):
            result = subprocess.run(["ninja", "-C", arguments.build, "-t", *words], text=True, capture_output=True, timeout=120)
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stdout.splitlines()

        made = {line.rpartition(": ")[0] for line in ninja("targets", "all")}
        named = {path for script in arguments.build.glob("**/cmake_install.cmake")
                 for path in re.findall(rf'"{re.escape(str(arguments.build))}/([^"]+)"', script.read_text())}
        self.assertGreater(len(named & made), 10)
        words = {word for command in ninja("commands", "installed") for word in command.split()}
        self.assertEqual((named & made) - words, set())

    def test_nothing_is_installed_twice(self):
        self.assertEqual([path for path, times in collections.Counter(self.paths).items() if times > 1], [])

    def test_each_file_goes_to_one_package(self):
        for path in self.paths:
            takers = [f"{name}: {pattern}" for name, wanted in self.lists.items() for pattern in wanted if takes(pattern, path)]
            self.assertEqual(len(takers), 1, f"debian/*.install name {path} in {takers or 'no list'}")

    def test_nothing_is_wanted_that_is_not_installed(self):
        for name, wanted in self.lists.items():
            for pattern in wanted:
                self.assertTrue(any(takes(pattern, path) for path in self.paths), f"debian/{name}: nothing is {pattern}")

    def test_each_package_has_a_list(self):
        packages = re.findall(r"^Package: (\S+)$", (self.description / "control").read_text(), re.MULTILINE)
        self.assertEqual(sorted(packages), sorted(name.removesuffix(".install") for name in self.lists if name != "not-installed"))

    def test_version(self):
        newest = re.match(r"cohort \(([^)]+)\)", (self.description / "changelog").read_text())
        self.assertEqual(newest and newest.group(1), arguments.version, "debian/changelog begins with another version than CMake's")
        changes = re.search(r"^## (\S+)$", (arguments.source / "CHANGELOG.md").read_text(), re.MULTILINE)
        self.assertEqual(changes.group(1), arguments.version, "CHANGELOG.md begins with another version than CMake's")

    def test_no_file_names_a_folder_of_the_build(self):
        folders = [str(folder).encode() for folder in (arguments.source, arguments.build)]
        for path in self.paths:
            content = pathlib.Path(self.root, path).read_bytes()
            self.assertFalse(any(folder in content for folder in folders), f"{path} names {arguments.source}")

    def test_libraries_are_looked_for_beside_them_at_most(self):
        for path in self.paths:
            file = pathlib.Path(self.root, path)
            if file.is_symlink() or file.read_bytes()[:4] != b"\x7fELF":
                continue
            dynamic = subprocess.run(["readelf", "-d", file], text=True, capture_output=True, check=True).stdout
            folders = set(re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic))
            self.assertLessEqual(folders, {"$ORIGIN"}, path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True, help="that of CMakeLists.txt")
    arguments, others = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *others])
