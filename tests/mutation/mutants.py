"""Mutants of the kernel that the certificates and the kernel's tests do not tell from it.

    python -m tests.mutation.mutants [--share 1/4] [--seed 0] [--known FILE] [--among FILE] [--within 1] claims/kl.py pairs.py ...

changes one thing of a module at a time, by the operators of Cosmic Ray and by dropping one statement, and asks of each
mutant, in a process of its own, whether a golden or a forgery has another answer than its test asserts, then whether a
test of the module fails (``DECIDED_BY``).  A mutant is asked only about certificates and tests that run the changed statement,
first about those that told most mutants of the module so far.  Tests are collected once, and Hypothesis gives each at most
``EXAMPLES`` examples, which it does not shrink.  What is left is printed as a difference.  Only what the kernel says or
counts is left as it is: sentences of refusals and the prices of steps.
"""

from __future__ import annotations

import argparse
import difflib
import gc
import hashlib
import importlib
import importlib.abc
import importlib.util
import io
import json
import math
import os
import pickle
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple, TypeVar

import coverage
import pytest
from _pytest.runner import runtestprotocol
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.plugins import get_operator
from hypothesis import Phase, settings
from parso.python.tree import Keyword

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "pomgcheck" / "kernel"
TESTS = ROOT / "tests"
OPERATORS = (
    *(
        "NumberReplacer",
        "AddNot",
        "ReplaceTrueWithFalse",
        "ReplaceFalseWithTrue",
        "ReplaceAndWithOr",
        "ReplaceOrWithAnd",
    ),
    *("ZeroIterationForLoop", "ReplaceContinueWithBreak", "ReplaceBreakWithContinue", "ExceptionReplacer"),
    *(f"ReplaceUnaryOperator_Delete_{x}" for x in ("Not", "USub")),
    *(
        f"ReplaceComparisonOperator_{x}"
        for x in ("Eq_NotEq", "NotEq_Eq", "Eq_LtE", "Eq_GtE", "NotEq_Lt", "NotEq_Gt")
        + ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "LtE_Eq", "GtE_Eq", "Is_IsNot", "IsNot_Is")
    ),
    *(
        f"ReplaceBinaryOperator_{x}"
        for x in ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul", "FloorDiv_Mul", "Mod_FloorDiv", "Pow_Mul")
        + ("LShift_RShift", "RShift_LShift")
    ),
)
# What decides about a module beside goldens and forgeries, fast enough to ask for every mutant: files and words of tests.
EVAL, UNIT = "kernel/test_kernel_eval.py", "kernel/test_kernel_a_unit_too_tight.py"
WEAK_REVEALING = (
    [
        f"kernel/test_kernel_{name}.py"
        for name in ("vertices", "contexts", "emissions", "lin", "tests_rule", "equal_tables", "eval")
    ],
    "not factor_that_passes and (reachable or weak or not (eval or equal_tables))",
)
DECIDED_BY = {
    "bound.py": (["kernel/test_kernel_bound.py"], ""),
    "continua.py": (["kernel/test_kernel_continua.py", "kernel/test_kernel_empty_class.py"], ""),
    "enclosures.py": (["kernel/test_kernel_bound.py"], ""),
    "goals.py": (["kernel/test_kernel_box.py"], ""),
    "game.py": (["kernel/test_kernel_reading.py", "kernel/test_kernel_sparse.py"], ""),
    "given_operators.py": (["kernel/test_kernel_forgeries_structure.py"], ""),
    "histories.py": (["kernel/test_kernel_histories.py"], ""),
    "moments.py": (["kernel/test_kernel_merged_prefixes.py"], "second_moments"),
    "operators.py": (
        [f"kernel/test_kernel_{name}.py" for name in ("windows", "merged_prefixes", "histories", "places")],
        "",
    ),
    "play.py": (["kernel/test_kernel_merged_prefixes.py"], ""),
    "rewards.py": (["kernel/test_kernel_rewards.py"], ""),
    "rows.py": (["kernel/test_kernel_sparse.py"], ""),
    "summed.py": (["kernel/test_kernel_summed.py"], ""),
    "walk.py": (["kernel/test_kernel_merged_prefixes.py"], ""),
    "boxes.py": (["kernel/test_kernel_box.py", "kernel/test_kernel_empty_class.py"], "not vertex"),
    "divergence.py": (
        ["kernel/test_kernel_divergence.py", "kernel/test_kernel_pairs.py"],
        "not accepted and not spoiled",
    ),
    "eluder.py": (["kernel/test_kernel_eluder.py", "search/test_search_eluder.py", "paper/test_paper_prop_2_6.py"], ""),
    "forms.py": (["kernel/test_kernel_forms.py"], ""),
    "logarithms.py": (["kernel/test_kernel_log.py", "kernel/test_kernel_logarithm_domain.py"], ""),
    "endings.py": (["kernel/test_kernel_endings_prefixes.py"], ""),
    "nested.py": (["kernel/test_kernel_nested.py", "learner/test_nested.py"], ""),
    "nets.py": (["kernel/test_kernel_nets.py", "paper/test_bound_nets.py"], ""),
    "pairs.py": (["kernel/test_kernel_pairs.py", "kernel/test_kernel_divergence.py"], "not accepted and not spoiled"),
    "polynomials.py": (["kernel/test_kernel_polynomials.py"], ""),
    "claims/bounded_increments.py": ([EVAL], "statistical"),
    "claims/constants.py": (["search/test_search_constants.py"], "fading"),
    "claims/covering.py": ([EVAL], "statistical"),
    "claims/eluder.py": (["kernel/test_kernel_differences.py"], ""),
    "claims/factorization.py": ([EVAL], "structure or factor"),
    "claims/kl.py": (
        [EVAL, UNIT, "kernel/test_kernel_conversion.py"],
        "conversion or a_divergence or refutes or never",
    ),
    "claims/nonexpansive.py": ([EVAL], "structure"),
    "claims/oom_identity.py": ([EVAL], "structure or forgets or wrong_mass or history"),
    "claims/posterior_lipschitz.py": (
        ["kernel/test_kernel_places.py", EVAL, UNIT, "kernel/test_kernel_equal_tables.py"],
        "lipschitz or intervals or two_names or places",
    ),
    "claims/weak_revealing.py": WEAK_REVEALING,
    "problems.py": WEAK_REVEALING,
    "simplex.py": WEAK_REVEALING,
}
OF_CLAIMS = ["mutation/test_mutation_any_edit.py", "kernel/test_kernel_fields.py", "kernel/test_kernel_witness.py"]
OF_ONE_CLAIM = "stronger or field or witness"  # words of the tests in these files that name the claim
SILENT = {"spend", "Rejected", "Malformed"}  # what a call of these is given is said or counted, and decides nothing
SMALL = 12_500  # bytes of a certificate of the gallery
MANY = 60  # certificates that run a statement
TELLS = ": it says "  # between the name of a certificate and what a mutant says of it
SECONDS = 20  # of processor time that a mutant is given
EXAMPLES = 40  # of a test by Hypothesis


