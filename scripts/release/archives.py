"""Archives whose bytes follow from their content alone."""

import gzip
import hashlib
import io
import tarfile
import time as clock
import zipfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Member:
    """A file in an archive; the name is relative to the archive's folder."""

    name: str
    content: bytes
    is_program: bool = False

    @property
    def mode(self) -> int:
        return 0o755 if self.is_program else 0o644


def write_archive(path: Path, folder: str, members: list[Member], time: int) -> Path:
    """Write a ``.zip`` or ``.tar.gz`` in which everything lies in one folder and bears one time."""
    members = sorted(members, key=lambda member: member.name)
    content = _zip(folder, members, time) if path.suffix in (".zip", ".whl") else _tar_gz(folder, members, time)
    path.write_bytes(content)
    return path


def write_checksums(folder: Path, archives: list[Path]) -> Path:
    """Write the archives' SHA-256 as ``sha256sum --check`` reads them; archives made before keep their lines."""
    path = folder / "SHA256SUMS"
    lines = path.read_text().splitlines() if path.exists() else []
    sums = {name: digest for digest, name in (line.split("  ", 1) for line in lines) if (folder / name).exists()}
    sums |= {archive.name: hashlib.sha256(archive.read_bytes()).hexdigest() for archive in archives}
    path.write_text("".join(f"{sums[name]}  {name}\n" for name in sorted(sums)))
    return path


def _zip(folder: str, members: list[Member], time: int) -> bytes:
    # A zip has no time before 1980.
    date = clock.gmtime(max(time, 315_532_800))[:6]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for member in members:
            info = zipfile.ZipInfo(f"{folder}/{member.name}".lstrip("/"), date)
            info.create_system = 3  # Unix, so that the permissions below mean something.
            info.external_attr = (0o100000 | member.mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, member.content, compresslevel=9)
    return buffer.getvalue()


def _tar_gz(folder: str, members: list[Member], time: int) -> bytes:
    buffer = io.BytesIO()
    with (
        gzip.GzipFile("", "wb", compresslevel=9, fileobj=buffer, mtime=time) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for member in members:
            info = tarfile.TarInfo(f"{folder}/{member.name}")
            info.size, info.mtime, info.mode = len(member.content), time, member.mode
            archive.addfile(info, io.BytesIO(member.content))
    return buffer.getvalue()
