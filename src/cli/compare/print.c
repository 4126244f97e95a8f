/* Prints the report as text: a table of differences, and a description of the first one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "cli/compare/encoding.h"
#include "cli/location.h"
#include "cli/table.h"

/* ---- the table ---- */

/* Adds a cell; empty if the value is null. */
static void add_number(cli_table *table, const json_t *row, const char *key, const char *format) {
  double value = compare_number(row, key);
  char text[40] = "";
  if (!isnan(value)) snprintf(text, sizeof text, format, value);
  cli_table_cell(table, "%s", text);
}

static void add_status(cli_table *table, const json_t *row) {
  const char *status = compare_text(row, "status");
  bool counted = json_object_get(row, "differing") != NULL;
  if (counted)
    cli_table_cell(table, "%lld of %lld",
                   (long long)json_integer_value(json_object_get(row, "differing")),
                   (long long)json_integer_value(json_object_get(row, "elements")));
  else
    cli_table_cell(table, "%s", status);
}

static void add_row(cli_table *table, const json_t *row, bool isolated) {
  char operator_text[96], at[128] = "";
  compare_operator(row, operator_text, sizeof operator_text);
  const json_t *coordinate = json_object_get(row, "at");
  if (coordinate) compare_coordinate(coordinate, at, sizeof at);
  double tensor = compare_number(row, "tensor");
  cli_table_cell_if(table, tensor >= 0, "%.0f", tensor);
  cli_table_cell(table, "%s", operator_text);
  add_status(table, row);
  add_number(table, row, "largest_step", "%+g");
  add_number(table, row, "largest_real", "%+.4g");
  cli_table_cell(table, "%s", at);
  bool reals = json_object_get(row, "encodings") != NULL;
  add_number(table, row, reals ? "a_real" : "a", "%.9g");
  add_number(table, row, reals ? "b_real" : "b", "%.9g");
  add_number(table, row, "snr_db", "%.2f");
  add_number(table, row, "cosine", "%.9f");
  if (isolated) {
    const json_t *own = json_object_get(row, "alone");
    if (own)
      add_status(table, own);
    else
      cli_table_cell(table, "%s", "");
  }
  cli_table_tensor(table, compare_text(row, "name"));
}

static bool is_shown(const json_t *row, bool all) {
  const char *status = compare_text(row, "status");
  const json_t *own = json_object_get(row, "alone");
  bool alone = strncmp(status, "only", 4) == 0;
  bool own_differs = own && strcmp(compare_text(own, "status"), "equal") != 0;
  return all || own_differs || (!alone && strcmp(status, "equal") != 0);
}

static bool any_shown(const json_t *rows, bool all) {
  size_t i;
  json_t *row;
  json_array_foreach(rows, i, row) {
    if (is_shown(row, all)) return true;
  }
  return false;
}

static void print_rows(const json_t *report, bool all, FILE *to) {
  bool isolated = json_is_true(json_object_get(report, "isolated"));
  const cli_column columns[] = {{"tensor", 'r'},
                                {"operator", 'l'},
                                {"differ", 'r'},
                                {"steps", 'r'},
                                {"real", 'r'},
                                {"at", 'l'},
                                {"a", 'r'},
                                {"b", 'r'},
                                {"SNR dB", 'r'},
                                {"cosine", 'r'},
                                {isolated ? "alone" : NULL, 'r'},
                                {"name", 's'}};
  const json_t *rows = json_object_get(report, "tensors");
  if (!any_shown(rows, all)) return;
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  size_t i;
  json_t *row;
  json_array_foreach(rows, i, row) {
    if (is_shown(row, all)) add_row(&table, row, isolated);
  }
  cli_table_end(&table, to);
}

/* ---- the first difference ---- */

/* The channel of the element that differs most, if the operator has a multiplier per channel. */
static size_t channel_of(const json_t *row, const json_t *multiplier) {
  const json_t *at = json_object_get(row, "at");
  size_t rank = json_array_size(at);
  json_int_t last = rank ? json_integer_value(json_array_get(at, rank - 1)) : 0;
  bool is_one = last >= 0 && (double)last < compare_number(multiplier, "channels");
  return is_one ? (size_t)last : 0;
}

static void print_multiplier(const json_t *row, FILE *to) {
  const json_t *m = json_object_get(row, "multiplier");
  if (!json_is_object(m)) return;
  size_t channel = channel_of(row, m);
  const json_t *mantissas = json_object_get(m, "mantissas");
  double real = compare_number(m, "real"), mantissa = compare_number(m, "mantissa"),
         power = compare_number(m, "shift") - 31;
  if (mantissas) {
    mantissa = (double)json_integer_value(json_array_get(mantissas, channel));
    power = (double)json_integer_value(json_array_get(json_object_get(m, "shifts"), channel)) - 31;
    real = ldexp(mantissa, (int)power);
  } else {
    channel = 0;
  }
  fprintf(to, ", multiplier %.9g", real);
  if (json_object_get(m, "mantissa")) fprintf(to, " (%.0f * 2^%.0f)", mantissa, power);
  if (compare_number(m, "channels") > 1)
    fprintf(to, " in channel %zu of %.0f", channel, compare_number(m, "channels"));
  if (json_object_get(m, "rounding")) fprintf(to, ", rounding %s", compare_text(m, "rounding"));
}

