"""The Debian packages of the libraries that a binary has inside and needs.

`root` is the folder with the packages of another architecture (scripts/emulated); "": this machine's.

SPDX-License-Identifier: Apache-2.0"""
import collections
import functools
import os
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent

Package = collections.namedtuple("Package", "name version architecture source source_version licence")


class Unknown(Exception):
    """Something whose origin or licence can't be said."""


def _output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def archives_of(map_text, root=""):
    """The files of the system that a linker's map (GNU ld's or lld's) names: archives of which a member was taken, and objects."""
    found = set()
    for path in re.findall(r"(/[^\s():]+\.a)\(", map_text) + re.findall(r"(?:^LOAD |[ \t])(/[^\s():]+\.o)(?=$|:\()", map_text, re.M):
        found.add(os.path.normpath(path))
    return {path for path in found if path.startswith(("/usr/", "/lib", f"{root}/usr/"))}


def needed_by(dynamic_text):
    """The names in what `readelf -d` prints."""
    return set(re.findall(r"\(NEEDED\)\s+Shared library: \[([^\]]+)\]", dynamic_text))


def needs(binary):
    return needed_by(_output("readelf", "-d", str(binary)))


def licences():
    rows = (HERE / "licences.txt").read_text().splitlines()
    return dict(row.split(" ", 1) for row in rows if row and not row.startswith("#"))


def _query(root, *arguments):
    """dpkg-query, which may find nothing."""
    folder = [f"--admindir={root}/var/lib/dpkg"] if root else []
    return subprocess.run(["dpkg-query", *folder, *arguments], capture_output=True, text=True)


@functools.lru_cache(maxsize=None)
def owner(path, root=""):
    """The Debian package that a file is of. The two names that a merged /usr gives a file are one."""
    path = os.path.realpath(path)
    if root and not path.startswith(f"{root}/"): # part of a cross compiler
        root = ""
    path = path[len(root):]
    other = path[len("/usr"):] if path.startswith("/usr/") else "/usr" + path
    for name in (path, other):
        done = _query(root, "-S", name)
        if done.returncode == 0:
            return package(done.stdout.split(": ")[0].split(",")[0], root)
    raise Unknown(f"{path} is of no Debian package: what it is can't be said")


@functools.lru_cache(maxsize=None)
def package(name, root=""):
    form = r"${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}"
    fields = _query(root, "-W", "-f", form, name).stdout.split("\t")
    licence = licences().get(fields[3])
    if not licence:
        raise Unknown(f"the licence of {fields[3]} is not in {HERE / 'licences.txt'}")
    return Package(*fields, licence)


def inside(map_file, root=""):
    """The packages of what was linked in."""
    return {owner(path, root) for path in archives_of(pathlib.Path(map_file).read_text(errors="replace"), root)}


def _library(name, compiler, root):
    """The path of a shared library; None if there is none."""
    if root:
        return next((str(path) for path in sorted(pathlib.Path(root, "lib").glob(f"*-linux-gnu/{name}"))), None)
    path = _output(compiler, f"-print-file-name={name}").strip()
    return path if os.path.isabs(path) else None


def around(binary, compiler, own, root=""):
    """The packages of the shared libraries that a binary loads; `own` are those that come along."""
    packages = set()
    for name in needs(binary) - set(own):
        path = _library(name, compiler, root)
        if not path:
            raise Unknown(f"{binary} needs {name}, which {root or compiler} does not have")
        packages.add(owner(path, root))
    return packages


def copyright_of(package_, root=""):
    """The text of the licences of a package."""
    path = pathlib.Path(f"{root}/usr/share/doc", package_.name, "copyright")
    if root and not path.is_file():
        return copyright_of(package_)
    if not path.is_file():
        raise Unknown(f"{path} is missing: install {package_.name} with its documentation")
    return path.read_bytes()
