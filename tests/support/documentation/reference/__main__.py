"""Write every generated page: `make reference`."""

from tests.support.aws.template.deployer_policy import policy_texts
from tests.support.documentation.reference.pages import GENERATED_PAGES

if __name__ == "__main__":
    for path, generate in GENERATED_PAGES.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(generate(), encoding="utf-8")
    for path, text in policy_texts().items():
        path.write_text(text, encoding="utf-8")
