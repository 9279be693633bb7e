"""Tags of a tenant: who uses them, and which are new."""

from typing import TYPE_CHECKING

from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from groundwire.ports import AuditTrail, Clock
    from groundwire.services.documents.tags.calls import TagCallReader
    from groundwire.services.documents.tags.directory import TagDirectory, TagStores
    from groundwire.services.documents.tags.new_tags import NewTagFinder
    from groundwire.services.documents.tags.policy_tags import PolicyTagReader
    from groundwire.services.documents.tags.seen_callers import CallerReader
    from groundwire.services.documents.tags.sources import SourceTags
    from groundwire.wiring.backends import Stores


class TagUseCases:
    """Use cases that read the tags of a tenant."""

    def __init__(self, stores: "Stores", clock: "Clock") -> None:
        self._stores, self._clock = stores, clock

    @Lazy
    def directory(self) -> "TagDirectory":
        """Tags in use, with their counts."""
        from groundwire.services.documents.tags.directory import TagDirectory

        return TagDirectory(self.stores, self._clock)

    @Lazy
    def new_tags(self) -> "NewTagFinder":
        """Tags that nobody has yet."""
        from groundwire.services.documents.tags.new_tags import NewTagFinder

        return NewTagFinder(self.directory)

    @Lazy
    def calls(self) -> "TagCallReader":
        """Last use of tags by calls."""
        from groundwire.services.documents.tags.calls import TagCallReader

        return TagCallReader(self.stores)

    def seen_callers(self, trail: "AuditTrail") -> "CallerReader":
        """Return the reader of who called, in these lines of the audit log."""
        from groundwire.services.documents.tags.seen_callers import CallerReader

        return CallerReader(trail, self.directory, self.calls, self._clock)

    @Lazy
    def in_policies(self) -> "PolicyTagReader":
        """The tags that policies use."""
        from groundwire.services.documents.tags.policy_tags import PolicyTagReader

        return PolicyTagReader(self._stores.documents)

    @Lazy
    def of_sources(self) -> "SourceTags":
        """Tags in the policies of MCP sources."""
        import secrets

        from groundwire.services.documents.tags.sources import SourceTags

        return SourceTags(self._stores.definitions, lambda: secrets.token_hex(16), self._clock)

    @Lazy
    def stores(self) -> "TagStores":
        """Stores with tags."""
        from groundwire.services.documents.tags.directory import TagStores

        stores = self._stores
        return TagStores(stores.documents, stores.users, stores.keys, stores.groups, self.of_sources.all)
