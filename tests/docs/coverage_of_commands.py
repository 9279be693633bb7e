"""Commands of the pages that are not run as they stand, each with what shows instead that it is right.

A prefix that no page holds any more, or whose proof is gone, fails `test_shell_commands.py`.
"""

from typing import Final

PROVED_ELSEWHERE: Final = {
    "make run": "tests/docs/test_readme_from_empty_clone.py::test_the_readmes_commands_work_in_an_empty_clone",
    "make test": "tests/docs/test_shell_commands.py::test_every_make_target_of_a_page_is_there",
    "sam validate --lint": "tests/template/test_zz_sam.py::test_the_template_is_valid_and_free_of_lint",
    "sam build": "tests/template/test_zz_sam.py::test_the_build_puts_the_package_and_arm64_libraries_into_the_layer",
    "claude mcp add": "tests/docs/test_shell_commands.py::test_clients_are_told_what_the_first_start_prints",
}
"""Tools that are not here, and the command that runs this very test."""

ONLY_HELP: Final = (".venv/bin/python -m bench.",)
"""Minutes each, and their numbers mean nothing on a busy machine: here they only explain themselves."""

SERVING: Final = "groundwire serve"
"""Runs until it is stopped: started, asked, and stopped."""