X = TypeVar("X")


class DropStatement(Operator):
    """A call or a raise that stands alone is left out."""

    def mutation_positions(self, node: Any) -> Iterator[Any]:
        if node.type == "simple_stmt" and node.children[0].type in ("atom_expr", "raise_stmt", "power"):
            yield node.start_pos, node.children[0].end_pos

    def mutate(self, node: Any, index: int) -> Any:
        node.children[0] = Keyword("pass", node.start_pos, node.get_first_leaf().prefix)
        return node

    @classmethod
    def examples(cls) -> Any:
        return (Example("check(x)", "pass"), Example("raise Refused", "pass"))


class Case(NamedTuple):
    """A certificate and what its test asserts of the answer: the beginning of the line, and what stands in it."""

    name: str
    data: bytes
    begins: str
    holds: str

    def told_by(self, line: str) -> bool:
        """Whether the line is what the test asserts."""
        return line.startswith(self.begins) and self.holds in line


class Mutant(NamedTuple):
    """One change of a module: the operator, the node of the syntax tree and which change of it; its lines and function."""

    module: str
    operator: str
    node: int
    index: int
    lines: range
    within: str

    def __str__(self) -> str:
        return f"{self.module}:{self.lines.start} {self.within} {self.operator} {self.node}.{self.index}"


