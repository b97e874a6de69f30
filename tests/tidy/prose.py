#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documents are written in plain sentences: at most 25 words each, and none of the words and shapes that readers stumbled over.

Looked at: README.md and docs/, outside of code, tables, headings, pictures, and formulas of costs. A piece of `code` is one word. A page of
docs/decisions/ has at most 270 words, tables included."""

import re

import tree

WORD_LIMIT = 25
DECISION_LIMIT = 270
DECISIONS = "docs/decisions/"
INDEX = DECISIONS + "README.md"

# What was hard to read, and what to write in its place.
WORDS = {
    r"favourite|gifts?": "say what it is: the connection that is read most often",
    r"those of which|that of which|of whom": "make two sentences",
    r"(?:within|for) so long|so (?:many|much) (?:bytes|seconds|messages|later)|in such a way|of such a kind": "say how long, how many, or how",
    r"the former|the latter|those ones|that one(?=[.,;:)]| (?:is|was|has|which|that|alone)\b)": "name the thing",
    r"by luck|in vain|so to speak|as it were": "say what happens",
    r"the machine's moods?|innocent|forgives?|forgiven|stubborn": "things do not feel: say what they do",
    r"wants? to be|likes? to|refuses to believe|is told by its": "things do not want: say what they do",
}
SHAPES = (
    (re.compile(r"^Of (?!course)"), "begins with 'Of': begin with the subject"),
    (re.compile(r"^(?:Who|Whom|Whoever|What|Whatever)\b(?!.*[?:]$)"), "begins with 'Who' or 'What' and asks nothing: name the subject"),
)
PATTERNS = [(re.compile(rf"\b(?:{words})\b", re.IGNORECASE), advice) for words, advice in WORDS.items()]
END = re.compile(r"(?<=[.?!])[)\"'*]*\s+(?=[\"'(*\[]*[A-Z0-9.-])")
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|et al|vs|cf|etc)\.")
FORMULA = re.compile(r"\*\*Costs?\b")
BREAKS = re.compile(r"\s*$|\||#|!\[|<|\s*(?:[-*]|\d+\.) |\[[^\]]*\]: ")


def paragraphs(source, path):
    """(line, text) of each paragraph and each item of a list, as plain text."""
    fenced, begin, text = False, 0, []
    for number, line in [*source.lines(path), (0, "")]:
        fence = re.match(r"\s*(?:```|~~~)", line)
        if fence:
            fenced = not fenced
        if (fence or fenced or BREAKS.match(line)) and text:
            yield begin, " ".join(text)
            text = []
        if fence or fenced or not line.strip() or line[0] in "|<" or re.match(r"#|!\[|\[[^\]]*\]: ", line):
            continue
        if not text:
            begin = number
        text.append(re.sub(r"^\s*(?:[-*]|\d+\.) ", "", line.strip()))


def plain(text):
    text = re.sub(r"`[^`]+`", "Code", re.sub(r"^\*\*[^*]+[.:]\*\*", "", text))
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return ABBREVIATION.sub(lambda match: match.group(0).replace(".", ""), text.replace("**", ""))


def sentences(text):
    return [sentence.strip() for sentence in END.split(plain(text)) if sentence and sentence.strip()]


def words_of(text):
    return [word for word in text.split() if re.search(r"\w", word)]


def judge(path, line, sentence):
    length = len(words_of(sentence))
    begin = " ".join(sentence.split()[:6])
    if length > WORD_LIMIT:
        yield tree.Violation(path, line, f"a sentence of {length} words, '{begin} ...': make two ({WORD_LIMIT} at most)")
    for pattern, advice in PATTERNS:
        found = pattern.search(sentence)
        if found:
            yield tree.Violation(path, line, f"'{found.group(0)}' in '{begin} ...': {advice}")
    for pattern, advice in SHAPES:
        if pattern.search(sentence):
            yield tree.Violation(path, line, f"'{begin} ...' {advice}")


def check(source):
    violations = []
    for path in source.files(".md"):
        if path != "README.md" and not path.startswith("docs/"):
            continue
        violations += [violation for line, text in paragraphs(source, path) if not FORMULA.match(text) for sentence in sentences(text)
                       for violation in judge(path, line, sentence)]
        length = len(words_of(source.text(path)))
        if path.startswith(DECISIONS) and path != INDEX and length > DECISION_LIMIT:
            violations.append(tree.Violation(path, 1, f"{length} words: a decision has at most {DECISION_LIMIT}"))
    return violations


if __name__ == "__main__":
    tree.main(check, __doc__)
