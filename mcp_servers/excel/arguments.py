"""The arguments that several tools share."""

from typing import Annotated

from mcp_servers.arguments import argument

Path = Annotated[
    str, argument("The file. Outside the allowed folders the user is asked.", examples=["sales.xlsx", "~/Desktop/2026.xlsx"])
]
Sheet = Annotated[str | None, argument("The sheet's name; left out: the first one shown.", examples=["Sheet1"])]
Range = Annotated[str, argument("The cells, such as A1:C10, A:C or 2:5.", examples=["A1:C10"])]
Formulas = Annotated[
    bool, argument("True: texts that begin with = become formulas. False: they stay plain text, which is safe for data.")
]
Numbers = Annotated[
    bool,
    argument("True: a column of texts that are all numbers, such as 98 or 12.50, becomes numbers. False: they stay texts."),
]
Dates = Annotated[bool, argument("True: texts such as 2026-01-31 become real dates. False: they stay texts.")]
