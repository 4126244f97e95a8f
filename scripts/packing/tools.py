"""The Debian packages that a release is built with, from scripts/packages.

SPDX-License-Identifier: Apache-2.0"""
import pathlib
import subprocess

PACKAGES = pathlib.Path(__file__).resolve().parent.parent / "packages"


def wanted(text):
    """The packages for the product and for a release."""
    rows = [row.split() for row in text.splitlines() if not row.startswith("#")]
    return sorted({package for kind, package in rows if kind in ("build", "release")})


def installed(package):
    """The version of a Debian package, or None."""
    try:
        done = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Version}\n", package],
                              capture_output=True, text=True)
    except FileNotFoundError:
        return None
    rows = [row.split() for row in done.stdout.splitlines()]
    return next((row[1] for row in rows if row[0] == "ii"), None)


def versions():
    """All that are wanted, with their versions here, or None."""
    return [(package, installed(package)) for package in wanted(PACKAGES.read_text())]


def missing():
    return [package for package, version in versions() if not version]