# ------------------------------------------------------------------------------------------------ what decides


def cases() -> list[Case]:
    """Every golden, every forgery and the small certificates of the gallery."""
    from pomgcheck.kernel.check import verify_bytes
    from tests.kernel import forged
    from tests.kernel.editing import canonical, edited

    found = []
    gallery = [path for path in (ROOT / "certificates").glob("*.cert.json") if path.stat().st_size < SMALL]
    for path in sorted([*(TESTS / "accepted").glob("*.cert.json"), *gallery]):
        data = path.read_bytes()
        found.append(Case(path.stem, data, verify_bytes(data).line, ""))
    for path in sorted([*(TESTS / "rejected").glob("*.json"), *(TESTS / "malformed").glob("*.json")]):
        lines = (
            path.with_name(path.name.removesuffix(".json").removesuffix(".cert") + ".reason").read_text().splitlines()
        )
        why = {name: text for name, _, text in (line.partition(": ") for line in lines)}
        found.append(Case(path.stem, path.read_bytes(), f"REJECTED {why['claim']} {why['rule']}: ", why["message"]))
    for path in sorted((TESTS / "kernel").glob("test_kernel_forgeries_*.py")):
        module = importlib.import_module(f"tests.kernel.{path.stem}")
        for forgery in [*module.FORGERIES, *getattr(module, "CHOICES", ())]:
            data = canonical(edited(json.loads(forged.base(forgery.base)), *forgery.edits))
            found.append(Case(str(forgery), data, f"REJECTED {forgery.refused}", ""))
    endings = importlib.import_module("tests.kernel.test_kernel_endings")
    base = endings.certified_by_endings()
    found.append(Case("endings", canonical(base), verify_bytes(canonical(base)).line, ""))
    for sells, (edits, refused) in endings.FORGERIES.items():
        found.append(Case(f"endings: {sells}", canonical(edited(base, *edits)), f"REJECTED {refused}", ""))
    return found


class Measured(NamedTuple):
    """For each case its seconds and, by module, the lines that it runs."""

    cases: list[Case]
    seconds: list[float]
    lines: list[dict[str, frozenset[int]]]


