/* The report as an HTML page: a single file without external resources, for light and dark mode and
 * any width.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "cli/compare/statistics.h"

static const char style[] =
    ":root{color-scheme:light dark;--ground:#fff;--text:#1b1f24;--weak:#5c6670;--line:#d5dae0;"
    "--bar:#2f6fb2;--h0:#d7e3d9;--h1:#f6dfa6;--h2:#f0bd6b;--h3:#e08d45;--h4:#c4512d;--h5:#8e1f1f}\n"
    "@media(prefers-color-scheme:dark){:root{--ground:#14171a;--text:#e4e7ea;--weak:#98a2ac;"
    "--line:#343a41;--bar:#6ea8e0;--h0:#24372a;--h1:#54481f;--h2:#7d5a20;--h3:#ab6423;--h4:#cf5b3a;"
    "--h5:#f08080}}\n"
    "body{background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif;"
    "max-width:72rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}p.weak,dt{color:var(--weak)}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem}dd{margin:0}"
    "dd,em{overflow-wrap:anywhere}\n"
    ".wide{overflow-x:auto}svg{display:block}svg.layers{width:100%;height:28px}"
    "svg text{fill:var(--text);font:12px system-ui,sans-serif}\n"
    "table{border-collapse:collapse;font-size:.85rem;white-space:nowrap}th,td{text-align:right;"
    "padding:.15rem .6rem;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums}\n"
    "td.l,th.l{text-align:left}summary{cursor:pointer}details[open] summary{display:none}"
    "details{overflow-wrap:anywhere}td details{max-width:30rem;white-space:normal}td "
    "summary{white-space:nowrap}"
    "tr:target{outline:2px solid "
    "var(--bar)}.h0{fill:var(--h0)}.h1{fill:var(--h1)}.h2{fill:var(--h2)}"
    ".h3{fill:var(--h3)}.h4{fill:var(--h4)}.h5{fill:var(--h5)}.bar{fill:var(--bar)}\n";

static void put_text(FILE *to, const char *text) {
  for (; *text; text++) {
    static const struct {
      char is;
      const char *as;
    } escapes[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    size_t i = 0;
    while (i < CLI_COUNT(escapes) && escapes[i].is != *text) i++;
    if (i < CLI_COUNT(escapes))
      fputs(escapes[i].as, to);
    else
      fputc((unsigned char)*text < 32 ? '?' : *text, to);
  }
}

static void put_number(FILE *to, double value, const char *format) {
  char text[64] = "";
  if (!isnan(value)) snprintf(text, sizeof text, format, value);
  put_text(to, text);
}

/* Writes a name. If it is too long for a line, only its start is shown, and a click unfolds it. */
static void put_name(FILE *to, const char *name) {
  enum { FITS = 56 };
  if (strlen(name) <= FITS) {
    put_text(to, name);
    return;
  }
  int cut = FITS;
  /* do not cut within a UTF-8 character */
  while (cut > 0 && ((unsigned char)name[cut] & 0xC0) == 0x80) cut--;
  char begin[FITS + 1];
  snprintf(begin, sizeof begin, "%.*s", cut, name);
  fputs("<details><summary>", to);
  put_text(to, begin);
  fputs("\xe2\x80\xa6</summary>", to);
  put_text(to, name);
  fputs("</details>", to);
}

/* ---- title ---- */

/* Writes what distinguishes a side from another one with the same model: the tool that recorded it,
 * profile, engine, stage. */
static void put_short_side(FILE *to, const json_t *head) {
  static const char *const keys[] = {"made_by", "numerics", "engine", "stage"};
  const char *before = "";
  for (size_t i = 0; i < CLI_COUNT(keys); i++) {
    if (!compare_text(head, keys[i])[0]) continue;
    fputs(before, to);
    put_text(to, compare_text(head, keys[i]));
    before = ", ";
  }
}

/* Writes a title such as "digits.tflite: A (ai-edge-litert, xnnpack) against B (litert-ref,
 * jit)". */
