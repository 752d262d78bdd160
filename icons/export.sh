#!/bin/sh
# Draws every PNG, ICO and ICNS from the SVG sources beside this file.
# Needs rsvg-convert (librsvg2-bin), python3 with PIL, png2icns (icnsutils), the font DejaVu Sans.
set -eu
cd "$(dirname "$0")"

draw() { rsvg-convert --width "$2" --height "$2" --output "$3" "$1"; }

# Small panels get drawings of their own, on their pixels; from 32 on one drawing serves, whose edges
# lie on the pixels of 32, 48 and 64.
css=$(mktemp)
for size in 16 22 24 32 48 64; do
    grid=; [ $size -lt 32 ] && grid=-$size
    for state in quiet no-source forwarding paused; do
        draw "tray/$state$grid.svg" $size "tray/$state-$size.png"
    done
    # All numbers stand in the picture, hidden; from ten on it is a plus.
    for n in 1 2 3 4 5 6 7 8 9 more; do
        id=n$n; [ $n = more ] && id=more
        echo "#$id { display: inline !important }" >"$css"
        rsvg-convert --stylesheet "$css" --width $size --height $size \
            --output "tray/waiting-$n-$size.png" "tray/waiting$grid.svg"
    done
done
rm "$css"

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
rm -r "$sizes"
