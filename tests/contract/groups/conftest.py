from tests.contract.stores import place, stores

__all__ = ["place", "stores"]
