"""Ask a question, and show the passages with their sources to a person.

    URL=http://127.0.0.1:8080 KEY=… python example.py "How many days of annual leave do I get?" USER TAG…

Without USER, the key is a personal one.
"""

import os
import sys
from collections.abc import Iterator

from groundwire_client import Client, PassageRecord


def shown(passages: list[PassageRecord]) -> Iterator[str]:
    """Yield the lines for a person: each passage, and the address at which it opens."""
    for number, passage in enumerate(passages, start=1):
        page = "" if passage["page_first"] is None else f", page {passage['page_first']}"
        yield f"[{number}] {' > '.join(passage['heading_path'])}"
        yield passage["text"]
        yield f"Source: {passage['source_file_name']}{page}"
        yield f"Open: {passage['source_url']}"
        yield ""


def main() -> None:
    """Print the answer."""
    question, *person = sys.argv[1:]
    client = Client(
        os.environ["URL"], os.environ["KEY"], user=person[0] if person else None, tags=person[1:] if person else None
    )
    answer = client.search({"phrases": [question]})
    if "passages" not in answer:
        return
    print(*shown(answer["passages"]), sep="\n")
    if answer["notice"] is not None:
        print(answer["notice"])


if __name__ == "__main__":
    main()
