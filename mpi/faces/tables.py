# SPDX-License-Identifier: Apache-2.0
"""Reads functions.table and constants.table, which say at their heads what their lines mean."""

import re
from dataclasses import dataclass, field, replace

FACES = {'standard': 's', 'openmpi': 'o', 'mpich': 'm'}


@dataclass
class Parameter:
    name: str
    kind: str
    brackets: list = field(default_factory=list)


@dataclass
class Chapter:
    title: str
    header: str  # in mpi/core/; 'missing' or 'none'


@dataclass
class Function:
    name: str  # without MPI_
    chapter: Chapter
    prefixes: dict  # by face: MPI_ or MPIX_
    parameters: list
    options: dict
    large: bool = False  # a form with MPI_Count, whose name ends with _c

    def symbol(self, face):
        return self.prefixes[face] + self.name

    @property
    def core(self):
        """The name of the core's function. Both forms have one."""
        name = self.options.get('core', self.name.lower())
        return name.removesuffix('_c') if self.large else name


def parse_parameter(text):
    name, colon, kind = text.partition(':')
    match = re.fullmatch(r'([^\[]+)(?:\[(.*)\])?', kind if colon else name)
    kind, brackets = match.group(1), match.group(2)
    if not colon:
        name = kind.rstrip('*&?!')
    return Parameter(name, kind, brackets.split(',') if brackets else [])


def parse_options(text):
    options = {}
    words = iter(text.split())
    for word in words:
        options[word] = next(words) if word in ('returns', 'core', 'code', 'handle') else True
    return options


def prefixes(letters):
    found = {}
    for (face, letter), given in zip(FACES.items(), letters, strict=True):
        if given != '.':
            found[face] = 'MPI_' if given == letter else 'MPIX_'
    return found


def three_forms(function):
    request = parse_parameter('request*')
    name = function.name
    yield function
    yield replace(function, name='I' + name[0].lower() + name[1:], parameters=function.parameters + [request])
    yield replace(function, name=name + '_init', prefixes=function.prefixes | {'openmpi': 'MPIX_'},
                  parameters=function.parameters + [parse_parameter('info'), request])


def with_large(function, large):
    """The function, and its form with MPI_Count. Open MPI 4.1 has none of these."""
    yield function
    faces = {'-': [], 'c': ['standard', 'mpich'], 'C': ['standard']}[large]
    there = {face: prefix for face, prefix in function.prefixes.items() if face in faces}
    if there:
        yield replace(function, name=function.name + '_c', prefixes=there, large=True)


def lines_of(path):
    with open(path, encoding='ascii') as file:
        for line in file:
            line = line.split('#')[0].rstrip() if line.startswith('#') else line.rstrip()
            if line:
                yield line


def functions(path):
    chapter = None
    for line in lines_of(path):
        heading = re.fullmatch(r'\[(.*) \| (.*)\]', line)
        if heading:
            chapter = Chapter(*heading.groups())
            continue
        left, _, options = line.partition('|')
        name, letters, large, *parameters = left.split()
        function = Function(name.lstrip('*'), chapter, prefixes(letters), [parse_parameter(p) for p in parameters],
                            parse_options(options))
        for form in three_forms(function) if name.startswith('*') else [function]:
            yield from with_large(form, large)


@dataclass
class Constant:
    name: str  # without MPI_, but with MPIX_
    section: str
    values: dict  # by face: a number, '>OTHER', or None
    c_type: str = ''  # of addresses

    @property
    def core(self):
        return self.name.removeprefix('MPIX_').lower()

    @property
    def symbol(self):
        return self.name if self.name.startswith('MPIX_') else 'MPI_' + self.name


@dataclass
class Handle:
    name: str
    kind: str  # a key of kinds.HANDLES
    standard: int  # below 0: not in the ABI
    openmpi: str  # the exported object, or None
    fortran: int  # in Open MPI
    mpich: int
    second: bool = False  # a further object for the same thing


@dataclass
class Constants:
    numbers: list
    addresses: list
    handles: list
    second_names: list  # (name, name it stands for)
    object_bytes: dict  # by kind of handle

    def section(self, name):
        return [constant for constant in self.numbers if constant.section == name]

    def value(self, name, face):
        return next(constant.values[face] for constant in self.numbers if constant.name == name)

    def null(self, kind):
        return next(handle for handle in self.handles if handle.kind == kind and handle.name.endswith('_NULL'))


def number(text):
    if text == '-':
        return None
    return text if text.startswith('>') else int(text, 0)


def constants(path, handle_kinds):
    all_of = Constants([], [], [], [], {})
    section = None
    for line in lines_of(path):
        heading = re.fullmatch(r'\[(.*?)(?: (0x\w+))?\]', line)
        if heading:
            section = heading.group(1)
            if heading.group(2):
                all_of.object_bytes[section] = int(heading.group(2), 0)
            continue
        words = line.split()
        if words[1] == '=':
            known = next(handle for handle in all_of.handles if handle.name == words[2])
            if words[0].startswith('ompi_'):
                all_of.handles.append(replace(known, openmpi=words[0], second=True))
            else:
                all_of.second_names.append((words[0], words[2]))
        elif section == 'address':
            name, c_type, *values = words
            all_of.addresses.append(Constant(name, section, dict(zip(FACES, values)), c_type))
        elif section in handle_kinds:
            name, standard, openmpi, fortran, mpich = words
            all_of.handles.append(Handle(name, section, number(standard), None if openmpi == '-' else openmpi,
                                         number(fortran), number(mpich)))
        else:
            name, *values = words
            all_of.numbers.append(Constant(name, section, dict(zip(FACES, map(number, values), strict=True))))
    return all_of
