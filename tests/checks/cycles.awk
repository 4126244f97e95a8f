# Which files need each other, by the symbols of their object files: see check_cycles.sh. Reads the list
# of exceptions, then what `nm -A -P -g` prints.
# SPDX-License-Identifier: Apache-2.0

function report(text) { print text; failed = 1 }

# Fills `seen` with all that `from` leads to, itself only if it is in a cycle.
function follow(from, degree, target, seen,    queue, first, last, at, i) {
  split("", seen)
  queue[last = 1] = from
  for (first = 1; first <= last; first++) {
    at = queue[first]
    for (i = 1; i <= degree[at]; i++)
      if (!(target[at, i] in seen)) {
        seen[target[at, i]]
        queue[++last] = target[at, i]
      }
  }
}

FNR == NR {
  if (/^#/ || NF == 0) next
  if (!match($0, /: ./)) { report("no reason: " $0); next }
  entry = substr($0, 1, RSTART - 1)
  count = split(entry, words, " ")
  if (words[1] == "table" && count == 3) {
    tables[++table_count] = words[2]
    hooks[table_count] = words[3]
    table_of[words[2]] = table_count
  } else if (words[1] == "cycle" && count > 2) {
    cycles[++cycle_count] = substr(entry, length("cycle ") + 1)
  } else {
    report("neither table FILE PATTERN nor cycle FILE FILE...: " $0)
  }
  next
}

{
  file = $1
  sub(/^[^\/]*\.dir\//, "", file)
  sub(/\.c\.o(\[.*\])?:$/, "", file)
  if (!(file in number)) { files[++file_count] = file; number[file] = file_count }
  if ($3 == "U" || $3 == "w" || $3 == "v") {
    needed[++needs] = $2
    needed_by[needs] = file
  } else {
    definer[$2] = file
  }
}

# The edges of the graph, those of hooks apart.
function connect(    i, from, to, t) {
  for (i = 1; i <= needs; i++) {
    from = needed_by[i]
    to = definer[needed[i]]
    if (to == "" || to == from) continue
    if (!((from, to) in any)) { any[from, to]; all_target[from, ++all_degree[from]] = to }
    t = table_of[from]
    if (t && needed[i] ~ hooks[t]) { hook[t, ++hook_count[t]] = to; continue }
    if (!((from, to) in edge)) {
      target[from, ++degree[from]] = to
      source[to, ++source_degree[to]] = from
    }
    edge[from, to] = edge[from, to] " " needed[i]
  }
}

# A table none of whose hooks needs it is like any other file.
function check_tables(    t, i, seen, used) {
  for (t = 1; t <= table_count; t++) {
    used = 0
    for (i = 1; i <= hook_count[t] && !used; i++) {
      follow(hook[t, i], all_degree, all_target, seen)
      used = tables[t] in seen
    }
    if (!used) report("no longer a cycle: table " tables[t] " " hooks[t])
  }
}

function is_listed(name,    c) {
  for (c = 1; c <= cycle_count; c++)
    if (cycles[c] == name) return 1
  return 0
}

function print_edges(name,    members, count, k, m) {
  count = split(name, members, " ")
  for (k = 1; k <= count; k++)
    for (m = 1; m <= count; m++)
      if ((members[k], members[m]) in edge)
        print "  " members[k] " needs" edge[members[k], members[m]] " of " members[m]
}

function check_cycles(    i, k, ahead, behind, name, found, placed) {
  for (i = 1; i <= file_count; i++) {
    if (files[i] in placed || !degree[files[i]] || !source_degree[files[i]]) continue
    follow(files[i], degree, target, ahead)
    if (!(files[i] in ahead)) continue
    follow(files[i], source_degree, source, behind)
    name = files[i]
    for (k = 1; k <= file_count; k++)
      if (k != i && (files[k] in ahead) && (files[k] in behind)) { name = name " " files[k]; placed[files[k]] }
    found[name]
    if (is_listed(name)) continue
    report("these files need each other: " name)
    print_edges(name)
  }
  for (i = 1; i <= cycle_count; i++)
    if (!(cycles[i] in found)) report("no longer a cycle: cycle " cycles[i])
}

END {
  if (file_count == 0) report("no object files")
  connect()
  check_tables()
  check_cycles()
  exit failed
}
