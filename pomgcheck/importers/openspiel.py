"""Reads games of OpenSpiel (the extra ``openspiel``) as trees, every number a fraction; either player is asked by its
information state, and both at once where they move at the same time."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from pomgcheck.errors import InputError, LimitExceeded, optional
from pomgcheck.importers import kuhn
from pomgcheck.importers.tree import MAX_WAY, TreeNode, Turn

MAX_NODES = 100_000
MAX_DENOMINATOR = 1_000_000
NEAR = Fraction(1, 10**12)  # how far OpenSpiel's number, a float, may be from its fraction
PLAYERS = 2
UNITS = {"kuhn_poker": "payoff in chips", "leduc_poker": "payoff in chips"}
SPOKEN: dict[str, Callable[[str], str]] = {"kuhn_poker": kuhn.spoken}


def tree(source: str, numbered: bool = False) -> tuple[TreeNode, str, tuple[str, str]]:
    """Return the tree, the game's name in full, and what it pays, of ``openspiel:NAME`` or
    ``openspiel:NAME(key=value,...)``.

    Information states are labels as OpenSpiel spells them, or numbers in the order of the tree.
    """
    game = _game(source)
    kind = game.get_type()
    name = str(kind.short_name)
    only = "move" if kind.information.name == "ONE_SHOT" else ""
    reader = _GameReader(source, SPOKEN.get(name, str), numbered, only)
    paid = "game", UNITS.get(name, "payoff")
    return reader.read(game.new_initial_state()), f"OpenSpiel's {str(game).removesuffix('()')}", paid


def _game(source: str) -> Any:
    """Return OpenSpiel's game, of a kind that has a finite tree with information states."""
    spiel = optional("pyspiel", "openspiel", source)
    text = source.partition(":")[2]
    games = {each.short_name: each for each in spiel.registered_games()}
    named = games.get(text.partition("(")[0])
    if named is None:
        raise InputError(source, "no such game", "a game of OpenSpiel, such as kuhn_poker or matrix_rps")
    try:
        for key in spiel.game_parameters_from_string(text):
            if key not in ("name", *named.parameter_specification):
                known = ", ".join(sorted(named.parameter_specification)) or "none"
                raise InputError(source, f"the parameter {key}", f"one of the game's: {known}")
        game = spiel.load_game(text)
    except InputError:
        raise
    except Exception as error:  # OpenSpiel raises what its C++ does
        said = " ".join(str(error).split())[:120]
        raise InputError(source, f"what OpenSpiel refuses ({said})", "NAME or NAME(key=value,...)") from None
    kind = game.get_type()
    if not 1 <= game.num_players() <= PLAYERS:
        raise InputError(source, f"{game.num_players()} players", "1 or 2, the learner and the adversary")
    if kind.chance_mode == spiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise InputError(source, "chance moves that are only sampled", "a game that states their probabilities")
    if kind.dynamics == spiel.GameType.Dynamics.MEAN_FIELD:
        raise InputError(source, "a mean-field game", "a sequential or simultaneous one")
    if not kind.provides_information_state_string:
        raise InputError(source, "a game without information states", "one that tells what each player knows")
    return game


class _GameReader:
    def __init__(self, source: str, spoken: Callable[[str], str], numbered: bool, only: str) -> None:
        self.source, self.spoken, self.numbered, self.only = source, spoken, numbered, only
        self.numbers: dict[tuple[int, str], str] = {}

    def read(self, start: Any) -> TreeNode:
        """Return all nodes below a state, counted on the way."""
        root = TreeNode()
        waiting, count = [(start, root, 0)], 0
        while waiting:
            state, node, depth = waiting.pop()
            count += 1
            if count > MAX_NODES or depth > MAX_WAY:
                what, limit = ("nodes", MAX_NODES) if count > MAX_NODES else ("moves on the way to a node", MAX_WAY)
                raise LimitExceeded(self.source, what, max(limit + 1, depth), limit, "give the game smaller parameters")
            after = self._entered(state, node)
            node.children = [TreeNode() for _ in after]
            waiting += reversed([(*each, depth + 1) for each in zip(after, node.children, strict=True)])
        return root

    def _entered(self, state: Any, node: TreeNode) -> list[Any]:
        """Make the node of a state, except for its children, and return the states that these belong to."""
        if state.is_terminal():
            node.paid = tuple(self.exact(paid) for paid in state.returns())
            return []
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            node.moves = self.labels(state, -1, [move for move, _ in outcomes])
            node.chances = tuple(self.exact(p) for _, p in outcomes)
            if sum(node.chances) != 1:
                raise InputError(self.source, f"chance moves that sum to {sum(node.chances)}", "a sum of exactly 1")
            return [state.child(move) for move, _ in outcomes]
        players = range(PLAYERS) if state.is_simultaneous_node() else [state.current_player()]
        legal = {player: list(state.legal_actions(player)) for player in players if player < state.num_players()}
        legal = {player: moves for player, moves in legal.items() if moves}
        decision = TreeNode.decision(
            {
                player + 1: Turn(self.known(state, player), self.labels(state, player, moves))
                for player, moves in legal.items()
            }
        )
        node.asked, node.moves = decision.asked, decision.moves
        if not state.is_simultaneous_node():
            return [state.child(move) for moves in legal.values() for move in moves]
        return [_joint(state, (a, b)) for a in legal.get(0, [0]) for b in legal.get(1, [0])]

    def known(self, state: Any, player: int) -> str:
        """Return a player's information state as a label, on one line; where a game has only one, its label is
        ``only``."""
        text = state.information_state_string(player)
        if self.numbered:
            mine = sum(each == player for each, _ in self.numbers)
            return self.numbers.setdefault((player, text), f"state{mine + 1}")
        return self.only or "_".join(self.spoken(text).split()) or "start"

    def labels(self, state: Any, player: int, moves: list[int]) -> tuple[str, ...]:
        """Return the labels of moves, without the player's number that OpenSpiel puts before some."""
        texts = [self.spoken(state.action_to_string(player, move)) for move in moves]
        short = [text.removeprefix(f"[P{player}]") for text in texts]
        pairs = [("_".join(text.split()) or "_", move) for text, move in zip(short, moves, strict=True)]
        labels = [label for label, _ in pairs]
        return tuple(labels if len(set(labels)) == len(labels) else [f"{label}#{move}" for label, move in pairs])

    def exact(self, value: float) -> Fraction:
        """Return the fraction that OpenSpiel's float stands for."""
        found = Fraction(value).limit_denominator(MAX_DENOMINATOR)
        if abs(found - Fraction(value)) > NEAR:
            raise InputError(
                self.source,
                f"the number {value!r}",
                f"one within 1e-12 of a fraction of denominator at most {MAX_DENOMINATOR:,}",
            )
        return found


def _joint(state: Any, moves: tuple[int, int]) -> Any:
    after = state.clone()
    after.apply_actions(list(moves[: state.num_players()]))
    return after
