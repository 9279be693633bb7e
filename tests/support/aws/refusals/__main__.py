"""Lists what AWS refuses of a tree: `python -m tests.support.aws.refusals [OPTION …] [NAME=VALUE …]`.

It looks at this tree, or at `--tree FOLDER` or `--commit COMMIT`, and takes parameters of the template. It exits with 1
when it finds more than the known findings.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from subprocess import CalledProcessError

from tests.support.aws.refusals.known import KNOWN_FINDINGS
from tests.support.aws.refusals.rule import Finding, Reading, findings
from tests.support.aws.refusals.rules import TEMPLATE_RULES
from tests.support.aws.refusals.template import read_template
from tests.support.aws.refusals.tree.rules import TREE_RULES
from tests.support.aws.refusals.tree.tree import ROOT, Tree, committed


def findings_of_tree(tree: Tree, parameters: dict[str, str], reading: Reading) -> list[Finding]:
    """Return what AWS refuses of the template with these parameters and of the code."""
    template = read_template(tree.template, parameters)
    return [*findings(TEMPLATE_RULES, template, reading), *findings(TREE_RULES, tree, reading)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.support.aws.refusals", description=__doc__)
    parser.add_argument("parameters", nargs="*", type=_parameter, metavar="NAME=VALUE", help="template parameters")
    parser.add_argument("--tree", type=Path, default=ROOT, help="folder of the tree; default: this one")
    parser.add_argument("--commit", help="commit of this repository instead of a folder")
    parser.add_argument("--reading", type=Reading, default=Reading.REFUSED, choices=list(Reading))
    return parser


def _parameter(given: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{given!r} has no value: write NAME=VALUE.")
    return name, value


def _unknown(tree: Tree, parameters: Mapping[str, str]) -> str:
    """Return a sentence about the first parameter or value that the template does not have, or an empty text."""
    declared = read_template(tree.template, {}).body.get("Parameters", {})
    for name, value in parameters.items():
        if name not in declared:
            return f"the template has no parameter {name}; it has {', '.join(sorted(declared))}."
        allowed = [str(each) for each in declared[name].get("AllowedValues", [value])]
        if value not in allowed:
            return f"{name} is one of {', '.join(allowed)}, not {value!r}."
    return ""


def main(given: Sequence[str]) -> int:
    """Print the findings, and return how many there are besides the known ones, at most 1."""
    parser = _parser()
    arguments = parser.parse_args(given)
    parameters = dict(arguments.parameters)
    with ExitStack() as stack:
        tree = Tree(arguments.tree.resolve())
        if arguments.commit is not None:
            try:
                tree = stack.enter_context(committed(arguments.commit))
            except CalledProcessError:
                parser.error(f"this repository has no commit {arguments.commit!r}.")
        if not tree.template.is_file():
            parser.error(f"{tree.template} is not there.")
        if unknown := _unknown(tree, parameters):
            parser.error(unknown)
        found = findings_of_tree(tree, parameters, arguments.reading)
    for finding in found:
        known = " (known)" if finding.rule in KNOWN_FINDINGS else ""
        sys.stdout.write(f"{finding}{known}\n")
    sys.stdout.write(f"{len(found)} findings, {len(TEMPLATE_RULES) + len(TREE_RULES)} rules\n")
    return int(any(finding.rule not in KNOWN_FINDINGS for finding in found))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
