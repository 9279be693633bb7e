"""Commands of the pages that are not run as they stand, each with what shows instead that it is right.

A prefix that no page holds any more, or whose proof is gone, fails `test_shell_commands.py`.
"""

from typing import Final

_HERE: Final = "tests/docs/test_shell_commands.py"
_CLONE: Final = "tests/docs/test_readme_from_empty_clone.py"
_BENCHES: Final = "tests/benches/test_benches.py"
_SAM: Final = "tests/template/test_sam.py"

PROVED_ELSEWHERE: Final = {
    "make run": (_CLONE, "test_the_readmes_commands_work_in_an_empty_clone"),
    "make test": (_HERE, "test_every_make_target_of_a_page_is_there"),
    "make bench": (_BENCHES, "test_the_bench_of_the_protocol_measures_us_cold_and_warm_and_names_what_we_import"),
    "sam validate --lint": (_SAM, "test_the_template_is_valid_and_free_of_lint"),
    "sam build": (_SAM, "test_the_build_puts_the_package_and_arm64_libraries_into_the_layer"),
    "claude mcp add": (_HERE, "test_clients_are_told_what_the_first_start_prints"),
}
"""Tools that are not here, commands of minutes, and the command that runs this very test; file and function."""

ONLY_HELP: Final = (".venv/bin/python -m bench.",)
"""Minutes each, and their numbers mean nothing on a busy machine: here they only explain themselves."""

SERVING: Final = "groundwire serve"
"""Runs until it is stopped: started, asked, and stopped."""
