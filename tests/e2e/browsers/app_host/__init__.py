"""A host of MCP Apps in a browser: a page, and a proxy of another origin that loads the view."""

import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final, NamedTuple

_HERE: Final = Path(__file__).parent


class HostPages(NamedTuple):
    """Addresses of the host's page and of the origin of its proxy."""

    host: str
    proxy_origin: str


@contextmanager
def host_pages(csp: Mapping[str, list[str]]) -> Generator[HostPages]:
    """The pages on two free ports; the proxy has the policy that the specification makes of `csp`."""
    with _serving("host.html", None) as host, _serving("proxy.html", _policy(csp)) as proxy:
        yield HostPages(f"{host}/host.html", proxy)


def _policy(csp: Mapping[str, list[str]]) -> str:
    """The policy of the specification; a view without an origin can name no `'self'`, which loads nothing."""
    origins = {name: " ".join(csp[name]) for name in ("resourceDomains", "connectDomains")}
    parts = {
        "default-src": "'none'",
        "script-src": f"'self' 'unsafe-inline' {origins['resourceDomains']}",
        "style-src": f"'self' 'unsafe-inline' {origins['resourceDomains']}",
        "connect-src": f"'self' {origins['connectDomains']}",
        "img-src": f"'self' data: {origins['resourceDomains']}",
        "font-src": f"'self' {origins['resourceDomains']}",
        "media-src": f"'self' data: {origins['resourceDomains']}",
        "frame-src": " ".join(csp["frameDomains"]) or "'none'",
        "object-src": "'none'",
        "base-uri": " ".join(csp["baseUriDomains"]) or "'self'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in parts.items())


@contextmanager
def _serving(name: str, policy: str | None) -> Generator[str]:
    """The address of a server of one file."""
    body = (_HERE / name).read_bytes()

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == f"/{name}" else 404)
            self.send_header("content-type", "text/html; charset=utf-8")
            if policy is not None:
                self.send_header("content-security-policy", policy)
            self.end_headers()
            if self.path == f"/{name}":
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
