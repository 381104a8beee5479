"""Formulas that a model writes: what newer functions are called inside a file, and what is refused."""

import re

from mcp_servers.worker import WorkError

LONGEST = 8192
"""The most characters of a formula (Excel's specifications and limits)."""

_YOUNGER = """
ARRAYTOTEXT BYCOL BYROW CHOOSECOLS CHOOSEROWS CONCAT DAYS DROP EXPAND FORECAST.LINEAR FORMULATEXT HSTACK IFNA IFS
ISFORMULA LAMBDA LET MAKEARRAY MAP MAXIFS MINIFS MODE.SNGL NUMBERVALUE PERCENTILE.EXC PERCENTILE.INC QUARTILE.INC
RANDARRAY RANK.AVG RANK.EQ REDUCE SCAN SEQUENCE SORTBY STDEV.P STDEV.S SWITCH TAKE TEXTAFTER TEXTBEFORE TEXTJOIN
TEXTSPLIT TOCOL TOROW UNIQUE VALUETOTEXT VAR.P VAR.S VSTACK WRAPCOLS WRAPROWS XLOOKUP XMATCH XOR
"""
_PREFIXED = frozenset(_YOUNGER.split())
"""Functions younger than the file format: files hold them with a prefix ([MS-XLSX] 2.2.2, future functions)."""

_TEXT = re.compile(r'"(?:[^"]|"")*"')
_FUNCTION = re.compile(r"(?<![\w.])([A-Z][A-Z0-9.]*)(?=\()", re.IGNORECASE)
_DDE = re.compile(r"\|[^!]*!")


def checked_formula(formula: str, where: str) -> str:
    """The formula as a file holds it. WorkError names the cell `where`."""
    if len(formula) > LONGEST:
        raise WorkError(f"The formula for {where} has {len(formula):,} characters; at most {LONGEST:,} are allowed.")
    bare = _TEXT.sub('""', formula)
    if _DDE.search(re.sub(r"'[^']*'", "''", bare)):
        raise WorkError(f"The formula for {where} would start another program (DDE). It was not written.")
    if bare.count("(") != bare.count(")") or formula.count('"') % 2:
        raise WorkError(f"The formula for {where} has brackets or quotes that do not close: {formula[:200]}")
    pieces = re.split(r'("(?:[^"]|"")*")', formula)
    return "".join(piece if piece.startswith('"') else _FUNCTION.sub(_prefixed, piece) for piece in pieces)


def _prefixed(match: re.Match[str]) -> str:
    name = match.group(1).upper()
    if name in ("FILTER", "SORT"):
        return f"_xlfn._xlws.{name}"
    return f"_xlfn.{name}" if name in _PREFIXED else match.group(1)
