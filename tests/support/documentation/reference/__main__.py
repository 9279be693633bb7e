"""Write every generated page: `make reference`."""

from tests.support.documentation.reference.pages import GENERATED_PAGES

if __name__ == "__main__":
    for path, generate in GENERATED_PAGES.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(generate(), encoding="utf-8")
