#!/bin/sh
# Makes Beckon.app of the two programs in target/release, and a disk image of it, into target/packages:
#
#   sh xtask/package/macos/dmg.sh VERSION
#
# With SIGN_AS (a "Developer ID Application" identity of the keychain) it is signed for the hardened
# runtime; otherwise ad hoc, which Apple's own chips want of every program, and the image says so in its
# name. Notarising is the workflow's matter. Needs macOS; written without one, never run.
set -eu
[ $# -eq 1 ] || {
  echo "Usage: sh dmg.sh VERSION" >&2
  exit 2
}
version=$1
root=$(CDPATH='' cd "$(dirname "$0")/../../.." && pwd)
here=$root/xtask/package/macos
out=$root/target/packages
disk=$out/made-of/dmg
app=$disk/Beckon.app

rm -rf "$disk"
mkdir -p "$app/Contents/MacOS" "$app/Contents/Resources"
cp "$root/target/release/beckon" "$root/target/release/beckon-window" "$app/Contents/MacOS/"
cp "$root/icons/icon.icns" "$app/Contents/Resources/"
cp "$root/LICENSE" "$app/Contents/Resources/"
sed "s/@VERSION@/$version/g" "$here/Info.plist" >"$app/Contents/Info.plist"
plutil -lint "$app/Contents/Info.plist" "$here/entitlements.plist"
ln -s /Applications "$disk/Applications"

sign() {
  if [ -n "${SIGN_AS:-}" ]; then
    codesign --force --timestamp --options runtime --entitlements "$here/entitlements.plist" --sign "$SIGN_AS" "$@"
  else
    codesign --force --sign - "$@"
  fi
}
# From the inside out: the bundle's signature covers what is in it.
sign --identifier dev.beckon.desk.window "$app/Contents/MacOS/beckon-window"
sign "$app"
codesign --verify --strict --verbose=2 "$app"

unsigned=-unsigned
[ -z "${SIGN_AS:-}" ] || unsigned=
image=$out/beckon-$version-macos-$(uname -m)$unsigned.dmg
rm -f "$image"
hdiutil create -volname Beckon -srcfolder "$disk" -format UDZO -ov "$image"
[ -z "${SIGN_AS:-}" ] || codesign --timestamp --sign "$SIGN_AS" "$image"
echo "$image"
