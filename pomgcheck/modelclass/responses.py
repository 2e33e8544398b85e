"""Reads the section ``responses``: Psi as expressions in Phi, and the reaction rule R."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.modelclass.expressions import ExpressionRing
from pomgcheck.modelclass.fields import Section, Spaces, Window, at, describe, integer, section, unknown, window
from pomgcheck.modelclass.parameters import number
from pomgcheck.modelclass.sugar import axis, matches, row_name
from pomgcheck.modelclass.tables import Kind, Reader, Table, canonical_steps, texts, window_rows

RULES = ("latest", "mean", "fading", "table")
MAX_MEMORY = 10_000
MAX_BLOCKS = 100_000

Tables = dict[str, list[Table]]  # by policy or block; one table per step, or one for all
Given = dict[str, tuple[str, Any]]  # by policy or block: its key path, and what stands there


def responses(value: Section, spaces: Spaces, phi: Reader, policies: Sequence[str]) -> Section:
    """Return the canonical section; ``phi`` reads its expressions, ``policies`` are the names of Pi, sorted."""
    optional = ("memory", "gamma", "table", "blocks", "linear", "parameters", "constraints", "points")
    part = section(value, "responses", ("block_rule", "window"), optional)
    rule = reaction_rule(part, phi.ring)
    length = window(part["window"], "responses.window")
    psi = _Responses(spaces, phi, policies, length)
    result = phi.parameters.document() | rule | {"window": length}
    if "table" not in part and "linear" not in part:
        raise InputError("responses", "neither table nor linear", "the response to each policy")
    tables: Tables = {}
    if "linear" in part:
        result["linear"], tables = psi.linear(part["linear"])
    if "table" in part:
        tables = psi.tables(by_policy(part["table"], policies, "responses.table", phi.sugar), tables)
    result["table"] = {name: canonical_steps(table, length) for name, table in tables.items()}
    if "blocks" in part:
        blocks = psi.blocks(part["blocks"], rule["memory"], tables)
        result["blocks"] = {name: canonical_steps(table, length) for name, table in blocks.items()}
    return result


def reaction_rule(part: Section, ring: ExpressionRing) -> Section:
    """Return ``block_rule`` and what belongs to it: a memory, or gamma for fading memory (Theorem 5.2)."""
    rule = part["block_rule"]
    if rule not in RULES:
        raise unknown(rule if isinstance(rule, str) else describe(rule), RULES, "responses.block_rule", "rule")
    owed = {"memory": rule != "fading", "gamma": rule == "fading", "blocks": rule == "table"}
    for key, wanted in owed.items():
        if (key in part) != wanted:
            found = f'{"no" if wanted else "the"} key "{key}" beside the rule "{rule}"'
            fix = "" if wanted else f'leave "{key}" out'
            raise InputError("responses", found, f"{'it' if wanted else 'no such key'} with this rule", fix)
    if rule != "fading":
        return {"block_rule": rule, "memory": integer(part["memory"], "responses.memory", MAX_MEMORY)}
    gamma = number(part["gamma"], "responses.gamma", ring)
    if not 0 <= gamma < 1:
        raise InputError("responses.gamma", str(gamma), "a number with 0 <= gamma < 1")
    return {"block_rule": rule, "gamma": str(gamma)}


def by_policy(value: Any, policies: Sequence[str], where: str, sugar: bool) -> Given:
    """Return one entry per policy; in sugar ``*`` is every policy and later entries win."""
    if not isinstance(value, dict):
        raise InputError(where, describe(value), "a table with one entry per policy")
    found: Given = {}
    for key, entry in value.items():
        if key not in policies and not (sugar and key == "*"):
            raise unknown(key, policies, where, "policy")
        found |= dict.fromkeys(policies if key == "*" else (key,), (at(where, key), entry))
    for name in policies:
        if name not in found:
            raise InputError(where, f'nothing for the policy "{name}"', "an entry for each policy of the class")
    return found


class _Responses:
    """This reads the response tables of one class."""

    def __init__(self, spaces: Spaces, phi: Reader, policies: Sequence[str], length: Window) -> None:
        self.spaces, self.phi, self.policies, self.length = spaces, phi, policies, length
        self.history = (spaces.OB, spaces.B)

    def _read(self, given: Given, outputs: Sequence[str], kind: Kind = "probability") -> Tables:
        return {
            name: self.phi.windowed(table, self.length, self.history, axis(outputs), where, kind)
            for name, (where, table) in given.items()
        }

    def tables(self, given: Given, products: Tables) -> Tables:
        """Return g^Phi_h(b | window, pi); where there is a linear form, the tables are its ``products``."""
        tables = self._read(given, self.spaces.B)
        for name in products:
            self._check_same(tables[name], products[name], given[name][0], "matrix times features")
        return tables

    def linear(self, value: Any) -> tuple[Section, Tables]:
        """Return the linear form of Theorem 5.3 and its tables: g(b | row, pi) = sum over k of matrix[b][k] ·
        features[pi][row][k]."""
        where = "responses.linear"
        part = section(value, where, ("matrix", "features"))
        first = part["matrix"][0] if isinstance(part["matrix"], list) and part["matrix"] else None
        if not isinstance(first, list) or not first:
            found, rows = describe(part["matrix"]), len(self.spaces.B)
            raise InputError(f"{where}.matrix", found, f"an array of {rows} rows of at least one entry")
        weights = [f"weight-{k + 1}" for k in range(len(first))]
        matrix = self.phi.table(part["matrix"], [axis(self.spaces.B), axis(weights)], f"{where}.matrix", "free")
        given = by_policy(part["features"], self.policies, f"{where}.features", self.phi.sugar)
        features = self._read(given, weights, "free")
        products = {
            name: [self._product(matrix, rows, h, given[name][0]) for h, rows in enumerate(steps)]
            for name, steps in features.items()
        }
        stored = {name: canonical_steps(steps, self.length) for name, steps in features.items()}
        return {"matrix": texts(matrix), "features": stored}, products

    def _product(self, matrix: Table, features: Table, h: int, where: str) -> Table:
        rows = []
        for k, vector in enumerate(features):
            spot = self._row(where, h, k)
            row = tuple(self.phi.ring.dot(line, vector, spot) for line in matrix)
            self.phi.check(row, [entry.text for entry in row], spot, "probability")
            rows.append(row)
        return rows

    def blocks(self, value: Any, m: int, tables: Tables) -> Tables:
        """Return R by block of m policies, oldest first; the block of m equal ones gives the stationary response and
        may be left out."""
        where = "responses.blocks"
        total = len(self.policies) ** m
        if total > MAX_BLOCKS:
            raise LimitExceeded(where, f"blocks of {m} policies", total, MAX_BLOCKS, "use a shorter memory")
        given = self._given_blocks(value, m, where)
        found = self._read(given, self.spaces.B)
        for name in self.policies:
            alone = " ".join([name] * m)
            if alone in found:
                self._check_same(found[alone], tables[name], given[alone][0], at("responses.table", name))
            found[alone] = tables[name]
        for block in map(" ".join, product(self.policies, repeat=m)):
            if block not in found:
                raise InputError(where, f'nothing for the block "{block}"', f"each of the {total} blocks")
        return found

    def _given_blocks(self, value: Any, m: int, where: str) -> Given:
        """Return one entry per block; in sugar ``*`` is every policy, and later entries win."""
        if not isinstance(value, dict):
            raise InputError(where, describe(value), "a table with one entry per block of policies")
        found: Given = {}
        for key, entry in value.items():
            spot = at(where, key)
            words = tuple(key.split(" "))
            if len(words) != m or ("*" in words and not self.phi.sugar):
                raise InputError(where, f'the key "{key}"', f"{m} policies, oldest first, one blank between")
            for block in matches(words, [axis(self.policies)] * m, spot)[0]:
                found[" ".join(self.policies[k] for k in block)] = (spot, entry)
        return found

    def _check_same(self, found: list[Table], required: list[Table], where: str, what: str) -> None:
        for h in range(max(len(found), len(required))):
            one, other = (texts(steps[min(h, len(steps) - 1)]) for steps in (found, required))
            for k, (row, wanted) in enumerate(zip(one, other, strict=True)):
                if row != wanted:
                    required_row = f"[{', '.join(wanted)}], as in {what}"
                    raise InputError(self._row(where, h, k), f"[{', '.join(row)}]", required_row)

    def _row(self, where: str, h: int, k: int) -> str:
        """Return the place of row ``k`` at 0-based step ``h``."""
        label = window_rows(self.length, h, *self.history)[k]
        return f"{where}, step {h + 1}, {row_name(label)}"
