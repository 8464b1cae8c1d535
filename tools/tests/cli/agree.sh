#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# agree.sh PEERBAR TOOLS: help, man pages and completion name the same commands
# and the same options.
set -euo pipefail
peerbar=$1 tools=$2
failed=0

# shellcheck source=/dev/null
source "$tools/completions/peerbar"

words() { tr ' ' '\n' | sed '/^$/d' | sort -u | tr '\n' ' '; }

# The words at the start of the lines below a heading of the help.
section() {
	# shellcheck disable=SC2086 # the command's words
	"$peerbar" $2 --help | awk -v heading="$1:" '
		$0 == heading { inside = 1; next }
		/^[^ ]/ { inside = 0 }
		inside && /^  [^ ]/ { gsub(",", " ", $1); print $1 }'
}

same() {
	[ "$2" == "$3" ] && return
	echo "$1: help has \"$2\", $4 has \"$3\""
	failed=1
}

# Options and commands stand in bold at the start of an entry: .B, .BI or .BR.
man_words() { sed -nE '/^\.TP/{n;s/^\.(B|BI|BR) //p}' "$1" | sed 's/\\-/-/g; s/"[^"]*"//g'; }

page_of() {
	local page="$tools/man/peerbar${1:+-${1%% *}}.8"
	echo "$page"
}

visit() {
	local command=$1 options commands child
	options=$(section Options "$command" | words)
	commands=$(section Subcommands "$command" | words)
	same "options of peerbar $command" "$options" "$(_peerbar_options "$command" | words)" completion
	same "commands of peerbar $command" "$commands" "$(_peerbar_commands "$command" | words)" completion
	for child in $options $commands; do
		man_words "$(page_of "$command")" | tr ' ' '\n' | grep -qxe "$child" ||
			{ echo "$(page_of "$command") lacks $child"; failed=1; }
		known+=" $child"
	done
	for child in $commands; do visit "${command:+$command }$child"; done
}

known=""
visit ""
# And nothing in the pages that the program does not have.
for page in "$tools"/man/*.8; do
	for word in $(man_words "$page"); do
		[[ $word =~ ^[0-9]$ || " $known " == *" $word "* ]] ||
			{ echo "$page names $word, which peerbar does not have"; failed=1; }
	done
done
[[ $known == *" --root "* && $known == *" unload "* ]] || { echo "found only:$known"; failed=1; }
exit $failed
