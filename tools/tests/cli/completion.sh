#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# completion.sh TOOLS: what the completion offers at several places.
set -euo pipefail
tools=$1
failed=0

# shellcheck source=/dev/null
source "$tools/completions/peerbar"

offers() {
	local expected=$1
	shift
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_peerbar
	local found
	found=$(printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ')
	[ "$found" == "$expected " ] || { echo "$*: offers \"$found\", expected \"$expected\""; failed=1; }
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir -p root/peerbar-sim/one root/peerbar-sim/other folder
touch a.json b.txt

offers "sim" peerbar ""
offers "check load unload" peerbar sim ""
offers "unload" peerbar sim u
offers "--help --version -h" peerbar -
offers "--help --root -h" peerbar sim load -
offers "--help -h" peerbar sim check -
offers "a.json folder root" peerbar sim load ""
offers "folder root" peerbar sim load --root ""
offers "one other" peerbar sim unload --root root ""
offers "other" peerbar sim unload --root root oth
exit $failed
