#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check.sh PYTHON SCHEMA good|bad FILE...: every file fits the schema, or none
# does. Exits 77 (skipped) without python3-jsonschema.
set -euo pipefail
python=$1 schema=$2 expected=$3
shift 3

"$python" -c 'import jsonschema' 2> /dev/null || { echo "needs python3-jsonschema"; exit 77; }
"$python" - "$schema" "$expected" "$@" << 'EOP'
import json
import sys
from jsonschema import Draft202012Validator

schema_file, expected, files = sys.argv[1], sys.argv[2], sys.argv[3:]
schema = json.load(open(schema_file, encoding="utf-8"))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
failed = not files
for file in files:
    error = next(validator.iter_errors(json.load(open(file, encoding="utf-8"))), None)
    if (error is None) != (expected == "good"):
        print(file, error.message if error else "fits the schema", sep=": ")
        failed = True
sys.exit(failed)
EOP
