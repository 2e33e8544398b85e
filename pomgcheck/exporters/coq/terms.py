"""A class as a Coq term of type ``doc``, or with interval axes ``continuum``, of ``formal/Statements.v``.

This is the one part of the export that a reader of the theorems trusts: it prints the model.  Whatever else is written
is an argument of a checker that is proved sound, or is checked by Coq as a proof.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.kernel.expressions import parsed
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.parameters import Point, constraints_of, grid, read_axes
from pomgcheck.kernel.rows import in_arrays

MAX_DIGITS = 3000  # of one number: what Coq reads in a moment
_RATIONAL = re.compile(r"-?[0-9]+(/[0-9]+)?", re.ASCII)
_OPERATORS = {ast.Add: "Add", ast.Sub: "Sub", ast.Mult: "Mul", ast.Div: "Div"}


def number(value: Fraction | int) -> str:
    """Return a rational number as Coq writes it: ``(7#17)%Q``."""
    for part in (value.numerator, value.denominator):
        if (digits := int(part.bit_length() * 0.30103)) > MAX_DIGITS:
            fix = "write the model with shorter numbers"
            raise LimitExceeded("model", "digits of a number", digits, MAX_DIGITS, fix)
    if value.denominator == 1:
        return f"({value.numerator})%Q"
    return f"({value.numerator}#{value.denominator})%Q"


def text(label: str) -> str:
    """Return a string as a Coq term."""
    return '"' + label.replace('"', '""') + '"'


def listed(items: Iterable[str]) -> str:
    """Return a list of terms as a Coq term."""
    return f"[{'; '.join(items)}]"


def naturals(items: Iterable[int]) -> str:
    """Return a list of natural numbers as a Coq term."""
    return listed(map(str, items))


def pair(left: str, right: str) -> str:
    """Return a pair of terms as a Coq term."""
    return f"({left}, {right})"


def expression(source: str) -> str:
    """Return an expression of the document as a term of type ``expr``, operation by operation."""
    if _RATIONAL.fullmatch(source):
        return f"(Num {number(Fraction(source))})"

    def term(node: ast.AST) -> str:
        match node:
            case ast.Constant(int(value)):
                return f"(Num {number(value)})"
            case ast.Name(name):
                return f"(Par {text(name[1:])})"  # the parser puts a _ before every name
            case ast.UnaryOp(ast.USub(), operand):
                return f"(Neg {term(operand)})"
            case ast.BinOp(base, ast.Pow(), ast.Constant(int(exponent))):
                return f"(Pow {term(base)} {exponent}%N)"
            case ast.BinOp(left, operation, right) if type(operation) in _OPERATORS:
                return f"({_OPERATORS[type(operation)]} {term(left)} {term(right)})"
        raise InputError("model", repr(source)[:60], "an expression in exact numbers, parameters, + - * / ^ and ( )")

    return term(parsed(source, "model"))


def table(value: Any, depth: int) -> str:
    """Return nested arrays of expressions."""
    return listed(table(entry, depth - 1) for entry in value) if depth else expression(value)


def steps(value: Any, depth: int) -> str:
    """Return a table for all steps, or one per step."""
    if isinstance(value, dict):
        return f"(Each {listed(table(entry, depth) for entry in value['steps'])})"
    return f"(Always {table(value, depth)})"


def point(values: Point) -> str:
    """Return a parameter point."""
    return listed(pair(text(name), number(value)) for name, value in values.items())


def model(theta: Point, phi: Point) -> str:
    """Return a model xi = (theta, Phi)."""
    return pair(point(theta), point(phi))


def document(game: Game) -> str:
    """Return the class: spaces, kernels, parameter points, policies and responses, in the order of the kernel's
    reader.  A class with interval axes is a document without points, and the cells of Theta and of Psi."""
    if game.finite:
        return tables(game, *points(game))
    fields = {"tables": tables(game, (), ()), "Theta": cells(game, "worlds"), "Psi": cells(game, "responses")}
    return record(fields)


def record(fields: Mapping[str, str]) -> str:
    """Return a record by its fields."""
    return "{|\n" + ";\n".join(f"  {name} := {term}" for name, term in fields.items()) + " |}"


def cells(game: Game, side: str) -> str:
    """Return the cells of Theta (``worlds``) or Psi (``responses``): an interval for every parameter, of one point for
    a value of a finite axis or of a listed point, and the constraints."""
    part, listed_points = game.document[side], game.thetas if side == "worlds" else game.phis
    if listed_points is not None:
        boxes, constraints = [{name: (x, x) for name, x in values.items()} for values in listed_points], []
    else:
        finite, intervals = read_axes(part, side)
        boxes = [{name: (x, x) for name, x in values.items()} | intervals for values in grid(finite, side)]
        constraints = constraints_of(part, side)
    asked = listed(map(expression, constraints))
    return listed(
        "Cell " + listed(pair(text(name), pair(*map(number, box[name]))) for name in sorted(box)) + f" {asked}"
        for box in boxes
    )


def tables(game: Game, thetas: Sequence[Point], phis: Sequence[Point]) -> str:
    """Return spaces, kernels, policies and responses as a document with these parameter points."""
    policies = game.document["policies"]["list"]
    windows = game.learner_window, game.adversary_window
    fields = {
        "horizon": str(game.H),
        "states": labels(game.S),
        "learner_actions": labels(game.A),
        "adversary_actions": labels(game.B),
        "learner_observations": labels(game.OA),
        "adversary_observations": labels(game.OB),
        "initial": table(game.document["worlds"]["initial"], 1),
        **kernels(game),
        "thetas": listed(map(point, thetas)),
        "policy_window": str(windows[0]),
        "policies": listed(pair(text(name), steps(policies[name], 2)) for name in game.policy_names),
        "response_window": str(windows[1]),
        "responses": listed(pair(text(name), response(game, name)) for name in game.policy_names),
        "phis": listed(map(point, phis)),
    }
    return record(fields)


def kernels(game: Game) -> dict[str, str]:
    """Return what a world emits and how it moves."""
    worlds = game.document["worlds"]
    return {
        "learner_emission": steps(in_arrays(worlds["learner_emission"], len(game.OA)), 2),
        "adversary_emission": steps(in_arrays(worlds["adversary_emission"], len(game.OB)), 2),
        "transition": steps(in_arrays(worlds["transition"], len(game.S)), 4),
    }


def response(game: Game, policy: str) -> str:
    """Return what a policy, by name, is answered with."""
    return steps(game.document["responses"]["table"][policy], 2)


def points(game: Game) -> tuple[Sequence[Point], Sequence[Point]]:
    """Return the parameter points of both sides of a finite class."""
    assert game.thetas is not None
    assert game.phis is not None
    return game.thetas, game.phis


def kept(game: Game) -> tuple[list[Point], list[Point]]:
    """Return one point of either side for all that have its tables."""
    worlds: dict[Any, Point] = {}
    answers: dict[Any, Point] = {}
    thetas, phis = points(game)
    for tables, theta in zip(game.worlds, thetas, strict=True):
        worlds.setdefault(tables, theta)
    for response, phi in zip(game.responses, phis, strict=True):
        answers.setdefault(response, phi)
    return [*worlds.values()], [*answers.values()]


def describable(game: Game) -> None:
    """Raise ``InputError`` for a class that no ``doc`` describes."""
    fix = "the kernel's verdict stands without Coq"
    if game.own:
        raise InputError("model.operators", "a class given by operators", "one given by kernels", fix)
    if None in (game.learner_window, game.adversary_window):
        raise InputError("model", 'the window "full"', "windows of a stated length", fix)


def labels(names: Iterable[str]) -> str:
    """Return the labels of a space."""
    return listed(map(text, names))


def reaction(game: Game) -> str | None:
    """Return the reaction rule as a term of type ``block_rule``, or ``None`` for the fading rule, which reads the
    whole past."""
    if game.block_rule == "fading":
        return None
    if game.block_rule != "table":
        return game.block_rule.title()
    blocks: Mapping[str, Any] = game.document["responses"]["blocks"]
    numbered = {name: number for number, name in enumerate(game.policy_names)}
    return "Table " + listed(
        pair(naturals(numbered[name] for name in block.split(" ")), steps(tables, 2))
        for block, tables in blocks.items()
    )


def rewards(game: Game) -> str:
    """Return the reward of every observation, per step."""
    return listed(listed(map(number, row)) for row in game.reward)
