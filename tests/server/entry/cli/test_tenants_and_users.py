"""Tenants and users are created, listed, named by name or id, and deleted completely."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.aws.kernel.lambda_kernel import under_lambda_kernel
from tests.support.engines.missing import Absent, answer
from tests.support.entry.command import Command


def test_a_tenant_is_listed_with_the_id_that_was_made_for_it(groundwire: Command) -> None:
    made = groundwire.json("tenant", "create", "acme")
    assert made["name"] == "acme"
    assert made["tenant"].startswith("t_")
    assert groundwire.json("tenant", "list") == [made]


def test_a_new_tenant_is_shown_with_a_next_step_that_can_be_pasted(groundwire: Command) -> None:
    shown = groundwire("tenant", "create", "two words").done().out
    assert "Next: groundwire ingest FOLDER --tenant 'two words'" in shown


def test_two_tenants_never_share_a_name_or_an_id(groundwire: Command, tenant: str) -> None:
    again = groundwire("tenant", "create", "acme")
    assert again.code == 1
    assert "acme" in again.line
    assert groundwire.tenant("other") != tenant


@pytest.mark.parametrize("name", ["ACME", " acme ", "ａｃｍｅ", "Acme"])
def test_two_names_that_a_person_takes_for_one_are_one_tenant(groundwire: Command, tenant: str, name: str) -> None:
    refused = groundwire("tenant", "create", name)
    assert (refused.code, "'acme' already" in refused.line) == (1, True)
    assert [row["tenant"] for row in groundwire.json("tenant", "list")] == [tenant]


def test_a_tenant_is_named_without_the_space_around_its_name(groundwire: Command) -> None:
    assert groundwire.json("tenant", "create", "  two words ")["name"] == "two words"
    assert "--tenant spaced\n" in groundwire("tenant", "create", " spaced ").done().out


def test_a_person_deletes_a_tenant_by_its_name_and_not_by_a_yes(groundwire: Command, tenant: str) -> None:
    for typed in ("y\n", "acm\n", f"{tenant}\n"):
        refused = groundwire("tenant", "delete", "acme", typed=typed)
        assert (refused.code, "Nothing was deleted" in refused.err) == (2, True)
    assert groundwire("tenant", "delete", "acme").code == 1
    assert [row["tenant"] for row in groundwire.json("tenant", "list")] == [tenant]
    groundwire("tenant", "delete", tenant, typed="acme\n").done()
    assert groundwire.json("tenant", "list") == []


def test_a_tenant_is_limited_suspended_and_resumed(groundwire: Command, tenant: str) -> None:
    limited = groundwire("tenant", "set-rate", "acme", "--rate", "1200", "--burst", "200").done()
    assert "1200 calls per minute, 200 at once" in limited.out
    suspended = groundwire("tenant", "suspend", tenant).done().out
    assert "groundwire tenant resume acme" in suspended
    [row] = groundwire.json("tenant", "list")
    assert (row["rate_per_minute"], row["burst"], row["suspended_at"] in suspended) == (1200, 200, True)
    shown = groundwire("tenant", "list").done().out
    assert all(text in shown for text in ("1200", row["suspended_at"]))
    groundwire("tenant", "resume", "acme").done()
    assert "suspended_at" not in groundwire.json("tenant", "list")[0]
    assert groundwire("tenant", "set-rate", "acme", "--rate", "99000000", "--burst", "1").code == 2
    assert groundwire("tenant", "suspend", "nobody").code == 1


def test_tags_of_a_user_are_added_and_removed_beside_the_others(groundwire: Command, tenant: str) -> None:
    change = ("user", "set", "maria", "-t", tenant)
    groundwire(*change, "--add-tag", "a").done()
    groundwire(*change, "--add-tag", "b", "--add-tag", "c", "--remove-tag", "a", "--remove-tag", "z").done()
    assert groundwire.json("user", "list", "-t", tenant) == [{"user": "maria", "tags": ["b", "c"]}]
    for options in ([], ["--tag", "a", "--add-tag", "b"], ["--tag", "a", "--remove-tag", "b"]):
        assert "--add-tag and --remove-tag" in groundwire(*change, *options).line
    assert "delete the stored tags" in groundwire(*change, "--remove-tag", "b", "--remove-tag", "c").line
    assert groundwire.json("user", "list", "-t", tenant) == [{"user": "maria", "tags": ["b", "c"]}]


def test_a_user_in_another_spelling_of_its_letters_keeps_the_other_tags(groundwire: Command, tenant: str) -> None:
    composed, decomposed = "jos\u00e9", "jose\u0301"
    groundwire("user", "set", composed, "-t", tenant, "--tag", "a", "--tag", "b").done()
    groundwire("user", "set", decomposed, "-t", tenant, "--add-tag", "c", "--remove-tag", "b").done()
    assert groundwire.json("user", "list", "-t", tenant) == [{"user": composed, "tags": ["a", "c"]}]


def test_a_list_of_users_is_imported_and_other_users_stay(groundwire: Command, tenant: str, tmp_path: Path) -> None:
    for user, tag in (("maria", "a"), ("olga", "a"), ("ann", "a")):
        groundwire("user", "set", user, "-t", tenant, "--tag", tag).done()
    file = tmp_path / "users.json"
    entries = [{"user": "maria", "tags": ["a"]}, {"user": "olga", "tags": ["b"]}, {"user": "new", "tags": ["a", "b"]}]
    file.write_text(json.dumps(entries))
    assert groundwire("user", "import", str(file), "-t", tenant).done().out == "1 new, 1 changed, 1 unchanged users.\n"
    listed = groundwire.json("user", "list", "-t", tenant)
    assert listed == sorted([*entries, {"user": "ann", "tags": ["a"]}], key=lambda each: str(each["user"]))
    file.write_text(json.dumps(listed))
    assert "4 unchanged" in groundwire("user", "import", str(file), "-t", tenant).done().out


@pytest.mark.parametrize(
    "content",
    [
        *("", "{}", "[1]", '[{"user": "a"}]', '[{"user": "a", "tags": []}]', '[{"user": "a", "tags": "b"}]'),
        *('[{"user": "a", "tags": ["b"]}, {"user": "a", "tags": ["c"]}]', '[{"user": "a", "tags": ["b\\n"]}]'),
        '[{"user": "jos\u00e9", "tags": ["b"]}, {"user": "jose\u0301", "tags": ["c"]}]',
    ],
)
def test_a_list_of_users_that_is_wrong_in_one_place_changes_nobody(
    groundwire: Command, tenant: str, tmp_path: Path, content: str
) -> None:
    (tmp_path / "users.json").write_text(content)
    assert groundwire("user", "import", str(tmp_path / "users.json"), "-t", tenant).code == 2
    assert groundwire.json("user", "list", "-t", tenant) == []


def test_a_tenant_without_a_printable_name_is_refused(groundwire: Command) -> None:
    for name in (" ", "a\nb", "x" * 256):
        refused = groundwire("tenant", "create", name)
        assert refused.code == 2
        assert "printable name" in refused.line


def test_a_tenant_answers_to_its_name_and_to_its_id(groundwire: Command, tenant: str) -> None:
    groundwire("user", "set", "maria", "--tenant", "acme", "--tag", "a").done()
    assert groundwire.json("user", "list", "-t", tenant) == [{"user": "maria", "tags": ["a"]}]


def test_deleting_a_tenant_reports_what_went_and_leaves_nothing(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire.acting_key(tenant)
    groundwire("user", "set", "maria", "-t", tenant, "--tag", "a").done()
    groundwire.ingest(tenant, note, "--public")
    deleted = groundwire.json("tenant", "delete", "acme", "--yes")
    assert deleted["tenant"] == tenant
    assert {kind: deleted["deleted"][kind] for kind in ("keys", "users", "documents", "collections", "files")} == {
        "keys": 1,
        "users": 1,
        "documents": 1,
        "collections": 1,
        "files": 1,
    }
    assert deleted["deleted"]["segments"] > 0
    assert groundwire.json("tenant", "list") == []
    left = {path: path.read_bytes() for path in groundwire.home.rglob("*") if path.is_file()}
    assert not [path for path, content in left.items() if b"blue pump" in content or (content and tenant in str(path))]


@pytest.mark.usefixtures("tenant")
def test_a_tenant_that_is_not_there_is_named_with_the_way_to_see_the_others(groundwire: Command) -> None:
    for command in (["tenant", "delete", "nope", "-y"], ["user", "list", "-t", "nope"], ["key", "list", "-t", "nope"]):
        missing = groundwire(*command)
        assert missing.code == 1
        assert "'nope'" in missing.line
        assert "groundwire tenant list" in missing.line


def test_a_users_entry_is_exactly_the_tags_that_were_set_last(groundwire: Command, tenant: str) -> None:
    groundwire("user", "set", "maria", "-t", tenant, "--tag", "b", "--tag", "a").done()
    groundwire("user", "set", "maria", "-t", tenant, "--tag", "c").done()
    assert groundwire.json("user", "list", "-t", tenant) == [{"user": "maria", "tags": ["c"]}]
    groundwire("user", "delete", "maria", "-t", tenant).done()
    assert groundwire.json("user", "list", "-t", tenant) == []
    assert "No user has stored tags" in groundwire("user", "list", "-t", tenant).out


def test_a_reserved_tag_is_given_to_nobody(groundwire: Command, tenant: str) -> None:
    refused = groundwire("user", "set", "maria", "-t", tenant, "--tag", "sys:admin")
    assert refused.code == 2
    assert "reserved" in refused.line


def test_names_with_brackets_are_shown_as_they_are(groundwire: Command, tenant: str) -> None:
    groundwire("user", "set", "a[bold]b", "-t", tenant, "--tag", "x[red]y").done()
    row = groundwire("user", "list", "-t", tenant).out.splitlines()[-1]
    assert row.split() == ["a[bold]b", "x[red]y"]


def test_a_file_fails_at_once_where_the_kernel_refuses_the_parsers_filter_doctor_states_it_and_it_is_read_later(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    note = tmp_path / "leave.txt"
    note.write_text("Thirty days of leave.")
    try:
        prefix = under_lambda_kernel()
    except Absent as absent:
        answer(absent)
    program = "import sys; from groundwire.entry.cli.main import main; main()"
    ingest = ("ingest", str(note), "--tenant", tenant, "--public")
    variables = {**os.environ, **groundwire.environment, "GROUNDWIRE_HOME": str(groundwire.home)}
    refused = subprocess.run(
        [*prefix, sys.executable, "-c", program, *ingest], env=variables, capture_output=True, text=True, check=False
    )
    assert refused.returncode == 1
    assert "The document parser does not start." in refused.stderr
    [row] = groundwire.json("rebuild", tenant)["unread"]
    assert (row["state"], row["source_path"]) == ("failed", str(note))
    assert row["reason"].endswith("The operator of the service can find the cause, and then have the file read again.")
    checked = subprocess.run(
        [*prefix, sys.executable, "-c", program, "doctor"], env=variables, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 1
    assert "BAD parser No file is read: the kernel refuses what the parser needs (" in checked.stderr
    assert ": socket: allowed, kill: " in checked.stderr
    assert [line for line in checked.stdout.splitlines() if "NOT enforced" in line] == []
    assert f"groundwire ingest PATH --tenant {tenant}" in groundwire("rebuild", tenant).done().err
    groundwire(*ingest).done()
    assert groundwire("rebuild", tenant).done().out == "The parser read every file.\n"


def test_an_offboarding_prints_a_receipt_and_ends_the_persons_key(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire.ingest(tenant, note, "--user", "elif@acme.example")
    groundwire("user", "set", "elif@acme.example", "-t", tenant, "--tag", "sales").done()
    groundwire.personal_key(tenant, "Elif@acme.example")
    groundwire.acting_key(tenant)
    printed = groundwire("user", "offboard", "ELIF@acme.example", "-t", "acme", "--reason", "left").done().out
    for part in (
        "Blocked: ELIF@acme.example.",
        "Revoked keys:",
        "personal, revoked)",
        "Removed stored tags:",
        note.name,
        "--require-user",
        "The creator of 1 other key",
    ):
        assert part in printed
    [key] = [row for row in groundwire.json("key", "list", "-t", tenant) if row["kind"] == "personal"]
    assert key["revoked"]
    assert groundwire.json("user", "list", "-t", tenant) == []
    [line] = [row for row in groundwire.json("audit", "list", "--last", "20") if row.get("action") == "user.offboard"]
    assert (line["blocked"], line["revoked"], line["decision_reason"]) == (["ELIF@acme.example"], [key["kid"]], "left")


def test_a_block_is_listed_with_its_reason_until_it_ends(groundwire: Command, tenant: str) -> None:
    groundwire("user", "block", "elif@acme.example", "-t", tenant, "--reason", "lost laptop").done()
    assert "lost laptop" in groundwire("user", "list", "--blocked", "-t", tenant).done().out
    groundwire("user", "unblock", "Elif@acme.example", "-t", tenant).done()
    assert groundwire.json("user", "list", "--blocked", "-t", tenant) == []
    again = groundwire("user", "unblock", "elif@acme.example", "-t", tenant)
    assert (again.code, "not blocked" in again.line) == (1, True)


def test_a_list_of_blocks_sets_them_again_after_a_restore(groundwire: Command, tenant: str, tmp_path: Path) -> None:
    names = [f"user {number}" for number in range(60)]
    groundwire("user", "block", *names[:50], "-t", tenant).done()
    groundwire("user", "block", *names[50:], "-t", tenant).done()
    kept = tmp_path / "blocked.json"
    kept.write_text(groundwire("user", "list", "--blocked", "-t", tenant, "--json").done().out)
    other = groundwire.tenant("other")
    groundwire("user", "block", "--from", str(kept), "-t", other).done()
    listed = groundwire.json("user", "list", "--blocked", "-t", other)
    assert sorted(row["user"] for row in listed) == sorted(names)


@pytest.mark.parametrize("content", ["{", "{}", '["ann"]', '[{"user": 1}]', '[{"name": "ann"}]'])
def test_a_file_that_is_no_list_of_blocks_is_named(
    groundwire: Command, tenant: str, tmp_path: Path, content: str
) -> None:
    kept = tmp_path / "blocked.json"
    kept.write_text(content)
    refused = groundwire("user", "block", "--from", str(kept), "-t", tenant)
    assert (refused.code, str(kept) in refused.line) == (2, True)
    assert groundwire("user", "block", "-t", tenant).code == 2
