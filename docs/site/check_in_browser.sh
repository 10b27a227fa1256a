#!/usr/bin/env bash
# check_in_browser.sh BROWSER SITE: a search finds its page, and formulas are drawn.
set -euo pipefail
browser=$1 site=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
seen() {
  "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$folder" --host-resolver-rules="MAP * ~NOTFOUND" \
    --virtual-time-budget=20000 --dump-dom "file://$site/$1" 2>/dev/null
}
seen "search.html?q=hysteresis" >"$folder/search"
grep -q 'href="docs/language.html' "$folder/search" || { echo "a search for hysteresis does not find docs/language"; exit 1; }
seen "search.html?q=simulate" >"$folder/search"
grep -q 'href="docs/commands.html' "$folder/search" || { echo "a search for simulate does not find docs/commands"; exit 1; }
seen "examples/thermostat/README.html" >"$folder/page"
(($(grep -o 'class="MathJax_SVG"' "$folder/page" | wc -l) >= 5)) || { echo "formulas are not drawn"; exit 1; }
seen "examples/notebooks/2_bouncing_ball.html" >"$folder/page"
# Three of the model itself, four of the text.
(($(grep -o 'class="MathJax_SVG"' "$folder/page" | wc -l) >= 7)) || { echo "equations of a model are not drawn"; exit 1; }
echo "search and formulas work without a network"
