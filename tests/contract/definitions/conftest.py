from tests.contract.stores import place, shared_place, shared_stores, stores

__all__ = ["place", "shared_place", "shared_stores", "stores"]