static void put_title(FILE *to, const json_t *report) {
  const json_t *a = json_object_get(report, "a"), *b = json_object_get(report, "b");
  const char *models[] = {compare_text(a, "model"), compare_text(b, "model")};
  for (size_t i = 0; i < CLI_COUNT(models); i++) {
    const char *slash = strrchr(models[i], '/');
    if (slash) models[i] = slash + 1;
  }
  bool one = strcmp(models[0], models[1]) == 0 || !models[0][0] || !models[1][0];
  if (one) {
    put_text(to, models[0][0] ? models[0] : models[1]);
    fputs(models[0][0] || models[1][0] ? ": A (" : "A (", to);
  } else {
    put_text(to, models[0]);
    fputs(" (", to);
  }
  put_short_side(to, a);
  fputs(") against ", to);
  if (one)
    fputs("B", to);
  else
    put_text(to, models[1]);
  fputs(" (", to);
  put_short_side(to, b);
  fputs(")", to);
}

static void put_side(FILE *to, const char *side, const json_t *head) {
  static const char *const keys[] = {"model", "made_by", "numerics", "engine", "stage", "cpu"};
  fprintf(to, "<h2>Side %s</h2><dl>", side);
  for (size_t i = 0; i < CLI_COUNT(keys); i++) {
    if (!compare_text(head, keys[i])[0]) continue;
    fprintf(to, "<dt>%s</dt><dd>", keys[i]);
    put_text(to, compare_text(head, keys[i]));
    fputs("</dd>", to);
  }
  fputs("</dl>\n", to);
}

static void put_verdict(FILE *to, const json_t *report) {
  const json_t *first = json_object_get(report, "first");
  double differing = compare_number(report, "differing");
  fprintf(to, "<div><strong>%.0f of %.0f tensors differ.</strong> ", differing,
          compare_number(report, "compared"));
  if (json_is_object(first)) {
    char operator_text[96];
    compare_operator(first, operator_text, sizeof operator_text);
    fprintf(to, "The first is tensor %.0f, written by operator ", compare_number(first, "tensor"));
    put_text(to, operator_text);
    fputs(". ", to);
  }
  if (json_is_true(json_object_get(report, "isolated")))
    fprintf(to, "With A's tensors as inputs of each operator, %.0f differ. ",
            compare_number(report, "differing_alone"));
  if (json_is_object(first)) {
    fputs("<em>", to);
    put_name(to, compare_text(first, "name"));
    fputs("</em>", to);
  }
  fputs("</div>\n", to);
}

static void put_item(void *user, const char *line) {
  fputs("<li>", user);
  put_text(user, line);
  fputs("</li>", user);
}

/* Writes lines of text, such as a known cause, before all tables. */
static void put_lines(FILE *to, const json_t *report, const char *title,
                      size_t (*told)(const json_t *, size_t, compare_line *, void *)) {
  char *items = NULL;
  size_t size;
  FILE *list = open_memstream(&items, &size);
  if (!list) return;
  size_t count = told(report, SIZE_MAX, put_item, list);
  if (fclose(list) == 0 && count > 0) fprintf(to, "<h2>%s</h2><ul>%s</ul>\n", title, items);
  free(items);
}

/* ---- layers ---- */

/* Colour class of a row: one class per power of ten of the share of elements that differ. */
static int heat_of(const json_t *row) {
  double share = compare_number(row, "differing") / compare_number(row, "elements");
  bool equal = strcmp(compare_text(row, "status"), "equal") == 0;
  if (equal || strncmp(compare_text(row, "status"), "only", 4) == 0) return 0;
  if (isnan(share)) return 5;
  if (share <= 0) return 1; /* no element differs, but the encodings do */
  int heat = 5 + (int)ceil(log10(share));
  return heat < 1 ? 1 : heat;
}

