# Numbers of a printed memref or an MLIR constant, on one line: of floats six digits, and names for
# what is no number. -v float=1 for floats.
# SPDX-License-Identifier: Apache-2.0
{
  sub(/^.*data = */, "")
  sub(/^dense</, "")
  sub(/> : .*$/, "")
  gsub(/[][,]/, " ")
  for (i = 1; i <= NF; i++) {
    x = $i
    if (x == "0x7F800000") x = "inf"
    else if (x == "0xFF800000") x = "-inf"
    else if (x ~ /^0x/ || x ~ /nan/) x = "nan"
    else if (float && x !~ /inf/) x = sprintf("%.6g", x)
    line = line " " x
  }
}
END { print substr(line, 2) }
