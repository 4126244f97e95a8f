"""Archives whose bytes follow from their contents: sorted entries, the time of the commit, no owners.

SPDX-License-Identifier: Apache-2.0"""
import gzip
import io
import pathlib
import tarfile
import time
import zipfile


def repack_tar(path, epoch):
    """Sorts the entries of a .tar.gz, in place."""
    with tarfile.open(path) as old:
        entries = sorted(old.getmembers(), key=lambda entry: entry.name)
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w", format=tarfile.GNU_FORMAT) as new:
            for entry in entries:
                entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = epoch, 0, 0, "root", "root"
                entry.pax_headers = {}
                new.addfile(entry, old.extractfile(entry) if entry.isreg() else None)
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(data.getvalue())


def write_zip(path, folder, epoch):
    """Packs a folder. What makes up the package's metadata comes last, as wheels have it."""
    folder = pathlib.Path(folder)
    names = sorted((name for name in folder.rglob("*") if name.is_file()),
                   key=lambda name: (".dist-info" in name.relative_to(folder).parts[0], name.relative_to(folder).as_posix()))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in names:
            entry = zipfile.ZipInfo(name.relative_to(folder).as_posix(), time.gmtime(epoch)[:6])
            executable = name.stat().st_mode & 0o100
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, name.read_bytes())


def read_zip(path, folder):
    """Unpacks, with the execution bits that zipfile's own function drops."""
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            name = pathlib.Path(archive.extract(entry, folder))
            if name.is_file():
                name.chmod(entry.external_attr >> 16 & 0o777 or 0o644)
