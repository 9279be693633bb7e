"""A suite that passed is skipped while nothing that decides its result has changed, and runs again afterwards."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.support.plugins import proofs

_PLUGIN: Final = Path(proofs.__file__).parent
_FILES: Final[Mapping[str, str]] = {
    "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--import-mode=importlib -q"\npythonpath = ["."]\n',
    ".gitignore": "__pycache__/\n",
    "groundwire_text/__init__.py": "",
    "groundwire_text/body.py": "import groundwire_text.below\n",
    "groundwire_text/below.py": "",
    "groundwire_text/later.py": "",
    "groundwire_text/listed.py": (
        "from pathlib import Path\nWORDS = (Path(__file__).parents[1] / 'words.txt').read_text()\n"
    ),
    "groundwire_text/unused.py": "",
    "words.txt": "ledger",
    "shared.txt": "ledger",
    "docs/page.md": "A page.",
    "docs/other/page.md": "A page.",
    "tests/__init__.py": "",
    "tests/support/__init__.py": "",
    "tests/support/plugins/__init__.py": "",
    "tests/conftest.py": (
        "import pytest\nfrom pathlib import Path\n"
        "@pytest.fixture(scope='session')\ndef shared():\n    return Path('shared.txt').read_text()\n"
    ),
    "tests/test_body.py": "import groundwire_text.body\n\ndef test():\n    pass\n",
    "tests/test_later.py": "def test():\n    from groundwire_text import later\n",
    "tests/test_named.py": "def test():\n    __import__('importlib').import_module('groundwire_text.later')\n",
    "tests/test_listed.py": "from groundwire_text import listed\n\ndef test():\n    assert listed.WORDS\n",
    "tests/test_listed_too.py": "from groundwire_text import listed\n\ndef test():\n    assert listed.WORDS\n",
    "tests/test_shared.py": "def test(shared):\n    assert shared\n",
    "tests/test_shared_too.py": "def test(shared):\n    assert shared\n",
    "tests/test_pages.py": "import os\n\ndef test():\n    assert os.listdir('docs')\n",
    "tests/test_child.py": (
        "import subprocess, sys\n\ndef test():\n"
        "    subprocess.run([sys.executable, '-c', 'import groundwire_text.child'], check=True, env={})\n"
    ),
    "groundwire_text/child.py": (
        "import os, subprocess, sys\nopen('child.txt').read()\n"
        "subprocess.run([sys.executable, '-m', 'groundwire_text.grandchild'], check=True)\n"
    ),
    "groundwire_text/grandchild.py": "import os\nos.listdir('docs')\n",
    "child.txt": "ledger",
    "tests/test_forked.py": (
        "import os\n\ndef test():\n    child = os.fork()\n    if child == 0:\n"
        "        open('forked.txt').read()\n        os._exit(0)\n    assert os.waitpid(child, 0)[1] == 0\n"
    ),
    "forked.txt": "ledger",
    "tests/cached.py": ("from functools import cache\n\n@cache\ndef words():\n    return open('cached.txt').read()\n"),
    "cached.txt": "ledger",
    "tests/test_cached.py": "from tests.cached import words\n\ndef test():\n    assert words()\n",
    "tests/test_cached_too.py": "from tests.cached import words\n\ndef test():\n    assert words()\n",
    "tests/test_isolated.py": (
        "import subprocess, sys\n\ndef test():\n    subprocess.run([sys.executable, '-I', '-c', ''], check=True)\n"
    ),
    "layers/readers/groundwire_readers/__init__.py": "",
    "layers/readers/groundwire_readers/worker.py": "",
    "tests/test_worker.py": (
        "import os, sys\n\ndef test():\n"
        "    command = [sys.executable, '-m', 'groundwire_readers.worker']\n"
        "    child = os.posix_spawn(sys.executable, command, {'PYTHONPATH': 'layers/readers'})\n"
        "    assert os.waitpid(child, 0)[1] == 0\n"
    ),
    "tests/test_shell.py": (
        "import subprocess\n\ndef test():\n    subprocess.run(['sh', '-c', 'cat shown.txt docs/page.md'], check=True)\n"
    ),
    "shown.txt": "ledger",
    "tests/test_git.py": (
        "import subprocess\n\ndef test():\n    subprocess.run(['git', 'ls-files'], check=True, env={'HOME': '.'})\n"
    ),
}


class Project:
    """A checkout with suites that depend on its files in different ways."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._cache = folder / "checkout", folder / "cache"

    def create(self) -> None:
        """Write all files."""
        for name, content in _FILES.items():
            self.write(name, content)
        for module in _PLUGIN.glob("*.py"):
            self.write(f"tests/support/plugins/proofs/{module.name}", module.read_text())
        subprocess.run(["git", "init", "-q"], cwd=self._folder, check=True)

    def write(self, name: str, content: str) -> None:
        """Write a file of the checkout."""
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)

    def append(self, name: str, text: str) -> None:
        """Add text to a file, perhaps a new one."""
        path = self._folder / name
        self.write(name, (path.read_text() if path.exists() else "") + text)

    def forget_git(self) -> None:
        """Make the checkout a plain folder."""
        shutil.rmtree(self._folder / ".git")

    def check(self) -> list[str]:
        """Run what is not proven; return the names of the suites that ran, without `tests/test_` and `.py`."""
        lines = (line.partition(" ") for line in self.run().stdout.splitlines())
        suites = {rest.partition("::")[0] for word, _, rest in lines if word in {"PASSED", "FAILED", "ERROR"}}
        return sorted(suite.removeprefix("tests/test_").removesuffix(".py") for suite in suites)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run what is not proven, with further arguments of pytest."""
        command = [sys.executable, "-m", "pytest", "-p", "tests.support.plugins.proofs.plugin", "-rA", *arguments]
        environment = {
            "PATH": os.environ["PATH"],
            "XDG_CACHE_HOME": str(self._cache),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        return subprocess.run(command, cwd=self._folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def proven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout whose suites are all proven."""
    folder = tmp_path_factory.mktemp("proven")
    project = Project(folder)
    project.create()
    every = sorted(name[len("tests/test_") : -len(".py")] for name in _FILES if name.startswith("tests/test_"))
    assert project.check() == every
    assert project.check() == []
    return folder


