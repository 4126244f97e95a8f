#!/bin/sh
# The page of "quern compare --html" in a browser without a window, narrow and wide, light and dark: page.sh QUERN
# In every frame the page must fit its width, its plots must be drawn, and text must stand out from the ground.
# SPDX-License-Identifier: Apache-2.0
quern=$1
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  { echo "SKIP: no chromium to look at the page with" && exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# Two models that part at a sum's activation; the name of its tensor is long and has no blanks.
name=$(printf 'a/very/long/name/without/blanks;%.0s' 1 2 3 4 5 6 7 8)
for activation in none relu; do
  cat >$activation.mlir <<END
!q = tensor<1x64x!quant.uniform<i8:f32, 0.5:-1>>
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: !q) -> !q {
    %y = "ml.add"(%x, %x) {activation = "$activation", quern.tensors = array<i64: 1>} : (!q, !q) -> !q loc("$name")
    %z = "ml.tanh"(%y) {quern.tensors = array<i64: 2>} : (!q) -> !q
    return %z : !q
  }
}
END
done
"$quern" compare none.mlir relu.mlir --isolate --html page.html >out 2>&1
[ $? -eq 1 ] || { cat out; exit 1; }

cat >look.html <<'END'
<!DOCTYPE html><meta charset="utf-8"><body><pre id="seen">nothing</pre><script>
const widths = [320, 400, 800, 1280];
let left = widths.length, seen = [];
// Luminance of the browser's "rgb(r, g, b)", near enough to tell text from ground.
const light = c => { const [r, g, b] = c.match(/[\d.]+/g).map(Number); return (2 * r + 5 * g + b) / 8; };
for (const width of widths) {
  const frame = document.createElement('iframe');
  frame.style.width = width + 'px';
  frame.style.height = '600px';
  frame.onload = () => {
    const page = frame.contentDocument, root = page.documentElement;
    const body = frame.contentWindow.getComputedStyle(page.body);
    if (root.scrollWidth > root.clientWidth) seen.push(width + ': ' + root.scrollWidth + ' wide');
    const plots = [...page.querySelectorAll('svg')];
    if (plots.length !== 4) seen.push(width + ': ' + plots.length + ' plots');
    for (const rect of page.querySelectorAll('svg rect'))
      if (rect.getBoundingClientRect().height < 1) seen.push(width + ': nothing drawn');
    for (const text of page.querySelectorAll('svg text'))
      if (text.getBoundingClientRect().height < 9) seen.push(width + ': text too small');
    if (Math.abs(light(body.color) - light(body.backgroundColor)) < 150) seen.push(width + ': faint');
    seen.push((light(body.backgroundColor) > 128 ? 'light ' : 'dark ') + width);
    if (--left === 0) document.getElementById('seen').textContent = [...new Set(seen)].sort().join('\n');
  };
  frame.src = 'page.html';
  document.body.append(frame);
}
</script>
END
failed=0
for scheme in light dark; do
  flag=1
  [ $scheme = light ] || flag=0
  HOME=$work timeout 120 "$browser" --headless --no-sandbox --disable-gpu --allow-file-access-from-files --user-data-dir="$work/profile" \
    --blink-settings=preferredColorScheme=$flag --virtual-time-budget=10000 --dump-dom "file://$work/look.html" 2>log |
    sed -n '/<pre id="seen">/,/<\/pre>/{s/.*<pre id="seen">//;s/<\/pre>.*//;p}' >seen
  printf '%s 1280\n%s 320\n%s 400\n%s 800\n' $scheme $scheme $scheme $scheme >expected
  diff expected seen || { failed=1; tail -5 log; }
done
exit $failed
