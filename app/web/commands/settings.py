"""What a window can ask about settings, providers and models."""

import asyncio
from typing import Any, Literal

from pydantic import Field

from app.chat.facts import GrantInfo, ModelChoice, ModelList, ProviderInfo, ProviderReport, SettingsData, UsageReport
from app.chat.leochat import LeoChat
from app.chat.windows import Window
from app.web.commands.command import Command


class GetSettings(Command):
    """Gives SettingsData."""

    type: Literal["get_settings"] = "get_settings"

    async def run(self, leo: LeoChat, window: Window) -> SettingsData:
        data = await asyncio.to_thread(leo.settings_data)  # the key ring may take its time, and a setting change meanwhile
        return data.model_copy(update={"values": leo.setting_values()})


class SetSetting(Command):
    """`name` is dotted (`general.theme`); refused with words where the value does not fit."""

    type: Literal["set_setting"] = "set_setting"
    name: str
    value: Any

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.set_setting(self.name, self.value)


class ProvidersList(Command):
    """Gives `{providers: [ProviderInfo]}`."""

    type: Literal["providers_list"] = "providers_list"

    async def run(self, leo: LeoChat, window: Window) -> dict[str, list[ProviderInfo]]:
        return {"providers": await leo.providers.listed()}


class ProviderSave(Command):
    """Save a provider's address, protocol, key, default model and favourites; null stays as it is, empty is the default.

    `key`: "" forgets the stored key. `use`: make it the default for new conversations.
    """

    type: Literal["provider_save"] = "provider_save"
    name: str
    base_url: str | None = None
    protocol: str | None = None
    key: str | None = None
    model: str | None = None
    favourites: tuple[str, ...] | None = None
    use: bool = False

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.save_provider(
            self.name,
            base_url=self.base_url,
            protocol=self.protocol,
            key=self.key,
            model=self.model,
            favourites=self.favourites,
            use=self.use,
        )


class ProviderTest(Command):
    """Ask the endpoint for its models and a word; gives a ProviderReport that says what is wrong."""

    type: Literal["provider_test"] = "provider_test"
    name: str
    base_url: str | None = None
    protocol: str | None = None
    key: str | None = None
    model: str | None = None

    async def run(self, leo: LeoChat, window: Window) -> ProviderReport:
        form = {"base_url": self.base_url, "key": self.key, "model": self.model, "protocol": self.protocol}
        return await leo.providers.test(self.name, **form)


class UsageList(Command):
    """Gives UsageReport: tokens and cost of the last `days` days by day and by model."""

    type: Literal["usage_list"] = "usage_list"
    days: int = Field(default=30, ge=1, le=3660)

    async def run(self, leo: LeoChat, window: Window) -> UsageReport:
        return await leo.used(self.days)


class GrantsList(Command):
    """Gives `{grants: [GrantInfo]}`: what was allowed for good."""

    type: Literal["grants_list"] = "grants_list"

    async def run(self, leo: LeoChat, window: Window) -> dict[str, list[GrantInfo]]:
        return {"grants": await leo.grants()}


class GrantRemove(Command):
    """Take one back: from now on it asks again."""

    type: Literal["grant_remove"] = "grant_remove"
    grant_id: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.take_back(self.grant_id)


class ModelsList(Command):
    """Gives the ModelList of one provider, from the endpoint where it can, else what is known."""

    type: Literal["models_list"] = "models_list"
    provider: str

    async def run(self, leo: LeoChat, window: Window) -> ModelList:
        return await leo.providers.models(self.provider)


class LocalModels(Command):
    """Gives `{models: [ModelChoice]}` of the model servers found on this computer."""

    type: Literal["local_models"] = "local_models"

    async def run(self, leo: LeoChat, window: Window) -> dict[str, list[ModelChoice]]:
        return {"models": await leo.providers.local_models()}
