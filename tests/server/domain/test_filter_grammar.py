"""Core of the grammars: precedence, order of equal operators, positions of errors, levels and steps."""

import re
from enum import Enum
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.filters.grammar import END, Infix, Lexer, PrecedenceParser, Token, UnreadableError
from tests.support.documents.step_count import growth_of_steps

Tree = Any
"""Number as written, or an operator and its operands."""

LEVELS: Final = 5
OPERATORS: Final = {
    "|": Infix(1, is_chain=True),
    "&": Infix(2, is_chain=True),
    "+": Infix(3),
    "-": Infix(3),
    "*": Infix(4),
}
TOO_LARGE: Final = "9"


class Kind(Enum):
    NUMBER = "[0-9]++"
    SIGN = r"[|&+*()-]|minus"
    END = END


def written_once(token: Token[Kind]) -> Token[Kind]:
    return Token(token.kind, "-", token.position) if token.text == "minus" else token


LEXER: Final = Lexer(Kind, blank=" *+", hints={"'": "quotes are not supported"}, refine=written_once)


class Calculator(PrecedenceParser[Kind, Tree]):
    def __init__(self, text: str, lookahead: int = 1) -> None:
        super().__init__(
            LEXER.tokens(text), OPERATORS, most_levels=LEVELS, too_deep="too many levels", lookahead=lookahead
        )

    def parse(self) -> Tree:
        tree = self.expression()
        if not self.is_at_end():
            raise self.unexpected("the end is expected")
        return tree

    def _operand(self) -> Tree:
        token = self.advance()
        if token.text == "(":
            self.enter(token)
            tree = self.expression()
            self.expect(")")
            self.leave()
            return tree
        if token.kind is not Kind.NUMBER:
            raise self.error("a number is expected", token)
        if token.text == TOO_LARGE:
            raise self.error("too large", token)
        return token.text

    def _combined(self, operator: Token[Kind], operands: list[Tree]) -> Tree:
        return operator.text, *operands


class PlacedCalculator(Calculator):
    """Calculator whose chains keep the token that each part begins with."""

    def _part(self, operand: Tree, first: Token[Kind]) -> Tree:
        return first.position, operand


def parsed(text: str) -> Tree:
    return Calculator(text).parse()


def refused(text: str, lookahead: int = 1) -> tuple[int, str]:
    with pytest.raises(UnreadableError) as error:
        Calculator(text, lookahead).parse()
    return error.value.position, error.value.problem


def text_of(tree: Tree, lowest: int = 1) -> str:
    """Return the text with no more parentheses than precedence and order need."""
    if isinstance(tree, str):
        return tree
    operator, *operands = tree
    infix = OPERATORS[operator]
    first = infix.precedence + infix.is_chain
    texts = [text_of(operands[0], first), *(text_of(each, infix.precedence + 1) for each in operands[1:])]
    text = f" {operator} ".join(texts)
    return f"({text})" if infix.precedence < lowest else text


def with_all_parentheses(tree: Tree) -> str:
    return tree if isinstance(tree, str) else f"({f'{tree[0]}'.join(map(with_all_parentheses, tree[1:]))})"


def levels_of(tree: Tree) -> int:
    return 0 if isinstance(tree, str) else 1 + max(map(levels_of, tree[1:]))


