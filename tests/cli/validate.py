#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""validate.py SCHEMA DIRECTORY N: are the JSON files of the directory, N at least, what the schema says?

Readers have to ignore members that they do not know; here each one has to be in the schema.
Exit status 77: python3-jsonschema is not installed."""

import json
import os
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)


def close(node):
    if isinstance(node, dict):
        if "properties" in node:
            node["additionalProperties"] = False
        for value in node.values():
            close(value)
    elif isinstance(node, list):
        for value in node:
            close(value)


def errors_of(validator, path):
    try:
        with open(path) as f:
            return list(validator.iter_errors(json.load(f)))
    except ValueError as e:
        return [e]


def main(schema_path, directory, least):
    with open(schema_path) as f:
        schema = json.load(f)
    jsonschema.Draft7Validator.check_schema(schema)
    close(schema)
    validator = jsonschema.Draft7Validator(schema)
    names = sorted(os.listdir(directory))
    bad = 0
    for name in names:
        errors = errors_of(validator, os.path.join(directory, name))
        for e in errors[:3]:
            where = "/".join(str(p) for p in getattr(e, "absolute_path", []))
            print("FAIL %s: %s: %s" % (name, where, str(getattr(e, "message", e))[:200]), file=sys.stderr)
        bad += bool(errors)
    if len(names) < least:
        print("FAIL only %d files in %s" % (len(names), directory), file=sys.stderr)
    return bad > 0 or len(names) < least


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
