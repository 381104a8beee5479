"""WKWebView on macOS."""

import importlib
from collections.abc import Sequence
from typing import Any

from app.desktop.fence import Fence
from app.desktop.toolkits.toolkit import Toolkit

CANCEL = 0
"""WKNavigationActionPolicyCancel."""


class Cocoa(Toolkit):
    name = "cocoa"

    def arm(self, lib: Any, fence: Fence) -> None:
        super().arm(lib, fence)
        plain: Any = lib.BrowserView.BrowserDelegate

        class FencedDelegate(plain):
            def webView_createWebViewWithConfiguration_forNavigationAction_windowFeatures_(  # noqa: N802
                self, _webview: Any, _config: Any, _action: Any, _features: Any
            ) -> None:
                return None

            def webView_decidePolicyForNavigationAction_decisionHandler_(  # noqa: N802
                self, webview: Any, action: Any, handler: Any
            ) -> None:
                address = str(action.request().URL().absoluteString())
                wanted = fence.owns(address) if action.shouldPerformDownload() else fence.allows(address)
                if not wanted:
                    handler(CANCEL)
                    return
                plain.webView_decidePolicyForNavigationAction_decisionHandler_(self, webview, action, handler)

        lib.BrowserView.BrowserDelegate = FencedDelegate

    def languages(self) -> Sequence[str]:
        foundation: Any = importlib.import_module("Foundation")  # who starts from the Finder has no locale in the environment
        return [str(tag) for tag in foundation.NSLocale.preferredLanguages()]

    def bring_forward(self) -> None:
        self.lib.restore(self.window.uid)
        self.lib.show(self.window.uid)
