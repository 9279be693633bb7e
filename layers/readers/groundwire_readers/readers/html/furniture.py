"""Detection of page furniture on web pages (navigation, search, banners), and of the regions with content.

It uses ARIA landmarks and roles, then class names of documentation generators: Sphinx and its themes, Read the Docs,
MkDocs, Docusaurus, mdBook, rustdoc, Javadoc, Doxygen, DocBook, VuePress, VitePress, Just the Docs, MediaWiki.
"""

import re
from collections.abc import Mapping
from enum import IntFlag
from typing import Final

Attributes = Mapping[str, str | None]

_FURNITURE_ROLES: Final = frozenset(
    {"navigation", "search", "menu", "menubar", "dialog", "alertdialog"} | {"doc-toc", "doc-index", "doc-pagelist"}
)
_LINK_RELATIONS: Final = frozenset({"next", "prev", "previous", "edit"})
_COMMON_NAMES: Final = frozenset(
    {"toc", "table-of-contents", "headerlink", "header-anchor", "hash-link", "skip-link", "navbar"}
)
_SPHINX: Final = frozenset(
    {"sphinxsidebar", "sphinxsidebarwrapper", "viewcode-link", "viewcode-back", "copybtn", "searchbox"}
    | {"wy-nav-side", "wy-nav-top", "wy-breadcrumbs", "wy-side-scroll", "rst-versions", "rst-footer-buttons"}
    | {"sidebar-drawer", "toc-drawer", "mobile-header", "content-icon-container", "related-pages", "bottom-of-page"}
    | {"back-to-top", "edit-this-page", "view-this-page", "skip-to-content", "headerbtn"}
    | {"bd-header", "bd-sidebar", "bd-sidebar-primary", "bd-sidebar-secondary", "bd-footer", "bd-header-article"}
    | {"bd-header-announcement", "bd-header-version-warning", "prev-next-area", "prev-next-footer", "pst-skip-link"}
    | {
        *("bd-search-container", "article-header-buttons", "editthispage", "sourcelink", "bd-footer-article"),
        "bd-footer-content",
    }
    | {
        *("readthedocs-flyout", "ethical-sidebar", "prev-next-bottom", "search-button__wrapper"),
        "pst-async-banner-revealer",
    }
)
_MKDOCS: Final = frozenset(
    {
        *("md-header", "md-footer", "md-sidebar", "md-tabs", "md-skip", "md-content__button", "md-source-file"),
        "md-feedback",
    }
    | {
        *("md-consent", "md-banner", "md-announce", "md-dialog", "md-search", "md-top", "md-clipboard", "md-nav"),
        "md-path",
    }
    | {"md-version", "md-code__nav", "bs-sidebar", "mkdocs_search_modal", "mkdocs_keyboard_modal"}
    | {"rst-other-versions", "mkdocs-search-query"}
)
_OTHER_GENERATORS: Final = frozenset(
    {"theme-doc-sidebar-container", "theme-doc-breadcrumbs", "theme-doc-toc-mobile", "theme-doc-toc-desktop"}
    | {"theme-doc-footer", "theme-edit-this-page", "theme-last-updated", "theme-doc-version-badge", "pagination-nav"}
    | {"theme-doc-version-banner", "theme-announcement-bar", "theme-back-to-top-button", "theme-layout-footer"}
    | {"menu-bar", "menu-bar-hover-placeholder", "nav-chapters", "nav-wrapper", "mobile-nav-chapters", "search-wrapper"}
    | {"mdbook-help-container", "copy-path", "help-button", "settings-menu", "rustdoc-breadcrumbs", "clip-button"}
    | {"top-nav", "sub-nav", "skip-nav", "bottom-nav", "navheader", "navfooter", "navpath", "ttc", "msearchbox"}
    | {
        *("vpnav", "vpsidebar", "vplocalnav", "vpdocaside", "vpdocfooter", "vpfooter", "vpskiplink", "page-nav"),
        "page-edit",
    }
    | {"anchorjs-link", "anchor-heading", "heading-anchor", "side-bar", "site-footer", "mw-editsection", "mw-jump-link"}
    | {"printfooter", "catlinks", "navbox", "vector-header-container", "mw-footer-container"}
)
_FURNITURE_NAMES: Final = _COMMON_NAMES | _SPHINX | _MKDOCS | _OTHER_GENERATORS
_FURNITURE_PATTERNS: Final = re.compile(
    r"(?:cookie|cookies|gdpr|consent)[-_]?(?:banner|bar|box|consent|dialog|law|message|modal|notice|overlay|popup|wall)"
    r"|cookieconsent|cc-window|cybotcookiebotdialog|onetrust-.{1,40}|no-?print|(?:only-?|visible-)print|print-?only|d-print-none|hidden-print"
    r"|(?:copy|clipboard)[-_]?(?:btn|button|code|icon|to-clipboard)|(?:btn|button)[-_](?:copy|clipboard)"
    r"|skip-?to-?(?:content|main).{0,40}|noprint_.{1,20}"
)
_BUTTON_NAMES: Final = re.compile(
    r"copy|clipboard|toggle|menu|search|close|theme|scroll|back to top|clean-btn", re.IGNORECASE
)
_CONTENT_NAMES: Final = frozenset(
    {"documentwrapper", "bodywrapper", "md-content", "rst-content", "theme-doc-markdown", "vp-doc", "bd-article"}
    | {"main-content", "main_content", "maincontent", "mw-parser-output", "markdown-body", "theme-default-content"}
)
_WHOLE_PAGE: Final = ("html", "body", "main")
SECTIONS: Final = frozenset(
    {"article", "main", "section", "aside", "blockquote", "figure", "td", "layout-td", "li", "dialog"}
)
"""Sectioning elements: a footer in one of them is not the page's footer."""
_PERMALINK: Final = re.compile(
    r"[¶#§🔗⚓↩↑⏎^\ufe0e\ufe0f\s]*|permalink|link to this (?:heading|section)", re.IGNORECASE
)
_SKIP_LINK: Final = re.compile(r"(?:skip|jump) to .{0,20}(?:content|navigation|search|main)", re.IGNORECASE)


