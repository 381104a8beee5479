"""The menu entry and the icons of free desktops."""

import subprocess
from pathlib import Path

from package.edition import ICON, Edition
from places import script
from say import SetupError

SIZES = (16, 24, 32, 48, 64, 128, 256)
SCALABLE = ICON.with_suffix(".svg")
# Pillow is in the project's environment, not in this tool's.
RESIZE = """
import sys
from PIL import Image
picture = Image.open(sys.argv[1]).convert("RGBA")
for target, size in zip(sys.argv[2::2], map(int, sys.argv[3::2]), strict=True):
    picture.resize((size, size), Image.Resampling.LANCZOS).save(target)
"""
ENTRY = """[Desktop Entry]
Type=Application
Version=1.5
Name={name}
GenericName=AI agent client
GenericName[es]=Cliente de agentes de IA
Comment=Talk to any model, use tools, get answers you can press
Comment[es]=Habla con cualquier modelo, usa herramientas, recibe respuestas que se pulsan
Exec={exec}
Icon={icon}
Terminal=false
Categories=Utility;
Keywords=AI;LLM;chat;agent;MCP;
StartupNotify=true
StartupWMClass={id}
"""


def entry(edition: Edition, command: str | None = None, icon: str | None = None) -> str:
    """The .desktop file; it claims no kinds of files."""
    return ENTRY.format(name=edition.name, exec=command or edition.id, icon=icon or edition.id, id=edition.id)


def movable_entry(edition: Edition) -> str:
    """An entry that starts the program beside it, wherever the folder was unpacked (`%k` is where the entry is)."""
    return entry(edition, f"""sh -c "exec \\\\"\\\\$(dirname \\\\"\\\\$1\\\\")/{edition.id}\\\\"" sh %k""")


def icons(edition: Edition, root: Path) -> None:
    """The icon in every usual size below `root`/hicolor, and the drawing itself where it is LeoChat's own."""
    targets = {size: root / "hicolor" / f"{size}x{size}" / "apps" / f"{edition.id}.png" for size in SIZES}
    for target in targets.values():
        target.parent.mkdir(parents=True, exist_ok=True)
    pairs = [str(word) for size, target in targets.items() for word in (target, size)]
    done = subprocess.run([script("python"), "-c", RESIZE, edition.icon, *pairs], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SetupError(f"The icon {edition.icon} cannot be read as a picture: {done.stderr.strip().splitlines()[-1:]}")
    if edition.icon == ICON:
        drawing = root / "hicolor" / "scalable" / "apps" / f"{edition.id}.svg"
        drawing.parent.mkdir(parents=True, exist_ok=True)
        drawing.write_bytes(SCALABLE.read_bytes())
