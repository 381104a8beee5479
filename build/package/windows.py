"""Windows: what a file's properties show, the installer's script, and the zip to unpack and run."""

import os
import re
import shutil
from pathlib import Path

from package.archive import zipped
from package.edition import Edition
from programs import run

VERSION_INFO = """VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0x0, OS=0x40004, fileType=0x1, subtype=0x0),
  kids=[
    StringFileInfo([StringTable('040904B0', [
      StringStruct('CompanyName', {maker!r}),
      StringStruct('FileDescription', {name!r}),
      StringStruct('FileVersion', {version!r}),
      StringStruct('ProductName', {name!r}),
      StringStruct('ProductVersion', {version!r}),
      StringStruct('OriginalFilename', {program!r}),
    ])]),
    VarFileInfo([VarStruct('Translation', [0x0409, 1200])]),
  ],
)
"""
# Per person by default, so that no administrator is asked; what they wrote is not touched by removal, and said where it is.
INSTALLER = r"""[Setup]
AppId={{{{{guid}}}
AppName={name}
AppVersion={version}
AppPublisher={maker}
DefaultDirName={{autopf}}\{name}
DefaultGroupName={name}
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
OutputDir={out}
OutputBaseFilename={base}
Compression=lzma2/normal
SolidCompression=yes
WizardStyle=modern
CloseApplications=yes
UninstallDisplayIcon={{app}}\{id}.exe
UninstallDisplayName={name}

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "es"; MessagesFile: "compiler:Languages\Spanish.isl"

[CustomMessages]
en.DataKept=Your settings, conversations and logs are kept in %1. Delete that folder if you do not want them any more.
es.DataKept=Tus ajustes, conversaciones y registros siguen en %1. Borra esa carpeta si ya no los quieres.

[Tasks]
Name: "desktopicon"; Description: "{{cm:CreateDesktopIcon}}"; Flags: unchecked

[Files]
Source: "{folder}\*"; DestDir: "{{app}}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{{group}}\{name}"; Filename: "{{app}}\{id}.exe"
Name: "{{autodesktop}}\{name}"; Filename: "{{app}}\{id}.exe"; Tasks: desktopicon

[Run]
Filename: "{{app}}\{id}.exe"; Description: "{{cm:LaunchProgram,{name}}}"; Flags: nowait postinstall skipifsilent

[Code]
procedure CurUninstallStepChanged(CurUninstallStep: TUninstallStep);
begin
  if (CurUninstallStep = usPostUninstall) and not UninstallSilent then
    MsgBox(FmtMessage(CustomMessage('DataKept'), [ExpandConstant('{{localappdata}}\{quoted}')]), mbInformation, MB_OK);
end;
"""

INNO_PLACES = (("PROGRAMFILES(X86)",), ("PROGRAMFILES",), ("LOCALAPPDATA", "Programs"))
"""Where its installer puts Inno Setup: below a variable's folder."""


def version_info(edition: Edition) -> str:
    """PyInstaller's version file."""
    numbers = (*[int(part) for part in re.findall(r"\d+", edition.shown_version)], 0, 0, 0, 0)[:4]
    return VERSION_INFO.format(
        numbers=numbers,
        name=edition.name,
        maker=edition.maker or edition.name,
        version=edition.shown_version,
        program=f"{edition.id}.exe",
    )


def installer_script(edition: Edition, folder: Path, out: Path) -> str:
    """The Inno Setup script. Its AppId is made from the edition's id, so that a newer version finds the older one."""
    import uuid

    name = edition.name.replace("{", "{{")  # a brace begins a constant there
    guid = str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{edition.id}.leochat.invalid")).upper()
    return INSTALLER.format(
        guid=guid,
        name=name,
        quoted=name.replace("'", "''"),
        id=edition.id,
        version=edition.shown_version,
        maker=edition.maker or edition.name,
        folder=folder,
        out=out,
        base=f"{edition.id}-{edition.shown_version}-windows-setup",
    )


def compiler() -> str | None:
    """Inno Setup's compiler: on the PATH, else where its own installer puts it, which is on no PATH."""
    roots = [Path(os.environ[name], *below) for name, *below in INNO_PLACES if os.environ.get(name)]
    found = (path for root in roots for path in sorted(root.glob("Inno Setup */ISCC.exe")))
    return shutil.which("iscc") or next(map(str, found), None)


def outputs(folder: Path, edition: Edition, out: Path) -> list[Path]:
    """The zip, the installer's script, and the installer where Inno Setup is on the PATH."""
    archive = out / f"{edition.id}-{edition.shown_version}-windows.zip"
    zipped(folder, archive, edition.name)
    written = out / f"{edition.id}.iss"
    written.write_text(installer_script(edition, folder, out), encoding="utf-8-sig")
    made = [archive]
    if tool := compiler():
        run([tool, "/Q", written], what="Making the installer")
        made.append(out / f"{edition.id}-{edition.shown_version}-windows-setup.exe")
    return made