def operations(operands: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    chains = st.tuples(st.sampled_from("|&"), st.lists(operands, min_size=2, max_size=4))
    pairs = st.tuples(st.sampled_from("+-*"), st.lists(operands, min_size=2, max_size=2))
    return st.one_of(chains, pairs).map(lambda parts: (parts[0], *parts[1]))


trees = st.recursive(st.sampled_from(["1", "20", "300"]), operations, max_leaves=12).filter(
    lambda tree: levels_of(tree) <= LEVELS
)


@given(trees)
def test_a_text_with_the_fewest_parentheses_is_read_as_its_tree(tree: Tree) -> None:
    assert parsed(text_of(tree)) == tree


@given(trees)
def test_a_text_with_all_parentheses_is_read_as_its_tree(tree: Tree) -> None:
    assert parsed(with_all_parentheses(tree)) == tree


def test_pairs_of_equal_precedence_are_read_from_the_left_and_chains_as_one() -> None:
    assert parsed("1 - 2 + 3 - 4") == ("-", ("+", ("-", "1", "2"), "3"), "4")
    assert parsed("1 & 2 & 3 | 4 | 5") == ("|", ("&", "1", "2", "3"), "4", "5")
    assert parsed("1 minus 2") == ("-", "1", "2")


def test_each_part_of_a_chain_is_given_with_its_first_token() -> None:
    assert PlacedCalculator("(1) | 2 * 3 | 4").parse() == ("|", (0, "1"), (6, ("*", "2", "3")), (14, "4"))


@given(trees, st.randoms())
def test_an_unexpected_character_is_refused_at_its_position(tree: Tree, random: Random) -> None:
    words = re.findall(r"[0-9]+|\S", text_of(tree))
    place = random.randrange(len(words) + 1)
    before = " ".join(words[:place])

    assert refused(" ".join([before, "@", *words[place:]])) == (len(before) + 1, "'@' is not expected")


@given(trees)
def test_a_text_without_its_last_operand_is_refused_at_its_end(tree: Tree) -> None:
    text = f"{text_of(tree)} * "

    assert refused(text) == (len(text), "a number is expected")


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("", 0, "a number is expected"),
        ("1 - * 2", 4, "a number is expected"),
        ("(1 2)", 3, "`)` is expected"),
        ("(1", 2, "`)` is expected"),
        ("1)", 1, "the end is expected"),
        ("1 2", 2, "the end is expected"),
        ("1 ' 2", 2, "quotes are not supported"),
    ],
)
def test_a_token_in_a_wrong_place_is_refused_at_its_position(text: str, position: int, problem: str) -> None:
    assert refused(text) == (position, problem)


def test_errors_of_tokens_ahead_precede_those_of_the_parser_as_far_as_it_looks_ahead() -> None:
    assert refused("9 @", lookahead=1) == (2, "'@' is not expected")
    assert refused("9 @", lookahead=0) == (0, "too large")
    assert refused("9 1 @", lookahead=2) == (4, "'@' is not expected")


def test_levels_are_bounded_and_counted_as_long_as_they_are_open() -> None:
    assert parsed("(" * LEVELS + "1" + ")" * LEVELS) == "1"
    assert refused("1 & " + "(" * (LEVELS + 1)) == (4 + LEVELS, "too many levels")
    assert parsed(" & ".join(["((1))"] * 50)) == ("&", *["1"] * 50)


@pytest.mark.parametrize("operator", ["|", "+", "*", "+ 1 *", "& 1 + 1 |"])
def test_steps_grow_with_the_length_of_the_text(operator: str) -> None:
    def work(size: int) -> Any:
        text = f"1 {operator} " * size + "1"
        return lambda: parsed(text)

    assert growth_of_steps(work, 100, 1_000) < 1.1


@given(st.text(alphabet="0123 +-*&|()", max_size=40))
def test_tokens_are_the_text_without_its_blanks_at_their_positions(text: str) -> None:
    tokens = list(LEXER.tokens(text))

    assert "".join(token.text for token in tokens) == text.replace(" ", "")
    assert all(text[token.position :].startswith(token.text) for token in tokens)
    assert [token for token in tokens if not token.text] == [Token(Kind.END, "", len(text))]


def test_a_lexer_may_count_positions_by_the_last_character() -> None:
    lexer = Lexer(Kind, blank=" *+", hints={}, position=re.Match[str].end)

    assert [token.position for token in lexer.tokens(" 10 +(")] == [3, 5, 6, 6]
