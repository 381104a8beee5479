"""macOS: the app signed for this machine alone where nobody gives a name to sign with, and the disk image it comes in.

With a name and a profile for Apple's notary it also gets their word, without which other Macs refuse what was downloaded.
"""

import os
import platform
import shutil
from pathlib import Path

from package.edition import Edition
from programs import run

IDENTITY = "LEOCHAT_SIGN_AS"
"""The variable with the name of a certificate in the keychain; without it the signature is only a checksum."""
NOTARY = "LEOCHAT_NOTARY_PROFILE"
"""The variable with the name under which `xcrun notarytool store-credentials` keeps who asks the notary."""
ENTITLEMENTS = Path(__file__).with_name("entitlements.plist")
"""What the hardened runtime has to allow, else Node and ctypes end at their first step."""


def identity() -> str:
    """Whom to sign as; "" where nobody is named."""
    return os.environ.get(IDENTITY, "")


def sign_command(app: Path) -> list[str | Path]:
    """After files were added the first signature does not fit any more."""
    name = identity()
    hardened = ["--options", "runtime", "--timestamp", "--entitlements", ENTITLEMENTS] if name else []
    return ["codesign", "--force", "--deep", *hardened, "--sign", name or "-", app]


def notary_commands(image: Path) -> list[list[str | Path]]:
    """Sign the image, have it looked at, keep the word in it; none without a name and a profile."""
    name, profile = identity(), os.environ.get(NOTARY, "")
    if not (name and profile):
        return []
    return [
        ["codesign", "--force", "--timestamp", "--sign", name, image],
        ["xcrun", "notarytool", "submit", image, "--keychain-profile", profile, "--wait"],
        ["xcrun", "stapler", "staple", image],
    ]


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
    shutil.copyfile(app / "Contents" / "Resources" / "README.txt", stage / "README.txt")  # who drags it away reads it here
    image = out / f"{edition.id}-{edition.shown_version}-macos-{platform.machine()}.dmg"
    run(image_command(stage, edition, image), what="Making the disk image")
    shutil.rmtree(stage)
    for command in notary_commands(image):
        run(command, what="Asking Apple's notary")
    return [image]
