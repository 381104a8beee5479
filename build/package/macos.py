"""macOS: the app signed for this machine alone where nobody gives a name to sign with, and the disk image it comes in."""

import os
import platform
import shutil
from pathlib import Path

from package.edition import Edition
from programs import run

IDENTITY = "LEOCHAT_SIGN_AS"
"""The variable with the name of a certificate in the keychain; without it the signature is only a checksum."""


def sign_command(app: Path) -> list[str | Path]:
    """After files were added the first signature does not fit any more."""
    identity = os.environ.get(IDENTITY) or "-"
    hardened = [] if identity == "-" else ["--options", "runtime", "--timestamp"]
    return ["codesign", "--force", "--deep", *hardened, "--sign", identity, app]


def image_command(stage: Path, edition: Edition, image: Path) -> list[str | Path]:
    """A compressed image with the app and a link to where apps belong."""
    return ["hdiutil", "create", "-quiet", "-ov", "-volname", edition.name, "-srcfolder", stage, "-format", "UDZO", image]


def outputs(app: Path, edition: Edition, out: Path) -> list[Path]:
    """The .dmg."""
    run(sign_command(app), what="Signing the app")
    stage = out / "image"
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir()
    shutil.copytree(app, stage / app.name, symlinks=True)
    (stage / "Applications").symlink_to("/Applications")
    image = out / f"{edition.id}-{edition.shown_version}-macos-{platform.machine()}.dmg"
    run(image_command(stage, edition, image), what="Making the disk image")
    shutil.rmtree(stage)
    return [image]
