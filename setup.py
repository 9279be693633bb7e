"""Build step of the wheel: what a checkout serves is packed beside the modules.

`groundwire serve` and `groundwire demo` read template.yaml, functions/ and samples/ of the checkout. An installation
has no checkout, so the wheel holds the same files in `groundwire/packaged`.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
PACKAGED = ("template.yaml", "functions", "samples/documents", "samples/questions")


class BuildWithServedFiles(build_py):
    """Build of the modules, followed by a copy of the served files; an installation in place needs none."""

    def run(self) -> None:
        """Build the modules, then copy the files."""
        super().run()
        if self.editable_mode:
            return
        place = Path(self.build_lib) / "groundwire" / "packaged"
        # A file that an earlier build packed, and that is no longer in the checkout, would be packed again.
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        ignored = shutil.ignore_patterns("__pycache__")
        for name in PACKAGED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, place / name, ignore=ignored)
            else:
                shutil.copyfile(source, place / name)


setup(cmdclass={"build_py": BuildWithServedFiles})
