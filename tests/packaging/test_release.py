#!/usr/bin/env python3
"""The parts of scripts/release, on small files: test_release.py SOURCE_DIR.

SPDX-License-Identifier: Apache-2.0"""
import base64
import hashlib
import io
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

SOURCE = pathlib.Path(sys.argv.pop(1))
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "scripts"))
from packing import archives, linked, sbom, tools, wheel  # noqa: E402

EPOCH = 1700000000
LLD_MAP = """\
             VMA              LMA     Size Align Out     In      Symbol
            1000             1000       20     4         /usr/lib/x86_64-linux-gnu/crti.o:(.init)
            2000             2000      100    16         src/base/CMakeFiles/a.dir/a.c.o:(.text)
            3000             3000      100    16         /usr/lib/llvm-22/lib/libLLVMCore.a(Core.cpp.o):(.text.f)
            4000             4000      100    16         /usr/lib/gcc/x86_64-linux-gnu/12/../../../x86_64-linux-gnu/libz.a(inflate.o):(.text)
"""
GNU_MAP = """\
Archive member included to satisfy reference by file (symbol)

libqn_api.a(a.c.o)            CMakeFiles/quern.dir/main.c.o (qn_a)
/usr/lib/gcc/x86_64-linux-gnu/12/libgcc.a(_popcountdi2.o)
                              libqn_api.a(a.c.o) (__popcountdi2)

LOAD /usr/lib/gcc/x86_64-linux-gnu/12/crtbeginS.o
LOAD /usr/lib/x86_64-linux-gnu/libjansson.so
LOAD /usr/lib/gcc/x86_64-linux-gnu/12/libssp.a
"""
READELF = """\
 0x0000000000000001 (NEEDED)             Shared library: [libm.so.6]
 0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]
 0x000000000000000e (SONAME)             Library soname: [libquern.so.0.1]
"""
METADATA = """\
Metadata-Version: 2.4
Name: small
License-Expression: Apache-2.0
License-File: LICENSE
Requires-Dist: numpy>=1.26
Requires-Dist: pandas; extra == "pandas"

License-File: LICENSE
"""
ZLIB = linked.Package("zlib1g-dev", "1:1.2+dfsg", "amd64", "zlib", "1:1.2+dfsg", "Zlib")


def small_wheel(folder):
    path = folder / "small-1.0-cp311-abi3-linux_x86_64.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in (("small/b.py", "b"), ("small-1.0.dist-info/METADATA", METADATA), ("small-1.0.dist-info/RECORD", ""),
                           ("small-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: cp311-abi3-linux_x86_64\n"),
                           ("small-1.0.dist-info/licenses/LICENSE", "ours"), ("small/a.py", "a")):
            archive.writestr(name, text)
        tool = zipfile.ZipInfo("small/tool")
        tool.external_attr = 0o100755 << 16
        archive.writestr(tool, "#!/bin/sh\n")
    return path


def finished(folder):
    return wheel.finish(small_wheel(folder), "manylinux_2_34_x86_64", {"zlib": "Zlib"}, {"zlib": b"theirs"}, "{}\n", EPOCH)


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)


class Archives(Folder):
    def tar(self, name, order, mtime):
        path = self.folder / name
        with tarfile.open(path, "w:gz") as archive:
            for entry_name in order:
                entry = tarfile.TarInfo(entry_name)
                entry.size, entry.mtime, entry.uname = 1, mtime, "somebody"
                archive.addfile(entry, io.BytesIO(b"x"))
        archives.repack_tar(path, EPOCH)
        return path

    def test_same_contents_same_bytes(self):
        first, second = self.tar("1.tar.gz", "abc", 1), self.tar("2.tar.gz", "cba", 2)
        self.assertEqual(first.read_bytes(), second.read_bytes())
        with tarfile.open(first) as archive:
            self.assertEqual([(entry.name, entry.mtime, entry.uname) for entry in archive],
                             [(name, EPOCH, "root") for name in "abc"])


