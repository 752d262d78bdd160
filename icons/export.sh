#!/bin/sh
# Draws every PNG, ICO, ICNS and BMP from the SVG beside this file. The tray's icons are drawn by the program
# itself (src-tauri/src/tray/icon).
# Needs rsvg-convert (librsvg2-bin), python3 with PIL, png2icns (icnsutils), convert (imagemagick).
set -eu
cd "$(dirname "$0")"

draw() { rsvg-convert --width "$2" --height "$2" --output "$3" "$1"; }

draw icon.svg 32 32x32.png
draw icon.svg 128 128x128.png
draw icon.svg 512 icon.png
sizes=$(mktemp -d)
for size in 16 32 48 128 256 512; do draw icon.svg $size "$sizes/$size.png"; done
png2icns icon.icns "$sizes/16.png" "$sizes/32.png" "$sizes/48.png" "$sizes/128.png" "$sizes/256.png" "$sizes/512.png" >/dev/null
/usr/bin/python3 - "$sizes" <<'P'
import sys
from PIL import Image
sizes = [16, 32, 48, 256]
images = [Image.open(f"{sys.argv[1]}/{s}.png").convert("RGBA") for s in sizes]
images[-1].save("icon.ico", sizes=[(s, s) for s in sizes], append_images=images[:-1])
P
# The side of the installer for Windows, as large as its page wants it.
convert -size 164x314 'xc:#B4501E' \( icon.png -resize 96x96 \) -gravity center -composite \
  -colors 16 -type palette BMP3:setup.bmp
rm -r "$sizes"
