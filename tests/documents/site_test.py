# SPDX-License-Identifier: Apache-2.0
"""The manual as a site: `mkdocs build --strict` has no complaint, every page is in the navigation, every link and anchor leads
somewhere within the site, nothing is loaded from elsewhere, a browser shows pages and finds words, and the interface has its pages, by Doxygen."""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import skips

sys.path.insert(0, str(ROOT / "tools"))
import interface_pages

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
LIMIT_S = 120


class Page(html.parser.HTMLParser):
    """The links of a page, the files that it loads, and the places that a link can name."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.places = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.places |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in ("script", "img", "source") and values.get("src"):
            self.loaded.append(values["src"])
        if tag == "link" and values.get("href") and values.get("rel") != "canonical":
            self.loaded.append(values["href"])


def wrong_links(site):
    """What is wrong with the links of all pages below a folder."""
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    wrong = []
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # its links begin at the root of a server
        for target in page.links + page.loaded:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                wrong += [f"{path}: loads {target}"] if target in page.loaded else []
                continue
            file = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not file.is_file():
                wrong.append(f"{path}: {target} is not there")
            elif parts.fragment and file in pages and urllib.parse.unquote(parts.fragment) not in pages[file].places:
                wrong.append(f"{path}: {target} names no place there")
    return wrong


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.site = pathlib.Path(cls.directory.name).resolve() / "site"
        cls.built = subprocess.run(["mkdocs", "build", "--strict", "-f", ROOT / "mkdocs.yml", "-d", cls.site], text=True,
                                   capture_output=True, stdin=subprocess.DEVNULL, timeout=LIMIT_S)

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def test_it_is_built_without_a_complaint(self):
        self.assertEqual(self.built.returncode, 0, self.built.stderr)
        self.assertNotIn("not included in the \"nav\"", self.built.stderr)

    def test_every_page_of_the_documents_is_in_it(self):
        for page in (ROOT / "docs").rglob("*.md"):
            name = page.relative_to(ROOT / "docs").with_suffix(".html")
            self.assertTrue((self.site / (name.with_name("index.html") if page.name == "README.md" else name)).is_file(), name)

    def test_the_interface_has_its_comments(self):
        page = (self.site / "interface/classcohort_1_1Collectives.html").read_text()
        self.assertIn("Every rank's block reaches every rank", page)
        self.assertNotIn("always_false", page)

    def test_a_public_name_without_a_comment_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            headers = pathlib.Path(folder, "include/cohort")
            headers.mkdir(parents=True)
            (headers / "a.hpp").write_text("// A file.\n#pragma once\nnamespace cohort {\n\n// With words.\nint first();\nint second();\n\n"
                                           "int third();\n\nstruct Fourth {\n  int a;\n};\n\n}  // namespace cohort\n")
            found = " ".join(interface_pages.make_pages(folder, folder))
            self.assertEqual(re.findall(r"cohort::\w+ is|\w+\(\)", found), ["third()", "cohort::Fourth is"])

    def test_all_links_lead_somewhere(self):
        self.assertEqual(wrong_links(self.site), [])

    def test_wrong_links_are_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            site = pathlib.Path(folder).resolve()
            (site / "a.html").write_text('<h1 id="here">A</h1><a href="b.html#there"><a href="c.html"><a href="#here"><a href="#gone">'
                                         '<a href="https://example.org/"><script src="https://example.org/x.js"></script>')
            (site / "b.html").write_text('<h1 id="there">B</h1>')
            self.assertEqual([re.sub(r".*: ", "", line, count=1) for line in wrong_links(site)],
                             ["c.html is not there", "#gone names no place there", "loads https://example.org/x.js"])

    def test_words_are_found(self):
        index = json.loads((self.site / "search/search_index.json").read_text())
        found = {entry["location"].split("#")[0] for entry in index["docs"] if "survivors()" in entry["text"]}
        self.assertIn("how-to/survivors.html", found)

    @unittest.skipIf(BROWSER is None, "no chromium: tools/setup --documents installs it")
    def test_a_browser_shows_three_pages(self):
        for page, heading, picture in (("index.html", "Cohort's manual", None), ("performance.html", "Performance", "pictures/pair.svg"),
                                       ("reference/algorithms/bcast.html", "bcast", "pictures/bcast_linear.svg")):
            with self.subTest(page):
                text = self.shown(f"file://{self.site}/{page}")
                self.assertRegex(text, rf"<h1[^>]*>{heading}")
                self.assertIn('class="nav navbar-nav"', text)
                self.assertNotIn("&lt;table", text)
                self.assertTrue("<table" in text and (picture is None or picture in text), page)

    def shown(self, address):
        """The page as the browser has it after its scripts have run; and its picture is not one colour."""
        with tempfile.TemporaryDirectory() as folder:
            picture = pathlib.Path(folder, "page.png")
            words = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile", "--window-size=1000,800"]
            environment = {**os.environ, "HOME": folder}
            subprocess.run([*words, f"--screenshot={picture}", address], check=True, capture_output=True, stdin=subprocess.DEVNULL,
                           timeout=LIMIT_S, env=environment)
            self.assertGreater(picture.stat().st_size, 10_000, "the picture of the page is nearly empty")
            return subprocess.run([*words, "--dump-dom", address], check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                  timeout=LIMIT_S, env=environment).stdout


if __name__ == "__main__":
    if shutil.which("mkdocs") is None or shutil.which("doxygen") is None:
        skips.skip_all("no mkdocs, or no doxygen: tools/setup --documents installs them")
    skips.main()
