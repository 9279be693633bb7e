// What the tenant has, for proposals in fields: users, tags and collections. An administrator's key may list them.

import { get } from "./api.js";

const NOTHING = { users: [], tags: [], collections: [] };

/** Return the names; empty lists where the key may not list them, since a field works without proposals. */
export async function directory(context) {
  if (!context.isAdmin) return NOTHING;
  const [users, tags, collections] = await Promise.all(
    ["users", "tags", "collections"].map((route) => get(route).catch(() => null)));
  return {
    users: users?.users ?? [],
    tags: tags?.tags ?? [],
    collections: collections?.collections ?? [],
  };
}
