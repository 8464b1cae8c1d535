#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# broken.sh PEERBAR FILE.json: the file is refused with exactly the lines of
# FILE.err on standard error, exit code 2, and nothing is loaded.
set -euo pipefail
peerbar=$1 file=$2

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/root/peerbar-sim"

# How a syntax error is worded is the JSON library's business.
lines() { sed -E 's/(not JSON): .*/\1/' "$1"; }

cd "$(dirname "$file")/.."
name=$(basename "$(dirname "$file")")/$(basename "$file")
failed=0
for command in "check" "load --root $scratch/root"; do
	code=0
	# shellcheck disable=SC2086 # the command's words
	"$peerbar" sim $command "$name" > "$scratch/out" 2> "$scratch/err" || code=$?
	[ "$code" -eq 2 ] || { echo "$command: exit code $code, expected 2"; failed=1; }
	[ ! -s "$scratch/out" ] || { echo "$command: text on standard output"; failed=1; }
	diff -u <(lines "${file%.json}.err") <(lines "$scratch/err") || failed=1
done
[ -z "$(ls -A "$scratch/root/peerbar-sim")" ] || { echo "something was loaded"; failed=1; }
exit $failed
