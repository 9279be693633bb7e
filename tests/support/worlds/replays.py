"""Replays of questions over the dialects of a world."""

from groundwire.dialects.declaration.replay import PassagePlace, ReplayedQuestion
from groundwire.dialects.replay import DialectReplay, ReplayedAnswer
from groundwire.domain.access.policy import Principal
from groundwire.domain.keys.caller import Caller
from groundwire.entry.cli.search.command import local_caller
from tests.support.worlds.world import World


def replay(world: World, tenant: str, question: ReplayedQuestion, user: str | None) -> list[ReplayedAnswer]:
    asking = local_caller(Principal(tenant, user, frozenset()), frozenset({question.collection}), 8, 0)
    return replay_of(world)(asking, question)


def replay_of(world: World) -> DialectReplay:
    agents = world.services.agents

    def place(caller: Caller, passage_id: str) -> PassagePlace | None:
        found = world.services.reading.document_reader.segment(caller, passage_id)
        return None if found is None else PassagePlace(found.document.source_file_name, found.segment.ordinal)

    return DialectReplay(agents.dialects, agents.mcp_server, agents.dialect_services, place)
