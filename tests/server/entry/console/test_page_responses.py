"""The page and its files over HTTP: strict headers, tags, and nothing but the names that the package has."""

import re
from http.client import HTTPConnection
from typing import Final

import httpx
import pytest

from groundwire.entry.console.files import page_files

HTML: Final = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
ADDRESSES: Final = ["/console", *(f"/console/assets/{name}" for name in page_files())]
DIRECTIVES: Final = {
    *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "connect-src 'self'"),
    *("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"),
    "trusted-types 'none'",
}
TRICKS: Final = [
    *("/console/assets/", "/console/assets/nothing.js", "/console/assets/INDEX.HTML", "/console/files.py"),
    *("/console/assets/../files.py", "/console/assets/%2e%2e/files.py", "/console/assets/..%2ffiles.py"),
    *("/console/assets/%2e%2e%2f%2e%2e%2fauthorizer.py", "/console/assets//etc/passwd", "/console/assets/%00app.js"),
    *("/console/assets/app.js%00", "/console/assets/./app.js/.", "/console/assets/screens", "/console/assets/screens/"),
    *("/console/assets/..\\files.py", "/console/nothing", "/consoles", "/console/assets/app.js.map"),
]


def sent(http: httpx.Client, path: str, method: str) -> tuple[int, bytes]:
    """Return the status and the body for the path as it is written: another client would remove `..`."""
    connection = HTTPConnection(str(http.base_url.host), http.base_url.port, timeout=20)
    try:
        connection.request(method, path)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


@pytest.mark.parametrize("path", ADDRESSES)
def test_every_file_has_strict_headers_and_a_type_that_no_browser_guesses(http: httpx.Client, path: str) -> None:
    response = http.get(path)

    assert response.status_code == 200
    assert set(response.headers["content-security-policy"].split("; ")) == DIRECTIVES
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["cross-origin-opener-policy"] == "same-origin"
    assert response.headers["cross-origin-resource-policy"] == "same-origin"
    assert response.headers["cache-control"] == "no-cache"
    assert "camera=()" in response.headers["permissions-policy"]
    assert "access-control-allow-origin" not in response.headers
    assert "set-cookie" not in response.headers
    assert re.fullmatch(r"(text/(html|css|javascript); charset=utf-8|image/svg\+xml)", response.headers["content-type"])


@pytest.mark.parametrize("path", ADDRESSES)
def test_a_client_that_has_the_content_gets_it_no_second_time(http: httpx.Client, path: str) -> None:
    first = http.get(path)
    tag = first.headers["etag"]

    assert re.fullmatch(r'"[0-9a-f]{32}-gzip"', tag)
    for known in (tag, f'"other", {tag}', f"W/{tag}", "*"):
        again = http.get(path, headers={"if-none-match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert http.get(path, headers={"if-none-match": '"other"'}).content == first.content


@pytest.mark.parametrize("path", ADDRESSES)
def test_a_client_that_reads_gzip_gets_fewer_bytes_under_a_tag_of_their_own(http: httpx.Client, path: str) -> None:
    plain = http.get(path, headers={"accept-encoding": "identity"})
    for refused in ("", "br", "*", "gzip;q=0", "x-gzip"):
        other = http.get(path, headers={"accept-encoding": refused})
        assert ("content-encoding" in other.headers, other.headers["etag"]) == (False, plain.headers["etag"])
    for accepted in ("gzip", "br, GZIP", "gzip;q=0.5, identity"):
        packed = http.get(path, headers={"accept-encoding": accepted})
        assert (packed.headers["content-encoding"], packed.headers["vary"]) == ("gzip", "accept-encoding")
        assert packed.headers["etag"] != plain.headers["etag"]
        assert packed.content == plain.content
        assert packed.num_bytes_downloaded <= plain.num_bytes_downloaded + 32


@pytest.mark.parametrize("path", ["/console", "/console/assets/app.js", "/"])
def test_head_answers_as_get_does_without_a_body(http: httpx.Client, path: str) -> None:
    got, head = http.get(path, headers=HTML), http.head(path, headers=HTML)

    assert (head.status_code, head.content) == (200, b"")
    for name in ("etag", "content-type", "content-security-policy", "cache-control"):
        assert head.headers[name] == got.headers[name]


@pytest.mark.parametrize("path", TRICKS)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_another_name_gives_no_file(http: httpx.Client, path: str, method: str) -> None:
    status, body = sent(http, path, method)

    assert status in {400, 401, 404}
    assert not any(part in body for part in (b"def ", b"root:", b"import"))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_the_page_is_only_read(http: httpx.Client, method: str) -> None:
    for path in ("/console", "/console/assets/app.js"):
        assert http.request(method, path).status_code in {401, 404, 405}


@pytest.mark.parametrize(
    ("accept", "is_page"),
    [
        (HTML["accept"], True),
        ("text/html", True),
        ("application/json, TEXT/HTML;q=0.5", True),
        ("*/*", False),
        ("text/*", False),
        ("text/plain", False),
        ("text/html;q=0, */*", False),
        ("text/html;q=0.000", False),
        ("text/html-like", False),
        ("", False),
    ],
)
def test_the_root_gives_browsers_the_page_and_programs_a_text(
    http: httpx.Client, accept: str, *, is_page: bool
) -> None:
    response = http.get("/", headers={"accept": accept})

    assert response.status_code == 200
    assert response.headers["vary"].partition(",")[0] == "accept"
    assert response.headers["content-type"] == f"text/{'html' if is_page else 'plain'}; charset=utf-8"
    if is_page:
        assert response.content == http.get("/console").content


def test_the_addresses_of_the_page_lie_below_the_path_of_a_proxy(http: httpx.Client) -> None:
    page = http.get("/console").text
    addresses = re.findall(r'(?:src|href)="([^"#]+)"', page)

    assert len(addresses) == 3
    for address in addresses:
        assert address.startswith("/below/console/assets/")
        assert http.get(address.removeprefix("/below")).status_code == 200
