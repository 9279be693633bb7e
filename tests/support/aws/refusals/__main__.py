"""Lists what AWS refuses of a tree: `python -m tests.support.aws.refusals [OPTION …] [NAME=VALUE …]`.

It looks at this tree, or at `--tree FOLDER` or `--commit COMMIT`, and takes parameters of the template. It exits with 1
when it finds more than the known findings.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

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


def _arguments(given: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.support.aws.refusals", description=__doc__)
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE", help="parameters of the template")
    parser.add_argument("--tree", type=Path, default=ROOT, help="folder of the tree; default: this one")
    parser.add_argument("--commit", help="commit of this repository instead of a folder")
    parser.add_argument("--reading", type=Reading, default=Reading.REFUSED, choices=list(Reading))
    return parser.parse_args(given)


def main(given: Sequence[str]) -> int:
    """Print the findings, and return how many there are besides the known ones, at most 1."""
    arguments = _arguments(given)
    parameters = dict(each.split("=", 1) for each in arguments.parameters)
    if arguments.commit:
        with committed(arguments.commit) as tree:
            found = findings_of_tree(tree, parameters, arguments.reading)
    else:
        found = findings_of_tree(Tree(arguments.tree.resolve()), parameters, arguments.reading)
    for finding in found:
        known = " (known)" if finding.rule in KNOWN_FINDINGS else ""
        sys.stdout.write(f"{finding}{known}\n")
    sys.stdout.write(f"{len(found)} findings, {len(TEMPLATE_RULES) + len(TREE_RULES)} rules\n")
    return int(any(finding.rule not in KNOWN_FINDINGS for finding in found))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
