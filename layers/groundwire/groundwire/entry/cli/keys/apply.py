"""`groundwire apply`: the keys, users' tags and groups of a file, as a tenant should have them."""

import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final, Literal, cast

import typer

from groundwire.domain.access.policy_input import parse_tags, parse_user
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.grants import KeyKind
from groundwire.entry.cli.console import Row, print_json, print_line
from groundwire.entry.cli.keys.tag_questions import confirm_tags
from groundwire.entry.cli.options import JsonOption, TenantOption, examples
from groundwire.entry.cli.target import current_target
from groundwire.entry.cli.target.operations import TenantTarget
from groundwire.entry.serialization.key_spec import key_spec_to_json, parse_key_change, parse_key_spec
from groundwire.entry.serialization.object_reader import ObjectReader

EXAMPLES: Final = examples(
    "groundwire apply samples/company.toml --tenant acme --dry-run",
    "groundwire apply samples/company.toml --tenant acme --yes",
)

_SECTIONS: Final = ("keys", "users", "groups")
_CHANGEABLE: Final = frozenset({"tags", "max_tags", "scopes", "collections", "rate_per_minute", "burst"})
_ONLY_OF_NEW_KEYS: Final = frozenset({"name", "expires_in_days"})
"""Members that say nothing about an existing key: its name is the given one, and days count from its creation."""

_Applied = Callable[[bool], Row | None]


@dataclass(frozen=True, slots=True)
class Step:
    """One change of a plan.

    Attributes:
        line: sentence for people; it begins with `+` for something new and with `~` for a change.
        tags: tags that it gives, or lets calls send.
        apply: makes the change; takes whether new tags are accepted, and returns a new key.
    """

    line: str
    tags: frozenset[str]
    apply: _Applied


@dataclass(frozen=True, slots=True)
class Plan:
    """Changes that make a tenant as a file states, in the order of the file, and the number of what is so already."""

    steps: Sequence[Step]
    unchanged: int