@pytest.fixture
def project(proven: Path, tmp_path: Path) -> Project:
    shutil.copytree(proven, tmp_path, dirs_exist_ok=True)
    return Project(tmp_path)


@pytest.mark.parametrize(
    ("name", "suites"),
    [
        ("tests/test_body.py", ["body", "git", "isolated"]),
        ("groundwire_text/body.py", ["body", "git", "isolated"]),
        ("groundwire_text/below.py", ["body", "git", "isolated"]),
        ("groundwire_text/later.py", ["git", "isolated", "later", "named"]),
        ("groundwire_text/unused.py", ["git", "isolated"]),
        ("words.txt", ["git", "isolated", "listed", "listed_too"]),
        ("shared.txt", ["git", "isolated", "shared", "shared_too"]),
        ("cached.txt", ["cached", "cached_too", "git", "isolated"]),
        ("groundwire_text/child.py", ["child", "git", "isolated"]),
        ("groundwire_text/grandchild.py", ["child", "git", "isolated"]),
        ("child.txt", ["child", "git", "isolated"]),
        ("forked.txt", ["forked", "git", "isolated"]),
        ("shown.txt", ["git", "isolated", "shell"]),
        ("layers/readers/groundwire_readers/unused.py", ["git", "isolated", "worker"]),
        ("docs/page.md", ["git", "shell"]),
        ("docs/new.md", ["child", "git", "pages"]),
        ("docs/other/new.md", ["git"]),
    ],
)
def test_a_change_makes_those_suites_run_whose_result_it_may_decide(
    project: Project, name: str, suites: list[str]
) -> None:
    project.append(name, "\n")
    assert project.check() == suites
    assert project.check() == []


@pytest.mark.parametrize("name", ["tests/conftest.py", "requirements.lock", "tests/support/plugins/proofs/store.py"])
def test_a_change_of_what_all_suites_depend_on_makes_all_run(project: Project, name: str) -> None:
    project.append(name, "\n")
    assert len(project.check()) == len([each for each in _FILES if each.startswith("tests/test_")])


@pytest.mark.parametrize("body", ["assert False", "__import__('pytest').skip()"], ids=["fails", "is left out"])
def test_a_suite_with_a_failed_or_skipped_test_gets_no_proof(project: Project, body: str) -> None:
    project.write("tests/test_body.py", f"def test_one():\n    pass\n\ndef test():\n    {body}\n")
    assert "body" in project.check()
    assert project.check() == ["body"]


@pytest.mark.parametrize("arguments", [("-k", "one"), ("tests/test_body.py::test_one",)], ids=["option", "address"])
def test_a_run_of_some_tests_of_a_suite_is_no_proof_of_it(project: Project, arguments: tuple[str, ...]) -> None:
    project.write("tests/test_body.py", "def test_one():\n    pass\n\ndef test_two():\n    pass\n")
    assert "PASSED" in project.run(*arguments).stdout
    assert "body" in project.check()


@pytest.mark.parametrize("opener", ["suite", "program"])
def test_a_suite_that_opens_a_file_which_git_ignores_fails_and_the_error_names_it(
    project: Project, opener: str
) -> None:
    opening = "open('made.txt').close()"
    started = f"__import__('subprocess').run([__import__('sys').executable, '-c', {opening!r}], check=True)"
    project.append(".gitignore", "/made.txt\n")
    project.write("made.txt", "ledger")
    project.write("tests/test_body.py", f"def test():\n    {opening if opener == 'suite' else started}\n")
    assert "tests/test_body.py opens files that git ignores: made.txt" in project.run().stdout
    assert project.check() == ["body"]


def test_outside_of_a_git_checkout_the_error_names_the_command_that_works(project: Project) -> None:
    project.forget_git()
    assert "run `make test`" in project.run().stderr
