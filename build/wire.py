"""Write frontend/src/wire.ts from the pydantic types: `python build/wire.py [--check]` (in the project's environment)."""

import json
import sys
from pathlib import Path
from typing import Any, Literal, cast

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "frontend" / "src" / "wire.ts"
HEAD = """// Generated from the Python types by build/wire.py. Do not edit; run `python3 build wire`.

"""
Schema = dict[str, Any]
PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def reference(schema: Schema) -> str:
    return str(schema["$ref"]).rsplit("/", 1)[1]


def array(schema: Schema) -> str:
    if "prefixItems" in schema:
        return "[" + ", ".join(expression(s) for s in schema["prefixItems"]) + "]"
    inner = expression(schema.get("items", {}))
    return f"({inner})[]" if " | " in inner else f"{inner}[]"


def expression(schema: Schema) -> str:
    """The TypeScript type of one JSON schema."""
    if "$ref" in schema:
        return reference(schema)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(expression(s) for s in schema[key]))
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(v) for v in schema["enum"])
    match schema.get("type"):
        case "array":
            return array(schema)
        case "object" if "properties" in schema:
            return "{ " + "; ".join(members(schema)) + " }"
        case "object":
            extra = schema.get("additionalProperties", True)
            return f"Record<string, {expression(cast('Schema', extra)) if isinstance(extra, dict) else 'unknown'}>"
        case str(name):
            return PLAIN[name]
        case _:
            return "unknown"


def members(schema: Schema) -> list[str]:
    required = {
        *schema.get("required", []),
        *(n for n, s in schema["properties"].items() if "const" in s),
    }
    return [f"{name}{'' if name in required else '?'}: {expression(s)}" for name, s in schema["properties"].items()]


def comment(text: str | None) -> str:
    return f"/** {' '.join(text.split()).replace('*/', '* /')} */\n" if text else ""


def definition(name: str, schema: Schema) -> str:
    head = comment(schema.get("description"))
    if schema.get("type") == "object" and "properties" in schema:
        return f"{head}export interface {name} {{\n" + "".join(f"  {m};\n" for m in members(schema)) + "}\n"
    return f"{head}export type {name} =\n  | " + "\n  | ".join(expression(schema).split(" | ")) + ";\n"


def declared(value: Any, mode: Literal["validation", "serialization"]) -> dict[str, Schema]:
    """All definitions of a type by name, its own included."""
    from pydantic import TypeAdapter
    from pydantic.json_schema import GenerateJsonSchema

    class Untitled(GenerateJsonSchema):
        def field_title_should_be_set(self, schema: Any) -> bool:
            return False

    schema = TypeAdapter(value).json_schema(mode=mode, schema_generator=Untitled)
    definitions: dict[str, Schema] = schema.pop("$defs", {})
    if "$ref" not in schema:
        definitions.setdefault(getattr(value, "__name__", "Unnamed"), schema)
    return definitions


def generate() -> str:
    """The whole of wire.ts."""
    sys.path.insert(0, str(ROOT))
    from app.chat import facts, knowledge_facts, program_facts, said
    from app.core.frozen import Frozen
    from app.core.ui_commands import UiCommand
    from app.web import commands, frames

    told = {**vars(facts), **vars(program_facts), **vars(knowledge_facts)}
    answers = [v for v in told.values() if isinstance(v, type) and issubclass(v, Frozen) and v is not Frozen]
    serialized: list[Any] = [frames.Frame, frames.Reply, said.Said, *answers]
    definitions: dict[str, Schema] = {}
    for value in serialized:
        definitions |= declared(value, "serialization")
    asked: list[Any] = [commands.AnyCommand, frames.Hello, UiCommand]
    for value in asked:
        for name, schema in declared(value, "validation").items():
            definitions.setdefault(name, schema)
    return HEAD + "\n".join(definition(name, definitions[name]) for name in sorted(definitions))


def main(arguments: list[str]) -> int:
    """Write the file, or with --check say whether it is up to date (1 if not)."""
    text = generate()
    if "--check" in arguments:
        same = TARGET.exists() and TARGET.read_text("utf-8") == text
        print(
            "wire.ts is up to date" if same else "frontend/src/wire.ts differs from the Python types: run `python3 build wire`"
        )
        return 0 if same else 1
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
