"""Signs and codes of currencies, which tables set apart from their numbers."""

import re
from typing import Final

CURRENCY_SIGNS: Final = "$¢£¤¥֏؋৲৳฿₠-⃀﷼＄￠￡￥￦"  # noqa: RUF001 - Unicode's category Sc
"""Currency signs, as part of a character class of a regular expression."""
_CODES: Final = (
    "AED AUD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR JPY KRW MXN MYR NGN NOK NZD PHP PLN RON "
    "RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR"
)
# ISO 4217 has more codes; those that are words of a language are left out.
CURRENCY: Final = rf"(?:[A-Z]{{0,3}}[{CURRENCY_SIGNS}]|{_CODES.replace(' ', '|')}|kr\.?|Kč|zł|Ft|S?Fr\.|Rs\.?)"
"""Regular expression of a sign or code."""
_CURRENCY: Final = re.compile(CURRENCY)


def is_currency(text: str) -> bool:
    """Return whether the text is the sign or the code of a currency, such as "$", "US$", "CHF" or "kr"."""
    return _CURRENCY.fullmatch(text) is not None
