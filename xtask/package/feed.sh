#!/bin/sh
# Writes the signed list of releases that Beckon asks for (src-tauri/src/updates/feed.rs):
#
#   sh feed.sh VERSION SECRET-KEY PUBLIC-KEY FILE
#
# The secret key is minisign's, a file without a password; the public one is the second line of its other
# half, and the one that the programs have. Made with: minisign -G -W -p beckon.pub -s beckon.key
set -eu
[ $# -eq 4 ] || {
  echo "Usage: sh feed.sh VERSION SECRET-KEY PUBLIC-KEY FILE" >&2
  exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Milliseconds since 1970: a later list is told from one that is played back, and a late one from the
# newest.
jq --null-input --compact-output --join-output --arg version "$1" \
  '{ version: $version, issued: (now * 1000 | floor) }' >"$work/feed"
minisign -S -s "$2" -m "$work/feed" -x "$work/signature" -t "Beckon's list of releases" >/dev/null
minisign -V -P "$3" -m "$work/feed" -x "$work/signature"
jq --null-input --rawfile feed "$work/feed" --rawfile signature "$work/signature" \
  '{ feed: $feed, signature: $signature }' >"$4"
