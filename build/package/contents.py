"""What stays out of the package: parts that nothing in LeoChat reaches."""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath

# Qt's modules that the web engine's widgets stand on; all others stay out (names without Qt and the version).
QT = (
    "Core", "DBus", "Gui", "Network", "OpenGL", "Positioning", "PrintSupport", "Qml", "QmlMeta", "QmlModels",
    "QmlWorkerScript", "Quick", "QuickWidgets", "WaylandClient", "WaylandEglClientHwIntegration", "WebChannel",
    "WebEngineCore", "WebEngineWidgets", "Widgets", "WlShellIntegration", "XcbQpa", "Svg",
)  # fmt: skip
QT_PLUGINS = (
    "egldeviceintegrations", "iconengines", "imageformats", "networkinformation", "platforminputcontexts", "platforms",
    "platformthemes", "styles", "tls", "wayland-decoration-client", "wayland-graphics-integration-client",
    "wayland-shell-integration", "xcbglintegrations",
)  # fmt: skip
# Plugins of those kinds that drag in toolkits or files of their own.
NO_PLUGIN = re.compile(r"(qgtk3|qpdf|qeglfs|qlinuxfb|qvnc|qminimalegl|qtvirtualkeyboard|qvkkhrdisplay)", re.IGNORECASE)
LOCALES = ("en-US", "en-GB", "es", "es-419")
_LIBRARY = re.compile(r"(?:lib)?Qt6?(?P<name>[A-Z3]\w*?)(?:\.so[.\d]*|\.dll|\.pyd|\.abi3\.so|\.abi3\.pyd|\.pyi)$")
_OUT = re.compile(
    r"(^|/)(tests?|testing)/"
    r"|^html_to_markdown/bin/"
    r"|\.(pyi|pyx|pxd|c|h|hpp|a|la)$"
    r"|(^|/)py\.typed$"
    # how it was installed, with the folder of who makes the package in it; versions and entry points are beside
    r"|\.dist-info/(direct_url\.json|uv_\w+\.json|INSTALLER|RECORD|REQUESTED)$"
    r"|^share/(icons|themes|fontconfig|locale)/"
)


def wanted(name: str) -> bool:
    """Whether the file of this name in the package (with / or \\) is worth its room."""
    path = PurePosixPath(name.replace("\\", "/"))
    text = path.as_posix()
    if text.startswith("playwright/driver/"):
        return True  # a program of its own, that knows what it needs
    if _OUT.search(text):
        return False
    if path.parts[0] == "PySide6" or _LIBRARY.match(path.name):
        return _qt_wanted(path)
    return True


Entry = tuple[str, str, str]
"""Name in the package, source (of a link: what it points to, by name), kind; as PyInstaller lists them."""
# Loaded by name at run time, so that nothing says it needs them.
_BY_NAME = re.compile(r"^lib(softokn3|freebl|nssckbi|nssdbm3|nssutil3|python|ssl|crypto|sqlite3)")


def needed(entries: Sequence[Entry], imports: Callable[[str], Iterable[str]]) -> list[Entry]:
    """`entries` without the system's libraries that no other one asks for any more.

    `imports`: the names of the libraries that a file asks for.
    """
    system = {name: source for name, source, kind in entries if _is_systems(name, source, kind)}
    reached: set[str] = set()
    open_ends = [source for name, source, kind in entries if kind != "SYMLINK" and name not in system]
    by_name = {name for name in system if _BY_NAME.match(name)}
    while open_ends or by_name:
        asked = {PurePosixPath(i.replace("\\", "/")).name for source in open_ends for i in imports(source)} | by_name
        fresh = (asked & system.keys()) - reached
        reached |= fresh
        open_ends, by_name = [system[name] for name in fresh], set[str]()
    return [entry for entry in entries if entry[0] not in system or entry[0] in reached]


def _is_systems(name: str, source: str, kind: str) -> bool:
    """Whether it is a library of the system we build on, put beside the program for its dependants."""
    return kind == "BINARY" and "/" not in name and source.startswith(("/lib/", "/lib64/", "/usr/lib"))


def _qt_wanted(path: PurePosixPath) -> bool:
    parts = path.parts
    if "qml" in parts or ("resources" in parts and path.suffix == ".debug") or "debug" in path.name:
        return False
    if "translations" in parts:
        return ("qtwebengine_locales" in parts and path.stem in LOCALES) or path.stem in ("qtbase_en", "qtbase_es")
    if "plugins" in parts:
        kind = parts[parts.index("plugins") + 1]
        return kind in QT_PLUGINS and not NO_PLUGIN.search(path.name)
    library = _LIBRARY.match(path.name)
    return library is None or library["name"] in QT