def forget() -> None:
    """Empty the memories of the kernel as it is imported."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pomgcheck.kernel"):
            for thing in vars(module).values():
                if hasattr(thing, "cache_clear"):
                    thing.cache_clear()


def traced(do: Callable[[], X]) -> tuple[X, float, dict[str, frozenset[int]]]:
    """What something gives, the seconds of processor time that it takes, and by module the lines of the kernel that it
    runs."""
    forget()
    measure = coverage.Coverage(data_file=None, include=[f"{KERNEL}/*"], config_file=False)
    measure.set_option("run:disable_warnings", ["no-data-collected"])
    start = time.process_time()
    with measure.collect():
        out = do()
    seconds, data = time.process_time() - start, measure.get_data()
    lines = {str(Path(f).relative_to(KERNEL)): frozenset(data.lines(f) or ()) for f in data.measured_files()}
    return out, seconds, lines


def measure() -> Measured:
    from pomgcheck.kernel.check import verify_bytes

    found, seconds, lines = cases(), [], []
    for case in found:
        verdict, spent, run = traced(partial(verify_bytes, case.data))
        if not case.told_by(verdict.line):
            raise SystemExit(f"the kernel as it is does not pass its own tests: {case.name}: {verdict.line}")
        seconds.append(spent)
        lines.append(run)
    return Measured(found, seconds, lines)


def remembered(known: Path | None) -> Measured:
    """What was measured, from a file where the sources are those it was measured with."""
    beside = [
        path
        for kind in ("kernel/*forge*.py", "*/*.json", "*/*.reason", "kernel/*endings.py")
        for path in TESTS.glob(kind)
    ]
    sources = sorted([*KERNEL.rglob("*.py"), *beside])
    mark = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    if known and known.exists():
        kept = pickle.loads(known.read_bytes())
        if kept[0] == mark:
            return Measured(*kept[1])
    found = measure()
    if known:
        known.write_bytes(pickle.dumps((mark, tuple(found))))
    return found


# ------------------------------------------------------------------------------------------------ mutants


def callee(node: Any) -> str:
    """The name that a call with these arguments calls, if it is one."""
    while node is not None and node.type != "trailer":
        node = node.parent
    return "" if node is None or node.parent.children[0].type != "name" else node.parent.children[0].value


def decides(node: Any) -> bool:
    """Whether a node may change an answer: it is no annotation, no sentence, and no price of a step."""
    child = node
    while (parent := child.parent) is not None:
        if parent.type in ("annassign", "tfpdef", "fstring"):
            return False
        if parent.type == "funcdef" and parent.annotation is child:
            return False
        if parent.type in ("arglist", "trailer"):
            name = callee(parent)
            if name in SILENT:
                return False
            if name == "require" and parent.type == "arglist" and parent.children.index(child) > 0:
                return False
        child = parent
    return True


def statement(node: Any) -> range:
    """The lines of the simple statement of a node, or of the head of the compound one."""
    here = node
    while here.parent is not None and here.type not in (
        "simple_stmt",
        "if_stmt",
        "for_stmt",
        "while_stmt",
        "case_block",
    ):
        if here.type in ("funcdef", "classdef", "suite"):
            return range(here.start_pos[0], here.end_pos[0] + 1)
        here = here.parent
    if here.type == "simple_stmt" or here.parent is None:
        return range(here.start_pos[0], here.end_pos[0] + 1)
    return range(node.start_pos[0], node.end_pos[0] + 1)


def operators() -> dict[str, Operator]:
    return {name: get_operator(f"core/{name}")() for name in OPERATORS} | {"DropStatement": DropStatement()}


def mutants(module: str, nodes: Sequence[Any]) -> list[Mutant]:
    out = []
    for name, operator in operators().items():
        for number, node in enumerate(nodes):
            for index, (start, end) in enumerate(operator.mutation_positions(node)):
                if not decides(node) or (name == "NumberReplacer" and node.parent.type == "fstring_expr"):
                    continue
                if name == "DropStatement" and node.get_code().strip().startswith(("spend(", '"')):
                    continue
                owner = node
                while owner is not None and owner.type != "funcdef":
                    owner = owner.parent
                within = owner.name.value if owner else "module"
                lines = range(start[0], end[0] + 1) if name == "ZeroIterationForLoop" else statement(node)
                out.append(Mutant(module, name, number, index, lines, within))
    return out


def sampled(found: list[Mutant], share: Fraction, seed: int) -> list[Mutant]:
    """The share of the mutants of every function, at least one."""
    chance = random.Random(seed)
    by_function: dict[str, list[Mutant]] = {}
    for mutant in found:
        by_function.setdefault(mutant.within, []).append(mutant)
    out = []
    for group in by_function.values():
        out += chance.sample(group, max(1, round(share * len(group))))
    return out


def applied(mutant: Mutant, nodes: Sequence[Any]) -> str:
    """The source of the mutant; the tree is changed."""
    node = nodes[mutant.node]
    parent, name = node.parent, mutant.operator
    new = operators()[name].mutate(node, mutant.index)
    if new is not node:
        parent.children[next(n for n, child in enumerate(parent.children) if child is node)] = new
    return str(nodes[0].get_code())


# ------------------------------------------------------------------------------------------------ one mutant


class Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module of the kernel from another source."""

    def __init__(self, module: str, code: Any) -> None:
        self.name = "pomgcheck.kernel." + module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        self.module, self.code = module, code

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != self.name:
            return None
        package = self.module.endswith("__init__.py")
        spec = importlib.util.spec_from_loader(name, self, origin=str(KERNEL / self.module), is_package=package)
        if package and spec:
            spec.submodule_search_locations = [str((KERNEL / self.module).parent)]
        return spec

    def exec_module(self, module: Any) -> None:
        exec(self.code, module.__dict__)


