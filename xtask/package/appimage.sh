#!/bin/sh
# Makes an AppImage of what is in the .deb, with a tool and a runtime that whoever calls this has looked
# at:
#
#   sh appimage.sh beckon_VERSION-1_amd64.deb APPIMAGETOOL RUNTIME FILE
#
# WebKitGTK is not in it: it starts processes of its own by their path. Where the system has
# libwebkit2gtk-4.1 there are windows; elsewhere there are notifications, tray, Telegram and commands.
set -eu
[ $# -eq 4 ] || {
  echo "Usage: sh appimage.sh DEB APPIMAGETOOL RUNTIME FILE" >&2
  exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/Beckon.AppDir
dpkg-deb --extract "$1" "$folder"
# A package manager takes these; here nobody looks for them.
rm -rf "$folder/usr/share/bash-completion" "$folder/usr/share/fish" "$folder/usr/share/zsh" "$folder/usr/share/man"
# There is no `beckon` on the search path that a menu could try.
sed "/^TryExec=/d" "$folder/usr/share/applications/beckon.desktop" >"$folder/beckon.desktop"
cp "$folder/usr/share/icons/hicolor/512x512/apps/beckon.png" "$folder/beckon.png"
ln -s usr/bin/beckon "$folder/AppRun"
# Without FUSE, which runners do not have.
APPIMAGE_EXTRACT_AND_RUN=1 ARCH=x86_64 "$2" --no-appstream --runtime-file "$3" "$folder" "$4"
