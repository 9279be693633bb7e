"""Key as a row of the table `keys`, without its digests and rate state."""

from typing import Final

from groundwire.adapters.local.sqlite.stored_rows import RowCodec
from groundwire.domain.keys.api_key import STORED_KEY

ROWS: Final = RowCodec(STORED_KEY)