class Wheels(Folder):
    def test_same_bytes(self):
        one, other = self.folder / "one", self.folder / "other"
        one.mkdir()
        other.mkdir()
        self.assertEqual(finished(one).read_bytes(), finished(other).read_bytes())

    def test_all_is_in_it(self):
        path = finished(self.folder)
        self.assertEqual(path.name, "small-1.0-cp311-abi3-manylinux_2_34_x86_64.whl")
        self.assertEqual([name.name for name in self.folder.iterdir()], [path.name])
        with zipfile.ZipFile(path) as archive:
            info = "small-1.0.dist-info/"
            self.assertIn("Tag: cp311-abi3-manylinux_2_34_x86_64\n", archive.read(info + "WHEEL").decode())
            self.assertEqual(archive.read(info + "licenses/inside/zlib"), b"theirs")
            self.assertEqual(archive.read(info + "sboms/quern.cdx.json"), b"{}\n")
            self.assertEqual(archive.getinfo("small/tool").external_attr >> 16, 0o100755)
            self.assertEqual(archive.getinfo("small/a.py").external_attr >> 16, 0o100644)
            head, body = archive.read(info + "METADATA").decode().split("\n\n")
            self.assertIn("\nLicense-Expression: Apache-2.0 AND Zlib\n", head)
            self.assertIn("\nLicense-File: LICENSE\nLicense-File: inside/zlib\n", head)
            self.assertEqual(body, "License-File: LICENSE\n")
            rows = archive.read(info + "RECORD").decode().splitlines()
            self.assertEqual(sorted(row.split(",")[0] for row in rows), sorted(archive.namelist()))
            for row in rows:
                name, digest, size = row.split(",")
                data = archive.read(name)
                if name != info + "RECORD":
                    wanted = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                    self.assertEqual((digest, size), ("sha256=" + wanted, str(len(data))))

    def test_platform(self):
        self.assertEqual(wheel.platform_of('consistent with\nthe following platform tag: "manylinux_2_34_x86_64".'),
                         "manylinux_2_34_x86_64")
        self.assertIsNone(wheel.platform_of("no such thing"))

    def test_requirements(self):
        self.assertEqual(wheel.requirements(METADATA), ["numpy>=1.26"])

    def test_expression(self):
        self.assertEqual(wheel.expression(["Zlib", "MIT OR Zlib", "Apache-2.0", "Zlib"]), "Apache-2.0 AND (MIT OR Zlib) AND Zlib")


class Linked(unittest.TestCase):
    def test_lld(self):
        self.assertEqual(linked.archives_of(LLD_MAP), {"/usr/lib/x86_64-linux-gnu/crti.o", "/usr/lib/llvm-22/lib/libLLVMCore.a",
                                                       "/usr/lib/x86_64-linux-gnu/libz.a"})

    def test_gnu(self):
        self.assertEqual(linked.archives_of(GNU_MAP), {"/usr/lib/gcc/x86_64-linux-gnu/12/libgcc.a",
                                                       "/usr/lib/gcc/x86_64-linux-gnu/12/crtbeginS.o"})

    def test_needed(self):
        self.assertEqual(linked.needed_by(READELF), {"libm.so.6", "libc.so.6"})

    def test_of_no_package(self):
        with self.assertRaisesRegex(linked.Unknown, "of no Debian package"):
            linked.owner(str(SOURCE / "README.md"))


class Bom(Folder):
    def document(self):
        path = self.folder / "quern.deb"
        path.write_bytes(b"x")
        parts = [(sbom.file(path), [sbom.library(ZLIB, "static"), sbom.requirement("numpy>=1.26")]),
                 (sbom.file(path, "other"), [sbom.library(ZLIB, "shared")])]
        return sbom.document("0.1.0", "abc", EPOCH, [("gcc", "12")], parts)

    def test_parts(self):
        bom = self.document()
        by_name = {component["name"]: component for component in bom["components"]}
        self.assertEqual(bom["metadata"]["component"]["version"], "0.1.0")
        self.assertEqual(by_name["quern.deb"]["hashes"][0]["content"], hashlib.sha256(b"x").hexdigest())
        zlib = by_name["zlib1g-dev"]
        self.assertEqual(zlib["purl"], "pkg:deb/debian/zlib1g-dev@1%3A1.2%2Bdfsg?arch=amd64")
        self.assertEqual(zlib["licenses"], [{"license": {"id": "Zlib"}}])
        self.assertEqual({row["value"] for row in zlib["properties"] if row["name"] == "quern:linkage"}, {"static", "shared"})
        refs = {component["bom-ref"] for component in bom["components"]} | {"quern"}
        self.assertEqual(len(refs), len(bom["components"]) + 1)
        for row in bom["dependencies"]:
            self.assertIn(row["ref"], refs)
            self.assertLessEqual(set(row["dependsOn"]), refs)

    def test_same_bytes(self):
        self.assertEqual(sbom.text(self.document()), sbom.text(self.document()))
        json.loads(sbom.text(self.document()))


class Script(Folder):
    def run_it(self, *arguments, path=None):
        environment = {"PATH": path, "HOME": str(self.folder)} if path else None
        return subprocess.run([sys.executable, SOURCE / "scripts/release", *arguments], capture_output=True, text=True, env=environment)

    def test_help(self):
        done = self.run_it("--help")
        self.assertEqual(done.returncode, 0)
        for option in ("--output", "--only", "--twice", "--check"):
            self.assertIn(option, done.stdout)

    def test_wrong_argument(self):
        self.assertEqual(self.run_it("--only", "floppy").returncode, 2)

    def test_missing_packages_are_named(self):
        done = self.run_it("--check", path=str(self.folder))
        self.assertEqual(done.returncode, 1)
        self.assertIn("scripts/setup release", done.stderr)
        for package in ("llvm-22-dev", "lld-22", "python3-venv"):
            self.assertIn(package, done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_wanted(self):
        self.assertEqual(tools.wanted("# a\nbuild gcc\ntest file\nrelease lld-22\n"), ["gcc", "lld-22"])


if __name__ == "__main__":
    unittest.main()
