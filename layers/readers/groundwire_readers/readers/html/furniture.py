"""Furniture of web pages: what leads through a site instead of telling something, and where the content is.

Landmarks and roles come first, then the names that generators of documentation give: Sphinx and its themes, Read the
Docs, MkDocs, Docusaurus, mdBook, rustdoc, Javadoc, Doxygen, DocBook, VuePress, VitePress, Just the Docs, MediaWiki.
"""

import re
from collections.abc import Mapping
from enum import IntFlag
from typing import Final

Attributes = Mapping[str, str | None]

_ROLES: Final = frozenset(
    {"navigation", "search", "menu", "menubar", "dialog", "alertdialog"} | {"doc-toc", "doc-index", "doc-pagelist"}
)
_RELATIONS: Final = frozenset({"next", "prev", "previous", "edit"})
_ANY: Final = frozenset({"toc", "table-of-contents", "headerlink", "header-anchor", "hash-link", "skip-link", "navbar"})
_SPHINX: Final = frozenset(
    {"sphinxsidebar", "sphinxsidebarwrapper", "viewcode-link", "viewcode-back", "copybtn", "searchbox"}
    | {"wy-nav-side", "wy-nav-top", "wy-breadcrumbs", "wy-side-scroll", "rst-versions", "rst-footer-buttons"}
    | {"sidebar-drawer", "toc-drawer", "mobile-header", "content-icon-container", "related-pages", "bottom-of-page"}
    | {"back-to-top", "edit-this-page", "view-this-page", "skip-to-content", "headerbtn"}
    | {"bd-header", "bd-sidebar", "bd-sidebar-primary", "bd-sidebar-secondary", "bd-footer", "bd-header-article"}
    | {"bd-header-announcement", "bd-header-version-warning", "prev-next-area", "prev-next-footer", "pst-skip-link"}
    | {
        "bd-search-container",
        "article-header-buttons",
        "editthispage",
        "sourcelink",
        "bd-footer-article",
        "bd-footer-content",
    }
    | {
        "readthedocs-flyout",
        "ethical-sidebar",
        "prev-next-bottom",
        "search-button__wrapper",
        "pst-async-banner-revealer",
    }
)
_MKDOCS: Final = frozenset(
    {
        "md-header",
        "md-footer",
        "md-sidebar",
        "md-tabs",
        "md-skip",
        "md-content__button",
        "md-source-file",
        "md-feedback",
    }
    | {
        "md-consent",
        "md-banner",
        "md-announce",
        "md-dialog",
        "md-search",
        "md-top",
        "md-clipboard",
        "md-nav",
        "md-path",
    }
    | {"md-version", "md-code__nav", "bs-sidebar", "mkdocs_search_modal", "mkdocs_keyboard_modal"}
    | {"rst-other-versions", "mkdocs-search-query"}
)
_OTHERS: Final = frozenset(
    {"theme-doc-sidebar-container", "theme-doc-breadcrumbs", "theme-doc-toc-mobile", "theme-doc-toc-desktop"}
    | {"theme-doc-footer", "theme-edit-this-page", "theme-last-updated", "theme-doc-version-badge", "pagination-nav"}
    | {"theme-doc-version-banner", "theme-announcement-bar", "theme-back-to-top-button", "theme-layout-footer"}
    | {"menu-bar", "menu-bar-hover-placeholder", "nav-chapters", "nav-wrapper", "mobile-nav-chapters", "search-wrapper"}
    | {"mdbook-help-container", "copy-path", "help-button", "settings-menu", "rustdoc-breadcrumbs", "clip-button"}
    | {"top-nav", "sub-nav", "skip-nav", "bottom-nav", "navheader", "navfooter", "navpath", "ttc", "msearchbox"}
    | {
        "vpnav",
        "vpsidebar",
        "vplocalnav",
        "vpdocaside",
        "vpdocfooter",
        "vpfooter",
        "vpskiplink",
        "page-nav",
        "page-edit",
    }
    | {"anchorjs-link", "anchor-heading", "heading-anchor", "side-bar", "site-footer", "mw-editsection", "mw-jump-link"}
    | {"printfooter", "catlinks", "navbox", "vector-header-container", "mw-footer-container"}
)
_NAMES: Final = _ANY | _SPHINX | _MKDOCS | _OTHERS
_PATTERNS: Final = re.compile(
    r"(?:cookie|cookies|gdpr|consent)[-_]?(?:banner|bar|box|consent|dialog|law|message|modal|notice|overlay|popup|wall)"
    r"|cookieconsent|cc-window|cybotcookiebotdialog|onetrust-.{1,40}|no-?print|(?:only-?|visible-)print|print-?only|d-print-none|hidden-print"
    r"|(?:copy|clipboard)[-_]?(?:btn|button|code|icon|to-clipboard)|(?:btn|button)[-_](?:copy|clipboard)"
    r"|skip-?to-?(?:content|main).{0,40}|noprint_.{1,20}"
)
_BUTTONS: Final = re.compile(
    r"copy|clipboard|toggle|menu|search|close|theme|scroll|back to top|clean-btn", re.IGNORECASE
)
_CONTENT: Final = frozenset(
    {"documentwrapper", "bodywrapper", "md-content", "rst-content", "theme-doc-markdown", "vp-doc", "bd-article"}
    | {"main-content", "main_content", "maincontent", "mw-parser-output", "markdown-body", "theme-default-content"}
)
_WHOLE_PAGE: Final = ("html", "body", "main")
SECTIONS: Final = frozenset(
    {"article", "main", "section", "aside", "blockquote", "figure", "td", "layout-td", "li", "dialog"}
)
"""Elements whose footers are their own; any other is the page's."""
_PAGE_LINK: Final = re.compile(
    r"[¶#§🔗⚓↩↑⏎^\ufe0e\ufe0f\s]*|permalink|link to this (?:heading|section)", re.IGNORECASE
)
_SKIP_LINK: Final = re.compile(r"(?:skip|jump) to .{0,20}(?:content|navigation|search|main)", re.IGNORECASE)


