"""Tools, resources and prompts for the clients of each supported system: a folder each, and a line in this table.

See `dialects.declaration.dialect` for what a declaration says, and docs/dialects.md for how to add one.
"""

from typing import Final

from groundwire.dialects.azure import AZURE
from groundwire.dialects.default import DEFAULT
from groundwire.dialects.foundry import FOUNDRY
from groundwire.dialects.mindset import MINDSET
from groundwire.dialects.openai import OPENAI
from groundwire.dialects.opensearch import OPENSEARCH
from groundwire.dialects.vertex import VERTEX

DIALECTS: Final = (DEFAULT, MINDSET, OPENAI, FOUNDRY, VERTEX, AZURE, OPENSEARCH)
"""The dialects that can be served."""
