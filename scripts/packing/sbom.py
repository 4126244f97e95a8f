"""The bill of materials of a release, in CycloneDX 1.6.

SPDX-License-Identifier: Apache-2.0"""
import hashlib
import json
import time
import uuid

SPDX_IDS = {"Apache-2.0", "MIT", "Zlib", "LGPL-2.1-or-later"}


def _licences(expression):
    if expression in SPDX_IDS:
        return [{"license": {"id": expression}}]
    return [{"expression": expression}]


def own(version, kind="application"):
    return {"type": kind, "bom-ref": "quern", "name": "quern", "version": version,
            "description": "Compiles quantized neural networks into exact, fast machine code",
            "licenses": _licences("Apache-2.0")}


def library(package, linkage):
    """A Debian package, which is inside ("static") or needed ("shared")."""
    purl = f"pkg:deb/debian/{package.name}@{package.version.replace(':', '%3A').replace('+', '%2B')}?arch={package.architecture}"
    return {"type": "library", "bom-ref": purl, "name": package.name, "version": package.version, "purl": purl,
            "licenses": _licences(package.licence),
            "properties": [{"name": "quern:linkage", "value": linkage},
                           {"name": "quern:debian-source", "value": f"{package.source} {package.source_version}"}]}


def requirement(text):
    """A requirement of a Python package, such as numpy>=1.26."""
    name = text.split(">")[0].split("=")[0].strip()
    return {"type": "library", "bom-ref": f"pkg:pypi/{name}", "name": name, "purl": f"pkg:pypi/{name}",
            "properties": [{"name": "quern:requires", "value": text}]}


def file(path, name=None):
    data = path.read_bytes()
    name = name or path.name
    return {"type": "file", "bom-ref": f"file:{name}", "name": name,
            "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(data).hexdigest()}]}


def document(version, commit, epoch, tools, parts):
    """`parts`: for each file of the release, or within it, its component and those of what it consists of or needs."""
    components, depends = {}, {"quern": set()}
    for component, contents in parts:
        components[component["bom-ref"]] = component
        depends["quern"].add(component["bom-ref"])
        depends[component["bom-ref"]] = {content["bom-ref"] for content in contents}
        for content in contents:
            # A package that one file has inside and another needs is one component, with both ways.
            known = components.setdefault(content["bom-ref"], content)
            known["properties"] += [p for p in content["properties"] if p not in known["properties"]]
    top = own(version)
    top["properties"] = [{"name": "quern:commit", "value": commit}]
    bom = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
            "tools": {"components": [{"type": "application", "name": name, "version": tool} for name, tool in tools]},
            "component": top,
        },
        "components": [components[ref] for ref in sorted(components)],
        "dependencies": [{"ref": ref, "dependsOn": sorted(depends[ref])} for ref in sorted(depends)],
    }
    digest = hashlib.sha256(json.dumps(bom, sort_keys=True).encode()).hexdigest()
    bom["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}"
    return bom


def text(bom):
    return json.dumps(bom, indent=1, sort_keys=True) + "\n"
