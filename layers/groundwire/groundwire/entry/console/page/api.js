// Calls of the REST API. The page decides nothing: the server knows who calls, and answers what that person may see.

// The page's files lie at /console/assets/, also below the path of a proxy.
const API = new URL("../../v1/", import.meta.url);
export const SERVER = new URL("../../", import.meta.url).href.replace(/\/$/, "");

export const signedOut = new EventTarget();

/** An answer other than success, with the remedy that the server names. */
export class ApiError extends Error {
  constructor(status, code, message, retryAfter) {
    super(message);
    Object.assign(this, { status, code, retryAfter });
  }
}

/** Return the path of a route with its values percent-encoded: path`documents/${id}`. */
export function path(parts, ...values) {
  return parts.map((part, index) => part + (index < values.length ? encodeURIComponent(values[index]) : "")).join("");
}

function query(values) {
  const kept = Object.entries(values ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
}

async function send(method, target, { body, headers } = {}) {
  const own = { ...headers };
  // A form of another site cannot send this header, and a script of another site may not.
  if (method !== "GET") own["x-page-request"] = "1";
  if (body !== undefined) own["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(new URL(target, API), {
      method,
      headers: own,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
    });
  } catch {
    throw new ApiError(0, "unreachable", "The server does not answer. Look whether it runs, then try again.", null);
  }
  return response;
}

async function failure(response) {
  const answer = await response.json().catch(() => null);
  const error = answer?.error ?? {};
  const message = error.message ?? `The server answered with status ${response.status}.`;
  return new ApiError(response.status, error.code ?? "failed", message, error.retry_after_s ?? null);
}

/** Return the answer of a route, as an object; throws ApiError. */
export async function call(method, route, { body, values } = {}) {
  const response = await send(method, route + query(values), { body });
  if (response.status === 401) signedOut.dispatchEvent(new Event("out"));
  if (!response.ok) throw await failure(response);
  return response.status === 204 ? null : response.json();
}

export const get = (route, values) => call("GET", route, { values });
export const post = (route, body) => call("POST", route, { body });

/** Return the text of a route in another format than JSON. */
export async function text(route, values, accept) {
  const response = await send("GET", route + query(values), { headers: { accept } });
  if (!response.ok) throw await failure(response);
  return response.text();
}

/**
 * Send a file with the form of its ticket; throws ApiError.
 *
 * The server's own form is at a path below the page, whatever name the ticket gives the server. A bucket's is at
 * another host, where this page sends nothing.
 */
export async function sendFile(ticket, file) {
  if (!new URL(ticket.url).pathname.endsWith(`/upload/${ticket.ticket}`)) {
    throw new ApiError(0, "other_host", "Files of this deployment go to a bucket, and the page sends nothing to other hosts. "
      + "Use the command at the end of the page.", null);
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(ticket.fields)) form.append(name, value);
  form.append("file", file);
  let response;
  try {
    response = await fetch(new URL(path`../upload/${ticket.ticket}`, API), { method: "POST", body: form, redirect: "error", credentials: "omit" });
  } catch {
    throw new ApiError(0, "unreachable", "The file did not arrive: the connection ended, or the file changed meanwhile.", null);
  }
  if (response.ok) return;
  const answer = await response.text();
  const [, code = "failed"] = /<Code>([^<]*)/.exec(answer) ?? [];
  const [, message = `The server answered with status ${response.status}.`] = /<Message>([^<]*)/.exec(answer) ?? [];
  throw new ApiError(response.status, code, message, Number(response.headers.get("retry-after")) || null);
}

/** Sign in with a key. The server sets a cookie that no script reads; the key is in no variable afterwards. */
export async function signIn(key, user, tags) {
  const headers = { authorization: `Bearer ${key}` };
  if (user !== "") headers["x-user-id"] = user;
  if (tags.length > 0) headers["x-session-tags"] = JSON.stringify(tags);
  const response = await send("POST", "session", { headers });
  if (!response.ok) throw await failure(response);
}

/** Sign in with the ticket of a one-time address. */
export async function signInWithTicket(ticket) {
  const response = await send("POST", "session", { headers: { "x-page-ticket": ticket } });
  if (!response.ok) throw await failure(response);
}

export async function signOut() {
  await send("DELETE", "session");
}

/** Return who is signed in; null for nobody. */
export async function whoAmI() {
  const response = await send("GET", "whoami");
  if (response.status === 401) return null;
  if (!response.ok) throw await failure(response);
  return response.json();
}

/** Return the answer of a search as a person, or as oneself where the person is null. */
export function search(question, person, { collections, where, topN, explain, minRelevance } = {}) {
  const body = { phrases: [question] };
  if (person !== null) body.as = person;
  if (collections?.length) body.collections = collections;
  if (where) body.where = where;
  if (topN) body.top_n = topN;
  if (explain) body.explain = true;
  if (minRelevance !== undefined) body.min_relevance = minRelevance;
  return post("search", body);
}
