#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files have at most 400 lines, functions fewer than 70; classes have at most 25 data members."""

import ast
import re

import tree

FILE_LIMIT = 400
FUNCTION_LIMIT = 70  # lines; a function has fewer
MEMBER_LIMIT = 25

# Comments, strings and characters hold braces that mean nothing; so do preprocessor lines.
NOISE = re.compile("|".join((
    r"//[^\n]*",
    r"/\*.*?\*/",
    r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"',
    r'"(?:\\.|[^"\\\n])*"',
    r"(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",  # not the ' of 1'000
    r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*",
)), re.DOTALL | re.MULTILINE)

# What stands before an opening brace.
TEMPLATE = re.compile(r"\s*(template\s*<[^<>]*(<[^<>]*(<[^<>]*>[^<>]*)*>[^<>]*)*>\s*)+")
SCOPE = re.compile(r"\s*(inline\s+)?(namespace\b|extern\s+0|(typedef\s+)?(class|struct|union|enum)\b)")
QUALIFIERS = r"((const|noexcept|override|final|mutable|try|&&?)\s*(\([^()]*\)\s*)?)*"
FUNCTION = re.compile(rf"\)\s*{QUALIFIERS}(->[^;]*|requires\b.*)?$", re.DOTALL)
INITIALISERS = re.compile(r"\)\s*(noexcept\s*)?:[^:].*[)}]\s*$", re.DOTALL)


def blank(match):
    """The same lines with nothing on them. A string stays a word, so that the text around it keeps its meaning."""
    return ("0" if match.group(0)[0] in "\"'R" else "") + "\n" * match.group(0).count("\n")


def kind_of(statement):
    """What a brace behind this text opens."""
    statement = TEMPLATE.sub("", statement, count=1) if TEMPLATE.match(statement) else statement
    if SCOPE.match(statement):
        return "scope"
    return "function" if FUNCTION.search(statement) or INITIALISERS.search(statement) else "value"


def cpp_functions(text):
    """(first line, lines, name) of every outermost function body, lambdas within it included."""
    text = NOISE.sub(blank, text)
    functions, unfinished, statement = [], [], ""
    line = statement_line = 1
    depth_in_function = 0
    for character in text:
        if character == "\n":
            line += 1
        if depth_in_function:
            depth_in_function += {"{": 1, "}": -1}.get(character, 0)
            if depth_in_function == 0:
                name = re.search(r"([\w~:]+|operator[^\s(]+)\s*\(", statement)
                functions.append((statement_line, line - statement_line + 1, name.group(1) if name else "lambda"))
                statement = ""
        elif character == "{":
            kind = kind_of(statement)
            if kind == "function":
                depth_in_function = 1
            else:
                unfinished.append(statement if kind == "value" else None)
                statement = ""
        elif character == "}":
            # Behind a braced value the statement goes on; behind a namespace or a type a new one begins.
            outer = unfinished.pop() if unfinished else None
            statement = f"{outer}{{}}" if outer is not None else ""
        elif character == ";":
            statement = ""
        else:
            if not statement.strip():
                statement_line = line
            statement += character
            if re.fullmatch(r"\s*(public|private|protected)\s*:", statement):
                statement = ""
    return functions


CLASS = re.compile(r"(?<!enum )\b(?:class|struct)\s+(\w+)[^;{}()=]*\{")
MEMBER = re.compile(r"\b[a-z]\w*_\b(?=\s*(?:\{\}|\[[^\]]*\])?\s*(?:=|,|$))")


def own_statements(text, begin):
    """What stands between the brace before `begin` and the one that closes it, without what other braces hold."""
    depth, kept = 1, []
    for character in text[begin:]:
        if character == "}":
            depth -= 1
        if depth == 0:
            break
        if depth == 1:
            kept.append("{}" if character == "}" else character if character != "{" else "")
        if character == "{":
            depth += 1
    return "".join(kept).split(";")


def cpp_members(text):
    """(line, name, number of data members) of every class: private ones, whose names end with an underscore."""
    text = NOISE.sub(blank, text)
    for found in CLASS.finditer(text):
        members = sum(len(MEMBER.findall(statement.strip())) for statement in own_statements(text, found.end()))
        yield text.count("\n", 0, found.start()) + 1, found.group(1), members


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1, node.name


def shell_functions(text):
    start = name = None
    for number, line in enumerate(text.splitlines(), start=1):
        opening = re.match(r"(\w+)\s*\(\)\s*\{\s*$", line)
        if opening:
            start, name = number, opening.group(1)
        elif line == "}" and start:
            yield start, number - start + 1, name
            start = None


def check(source):
    violations = []
    for path in source.files(".hpp", ".cpp"):
        for line, name, members in cpp_members(source.text(path)):
            if members > MEMBER_LIMIT:
                violations.append(tree.Violation(
                    path, line, f"{name} has {members} data members, the limit is {MEMBER_LIMIT}: it is several classes"))
    scripts = [path for path in source.scripts() if "python" not in source.text(path).splitlines()[0]]
    languages = [(source.files(".hpp", ".cpp"), cpp_functions), (source.files(".py"), python_functions),
                 (source.files(".sh") + scripts, shell_functions)]
    for paths, functions in languages:
        for path in paths:
            text = source.text(path)
            length = len(text.splitlines())
            if length > FILE_LIMIT:
                violations.append(tree.Violation(
                    path, FILE_LIMIT + 1, f"the file has {length} lines, the limit is {FILE_LIMIT}: split it by idea"))
            for line, lines, name in functions(text):
                if lines >= FUNCTION_LIMIT:
                    violations.append(tree.Violation(
                        path, line, f"{name}() has {lines} lines, fewer than {FUNCTION_LIMIT} are allowed: split it"))
    return violations


if __name__ == "__main__":
    tree.main(check, __doc__)
