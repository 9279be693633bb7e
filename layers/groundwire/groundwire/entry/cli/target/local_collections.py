"""Collections of a tenant on this machine."""

from typing import Literal

from groundwire import wiring
from groundwire.entry.cli.target.ports import Row
from groundwire.entry.serialization.entities import collection_to_json


class LocalCollections:
    """A tenant's collections on this machine; implements `CollectionOperations`."""

    def __init__(self, tenant: str) -> None:
        self._tenant = tenant

    def all(self) -> list[Row]:
        """Return the collections ordered by name."""
        return [self._row(each.name) for each in wiring.local_services().collections.all(self._tenant)]

    def find(self, name: str) -> Row:
        """Return a collection by name.

        Raises:
            NotFound: there is no such collection.
        """
        return self._row(name)

    def set(
        self, name: str, bm25_weight: float | None, language: str | None, floor: float | Literal["auto"] | None
    ) -> Row:
        """Create or change a collection; a setting of None is left unchanged.

        Raises:
            InvalidInput: the name or a setting is invalid.
        """
        services = wiring.local_services()
        services.collection_admin.set(self._tenant, name, bm25_weight, language, floor=floor)
        services.audit_operator_action("collection.set", tenant=self._tenant, collection=name)
        return self._row(name)

    def describe(self, name: str, description: str) -> Row:
        """Set what the collection holds, in its owner's words; an empty text clears it.

        Raises:
            NotFound: there is no such collection.
            InvalidInput: nothing of the text can be seen, or it is too long.
        """
        services = wiring.local_services()
        services.collection_admin.find(self._tenant, name)
        services.collection_admin.set(self._tenant, name, None, None, description=description)
        services.audit_operator_action("collection.describe", tenant=self._tenant, collection=name)
        return self._row(name)

    def propose_description(self, name: str) -> str | None:
        """Return a description made from public documents, which is not stored; None without such documents.

        Raises:
            NotFound: there is no such collection.
        """
        services = wiring.local_services()
        services.collection_admin.find(self._tenant, name)
        return services.description_proposer(self._tenant, name)

    def delete(self, name: str) -> int:
        """Delete a collection with its documents; return their number.

        Raises:
            NotFound: there is no such collection.
        """
        services = wiring.local_services()
        documents = [f"{each.doc_id}@{each.policy_version}" for each in services.documents.all(self._tenant, name)]
        count = services.document_admin.delete_collection(self._tenant, name)
        services.audit_operator_action(
            "collection.delete", tenant=self._tenant, collection=name, documents=documents, counts={"documents": count}
        )
        return count

    def _row(self, name: str) -> Row:
        services = wiring.local_services()
        collection = services.collection_admin.find(self._tenant, name)
        return collection_to_json(collection, len(services.documents.all(self._tenant, name)))