def changed(old: CodeType, new: CodeType) -> list[tuple[CodeType, CodeType]] | None:
    """The functions of a module or class that differ, old and new; ``None`` where what stands outside them differs too."""
    pairs: list[tuple[CodeType, CodeType]] = []
    if (old.co_code, old.co_names, len(old.co_consts)) != (new.co_code, new.co_names, len(new.co_consts)):
        return None
    for one, two in zip(old.co_consts, new.co_consts, strict=True):
        if not (isinstance(one, CodeType) and isinstance(two, CodeType)):
            if one != two or type(one) is not type(two):
                return None
        elif one != two and one.co_flags & 2:  # a function has fast locals, a class has none
            pairs.append((one, two))
        elif one != two:
            inner = changed(one, two)
            if inner is None:
                return None
            pairs += inner
    return pairs


@cache
def functions() -> dict[tuple[str, str], list[FunctionType]]:
    """The functions of the kernel as it is imported, by module and qualified name."""
    found: dict[tuple[str, str], list[FunctionType]] = {}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and (thing.__module__ or "").startswith("pomgcheck.kernel"):
            found.setdefault((thing.__module__, thing.__qualname__), []).append(thing)
    return found


@cache
def compiled(module: str) -> CodeType:
    """A module of the kernel as it is."""
    path = KERNEL / module
    return compile(path.read_text(encoding="utf-8"), str(path), "exec")


def put_in_place(name: str, old: CodeType, new: CodeType) -> bool:
    """Whether the functions of the kernel that is imported were given the code of the mutant."""
    pairs, known = changed(old, new), functions()
    for one, two in pairs or ():
        there = [function for function in known.get((name, one.co_qualname), ()) if function.__code__ == one]
        if not there or one.co_freevars != two.co_freevars:
            return False
        for function in there:
            function.__code__ = two
    return bool(pairs)


def other_answer(chosen: Sequence[Case]) -> str:
    from pomgcheck.kernel.check import verify_bytes

    for case in chosen:
        line = verify_bytes(case.data).line
        if not case.told_by(line):
            return f"{case.name}{TELLS}{line[:160]}"
    return ""


def claim_of(module: str) -> str:
    """The claim that a module of the kernel is about alone, or "" where there is none; of a file with several claims
    what their names begin with."""
    if module in ("problems.py", "simplex.py"):
        return "weak-revealing"
    return Path(module).stem.replace("_", "-") if module.startswith("claims/") else ""


def tests_of(module: str) -> list[str]:
    """What selects the tests of a module, for pytest."""
    wanted = [DECIDED_BY[module]] if module in DECIDED_BY else []
    if claim := claim_of(module):
        wanted.append((OF_CLAIMS, f"({OF_ONE_CLAIM}) and {claim}"))
    each = [f"({' or '.join(Path(file).stem for file in files)}) and ({words})" for files, words in wanted]
    files = dict.fromkeys(str(TESTS / file) for files, _ in wanted for file in files)
    return ["-k", " or ".join(each).replace(" and ()", ""), *files] if files else []


class Test(NamedTuple):
    """A test, the seconds that it takes and the lines of the module that it runs."""

    item: pytest.Item
    seconds: float
    lines: frozenset[int]


def fails(item: pytest.Item) -> bool:
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