def apply(
    file: Annotated[Path, typer.Argument(help="TOML file with the keys, users and groups.")],
    tenant: TenantOption,
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the changes and make none.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Make the changes without asking.")] = False,
    new_tags: Annotated[
        bool, typer.Option("--new-tags", help="Use a tag that nobody has yet, even if it resembles one in use.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Create and change keys, users' tags and groups as a file states; what the file does not name stays."""
    target = current_target().tenant(tenant)
    plan = make_plan(target, tenant, read_file(file))
    if not as_json:
        for line in _lines(plan):
            print_line(line)
    if dry_run or not plan.steps:
        if as_json:
            print_json(_answer(plan, []))
        return
    _confirm(len(plan.steps), is_confirmed=yes)
    tags = {tag for step in plan.steps for tag in step.tags}
    allows_new = confirm_tags(target, tags, is_confirmed=new_tags, option="--new-tags")
    _carry_out(plan, allows_new=allows_new, as_json=as_json)


def read_file(file: Path) -> Mapping[str, object]:
    """Return the sections of the file.

    Raises:
        InvalidInput: it cannot be read, is no TOML, or has another section.
    """
    try:
        sections = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file} cannot be read as UTF-8 text: name a TOML file.") from error
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{file} is no TOML: {error}.") from error
    if unknown := sorted(sections.keys() - set(_SECTIONS)):
        raise InvalidInput(f"{file} has the unknown section {unknown[0]!r}. It can have: {', '.join(_SECTIONS)}.")
    return sections


def make_plan(target: TenantTarget, tenant: str, sections: Mapping[str, object]) -> Plan:
    """Return what has to change in the tenant.

    Raises:
        InvalidInput: a section is not of its form, or a key differs in what cannot be changed.
    """
    found = [
        *_key_steps(target, tenant, sections.get("keys", [])),
        *_tag_steps("user", sections.get("users", {}), _user_tags(target, sections), _set_user(target)),
        *_tag_steps("group", sections.get("groups", {}), _group_tags(target, sections), _set_group(target)),
    ]
    return Plan([step for step in found if step is not None], found.count(None))


def _key_steps(target: TenantTarget, tenant: str, section: object) -> Iterator[Step | None]:
    """Yield the change of each key of the section; None for one that is as stated."""
    if not isinstance(section, list):
        raise InvalidInput("`keys` must be tables: begin each with [[keys]].")
    tables, seen = cast("list[object]", section), set[str]()
    active = _active_keys(target) if tables else {}
    for table in tables:
        fields = ObjectReader(table)
        name = fields.text("name")
        if name in seen:
            raise InvalidInput(f"The file has two keys with the name {name!r}: give each its own.")
        seen.add(name)
        try:
            spec = parse_key_spec(tenant, fields)
            fields.reject_unread()
        except InvalidInput as error:
            raise InvalidInput(f"Key {name!r}: {error}") from error
        wanted = key_spec_to_json(spec)
        present = active.get(name, [])
        if len(present) > 1:
            raise InvalidInput(f"Two keys in force have the name {name!r}: rename one with `groundwire key edit`.")
        if not present:
            tags = spec.tags.union(spec.max_tags)
            yield Step(
                _new_key(name, wanted), tags, lambda allows, spec=spec: target.keys.create(spec, allows_new=allows)
            )
        else:
            # An order leaves out what is usual, as lists of keys do.
            stated = {each: wanted.get(each, value) for each, value in cast("Mapping[str, object]", table).items()}
            yield _key_change(target, present[0], {n: v for n, v in stated.items() if n in wanted or n in present[0]})


def _active_keys(target: TenantTarget) -> dict[str, list[Row]]:
    """Return the keys in force by name."""
    active = defaultdict[str, list[Row]](list)
    for row in target.keys.all():
        expiry = row["expires_at"]
        if not row["revoked"] and not (
            isinstance(expiry, str) and datetime.fromisoformat(expiry).timestamp() <= time.time()
        ):
            active[str(row["name"])].append(row)
    return active


def _key_change(target: TenantTarget, row: Row, stated: Mapping[str, object]) -> Step | None:
    """Return the change of a key in force; None where it has every stated member."""
    different = {
        name: value
        for name, value in stated.items()
        if name not in _ONLY_OF_NEW_KEYS and _comparable(name, row.get(name)) != _comparable(name, value)
    }
    if fixed := sorted(different.keys() - _CHANGEABLE):
        raise InvalidInput(
            f"Key {row['name']!r} has another `{fixed[0]}`, which cannot be changed: revoke it, or choose another name."
        )
    if not different:
        return None
    change = parse_key_change(ObjectReader(different))
    texts = [f"{name} {_text(row.get(name))} → {_text(value)}" for name, value in different.items()]
    tags = (change.tags or frozenset()).union(change.max_tags or ())
    return Step(
        f"~ key {row['name']}: {'; '.join(texts)}",
        tags,
        lambda allows: _no_key(target.keys.change(str(row["kid"]), change, allows_new=allows)),
    )


def _comparable(name: str, value: object) -> object:
    if not isinstance(value, list):
        return value
    texts = frozenset(map(str, cast("list[object]", value)))
    # A delegated key has this scope whether or not its order names it.
    return texts - {Scope.ACT_AS.value} if name == "scopes" else texts


def _tag_steps(
    noun: Literal["user", "group"],
    section: object,
    present: Mapping[str, frozenset[str]],
    setter: Callable[[str, frozenset[str], bool], object],
) -> Iterator[Step | None]:
    """Yield the change of each user or group of the section; None for one that has these tags."""
    if not isinstance(section, dict):
        raise InvalidInput(f"`{noun}s` must be a table with a list of tags for each {noun}.")
    for given, value in cast("dict[str, object]", section).items():
        name = parse_user(given) if noun == "user" else given
        tags = parse_tags(ObjectReader({given: value}).texts(given))
        if not tags:
            raise InvalidInput(f"`{name}` has no tag: name one, or use `groundwire {noun} delete`.")
        before = present.get(name)
        if before == tags:
            yield None
            continue
        sign, was = ("+", "") if before is None else ("~", f"{_text(sorted(before))} → ")
        yield Step(
            f"{sign} {noun} {name}: {was}{_text(sorted(tags))}",
            tags,
            lambda allows, name=name, tags=tags: _no_key(setter(name, tags, allows)),
        )


def _set_user(target: TenantTarget) -> Callable[[str, frozenset[str], bool], object]:
    return lambda user, tags, allows: target.users.set(user, tags, allows_new=allows)


def _set_group(target: TenantTarget) -> Callable[[str, frozenset[str], bool], object]:
    return lambda group, tags, allows: target.groups.set(group, tags, allows_new=allows)


def _user_tags(target: TenantTarget, sections: Mapping[str, object]) -> dict[str, frozenset[str]]:
    return _tags_by("user", target.users.all()) if sections.get("users") else {}


def _group_tags(target: TenantTarget, sections: Mapping[str, object]) -> dict[str, frozenset[str]]:
    return _tags_by("group", target.groups.all()) if sections.get("groups") else {}


def _tags_by(noun: str, rows: Iterable[Row]) -> dict[str, frozenset[str]]:
    return {str(row[noun]): frozenset(cast("Sequence[str]", row["tags"])) for row in rows}


def _no_key(_: object) -> None:
    return None


def _new_key(name: str, wanted: Row) -> str:
    rights = [str(wanted["kind"]), f"scopes {_text(wanted['scopes'])}", f"collections {_text(wanted['collections'])}"]
    bounds = "tags" if wanted["kind"] == KeyKind.PERSONAL else "max_tags"
    return f"+ key {name}: {'; '.join([*rights, f'{bounds} {_text(wanted[bounds])}'])}"


def _text(value: object) -> str:
    return ", ".join(map(str, cast("list[object]", value))) or "none" if isinstance(value, list) else str(value)


def _lines(plan: Plan) -> Iterator[str]:
    yield from (step.line for step in plan.steps)
    if plan.unchanged:
        yield f"= {plan.unchanged} unchanged"


def _confirm(steps: int, *, is_confirmed: bool) -> None:
    if is_confirmed:
        return
    if not sys.stdin.isatty():
        raise InvalidInput("There is no terminal to ask on: try again with --yes, or look first with --dry-run.")
    typer.confirm(f"Make {steps} {'change' if steps == 1 else 'changes'}?", abort=True, err=True)


def _carry_out(plan: Plan, *, allows_new: bool, as_json: bool) -> None:
    """Make the changes; a failure leaves those before it, and shows the keys among them."""
    created: list[Row] = []
    try:
        for step in plan.steps:
            key = step.apply(allows_new)
            if key is None:
                continue
            created.append(key)
            if not as_json:
                print_line(f"Key {key['name']} ({key['kid']}): {key.get('key') or 'for people who sign in'}")
    finally:
        # No other answer has the texts of new keys.
        if as_json:
            print_json(_answer(plan, created))
    if not as_json and created:
        print_line("Store each key now: it is not shown again.")


def _answer(plan: Plan, created: Sequence[Row]) -> Row:
    return {"changes": [step.line for step in plan.steps], "unchanged": plan.unchanged, "keys": list(created)}
