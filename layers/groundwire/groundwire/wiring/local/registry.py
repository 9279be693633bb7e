"""Stores of one home folder that are tables of its registry; each adapter is imported on first use."""

from typing import TYPE_CHECKING

from groundwire.wiring.lazy import Lazy, ResourceStack
from groundwire.wiring.ports import AdminPorts, CallPorts, DocumentPorts, KeyPorts

if TYPE_CHECKING:
    from groundwire.adapters.local.registry.administered.collections import SqliteCollections
    from groundwire.adapters.local.registry.administered.definitions import SqliteDefinitions
    from groundwire.adapters.local.registry.administered.users import SqliteUsers
    from groundwire.adapters.local.registry.database import Database
    from groundwire.adapters.local.registry.documents import SqliteDocuments
    from groundwire.adapters.local.registry.keys.store import SqliteKeys
    from groundwire.adapters.local.registry.sessions import SqliteSessions
    from groundwire.adapters.local.registry.tenants import SqliteTenants
    from groundwire.adapters.local.registry.uploads import SqliteUploads


class RegistryPorts(KeyPorts, DocumentPorts, CallPorts, AdminPorts):
    """The stores of `registry.db`."""

    resources: ResourceStack

    @Lazy
    def database(self) -> "Database":
        """The registry's SQLite database."""
        from groundwire.adapters.local.registry.database import Database

        return self.resources.register(Database(self.settings.home))

    @Lazy
    def keys(self) -> "SqliteKeys":
        """API keys and their rate limits."""
        from groundwire.adapters.local.registry.keys.store import SqliteKeys

        return SqliteKeys(self.database)

    @Lazy
    def tenants(self) -> "SqliteTenants":
        """The operator's tenants."""
        from groundwire.adapters.local.registry.tenants import SqliteTenants

        return SqliteTenants(self.database)

    @Lazy
    def users(self) -> "SqliteUsers":
        """Tags that tenants store for users."""
        from groundwire.adapters.local.registry.administered.users import SqliteUsers

        return SqliteUsers(self.database)

    @Lazy
    def sessions(self) -> "SqliteSessions":
        """Sessions of clients of the handshake revisions."""
        from groundwire.adapters.local.registry.sessions import SqliteSessions

        return SqliteSessions(self.database)

    @Lazy
    def collections(self) -> "SqliteCollections":
        """Collections and their settings."""
        from groundwire.adapters.local.registry.administered.collections import SqliteCollections

        return SqliteCollections(self.database)

    @Lazy
    def documents(self) -> "SqliteDocuments":
        """The document registry."""
        from groundwire.adapters.local.registry.documents import SqliteDocuments

        return SqliteDocuments(self.database)

    @Lazy
    def uploads(self) -> "SqliteUploads":
        """Upload tickets."""
        from groundwire.adapters.local.registry.uploads import SqliteUploads

        return SqliteUploads(self.database)

    @Lazy
    def definitions(self) -> "SqliteDefinitions":
        """Definitions that administrators make through dialects."""
        from groundwire.adapters.local.registry.administered.definitions import SqliteDefinitions

        return SqliteDefinitions(self.database)
