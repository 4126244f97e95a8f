#!/usr/bin/env python3
"""Checks documents against their definitions: check.py SCHEMA DEFINITION FILE...

SPDX-License-Identifier: Apache-2.0
"""
import json
import sys

import jsonschema


def main():
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    schema["$ref"] = f"#/$defs/{sys.argv[2]}"
    validator = jsonschema.Draft202012Validator(schema)
    wrong = 0
    for path in sys.argv[3:]:
        for error in validator.iter_errors(json.load(open(path, encoding="utf-8"))):
            wrong += 1
            print(f"{path}: {error.json_path}: {error.message[:200]}")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
