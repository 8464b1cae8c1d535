#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# transcript.sh PEERBAR MACHINES FILE.transcript: runs each line that begins with
# "$ " in an empty folder and compares what it printed, on both streams, and its
# exit code, "[N]" when not 0, with what the file has below that line.
# Lines that begin with "#" are comments.
set -euo pipefail
peerbar=$1 machines=$2 transcript=$(realpath "$3")

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/work" "$scratch/bin"
ln -s "$peerbar" "$scratch/bin/peerbar"
export PATH=$scratch/bin:$PATH MACHINES=$machines LC_ALL=C
cd "$scratch/work"

while IFS= read -r line; do
	case $line in
	"#"*) echo "$line" ;;
	"$ "*)
		echo "$line"
		code=0
		bash -c "${line#??}" < /dev/null 2>&1 || code=$?
		[ "$code" -eq 0 ] || echo "[$code]"
		;;
	esac
done < "$transcript" | cat > "$scratch/actual" # a pipe: commands may limit file sizes

grep -q '^\$ ' "$transcript"
diff -u "$transcript" "$scratch/actual"
