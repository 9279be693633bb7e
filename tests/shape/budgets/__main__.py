"""Write the counts that fell into tests/shape/budgets.toml: `python -m tests.shape.budgets [--all REASON]`.

Counts that rose are printed and not written: a person raises them, with the reason. `--all` writes every count as it is
measured, and the reason beside those that rose.
"""

import argparse
import sys
from collections.abc import Sequence

from tests.shape.budgets.budget import findings, lowered, reset
from tests.shape.budgets.budget_file import MODULES, PATH, read_budgets, written, written_modules
from tests.shape.budgets.measures import measure


def main(given: Sequence[str] | None = None) -> int:
    """Measure, write, and return the status of the process: 1 where a count is still above its budget."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--all", metavar="REASON", help="write rises, too, with this reason beside them")
    chosen = arguments.parse_args(given)
    budgets = read_budgets(PATH.read_text(encoding="utf-8")) if PATH.is_file() else {}
    measured = measure()
    changed = lowered(budgets, measured.counts) if chosen.all is None else reset(budgets, measured.counts, chosen.all)
    rises = list(findings(changed, measured.counts))
    PATH.write_text(written(changed), encoding="utf-8")
    if not rises:
        # With a rise, the list keeps the modules from before it, so that the test can name the new ones.
        MODULES.write_text(written_modules(measured.modules), encoding="utf-8")
    sys.stdout.writelines(f"{rise}\n" for rise in rises)
    return int(bool(rises))


if __name__ == "__main__":
    sys.exit(main())
