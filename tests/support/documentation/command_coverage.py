"""Commands of the pages that are not run unchanged, each with the test that proves it right.

A prefix that no page holds any more, or whose proof is gone, fails `test_shell_commands.py`.
"""

from typing import Final

_HERE: Final = "tests/docs/test_shell_commands.py"
_CLONE: Final = "tests/docs/test_readme_from_empty_clone.py"
_BENCHES: Final = "tests/e2e/benches/test_benches.py"
_SAM: Final = "tests/server/template/test_sam.py"
_AWS: Final = "tests/docs/test_aws_commands.py"
_BUILT: Final = "tests/e2e/cloud/test_artifacts.py"
_PAGE: Final = "tests/e2e/cloud/test_page.py"
_BLOCKS: Final = "test_the_blocks_of_the_page_lead_from_a_clone_to_the_first_answer"
_CLIENTS: Final = "tests/e2e/clients/test_page.py"

_RUNS: Final = "tests/server/entry/cli/test_ingestion_runs.py"
_EVALUATIONS: Final = "tests/server/services/evaluate/test_stored_evaluations.py"
_MODELS: Final = "tests/server/entry/cli/test_models.py"
_DEMO: Final = "tests/e2e/test_first_five_minutes.py"
_WHEEL: Final = "tests/e2e/test_wheel.py"
_STORED: Final = "tests/contract/stored/test_stored.py"

