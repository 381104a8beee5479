"""The settings file: read once, checked field by field, written whole; what this version does not know is kept."""

import json
import threading
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from app.settings.atomic import write_private
from app.settings.edition import edition, under
from app.settings.fields import Settings

FILE_NAME = "settings.json"


class SettingError(ValueError):
    """A setting that cannot be: one clear sentence for a person."""


class SettingsFile:
    """`value` is what holds now; `notices` say what was wrong with the file when it was read.

    What the file does not say is as the edition has it, else a field's own default.
    """

    def __init__(self, home: Path):
        self._defaults = edition().settings
        self.path = home / FILE_NAME
        self.notices: list[str] = []
        self._lock = threading.Lock()
        self._raw = self._read()
        self.value = self._checked(self._raw)

    def set(self, name: str, value: JsonValue) -> Settings:
        """Set `section.field` (or `providers`) and save; None of a field without None means its default.

        Raises SettingError, with nothing changed, for an unknown name or a value that does not fit; OSError where the
        file cannot be written.
        """
        field, model = find_field(name)
        checked = _fit(name, field, model, value)
        with self._lock:
            raw = self._read()  # another process may have written since
            _put(raw, name.split("."), checked)
            write_private(self.path, json.dumps(raw, ensure_ascii=False, indent=2) + "\n")
            self._raw = raw
            self.value = self._checked(raw)
        return self.value

    def reset(self, name: str) -> Settings:
        """Back to the default."""
        field, _ = find_field(name)
        if name in self._defaults:
            return self.set(name, self._defaults[name])
        return self.set(name, TypeAdapter(Any).dump_python(field.get_default(), mode="json"))

    def reload(self) -> Settings:
        """Read the file again, as another process may have written it."""
        with self._lock:
            self._raw = self._read()
            self.value = self._checked(self._raw)
        return self.value

    def _read(self) -> dict[str, Any]:
        try:
            raw: object = json.loads(self.path.read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            return {}
        except ValueError as error:
            return self._set_aside(str(error))
        return cast("dict[str, Any]", raw) if isinstance(raw, dict) else self._set_aside("it holds no object")

    def _set_aside(self, why: str) -> dict[str, Any]:
        aside = self.path.with_name(f"{self.path.name}.broken")
        number = 1
        while aside.exists():
            number += 1
            aside = self.path.with_name(f"{self.path.name}.broken-{number}")
        self.path.replace(aside)
        self.notices.append(f"The settings could not be read ({why}). They are kept as {aside.name}; the defaults hold now.")
        return {}

    def _checked(self, raw: dict[str, Any]) -> Settings:
        """The settings in `raw`; a value that does not fit falls back to its default, with a notice, and stays in the file."""
        good = under(self._defaults)
        for section_name, section in Settings.model_fields.items():
            if section_name not in raw:
                continue
            kind = section.annotation
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                good[section_name] = {**good.get(section_name, {}), **self._section(section_name, kind, raw[section_name])}
            else:
                good[section_name] = self._entries(section_name, raw[section_name])
        return Settings.model_validate(good)

    def _section(self, name: str, kind: type[BaseModel], raw: object) -> dict[str, Any]:
        if not isinstance(raw, dict):
            self._note(name, "it is no object")
            return {}
        values = cast("dict[str, Any]", raw)
        return {key: values[key] for key in kind.model_fields if key in values and self._fits(f"{name}.{key}", values[key])}

    def _entries(self, name: str, raw: object) -> list[Any]:
        entries = cast("list[Any]", raw if isinstance(raw, list) else [raw])
        return [entry for entry in entries if self._fits(name, [entry])]

    def _fits(self, name: str, value: JsonValue) -> bool:
        field, model = find_field(name)
        try:
            _fit(name, field, model, value)
        except SettingError as error:
            self._note(name, str(error))
            return False
        return True

    def _note(self, name: str, why: str) -> None:
        notice = f"The setting {name} in {self.path.name} is not used: {why}"
        if notice not in self.notices:
            self.notices.append(notice)


def check_value(name: str, value: JsonValue) -> None:
    """Raise SettingError where there is no such setting, or the value does not fit it."""
    field, model = find_field(name)
    _fit(name, field, model, value)


def find_field(name: str) -> tuple[FieldInfo, type[BaseModel]]:
    """The Field of `section.field` (or of a section without fields of its own) and the model it stands in."""
    section_name, _, field_name = name.partition(".")
    section = Settings.model_fields.get(section_name)
    kind = section.annotation if section else None
    if section and not field_name and not (isinstance(kind, type) and issubclass(kind, BaseModel)):
        return section, Settings
    if isinstance(kind, type) and issubclass(kind, BaseModel) and field_name in kind.model_fields:
        return kind.model_fields[field_name], kind
    raise SettingError(f"There is no setting {name}.")


def _fit(name: str, field: FieldInfo, model: type[BaseModel], value: JsonValue) -> JsonValue:
    key = name.rpartition(".")[2]
    if value is None and field.get_default() is not None:
        value = TypeAdapter(Any).dump_python(field.get_default(), mode="json")
    try:
        made = model.model_validate({key: value})
    except ValidationError as error:
        raise SettingError(f"{field.title}: {_words(error, value)}.") from None
    return made.model_dump(mode="json", include={key})[key]


def _words(error: ValidationError, value: JsonValue) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:] if "[" not in str(part))
    shown = json.dumps(value, ensure_ascii=False)
    said = first["msg"][0].lower() + first["msg"][1:]
    return f"{shown if len(shown) <= 60 else shown[:57] + '…'} does not fit{f' at {where}' if where else ''}, {said}"


def _put(raw: dict[str, Any], path: list[str], value: JsonValue) -> None:
    """Set a value in nested objects, keeping every key beside it."""
    for key in path[:-1]:
        inner = raw.get(key)
        raw[key] = inner if isinstance(inner, dict) else {}
        raw = raw[key]
    raw[path[-1]] = value
