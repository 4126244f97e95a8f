# Puts the body of every function of a module as it is printed into both branches of an scf.if, on a new first
# argument. Functions of several blocks, or without results, stay.
# SPDX-License-Identifier: Apache-2.0
function flush_function(    i, count, names, types, values, comma) {
  if (!returned || blocks) { printf "%s%s", header "\n", body; return }
  sub(/\(/, "(%nested: i1, ", header)
  sub(/\(%nested: i1, \)/, "(%nested: i1)", header)
  values = types = returned
  sub(/^ *return /, "", values); sub(/ : .*/, "", values)
  sub(/^[^:]* : /, "", types)
  count = split(values, names, ",")
  print header
  printf "    %%chosen:%d = scf.if %%nested -> (%s) {\n%s", count, types, body
  printf "    scf.yield %s : %s\n    } else {\n%s    scf.yield %s : %s\n    }\n    return ", values, types, body, values, types
  comma = ""
  for (i = 0; i < count; i++) { printf "%s%%chosen#%d", comma, i; comma = ", " }
  printf " : %s\n", types
}
/^ *func\.func .*\{$/ && !open { header = $0; body = returned = ""; blocks = 0; open = 1; next }
open && /^  }$/ { flush_function(); print; open = 0; next }
open && /^    return / { returned = $0; if (!blocks) next }
open { if (/^ *\^/) blocks = 1; body = body $0 "\n"; next }
{ print }
