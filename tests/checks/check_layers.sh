#!/bin/sh
# Includes point only down the table of layers.txt, and LLVM is included by no layer but those that the
# table allows. Usage: check_layers.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
find include runtime src lower codegen python plugins -name '*.[ch]' -o -name '*.cpp' -o -name '*.def' | LC_ALL=C sort |
  awk '
    BEGIN {
      while ((getline line < "tests/checks/layers.txt") > 0) {
        if (line ~ /^#/ || line !~ /:/) continue
        folder = line; sub(/:.*/, "", folder)
        allowed = line; sub(/^[^:]*: */, "", allowed)
        rows[folder] = " " allowed " "
      }
    }
    # The longest folder of the table above the file.
    function row_of(path) {
      while (path ~ /\//) {
        sub(/\/[^\/]*$/, "", path)
        if (path in rows) return path
      }
      return ""
    }
    function allows(row, include,   count, i, parts, allowed) {
      count = split(rows[row], parts, " ")
      for (i = 1; i <= count; i++) {
        if (index(include, parts[i]) == 1) allowed = 1
        if (index("!" include, parts[i]) == 1) return 0
      }
      return allowed
    }
    function complain(what) {
      print file ":" number ": " what
      bad = 1
    }
    function check(row, include, angle) {
      if (include ~ /^llvm(-c)?\//) {
        if (!allows(row, "llvm")) complain(row " may not include LLVM: " include)
      } else if (include ~ /^(quern|\.)/ || !angle) {
        if (include ~ /\.\./) complain("include by the name of the layer, not " include)
        else if (!allows(row, include)) complain(row " may not include " include)
      }
    }
    {
      file = $0
      row = row_of(file)
      number = 0
      if (row == "") { complain("is in no layer of tests/checks/layers.txt"); next }
      files++
      while ((getline line < file) > 0) {
        number++
        if (line !~ /^[ \t]*#[ \t]*include/) continue
        angle = line ~ /include[ \t]*</
        include = line
        sub(/^[^<"]*[<"]/, "", include)
        sub(/[>"].*/, "", include)
        check(row, include, angle)
      }
      close(file)
    }
    END {
      if (files == 0) { print "no source files found"; bad = 1 }
      exit bad
    }'