/* A strip with a cell per tensor. It scales to the width of the page, so its text is above it. */
static void put_cells(FILE *to, const char *title, const json_t *rows, const char *inner) {
  enum { WIDTH = 960, TALL = 28 };
  fprintf(to,
          "<div>%s</div><svg class=\"layers\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
          "role=\"img\" aria-label=\"share of differing elements per tensor\">",
          title, WIDTH, TALL);
  size_t i, count = json_array_size(rows);
  json_t *row;
  json_array_foreach(rows, i, row) {
    const json_t *shown = inner ? json_object_get(row, inner) : row;
    if (!shown) continue;
    double x = (double)WIDTH * (double)i / (double)count, width = (double)WIDTH / (double)count;
    char operator_text[96];
    compare_operator(row, operator_text, sizeof operator_text);
    fprintf(to,
            "<a href=\"#r%zu\"><rect class=\"h%d\" x=\"%.2f\" width=\"%.2f\" height=\"%d\"><title>",
            i, heat_of(shown), x, width > 3 ? width - 1 : width, TALL);
    fprintf(to, "tensor %.0f, operator ", compare_number(row, "tensor"));
    put_text(to, operator_text);
    fprintf(to, ": ");
    put_text(to, compare_text(shown, "status"));
    if (compare_number(shown, "differing") > 0)
      fprintf(to, ", %.0f of %.0f elements", compare_number(shown, "differing"),
              compare_number(shown, "elements"));
    fputs("</title></rect></a>", to);
  }
  fputs("</svg>\n", to);
}

static void put_heat(FILE *to, const json_t *report) {
  const json_t *rows = json_object_get(report, "tensors");
  bool isolated = json_is_true(json_object_get(report, "isolated"));
  fputs("<h2>Layers</h2><p class=\"weak\">From the first operator to the last, by the share of "
        "elements that differ: none, up to 0.01 %, 0.1 %, 1 %, 10 %, more. A click leads to the "
        "tensor's row.</p>",
        to);
  put_cells(to, "as they ran", rows, NULL);
  if (isolated) put_cells(to, "each operator fed with A's tensors", rows, "alone");
}

/* ---- histogram of steps ---- */

/* Pixels: width per step, y of the base line, height of the largest bar, total height. */
static const double slot = 34, base = 124, tallest = 100, high = 144;

static void add_steps(const json_t *row, double bins[STATISTICS_BINS]) {
  size_t i;
  json_t *bin;
  json_array_foreach(json_object_get(row, "steps"), i, bin) {
    double at = compare_number(bin, "step") + (double)(STATISTICS_STEPS + 1);
    if (at >= 0 && at < (double)STATISTICS_BINS) bins[(int)at] += compare_number(bin, "elements");
  }
}

/* The number of steps shown: the largest that occurs, but at least 4, so that the scale is
 * recognizable. */
static int steps_to_show(const double bins[STATISTICS_BINS]) {
  int most = 4;
  for (int i = 0; i < STATISTICS_BINS; i++)
    if (bins[i] > 0 && abs(i - STATISTICS_STEPS - 1) > most) most = abs(i - STATISTICS_STEPS - 1);
  return most;
}

/* Writes a count with at most five characters (9999, 12.3k, 1.23M), because wider labels would
 * overlap. */
static void put_count(FILE *to, double count) {
  static const char *const units[] = {"", "k", "M", "G", "T"};
  size_t unit = 0;
  if (count >= 9999.5)
    for (; count >= 999.5 && unit + 1 < CLI_COUNT(units); unit++) count /= 1000;
  fprintf(to, unit ? "%.3g%s" : "%.0f%s", count, units[unit]);
}

