# SPDX-License-Identifier: Apache-2.0
#
# awk -f levels_svg.awk src/levels.txt: the drawing docs/levels.svg. A box includes only boxes of lower rows.
/^# [a-z]+: / { name = substr($2, 1, length($2) - 1); purpose[name] = substr($0, length($2) + 4) }
/^[a-z]/ && ($1 in purpose) { row[$2] = row[$2] " " $1; if ($2 > top) top = $2 }
END {
  width = 960; gap = 12; high = 56
  for (level = 0; level <= top; level++) if (level in row) rows++
  height = rows * (high + gap) + gap
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" role=\"img\"", width, height
  printf " aria-label=\"The folders of src in levels; each includes only lower ones\">\n"
  printf "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", width, height
  y = gap
  for (level = top; level >= 0; level--) {
    if (!(level in row)) continue
    n = split(row[level], names, " ")
    each = (width - 40 - gap * n) / n
    printf "<text x=\"14\" y=\"%d\" font-size=\"15\" fill=\"#57606a\">%d</text>\n", y + high / 2 + 5, level
    for (i = 1; i <= n; i++) {
      x = 40 + (i - 1) * (each + gap)
      printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#f0f5fa\" stroke=\"#3b6ea5\"/>\n", x, y, each, high
      printf "<text x=\"%d\" y=\"%d\" font-size=\"16\" font-weight=\"bold\" fill=\"#1f2328\">%s</text>\n", x + 12, y + 24, names[i]
      printf "<text x=\"%d\" y=\"%d\" font-size=\"13\" fill=\"#1f2328\">%s</text>\n", x + 12, y + 44, purpose[names[i]]
    }
    y += high + gap
  }
  print "</svg>"
}
