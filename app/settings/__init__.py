"""What a person may set, where it is kept, and the keys: a checked JSON file, the system's key ring, one home folder.

    home = home_folder(argument)                       # argument, else LEOCHAT_HOME, else the platform's folder
    settings = SettingsFile(home)                      # never raises for a broken file: see `settings.notices`
    settings.value.model.max_rounds                    # frozen, every field with its default
    settings.set("general.theme", "dark-purple")       # SettingError in one sentence; saved when it returns
    settings.set("providers", [entry.model_dump(), …]) # saved ProviderEntry list
    dialog_schema()                                    # JSON schema with `titles`/`descriptions` by language
    secrets = Secrets(home); secrets.get(vendor, base_url); secrets.set(vendor, base_url, key); secrets.where()
    key_from_environment(["OPENAI_API_KEY"])           # (name, SecretStr) or None

All of it is synchronous: reads are from memory, `set` writes a small file (milliseconds), `Secrets` may wait for the
system's key ring, so call that one off the event loop.
"""

from app.settings.dialog import LANGUAGES, dialog_schema
from app.settings.edition import Edition, EditionError, edition
from app.settings.fields import ProviderEntry, Settings
from app.settings.file import SettingError, SettingsFile
from app.settings.home import HOME_VARIABLE, default_home, home_folder
from app.settings.secrets import Secrets, key_from_environment

__all__ = [
    "HOME_VARIABLE",
    "LANGUAGES",
    "Edition",
    "EditionError",
    "ProviderEntry",
    "Secrets",
    "SettingError",
    "Settings",
    "SettingsFile",
    "default_home",
    "dialog_schema",
    "edition",
    "home_folder",
    "key_from_environment",
]
