#!/bin/sh
# Writes the signed list of releases that Beckon asks for (src-tauri/src/updates/feed.rs):
#
#   sh feed.sh VERSION SECRET-KEY FILE
#
# The key is minisign's, without a password. Made with: minisign -G -W -p beckon.pub -s beckon.key
set -eu
[ $# -eq 3 ] || {
  echo "Usage: sh feed.sh VERSION SECRET-KEY FILE" >&2
  exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Milliseconds since 1970: a later list is told from one that is played back.
jq --null-input --compact-output --join-output --arg version "$1" \
  '{ version: $version, issued: (now * 1000 | floor) }' >"$work/feed"
minisign -S -s "$2" -m "$work/feed" -x "$work/signature" -t "Beckon's list of releases" >/dev/null
jq --null-input --rawfile feed "$work/feed" --rawfile signature "$work/signature" \
  '{ feed: $feed, signature: $signature }' >"$3"
