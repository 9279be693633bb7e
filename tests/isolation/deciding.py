"""Machine of decisions: persons decide about files, and runs ingest the files again, in any order.

The files are those of one folder. A model of what was decided, written from the documentation alone, says after each
step which persons find which file.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.database import ExampleDatabase
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.documents.changes.ceiling import closed_by_person, lifted, limiting
from groundwire.services.documents.admin import DocumentAdmin, ReadersChoice
from groundwire.services.ingest.deletions.administration import everybody_decides
from groundwire.services.ingest.request import IngestRequest, IngestResult, IngestStatus
from groundwire.services.reindex import ReindexOptions
from tests.support.isolation import oracle
from tests.support.isolation.draws import COMMON
from tests.support.isolation.machine import LeakError, WrongDenialError
from tests.support.isolation.policies import PUBLIC, for_tags, for_users
from tests.support.plugins.draws import DRAWS_ALL, SEED
from tests.support.worlds.world import World, caller

STEPS: Final = 25
COLLECTION: Final = "shelf"
NAMES: Final = ("rent.txt", "lease.txt", "offer.txt")
WORDS: Final = ("ostrov", "tarvo", "lindby")
"""Contents: the text of each file has one of these words."""
POLICIES: Final = (NO_READERS, PUBLIC, for_tags("red"), for_tags("green"), for_users("ana"))


PERSON: Final = Decision("olga", 0.0, "", "the contract ended")


class Person(NamedTuple):
    """End user of a call."""

    user: str | None
    tags: frozenset[str]


PERSONS: Final = (
    Person(None, frozenset()),
    Person("ana", frozenset()),
    Person(None, frozenset({"red"})),
    Person("ben", frozenset({"green"})),
    Person("cem", frozenset({"red", "green"})),
)


@dataclass(slots=True)
class Paper:
    """Document as the decisions leave it.

    Attributes:
        word: of the content that was read last.
        declared: policy of the last run that brought the file in.
        ceiling: what a person set and nobody has lifted.
        former: content before the present one, while a ceiling concerned it.
        decided: number of the decision about the ceiling.
        is_by_person: whether a person declared the readers, since no run had.
        is_exact: whether the documentation says who finds it; else it says only who must not.
        taken: ceilings of documents whose file took the place of this one's.
    """

    doc_id: str
    word: str
    declared: Policy
    ceiling: Policy | None = None
    former: str = ""
    decided: int = 0
    is_by_person: bool = False
    is_exact: bool = True
    taken: tuple[Policy, ...] = ()

    @property
    def limits(self) -> tuple[Policy, ...]:
        """All ceilings that hold for it."""
        return self.taken if self.ceiling is None else (self.ceiling, *self.taken)

    def admits(self, person: Person) -> bool:
        """Return whether declared policy and ceiling both admit the person."""
        return _admits(person, self.declared) and self.is_below_ceiling(person)

    def may_be_found_by(self, person: Person) -> bool:
        """Return whether the documentation allows that the person finds it."""
        return self.admits(person) if self.is_exact else self.is_below_ceiling(person)

    def is_below_ceiling(self, person: Person) -> bool:
        """Return whether each ceiling admits the person."""
        return all(_admits(person, limit) for limit in self.limits)


class Deciding(RuleBasedStateMachine):
    """Promise: nobody gains what a person took, nothing deleted returns, no lift leaves less than declared."""

    def __init__(self, world: World, folder: Path) -> None:
        super().__init__()
        self._world = world
        self._folder = folder
        self._tenant = world.tenant("amber")
        self._key = world.acting_key(self._tenant)
        self._papers: dict[str, Paper] = {}
        self._deleted: dict[str, Paper] = {}
        self._ended: dict[str, Paper] = {}
        self._vanished: dict[str, Paper] = {}
        self._decisions = 0
        for path in folder.iterdir():
            path.unlink()

    def teardown(self) -> None:
        """Delete the tenant, so that the next history finds an empty home."""
        self._world.services.administration.tenant_admin.delete(self._tenant)

    # Files and runs

    @rule(name=st.sampled_from(NAMES), word=st.sampled_from(WORDS), policy=st.sampled_from(POLICIES))
    def ingest(self, name: str, word: str, policy: Policy) -> None:
        """A file has this content, and a run declares its readers."""
        self._write(name, word)
        self._run(name, policy)

    @precondition(lambda self: self._files())
    @rule(data=st.data(), policy=st.sampled_from(POLICIES))
    def ingest_again(self, data: st.DataObject, policy: Policy) -> None:
        """A run ingests every file as it is, as one of a timetable does."""
        for name in self._files():
            self._run(name, policy)

    @precondition(lambda self: self._files())
    @rule(data=st.data(), name=st.sampled_from(NAMES), policy=st.sampled_from(POLICIES))
    def move(self, data: st.DataObject, name: str, policy: Policy) -> None:
        """A file gets another name, perhaps that of another file, and the next run finds it there."""
        old = data.draw(st.sampled_from(self._files()))
        if old == name:
            return
        moved = self._papers.get(old)
        (self._folder / old).replace(self._folder / name)
        is_known = name in self._vanished or name in self._papers or self._is_held(name)
        self._run(name, policy)
        if moved is not None and moved.word == self._word(name) and not is_known:
            self._expect_same(self._papers[name], moved)

    @precondition(lambda self: self._papers)
    @rule(data=st.data())
    def vanish(self, data: st.DataObject) -> None:
        """A file is removed, and a run with `--sync` removes its document; nobody has decided anything."""
        name = self._drawn(data)
        (self._folder / name).unlink(missing_ok=True)
        paper = self._papers.pop(name)
        self._ended[paper.doc_id] = paper
        if paper.limits:
            self._vanished[name] = paper
        self._admin.remove_source(self._tenant, paper.doc_id, lambda _before, _after: None)

    @precondition(lambda self: self._deleted)
    @rule(data=st.data(), word=st.sampled_from(WORDS), policy=st.sampled_from(POLICIES))
    def ingest_with_restore(self, data: st.DataObject, word: str, policy: Policy) -> None:
        """A person ingests a deleted file again, with the restoration of it."""
        name = data.draw(st.sampled_from(sorted(self._deleted)))
        self._write(name, word)
        self._run(name, policy, restores=True)

    @rule()
    def reindex(self) -> None:
        """The index is made anew from the registry."""
        services = self._world.services
        model = services.stores.indexes.for_tenant(self._tenant).model
        services.administration.reindexer(self._tenant, model, ReindexOptions(lambda _done, _total: None))

    @rule()
    def restart(self) -> None:
        """The process begins anew, with what the home holds."""
        self._world.reopen()

    @rule()
    def back_up_and_restore(self) -> None:
        """The home is lost, and a backup of this moment takes its place."""
        self._world.restore_from_backup()

    # Persons

    @precondition(lambda self: self._papers)
    @rule(data=st.data(), policy=st.sampled_from(POLICIES))
    def set_policy(self, data: st.DataObject, policy: Policy) -> None:
        """A person sets who may read a document."""
        paper = self._papers[self._drawn(data)]
        self._decide(paper, limiting(policy))
        # Where nobody has declared readers, the person's policy is the declared one, too.
        if paper.is_by_person or paper.declared == NO_READERS:
            paper.declared, paper.is_by_person = policy, True
        paper.ceiling = policy

    @precondition(lambda self: self._papers)
    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        """A person hides a document from everybody."""
        paper = self._papers[self._drawn(data)]
        self._decide(paper, closed_by_person)
        paper.ceiling = NO_READERS

    @precondition(lambda self: self._papers)
    @rule(data=st.data())
    def lift(self, data: st.DataObject) -> None:
        """A person lifts the ceiling: everybody whom the declared policy admits reads again."""
        paper = self._papers[self._drawn(data)]
        self._decide(paper, lifted)
        paper.ceiling = None

    @precondition(lambda self: self._papers)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        """A person deletes a document; its file stays."""
        name = self._drawn(data)
        paper = self._deleted[name] = self._papers.pop(name)
        self._admin.delete(self._tenant, paper.doc_id, PERSON)

    @precondition(lambda self: self._deleted)
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        """A person ends a deletion: the next run ingests the file again."""
        name = data.draw(st.sampled_from(sorted(self._deleted)))
        paper = self._deleted.pop(name)
        self._world.services.administration.deletion_admin.restore(self._tenant, paper.doc_id, everybody_decides)
        self._ended[paper.doc_id] = paper

    # What is expected

    @invariant()
    def everybody_finds_what_is_theirs(self) -> None:
        """Search as each person: found is what was read, and what declared policy and ceiling admit."""
        for person in PERSONS:
            answer = self._world.search(caller(self._key, person.user or "", person.tags), COMMON)
            found = {word for word in WORDS if any(word in text for text in answer.texts)}
            papers = self._papers.values()
            allowed = {paper.word for paper in papers if paper.may_be_found_by(person)}
            if excess := found - allowed:
                raise LeakError(f"{person} finds {excess}: {self._papers}, deleted {self._deleted}")
            due = {paper.word for paper in papers if paper.is_exact and paper.admits(person)}
            if missing := due - found:
                raise WrongDenialError(f"{person} does not find {missing}: {self._papers}")

    # Steps

    @property
    def _admin(self) -> DocumentAdmin:
        return self._world.services.administration.document_admin

    def _decide(self, paper: Paper, choose: ReadersChoice) -> None:
        self._decisions += 1
        paper.decided = self._decisions
        paper.taken = ()
        self._admin.decide_readers_if(self._tenant, paper.doc_id, choose, PERSON)

    def _run(self, name: str, policy: Policy, *, restores: bool = False) -> None:
        is_held = not restores and self._is_held(name)
        result = self._ingest(name, policy, restores=restores)
        if (result.status is IngestStatus.HELD_BACK) != is_held:
            raise LeakError(f"{name} was {result.status}, held back: {is_held}; deleted {self._deleted}")
        if is_held:
            self._note_held(name)
        else:
            assert result.document is not None
            self._note_read(name, policy, result.document.doc_id)

    def _is_held(self, name: str) -> bool:
        """Return whether a deletion holds for the path, or for the content where the document does not have it yet."""
        word, paper = self._word(name), self._papers.get(name)
        is_deleted_content = any(deleted.word == word for deleted in self._deleted.values())
        # A copy that nobody deleted may move.
        is_held_content = is_deleted_content and not self._left(name)
        return name in self._deleted or (is_held_content and (paper is None or paper.word != word))

    def _left(self, name: str) -> list[Paper]:
        """Return the documents from which the file may have moved: with its content, and without their own file."""
        others = [paper for path, paper in self._papers.items() if path != name and not (self._folder / path).exists()]
        return [paper for paper in others if paper.word == self._word(name)]

    def _note_held(self, name: str) -> None:
        """The document of a file with content that was deleted at another path may keep its readers, or close."""
        if name in self._papers:
            self._papers[name].is_exact = False

    def _note_read(self, name: str, policy: Policy, doc_id: str) -> None:
        word = self._word(name)
        # What a person decided about the document stays, whatever its path and whether it was deleted meanwhile.
        # The living come last: a document that returned was decided about again.
        known = {paper.doc_id: paper for paper in (*self._ended.values(), *self._papers.values())}
        read = self._copied(word, doc_id, policy)
        if (before := known.get(doc_id)) is not None:
            former = before.former if before.word == word else before.word
            read = Paper(doc_id, word, policy, before.ceiling, former if before.limits else "", before.decided)
            read.taken = before.taken
        if (replaced := self._papers.get(name)) is not None and replaced.doc_id == doc_id and replaced.word != word:
            read.taken += tuple(limit for paper in self._left(name) for limit in paper.limits)
        # Where two ceilings only overlap, the product may admit nobody.
        read.is_exact &= not read.taken
        for path in [path for path, paper in self._papers.items() if paper.doc_id == doc_id]:
            del self._papers[path]
        self._deleted.pop(name, None)
        self._papers[name] = read
        if name in self._vanished:
            self._expect_same(read, self._vanished.pop(name))
        self._vanished = {path: paper for path, paper in self._vanished.items() if paper.doc_id != doc_id}

    def _copied(self, word: str, doc_id: str, policy: Policy) -> Paper:
        """Return the new document of a content: it gets the last ceiling of documents that have or had the content."""
        # A deletion takes the readers of the content everywhere, and a run that restores it gives back no more.
        deleted = [each for each in self._deleted.values() if each.word == word]
        living = [each for each in self._papers.values() if word in {each.word, each.former}]
        limited = [each for each in (*living, *deleted) if each.ceiling is not None]
        last = max(limited, key=lambda each: each.decided, default=None)
        # How long a content that left its document is remembered depends on what came after it.
        is_exact = last is not None or all(word not in {each.word, each.former} for each in self._ended.values())
        known = (*self._papers.values(), *self._ended.values())
        # Of which ceilings such a document has one, the model does not tell; further copies have it, too.
        taken = (PUBLIC,) if any(each.taken and word in {each.word, each.former} for each in known) else ()
        if last is None:
            return Paper(doc_id, word, policy, is_exact=is_exact and not taken, taken=taken)
        if taken:
            return Paper(doc_id, word, policy, is_exact=False, taken=taken)
        return Paper(doc_id, word, policy, last.ceiling, decided=last.decided)

    def _expect_same(self, paper: Paper, earlier: Paper) -> None:
        """Check that the file has its document again: another one would have no ceiling."""
        if paper.doc_id != earlier.doc_id:
            raise LeakError(f"{paper} is another document than {earlier}")

    def _ingest(self, name: str, policy: Policy, *, restores: bool) -> IngestResult:
        path = self._folder / name
        request = IngestRequest(
            self._tenant,
            COLLECTION,
            str(path),
            name,
            path.read_bytes,
            DeclaredPolicy(None, policy),
            None,
            None,
            restores=restores,
            restores_content=restores,
        )
        [result] = self._world.services.ingestion.batch(self._tenant, COLLECTION, [request], lambda _done, _total: None)
        return result

    def _write(self, name: str, word: str) -> None:
        (self._folder / name).write_text(f"The {COMMON} of {word} is kept here.\n")

    def _word(self, name: str) -> str:
        return (self._folder / name).read_text().split()[3]

    def _files(self) -> list[str]:
        return sorted(path.name for path in self._folder.iterdir())

    def _drawn(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from(sorted(self._papers)))


def _admits(person: Person, policy: Policy) -> bool:
    return oracle.may_read(person.user, person.tags, policy)


def run_machine(
    machine: type[RuleBasedStateMachine], examples: int, steps: int, history: ExampleDatabase | None
) -> None:
    """Run so many histories of the machine, each with at most so many steps, the recorded one first."""
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=False,
            database=history,
            deadline=None,
            phases=(Phase.generate,) if DRAWS_ALL or history is None else (Phase.reuse, Phase.generate),
            report_multiple_bugs=False,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )


def run_decisions(
    world: World, folder: Path, *, examples: int, batch: int = 0, history: ExampleDatabase | None = None
) -> None:
    """Run histories of decisions and runs in fresh tenants.

    Args:
        world: the product.
        folder: that of the files.
        examples: number of histories.
        batch: number of the batch, which draws other histories than those before.
        history: database whose histories come first.

    Raises:
        LeakError, WrongDenialError: the first broken promise.
    """

    @seed(SEED + batch)
    class Here(Deciding):
        """State machine on the given world."""

        def __init__(self) -> None:
            super().__init__(world, folder)

    run_machine(Here, examples, STEPS, history)
