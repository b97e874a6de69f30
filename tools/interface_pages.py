# SPDX-License-Identifier: Apache-2.0
"""The pages of the C++ interface, made by Doxygen from the headers' comments: mkdocs calls on_post_build() when it has made the
site (mkdocs.yml), and Doxygen reads each header through this program.

A comment above a declaration is about it, and about those that follow until an empty line or the next comment. A comment
behind a declaration is about that one. The comment at the top of a file is about the file. Bodies stay as they are."""

import logging
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = "interface"  # in the site

SETTINGS = f"""
PROJECT_NAME = "Cohort's interface"
INPUT = include/cohort include/cohort/detail/call.hpp
FILE_PATTERNS = *.hpp
INPUT_FILTER = "python3 {pathlib.Path(__file__).resolve()}"
EXCLUDE_SYMBOLS = cohort::detail* detail
STRIP_FROM_PATH = include
PREDEFINED = __cplusplus=202002L
JAVADOC_AUTOBRIEF = YES
DISTRIBUTE_GROUP_DOC = YES
BUILTIN_STL_SUPPORT = YES
SORT_MEMBER_DOCS = NO
SHOW_INCLUDE_FILES = NO
VERBATIM_HEADERS = NO
SEARCHENGINE = NO
CLASS_GRAPH = NO
HAVE_DOT = NO
HTML_TIMESTAMP = NO
GENERATE_LATEX = NO
HTML_OUTPUT = {FOLDER}
QUIET = YES
"""

# Names of members may say all; classes, enumerations, functions and constants have words.
NEEDS_NO_WORDS = re.compile(r"Member .* of (class|struct) \S+ is not documented")

COMMENT = re.compile(r"( {0,2})// ?(.*)$")
CODE_AND_COMMENT = re.compile(r"( {0,2}\S.*[;,])\s+// (.*)$")
HEADS = ("template", "requires")
SCOPES = ("class", "struct", "enum", "namespace", "concept")


def opens_scope(lines):
    """Whether these lines begin with the declaration of something that has members."""
    declaration = next((line.split() for line in lines if not line.strip().startswith(HEADS)), [])
    return declaration != [] and declaration[0] in SCOPES


def documented(lines):
    words, grouped = ["@file"], False
    for number, line in enumerate(lines):
        comment, both = COMMENT.match(line), CODE_AND_COMMENT.match(line)
        if grouped and (comment or not line.strip() or line.startswith(("};", "}  //"))):
            grouped = False
            yield "/// @}"
        if comment:
            words.append(comment[2])
            continue
        if words:
            yield from ("/// " + text.replace("#", "\\#") for text in words if not text.startswith("SPDX"))
            grouped = line.strip() != "" and not line.startswith("#") and not opens_scope(lines[number:])
            words = []
            if grouped:
                yield "/// @{"
        yield f"{both[1]}  ///< {both[2]}" if both else line


def make_pages(root, site):
    """Makes the pages of the headers in root/include/cohort; gives Doxygen's complaints."""
    made = subprocess.run(["doxygen", "-"], input=f"{SETTINGS}OUTPUT_DIRECTORY = {site}\n", cwd=root, text=True, capture_output=True)
    return sorted({line for line in (made.stdout + made.stderr).splitlines() if line.strip() and not NEEDS_NO_WORDS.search(line)})


def on_post_build(config, **_):
    log = logging.getLogger("mkdocs.interface")  # in a strict build, a warning is an error
    if shutil.which("doxygen") is None:
        log.warning("no doxygen: the site has no pages of the interface (tools/setup --documents installs it)")
        return
    for line in make_pages(ROOT, config["site_dir"]):
        log.warning(line)


if __name__ == "__main__":
    print("\n".join(documented(pathlib.Path(sys.argv[1]).read_text().splitlines())))