class Region(IntFlag):
    """Flags of the regions around a block: main element, article, a generator's content element, page footer."""

    NONE = 0
    MAIN = 1
    ARTICLE = 2
    CONTENT = 4
    FOOTER = 8


def is_furniture(tag: str, attributes: Attributes) -> bool:
    """Return whether the element is page furniture with all its descendants: navigation, search, buttons, a banner."""
    # Some themes put such class names on the page itself, which must not be dropped as a whole.
    if tag in _WHOLE_PAGE:
        return False
    role = (attributes.get("role") or "").lower()
    # `hreflang` is on links to the same page in another language.
    if role in _FURNITURE_ROLES or tag == "search" or "hreflang" in attributes:
        return True
    # Browsers show a dialog only while it has this attribute.
    if tag == "dialog" and "open" not in attributes:
        return True
    if tag in ("a", "link") and not _LINK_RELATIONS.isdisjoint((attributes.get("rel") or "").lower().split()):
        return True
    names = names_of(attributes)
    if any(name in _FURNITURE_NAMES or _FURNITURE_PATTERNS.fullmatch(name) for name in names):
        return True
    return tag == "button" and any(_BUTTON_NAMES.search(each) for each in (*names, attributes.get("aria-label") or ""))


def is_page_link(text: str, address: str) -> bool:
    """Return whether a link within the page is a heading's permalink sign or a skip link."""
    if not address.startswith("#"):
        return False
    words = " ".join(text.split())
    return _PERMALINK.fullmatch(words) is not None or _SKIP_LINK.fullmatch(words) is not None


def region_of(tag: str, attributes: Attributes, around: Region, *, is_in_section: bool) -> Region:
    """Return the regions of an element: those of its parent (`around`) and its own."""
    role = (attributes.get("role") or "").lower()
    if tag == "main" or role == "main":
        return around | Region.MAIN
    if tag == "article" or role == "article" or attributes.get("itemprop") == "articleBody":
        return around | Region.ARTICLE
    names = names_of(attributes)
    if not _CONTENT_NAMES.isdisjoint(names):
        return around | Region.CONTENT
    is_footer = tag == "footer" or (tag == "div" and "footer" in names)
    if role == "contentinfo" or (is_footer and not is_in_section):
        return around | Region.FOOTER
    return around


def names_of(attributes: Attributes) -> list[str]:
    """Return the classes and the id of an element, in lower case."""
    identity = attributes.get("id")
    return [*(attributes.get("class") or "").lower().split(), *([identity.lower()] if identity else [])]
