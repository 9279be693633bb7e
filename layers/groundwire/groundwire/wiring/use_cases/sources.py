"""MCP sources of tenants, and the definitions that administrators make through dialects."""

from typing import TYPE_CHECKING

from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from groundwire.ports.sources import SourceGateway
    from groundwire.services.definitions.admin import DefinitionAdmin
    from groundwire.services.documents.tags.new_tags import NewTagFinder
    from groundwire.services.sources.admin import SourceAdmin
    from groundwire.services.sources.inspection import SourceInspection
    from groundwire.services.sources.joins.joined_search import SourceJoins, UnmappedTenants
    from groundwire.services.sources.joins.passage_scores import PassageScores
    from groundwire.services.sources.registry import SourceRegistry
    from groundwire.services.sources.states import SourceStates
    from groundwire.services.sources.tools import SourceTools
    from groundwire.wiring.backends import Backends


class SourceUseCases:
    """Use cases about the MCP servers of other systems."""

    def __init__(self, backends: "Backends") -> None:
        self._installation = backends.installation
        self._settings, self._clock = backends.settings, backends.clock
        self._stores, self._models = backends.stores, backends.models

    @Lazy
    def new_tags(self) -> "NewTagFinder":
        """Tags that are not in use yet."""
        # Imported on use: most calls give no tag.
        from groundwire.wiring.use_cases.tags import TagUseCases

        return TagUseCases(self._stores, self._clock).new_tags

    @Lazy
    def definition_admin(self) -> "DefinitionAdmin":
        """Definitions that administrators make through dialects."""
        from groundwire.services.definitions.admin import DefinitionAdmin
        from groundwire.services.definitions.secrets import DefinitionSecrets

        # Read late: most definitions have no secret.
        secrets = DefinitionSecrets(lambda: self._stores.seal)
        return DefinitionAdmin(self._stores.definitions, secrets, _new_tag, self._clock)

    @Lazy
    def registry(self) -> "SourceRegistry":
        """MCP sources as stored."""
        from groundwire.services.sources.registry import SourceRegistry

        return SourceRegistry(self.definition_admin, self.unmapped)

    @Lazy
    def unmapped(self) -> "UnmappedTenants":
        """Tenants without a source that joins answers."""
        from groundwire.services.sources.joins.joined_search import UnmappedTenants

        return UnmappedTenants(self._clock)

    @Lazy
    def admin(self) -> "SourceAdmin":
        """Administration of MCP sources."""
        from groundwire.services.sources.admin import SourceAdmin
        from groundwire.services.sources.validation import OwnAddress

        return SourceAdmin(
            self.registry,
            self.definition_admin,
            self.states,
            self.gateway,
            self._stores.collections,
            OwnAddress(self._settings.public_url),
            self._clock,
            # Sources that exchange users' tokens need the operator's issuer.
            has_issuer=self._settings.sign_in.usable is not None,
        )

    @Lazy
    def inspection(self) -> "SourceInspection":
        """Inspection of the servers of MCP sources."""
        from groundwire.services.sources.inspection import SourceInspection
        from groundwire.services.sources.validation import OwnAddress

        own_address = OwnAddress(self._settings.public_url)
        return SourceInspection(self.registry, self.states, self.gateway, own_address)

    @Lazy
    def tools(self) -> "SourceTools":
        """Tools of MCP sources, by the rights of a caller."""
        from groundwire.services.sources.tools import SourceTools

        return SourceTools(self.registry, self.states, self.gateway)

    @Lazy
    def states(self) -> "SourceStates":
        """States of MCP sources, and the last listings of their tools."""
        from groundwire.services.sources.states import SourceStates

        return SourceStates(self._stores.definitions, _new_tag, self._clock)

    @Lazy
    def gateway(self) -> "SourceGateway":
        """Calls to MCP sources, which leave from another function where the installation has one."""
        if (remote := self._installation.source_gateway) is not None:
            return remote
        from groundwire.services.sources.guarded import GuardedSources
        from groundwire.wiring.external_backends import build_source_client

        return GuardedSources(build_source_client(self._settings), self.states, self._clock)

    @Lazy
    def passage_scores(self) -> "PassageScores":
        """Scores of texts that are in no index."""
        from groundwire.services.sources.joins.passage_scores import PassageScores

        return PassageScores(self._stores.indexes, self._models.embedders, self._settings.relevance_fits)

    @Lazy
    def joins(self) -> "SourceJoins":
        """Passages of MCP sources in answers."""
        from groundwire.services.sources.joins.joined_search import SourceJoins
        from groundwire.services.sources.validation import OwnAddress

        own_address = OwnAddress(self._settings.public_url)
        return SourceJoins(lambda: self.tools, self.passage_scores, own_address, self.unmapped)


def _new_tag() -> str:
    """Return a version token that no other write has."""
    # Lazy import: a search makes none.
    from secrets import token_hex

    return token_hex(8)