class Warm:
    """Of a process of pytest: collects tests once, and does something with them in place of running them."""

    def __init__(self, module: str, do: Callable[[list[Test]], None]) -> None:
        self.module, self.do = module, do

    def pytest_collection(self) -> None:
        settings.register_profile("mutants", max_examples=EXAMPLES, phases=[Phase.explicit, Phase.generate])
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        tests = []
        for item in session.items:
            failed, seconds, lines = traced(partial(fails, item))
            if failed:
                raise SystemExit(f"the kernel as it is does not pass its own tests: {item.nodeid}")
            tests.append(Test(item, seconds, lines.get(self.module, frozenset())))
        forget()
        self.do(tests)
        return True


def ask(mutant: Mutant, nodes: Sequence[Any], chosen: Sequence[Case], tests: Sequence[Test], out: int) -> None:
    """In the process of the mutant: write what tells it from the kernel, or nothing."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    try:
        code = compile(applied(mutant, nodes), str(KERNEL / mutant.module), "exec")
        loader = Mutated(mutant.module, code)
        if put_in_place(loader.name, compiled(mutant.module), code):
            answer = other_answer(chosen) or next((test.item.nodeid for test in tests if fails(test.item)), "")
        else:
            for name, module in list(sys.modules.items()):
                place = str(getattr(module, "__file__", None))
                if name != __name__ and place.startswith((str(ROOT / "pomgcheck"), str(TESTS))):
                    del sys.modules[name]
            sys.meta_path.insert(0, loader)
            answer = other_answer(chosen) or (failing(mutant.module) if tests else "")
    except BaseException as error:  # a mutant that cannot be imported is told apart
        answer = f"{type(error).__name__}: {error}"
    os.write(out, answer.encode()[:2000])


def failing(module: str) -> str:
    """What pytest says of the first test of the module that fails, where all is imported anew."""
    said = io.StringIO()
    flags = ["-x", "-q", "-p", "no:cacheprovider", "--no-header"]
    with redirect_stdout(said), redirect_stderr(said):
        code = pytest.main([*flags, *tests_of(module)])
    return "" if code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) else said.getvalue()[-300:]


def told(mutant: Mutant, nodes: Sequence[Any], chosen: Sequence[Case], tests: Sequence[Test]) -> str:
    """What tells a mutant from the kernel: an answer, a failing test, an error or its endlessness; or nothing."""
    here, there = os.pipe()
    child = os.fork()
    if not child:
        try:
            ask(mutant, nodes, chosen, tests, there)
        finally:
            os._exit(0)
    os.close(there)
    with os.fdopen(here, "rb") as stream:
        answer = stream.read().decode(errors="replace")
    status = os.waitpid(child, 0)[1]
    return answer or (f"ended by signal {status}" if status else "")


def deciding(mutant: Mutant, measured: Measured) -> list[int]:
    """The certificates that run the changed statement, fastest first.  Where they are many: of those alike in the lines of
    the module that they run and in what their tests assert two, and of a claim's module those alone that are accepted or
    refused at that claim."""
    module = mutant.module
    wanted = None if mutant.within == "module" else frozenset(mutant.lines)  # those outside functions run at import
    run = [lines.get(module, frozenset()) for lines in measured.lines]
    every = [n for n, lines in enumerate(run) if (lines if wanted is None else lines & wanted)]
    every.sort(key=measured.seconds.__getitem__)
    if len(every) <= MANY:
        return every
    if claim := claim_of(module):
        every = [n for n in every if measured.cases[n].begins.startswith(("VERIFIED", f"REJECTED {claim}"))]
    alike: dict[Any, int] = {}
    out = []
    for n in every:
        lines, (_, _, begins, holds) = measured.lines[n][module], measured.cases[n]
        key = lines, "" if begins.startswith("VERIFIED") else (begins, holds)
        alike[key] = alike.get(key, 0) + 1
        if alike[key] <= 2:
            out.append(n)
    return out


def affordable(runs: Sequence[int], measured: Measured, seconds: float, told: Counter[str]) -> list[int]:
    """The certificates that take so many seconds together: those that told most mutants, then in turn the fastest of
    those that are accepted and of those that are refused."""
    order = sorted(runs, key=measured.seconds.__getitem__)
    kinds: dict[bool, list[int]] = {True: [], False: []}
    for n in order:
        kinds[measured.cases[n].begins.startswith("VERIFIED")].append(n)
    mixed = [n for pair in zip_longest(*kinds.values()) for n in pair if n is not None]
    first = sorted((n for n in order if told[measured.cases[n].name]), key=lambda n: -told[measured.cases[n].name])[:8]
    out, spent = list[int](), 0.0
    for n in dict.fromkeys([*first, *mixed]):
        spent += measured.seconds[n]
        if spent > seconds and out:
            break
        out.append(n)
    return out


def run(module: str, measured: Measured, given: argparse.Namespace, tests: Sequence[Test]) -> None:
    """Print the survivors of a module, as differences."""
    source = (KERNEL / module).read_text(encoding="utf-8")
    importlib.import_module("pomgcheck.kernel.check")
    importlib.import_module(Mutated(module, compiled(module)).name)  # some are imported when first needed
    functions.cache_clear()
    functions()  # once for all mutants
    gc.freeze()
    nodes = list(ast_nodes(get_ast(source)))
    found = mutants(module, nodes)
    asked = sampled([x for x in found if given.operator in (None, x.operator)], given.share, given.seed)
    if given.among:
        asked = [x for x in found if str(x) in given.among.read_text(encoding="utf-8")]
    tellers: Counter[str] = Counter()
    left, start = 0, resource.getrusage(resource.RUSAGE_CHILDREN)
    for mutant in asked:
        runs = affordable(deciding(mutant, measured), measured, given.within or math.inf, tellers)
        chosen = [] if given.tests else [measured.cases[n] for n in runs]
        own = [test for test in tests if mutant.within == "module" or test.lines & {*mutant.lines}]
        own.sort(key=lambda test: (-tellers[test.item.nodeid], test.seconds))
        answer = told(mutant, nodes, chosen, own)
        tellers[answer.partition(TELLS)[0]] += 1
        if given.verbose and answer:
            print(f"{mutant}: {' '.join(answer.split())[-150:]}", flush=True)
        if not answer:
            left += 1
            new = applied(mutant, list(ast_nodes(get_ast(source))))
            diff = difflib.unified_diff(source.splitlines(), new.splitlines(), lineterm="", n=0)
            changed = "\n".join(line for line in diff if not line.startswith(("---", "+++")))
            print(f"{mutant} ({len(runs)} certificates, {len(own)} tests)\n{changed}", flush=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
    print(f"# {module}: {len(found)} mutants, {len(asked)} asked, {left} left, {spent:.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="+", help="files under pomgcheck/kernel")
    parser.add_argument("--share", type=Fraction, default=Fraction(1), help="of the mutants of each function")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--known", type=Path, help="a file that keeps what each certificate runs")
    parser.add_argument("--verbose", action="store_true", help="say what tells each mutant from the kernel")
    parser.add_argument("--tests", action="store_true", help="ask tests alone")
    parser.add_argument("--goldens", action="store_true", help="ask goldens and forgeries alone")
    parser.add_argument("--within", type=float, help="ask each mutant certificates of so many seconds together")
    parser.add_argument("--operator", help="this one alone")
    parser.add_argument("--among", type=Path, help="what an earlier run left, which is asked again")
    parser.add_argument("--count", action="store_true", help="only count")
    given = parser.parse_args()
    if given.count:
        for module in given.modules:
            found = mutants(module, list(ast_nodes(get_ast((KERNEL / module).read_text()))))
            print(module, len(found), len(sampled(found, given.share, given.seed)))
        return
    measured = Measured([], [], []) if given.tests else remembered(given.known)
    for module in given.modules:
        wanted = [] if given.goldens else tests_of(module)
        if not wanted:
            run(module, measured, given, [])
            continue
        warm = Warm(module, partial(run, module, measured, given))
        code = pytest.main(["-s", "-p", "no:cacheprovider", "-p", "no:terminal", *wanted], plugins=[warm])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            raise SystemExit(f"the tests of {module} cannot be collected: {code}")


if __name__ == "__main__":
    main()