static void put_bar(FILE *to, double x, int step, double elements, double height) {
  const char *beyond = abs(step) > STATISTICS_STEPS ? " and beyond" : "";
  if (height > 0)
    fprintf(to,
            "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>"
            "%+d%s: %.0f elements</title></rect>"
            "<text text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">",
            x + 3, base - height, slot - 6, height, step, beyond, elements, x + slot / 2,
            base - height - 4);
  if (height > 0) {
    put_count(to, elements);
    fputs("</text>", to);
  }
  fprintf(to, "<text text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">", x + slot / 2, base + 15);
  fprintf(to, step ? "%+d%s</text>" : "%d%s</text>", step, beyond[0] ? "\xe2\x80\xa6" : "");
}

/* Writes a histogram with logarithmic heights, so that a single element is visible next to a
 * million. Equal elements are left out. */
static void put_histogram(FILE *to, const char *title, const double bins[STATISTICS_BINS]) {
  int shown = steps_to_show(bins);
  double most = 0;
  for (int i = 0; i < STATISTICS_BINS; i++)
    if (i != STATISTICS_STEPS + 1) most = fmax(most, bins[i]);
  if (most == 0) return;
  fprintf(to,
          "<h2>%s</h2><div class=\"wide\"><svg width=\"%.0f\" height=\"%.0f\" role=\"img\" "
          "aria-label=\"histogram of steps\">",
          title, slot * (2 * shown + 1), high);
  for (int step = -shown; step <= shown; step++) {
    double elements = step ? bins[step + STATISTICS_STEPS + 1] : 0;
    put_bar(to, slot * (step + shown), step, elements, tallest * log1p(elements) / log1p(most));
  }
  fputs("</svg></div>\n", to);
}

static void put_histograms(FILE *to, const json_t *report) {
  double first[STATISTICS_BINS] = {0}, all[STATISTICS_BINS] = {0};
  size_t i;
  json_t *row;
  add_steps(json_object_get(report, "first"), first);
  json_array_foreach(json_object_get(report, "tensors"), i, row) add_steps(row, all);
  put_histogram(to, "Steps b − a of the first tensor that differs", first);
  put_histogram(to, "Steps b − a of all tensors", all);
}

/* ---- the table ---- */

static void put_row(FILE *to, const json_t *row, size_t index, bool isolated) {
  bool reals = json_object_get(row, "encodings") != NULL;
  const struct {
    const char *key, *format;
  } columns[] = {{"differing", "%.0f"},
                 {"elements", "%.0f"},
                 {"largest_step", "%+g"},
                 {"largest_real", "%+.4g"},
                 {reals ? "a_real" : "a", "%.9g"},
                 {reals ? "b_real" : "b", "%.9g"},
                 {"snr_db", "%.2f"},
                 {"cosine", "%.9f"}};
  char text[128];
  compare_operator(row, text, sizeof text);
  fprintf(to, "<tr id=\"r%zu\"><td>%.0f</td><td class=\"l\">", index,
          compare_number(row, "tensor"));
  put_text(to, text);
  fputs("</td><td class=\"l\">", to);
  put_text(to, compare_text(row, "status"));
  fputs("</td>", to);
  for (size_t i = 0; i < CLI_COUNT(columns); i++) {
    fputs("<td>", to);
    put_number(to, compare_number(row, columns[i].key), columns[i].format);
    fputs("</td>", to);
  }
  if (isolated) {
    fputs("<td title=\"", to);
    put_text(to, compare_text(row, "why_not_alone"));
    fputs("\">", to);
    put_number(to, compare_number(json_object_get(row, "alone"), "differing"), "%.0f");
    fputs("</td>", to);
  }
  fputs("<td class=\"l\">", to);
  put_name(to, compare_text(row, "name"));
  fputs("</td></tr>\n", to);
}

static void put_table(FILE *to, const json_t *report) {
  bool isolated = json_is_true(json_object_get(report, "isolated"));
  fprintf(to,
          "<h2>Tensors</h2><div class=\"wide\"><table><thead><tr><th>tensor</th><th "
          "class=\"l\">operator</th><th class=\"l\">status</th><th>differ</th><th>of</th>"
          "<th>steps</th><th>real</th><th>a</th><th>b</th><th>SNR dB</th><th>cosine</th>%s<th "
          "class=\"l\">name</th></tr></thead><tbody>\n",
          isolated ? "<th>alone</th>" : "");
  size_t i;
  json_t *row;
  json_array_foreach(json_object_get(report, "tensors"), i, row) put_row(to, row, i, isolated);
  fputs("</tbody></table></div>\n", to);
}

char *compare_page(const json_t *report) {
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return NULL;
  fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\"><title>",
        to);
  put_title(to, report);
  fprintf(to, "</title><style>\n%s</style></head><body>\n<h1>", style);
  put_title(to, report);
  fputs("</h1>\n", to);
  put_verdict(to, report);
  put_lines(to, report, "Encoded differently, a against b", compare_tell_encodings);
  put_lines(to, report, "Not known", compare_tell_unfed);
  put_heat(to, report);
  put_histograms(to, report);
  put_side(to, "A", json_object_get(report, "a"));
  put_side(to, "B", json_object_get(report, "b"));
  put_table(to, report);
  fputs("</body></html>\n", to);
  bool failed = ferror(to) != 0;
  if (fclose(to) == 0 && !failed) return text;
  free(text);
  return NULL;
}