PROVED_BY: Final = {
    ".venv/bin/groundwire connect": (_DEMO, "test_the_printed_settings_connect_an_mcp_client"),
    "groundwire connect": (_DEMO, "test_the_printed_settings_connect_an_mcp_client"),
    "uvx --from ./groundwire-": (_WHEEL, "test_uvx_runs_the_demo_and_uv_fetches_the_model"),
    "pipx run --spec ./groundwire-": (_WHEEL, "test_pipx_runs_the_demo"),
    "python3 -m venv groundwire": (_WHEEL, "test_pip_installs_what_runs_the_demo"),
    "groundwire/bin/": (_WHEEL, "test_pip_installs_what_runs_the_demo"),
    ".venv/bin/python -m tests.contract.stored.generate": (
        _STORED,
        "test_a_command_prints_as_json_what_it_printed_and_perhaps_more",
    ),
    "groundwire key explain-token": (
        "tests/server/entry/cli/test_sign_in.py",
        "test_a_token_is_explained_by_the_decision_on_its_call",
    ),
    "groundwire restore backups/tuesday": (
        "tests/server/entry/cli/test_restoration.py",
        "test_what_persons_decided_since_the_backup_holds_in_the_restored_home",
    ),
    "groundwire replay-deletions": (
        "tests/server/entry/cli/test_deleted_documents.py",
        "test_deletions_after_a_backup_are_repeated_in_its_restored_home",
    ),
    "groundwire user import": (
        "tests/server/entry/cli/test_tenants_and_users.py",
        "test_a_list_of_users_is_imported_and_other_users_stay",
    ),
    "groundwire ingestion show": (_RUNS, "test_a_finished_run_has_its_counts"),
    "groundwire ingestion cancel": (
        _RUNS,
        "test_a_run_is_cancelled_after_its_present_file_and_the_same_command_continues_it",
    ),
    "groundwire evaluation show": (_EVALUATIONS, "test_an_evaluation_of_a_tenants_documents_is_stored_and_shown"),
    "groundwire evaluation compare": (_EVALUATIONS, "test_a_gate_that_fails_is_an_exit_code"),
    "groundwire evaluation delete": (_EVALUATIONS, "test_an_evaluation_is_deleted_and_an_unknown_one_is_named"),
    ".venv/bin/groundwire search": (_CLONE, "test_the_readmes_commands_work_in_an_empty_clone"),
    "make run": (_CLONE, "test_the_readmes_commands_work_in_an_empty_clone"),
    "make .venv/installed": (_HERE, "test_every_make_target_of_a_page_is_there"),
    "make test": (_HERE, "test_every_make_target_of_a_page_is_there"),
    "make check": (_HERE, "test_every_make_target_of_a_page_is_there"),
    "make base-digest": (
        "tests/server/adapters/embedding/test_base_image.py",
        "test_the_digest_that_docker_resolves_is_written_for_both_stages_of_both_images",
    ),
    "make release": (
        "tests/server/template/test_release.py",
        "test_the_archive_of_a_release_has_the_digests_and_every_file_of_the_commit",
    ),
    "make image": (
        "tests/server/template/test_release.py",
        "test_the_context_of_the_servers_image_has_what_its_lines_copy",
    ),
    "make clients": (_HERE, "test_every_make_target_of_a_page_is_there"),
    "make bench": (_BENCHES, "test_the_bench_of_the_protocol_measures_us_cold_and_warm_and_names_what_we_import"),
    "sam build": (_PAGE, _BLOCKS),
    "sam deploy": (_PAGE, _BLOCKS),
    "sam list stack-outputs": (_PAGE, _BLOCKS),
    "python3 -m venv": (_PAGE, _BLOCKS),
    ".venv/bin/pip install": (_PAGE, _BLOCKS),
    "umask 077": (_PAGE, _BLOCKS),
    ".venv/bin/groundwire --stack": (_PAGE, _BLOCKS),
    "GROUNDWIRE_KEY=$(cat acme.key) .venv/bin/groundwire --url": (_PAGE, _BLOCKS),
    "curl -s $(cat acme.url)/mcp": (_PAGE, _BLOCKS),
    "sam delete": (_SAM, "test_every_option_of_a_sam_command_on_a_page_is_one_of_the_tool"),
    "sam local invoke": (_BUILT, "test_an_event_of_mcp_is_answered_by_the_built_function"),
    "sam logs": (_SAM, "test_every_option_of_a_sam_command_on_a_page_is_one_of_the_tool"),
    "aws ": (_AWS, "test_an_aws_command_of_a_page_is_one_that_the_service_has"),
    "docker ": (_AWS, "test_the_image_is_built_as_lambda_takes_it_and_pushed_where_the_deployment_looks_for_it"),
    "groundwire doctor --before": (
        "tests/server/entry/doctor/test_before.py",
        "test_an_account_with_room_passes_without_a_warning",
    ),
    "groundwire --stack groundwire-dev doctor": (
        "tests/e2e/cloud/test_doctor.py",
        "test_every_promise_holds_on_the_emulated_stack_but_what_the_emulator_lacks",
    ),
    "groundwire --stack": (
        "tests/server/entry/operator/test_orders.py",
        "test_the_first_key_of_a_tenant_is_admitted_for_what_was_ordered",
    ),
    "groundwire --url": (_HERE, "test_a_command_for_another_place_is_one_of_the_command_line"),
    "groundwire demo": (
        "tests/e2e/test_first_five_minutes.py",
        "test_a_second_start_prints_the_same_keys_and_ingests_nothing",
    ),
    "groundwire invoke": (
        "tests/server/entry/cli/test_invoke.py",
        "test_a_call_is_answered_by_the_function_of_the_checkout_under_the_runtime_client",
    ),
    "GROUNDWIRE_STACK=prod groundwire rebuild": (
        "tests/server/entry/cli/test_stack.py",
        "test_files_that_the_parser_did_not_read_are_queued_again_and_counted",
    ),
    "GROUNDWIRE_STACK=groundwire-dev groundwire env": (
        "tests/server/entry/cli/test_stack.py",
        "test_the_variables_of_the_functions_are_printed_or_written_for_their_owner_alone",
    ),
    "python -m tests.support.aws.refusals": (
        "tests/server/adapters/aws/refusals/test_trees.py",
        "test_the_command_lists_findings_and_counts_rules",
    ),
    "groundwire model add": (_MODELS, "test_a_packaged_model_is_chosen_by_its_name_alone"),
    "groundwire reindex": (_MODELS, "test_a_tenant_is_put_on_another_model_and_a_repetition_does_nothing"),
    "pip install 'mcp==": (_CLIENTS, "test_the_install_lines_have_the_tested_versions"),
    "npm install @modelcontextprotocol/client@": (_CLIENTS, "test_the_install_lines_have_the_tested_versions"),
    "claude mcp add": (_HERE, "test_the_pages_on_clients_have_what_connect_prints"),
}
"""Tools that are not here, commands of minutes, and the command that runs this very test; file and function."""

ONLY_HELP: Final = (".venv/bin/python -m bench.",)
"""Minutes each, and their numbers mean nothing on a busy machine: here they only explain themselves."""

SERVING: Final = "groundwire serve"
"""Command that runs until it is stopped: a test starts it, calls it, and stops it."""