class Region(IntFlag):
    """Part of a page: its main element, an article, an element that a generator uses for content, its footer."""

    NONE = 0
    MAIN = 1
    ARTICLE = 2
    CONTENT = 4
    FOOTER = 8


def is_furniture(tag: str, attributes: Attributes) -> bool:
    """Return whether the element and all within leads through the site: navigation, a search, buttons, a banner."""
    # Some themes put such names on the page itself: it must not vanish as a whole.
    if tag in _WHOLE_PAGE:
        return False
    role = (attributes.get("role") or "").lower()
    # `hreflang` is on links to the same page in another language.
    if role in _ROLES or tag == "search" or "hreflang" in attributes:
        return True
    # Browsers show a dialog only while it has this attribute.
    if tag == "dialog" and "open" not in attributes:
        return True
    if tag in ("a", "link") and not _RELATIONS.isdisjoint((attributes.get("rel") or "").lower().split()):
        return True
    names = names_of(attributes)
    if any(name in _NAMES or _PATTERNS.fullmatch(name) for name in names):
        return True
    return tag == "button" and any(_BUTTONS.search(each) for each in (*names, attributes.get("aria-label") or ""))


def is_page_link(text: str, address: str) -> bool:
    """Return whether a link is the sign of a heading's own address, or leads past the page's navigation."""
    if not address.startswith("#"):
        return False
    words = " ".join(text.split())
    return _PAGE_LINK.fullmatch(words) is not None or _SKIP_LINK.fullmatch(words) is not None


def region_of(tag: str, attributes: Attributes, around: Region, *, is_in_section: bool) -> Region:
    """Return the regions of an element within others, of which one may be of `SECTIONS`."""
    role = (attributes.get("role") or "").lower()
    if tag == "main" or role == "main":
        return around | Region.MAIN
    if tag == "article" or role == "article" or attributes.get("itemprop") == "articleBody":
        return around | Region.ARTICLE
    names = names_of(attributes)
    if not _CONTENT.isdisjoint(names):
        return around | Region.CONTENT
    is_footer = tag == "footer" or (tag == "div" and "footer" in names)
    if role == "contentinfo" or (is_footer and not is_in_section):
        return around | Region.FOOTER
    return around


def names_of(attributes: Attributes) -> list[str]:
    """Return the classes and the id of an element, lower case."""
    identity = attributes.get("id")
    return [*(attributes.get("class") or "").lower().split(), *([identity.lower()] if identity else [])]
