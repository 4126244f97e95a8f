"""What a wheel lacks after its build: the platform tag, the licences of what is inside, its bill of materials.

SPDX-License-Identifier: Apache-2.0"""
import base64
import hashlib
import pathlib
import re
import tempfile

from . import archives


def platform_of(audit):
    """The tag in what `auditwheel show` prints."""
    found = re.search(r'following\s+platform\s+tag:\s+"([^"]+)"', audit)
    return found.group(1) if found else None


def requirements(metadata):
    """What a wheel always needs, from its METADATA."""
    return [line for line in re.findall(r"^Requires-Dist: (.+)$", metadata, re.M) if "extra ==" not in line]


def expression(licences):
    """Ours and those of what is inside, as one SPDX expression."""
    each = sorted(set(licences) - {"Apache-2.0"})
    return " AND ".join(["Apache-2.0"] + [f"({licence})" if " " in licence else licence for licence in each])


def with_licences(metadata, inside):
    """METADATA that states the licences of what is inside, the files of which are licenses/inside/NAME."""
    head, body = metadata.split("\n\n", 1)
    lines = []
    for line in head.split("\n"):
        lines.append(f"License-Expression: {expression(inside.values())}" if line.startswith("License-Expression: ") else line)
        if line == "License-File: LICENSE":
            lines += [f"License-File: inside/{name}" for name in sorted(inside)]
    return "\n".join(lines) + "\n\n" + body


def _row(folder, name):
    data = name.read_bytes()
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name.relative_to(folder).as_posix()},sha256={digest},{len(data)}\n"


def finish(path, platform, licences, texts, bom, epoch):
    """Replaces a wheel by the finished one, whose path it returns. `licences` and `texts`: of what is inside, by name."""
    python, abi = path.stem.split("-")[2:4]
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        archives.read_zip(path, folder)
        info = next(folder.glob("*.dist-info"))
        metadata, tags = info / "METADATA", info / "WHEEL"
        metadata.write_text(with_licences(metadata.read_text(), licences))
        tags.write_text(re.sub(r"^Tag: .*$", f"Tag: {python}-{abi}-{platform}", tags.read_text(), flags=re.M))
        (info / "licenses" / "inside").mkdir(parents=True)
        for name, text in texts.items():
            (info / "licenses" / "inside" / name).write_bytes(text)
        (info / "sboms").mkdir()
        (info / "sboms" / "quern.cdx.json").write_text(bom)
        record = info / "RECORD"
        names = sorted(name for name in folder.rglob("*") if name.is_file() and name != record)
        record.write_text("".join(_row(folder, name) for name in names) + f"{record.relative_to(folder).as_posix()},,\n")
        finished = path.with_name("-".join(path.stem.split("-")[:4] + [platform]) + ".whl")
        path.unlink()
        archives.write_zip(finished, folder, epoch)
    return finished