/* Prints the result of each profile for this element, which shows whose rounding causes the
 * difference. */
static void print_answers(const json_t *report, FILE *to) {
  size_t i;
  json_t *answer;
  const char *before = "  of its inputs this operator makes in ";
  json_array_foreach(json_object_get(report, "answers"), i, answer) {
    fprintf(to, "%s%s ", before, compare_text(answer, "profile"));
    double value = compare_number(answer, "value");
    if (isnan(value))
      fputs("nothing", to);
    else
      fprintf(to, "%.9g", value);
    before = ", ";
  }
  if (i > 0) fputc('\n', to);
}

static void print_steps(const json_t *row, FILE *to) {
  const json_t *bins = json_object_get(row, "steps");
  const char *before = "  steps b - a:";
  size_t i;
  json_t *bin;
  json_array_foreach(bins, i, bin) {
    if (compare_number(bin, "step") == 0) continue;
    bool beyond = json_is_true(json_object_get(bin, "or_beyond"));
    fprintf(to, "%s %+.0f%s: %.0f", before, compare_number(bin, "step"),
            beyond ? " and beyond" : "", compare_number(bin, "elements"));
    before = ",";
  }
  if (before[0] == ',') fputc('\n', to);
}

/* Prints text from a file, with control characters replaced. */
static void print_text(const char *text, FILE *to) {
  for (; *text; text++) fputc((unsigned char)*text < 32 || *text == 127 ? '?' : *text, to);
}

static void print_first(const json_t *report, FILE *to) {
  const json_t *first = json_object_get(report, "first");
  if (!json_is_object(first)) return;
  char operator_text[96], at[128];
  compare_operator(first, operator_text, sizeof operator_text);
  compare_coordinate(json_object_get(first, "at"), at, sizeof at);
  fprintf(to, "first difference: tensor %.0f '", compare_number(first, "tensor"));
  print_text(compare_text(first, "name"), to);
  fputc('\'', to);
  if (operator_text[0]) fputs("\n  written by operator ", to);
  print_text(operator_text, to);
  print_multiplier(first, to);
  fputc('\n', to);
  const json_t *encodings = json_object_get(first, "encodings");
  if (encodings) {
    char text[256];
    encodings_tell(encodings, text, sizeof text);
    fprintf(to, "  which the sides encode differently: %s\n", text);
  }
  if (!json_object_get(first, "at")) return;
  fprintf(to, "  %.0f of %.0f elements differ, most at %s: a is %.9g (%.6g), b is %.9g (%.6g)\n",
          compare_number(first, "differing"), compare_number(first, "elements"), at,
          compare_number(first, "a"), compare_number(first, "a_real"), compare_number(first, "b"),
          compare_number(first, "b_real"));
  print_steps(first, to);
  print_answers(report, to);
}

/* ---- notes before and after the table ---- */

static void put_line(void *user, const char *line) {
  fputs("  ", user);
  print_text(line, user);
  fputc('\n', user);
}

static void ignore_line(void *user, const char *line) {
  (void)user;
  (void)line;
}

enum { LINES = 10 };

static void print_lines(const json_t *report, bool all, const char *title,
                        size_t (*told)(const json_t *, size_t, compare_line *, void *), FILE *to) {
  if (told(report, 0, ignore_line, NULL) == 0) return;
  fprintf(to, "%s\n", title);
  size_t most = all ? SIZE_MAX : LINES, count = told(report, most, put_line, to);
  if (count > most) fprintf(to, "  and %zu more, which --verbose shows\n", count - most);
}

void compare_print(const json_t *report, bool all, FILE *to) {
  print_lines(report, all, "encoded differently, a against b, and compared as real values:",
              compare_tell_encodings, to);
  if (json_object_get(report, "ranked")) {
    compare_print_losses(report, to);
    print_lines(report, all, "not known:", compare_tell_unfed, to);
    return;
  }
  print_rows(report, all, to);
  print_first(report, to);
  print_lines(report, all, "not known:", compare_tell_unfed, to);
  fprintf(to, "%.0f tensors compared, %.0f differ", compare_number(report, "compared"),
          compare_number(report, "differing"));
  double encoded = compare_number(report, "encoded_differently");
  if (encoded > 0) fprintf(to, ", %.0f of them encoded differently", encoded);
  if (json_is_true(json_object_get(report, "isolated")))
    fprintf(to, ", %.0f by an error of their own operator",
            compare_number(report, "differing_alone"));
  double untold = compare_number(report, "unknown_alone");
  if (untold > 0) fprintf(to, ", which is not known of %.0f", untold);
  double unmatched = compare_number(report, "unmatched");
  if (unmatched > 0) fprintf(to, "; %.0f on one side only", unmatched);
  fputc('\n', to);
}
