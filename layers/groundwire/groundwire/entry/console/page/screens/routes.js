// API: the routes of this server with their scopes, out of its own description.

import { get } from "../api.js";
import { badge, busy, button, empty, field, fill, input } from "../controls.js";
import { element, heading, replace } from "../element.js";
import { codeLine, curlLine } from "../equivalents.js";
import { routeTrial } from "../route_trial.js";

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Return the routes of /v1, with an example of the body where the description has one. */
function routesOf(description) {
  return Object.entries(description.paths).filter(([path]) => path.startsWith("/v1/")).flatMap(([path, operations]) =>
    METHODS.filter((method) => operations[method]).map((method) => {
      const operation = operations[method];
      const content = operation.requestBody?.content?.["application/json"];
      return { path, method: method.toUpperCase(), text: operation.description ?? operation.summary ?? "",
        scopes: operation["x-scopes"] ?? [], body: content?.example,
        query: (operation.parameters ?? []).filter((each) => each.in === "query") };
    }));
}

function routeView(route, context) {
  const isAllowed = route.scopes.length === 0 || context.can(...route.scopes);
  const place = element("div", {});
  // Not before: few of the routes are opened.
  const open = (event) => {
    if (event.target.open && isAllowed && place.childElementCount === 0) replace(place, routeTrial(route, context));
  };
  return element("details", { class: "card route", ontoggle: open },
    element("summary", {}, element("code", {}, `${route.method} ${route.path}`), " ",
      route.scopes.length === 0 ? badge("any key") : route.scopes.map((scope) => badge(scope, isAllowed ? "good" : "")), isAllowed ? null : [" ", badge("not with this key")]),
    element("p", {}, route.text), codeLine("curl", curlLine(route.method, route.path.replace(/^\/v1\//, ""), { body: route.body })), place);
}

export const routesScreen = {
  id: "api",
  title: "API",
  scopes: [],
  async render(place, context) {
    const wanted = input({ placeholder: "access, keys, documents …", type: "search" });
    const list = element("div", { class: "rows", "aria-live": "polite" }, busy());
    replace(place, heading(1, "API"), element("p", { class: "lead" },
      "Everything on this page is a call of these routes. Open one to call it here. The whole description is ", element("a", { href: "v1/openapi.json" }, "openapi.json"), "."),
    element("div", { class: "card" }, field("Find a route", wanted), element("p", { class: "quiet" }, "Set KEY in your shell to a key before you paste a line.")), list);
    let routes = [];
    const draw = () => {
      const part = wanted.value.trim().toLowerCase();
      const shown = routes.filter((route) => `${route.method} ${route.path} ${route.text}`.toLowerCase().includes(part));
      return shown.length === 0 ? empty("No such route", "Clear the field.") : shown.map((route) => routeView(route, context));
    };
    wanted.addEventListener("input", () => replace(list, draw()));
    context.equivalents.show([{ curl: curlLine("GET", "openapi.json") }]);
    await fill(list, async () => { routes = routesOf(await get("openapi.json")); }, draw);
  },
};
