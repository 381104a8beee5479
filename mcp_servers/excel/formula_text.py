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
_FUNCTION = re.compile(r"(?<![\w.])([A-ZÁÉÍÓÚÑ][A-Z0-9.ÁÉÍÓÚÑ]*)(?=\()", re.IGNORECASE)
_ARRAY = re.compile(r"\{[^{}]*\}")
_TRAILING = re.compile(r"[-+*/^&=<>,(]\s*$|[-+*/^&=<>]\s*[),]")
_DOUBLED = re.compile(r"^\s*=\s*[=*/^&,)<>]|[*/^&,(=]\s*[*/^&]")
LOCAL = {
    "SUMA": "SUM", "PROMEDIO": "AVERAGE", "SI": "IF", "SI.ERROR": "IFERROR", "CONTAR": "COUNT", "CONTARA": "COUNTA",
    "CONTAR.SI": "COUNTIF", "SUMAR.SI": "SUMIF", "CONTAR.SI.CONJUNTO": "COUNTIFS", "SUMAR.SI.CONJUNTO": "SUMIFS",
    "BUSCARV": "VLOOKUP", "BUSCARH": "HLOOKUP", "BUSCARX": "XLOOKUP", "INDICE": "INDEX", "ÍNDICE": "INDEX",
    "COINCIDIR": "MATCH", "REDONDEAR": "ROUND", "HOY": "TODAY", "AHORA": "NOW", "CONCATENAR": "CONCATENATE",
    "UNIRCADENAS": "TEXTJOIN", "IZQUIERDA": "LEFT", "DERECHA": "RIGHT", "EXTRAE": "MID", "LARGO": "LEN",
    "MAYUSC": "UPPER", "MINUSC": "LOWER", "TEXTO": "TEXT", "FECHA": "DATE", "AÑO": "YEAR", "MES": "MONTH",
    "RAIZ": "SQRT", "RESIDUO": "MOD", "ENTERO": "INT", "MEDIANA": "MEDIAN", "SUMAPRODUCTO": "SUMPRODUCT",
    "SUMME": "SUM", "MITTELWERT": "AVERAGE", "WENN": "IF", "ANZAHL": "COUNT", "SVERWEIS": "VLOOKUP", "SOMME": "SUM",
    "MOYENNE": "AVERAGE", "RECHERCHEV": "VLOOKUP", "SOMA": "SUM", "MÉDIA": "AVERAGE",
}  # fmt: skip
"""What Excel calls functions in other languages (its function translations): such names are not known inside a file."""

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
    _check_grammar(bare, where)
    pieces = re.split(r'("(?:[^"]|"")*")', formula)
    return "".join(piece if piece.startswith('"') else _FUNCTION.sub(_prefixed, piece) for piece in pieces)


def _check_grammar(bare: str, where: str) -> None:
    """WorkError for what would make Excel call the file damaged; `bare` has no texts in it."""
    outside = _ARRAY.sub("{}", re.sub(r"'[^']*'|\[[^\[\]]*\]", "x", bare))
    if ";" in outside:
        raise WorkError(f"The formula for {where} separates with semicolons. Files hold commas, such as =SUM(A1,B1).")
    if _TRAILING.search(outside) or _DOUBLED.search(outside):
        raise WorkError(f"The formula for {where} is not complete: an operator has nothing beside it in {bare[:200]}.")
    for match in _FUNCTION.finditer(outside):
        if english := LOCAL.get(match.group(1).upper()):
            raise WorkError(f"The formula for {where} has {match.group(1)}. Files hold the English names: write {english}.")


def _prefixed(match: re.Match[str]) -> str:
    name = match.group(1).upper()
    if name in ("FILTER", "SORT"):
        return f"_xlfn._xlws.{name}"
    return f"_xlfn.{name}" if name in _PREFIXED else match.group(1)
