/* Counts answers and builds the report.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/eval/report.h"

#include <math.h>
#include <string.h>

#include "cli/document.h"
#include "cli/table.h"

/* ---- one model ---- */

typedef struct counts {
  /* Samples with an answer; those with the true class first; those with it among the top
   * classes. */
  size_t made, first, among;
} counts;

static counts count(const evaluation *e, const answer *answers) {
  counts n = {0};
  for (size_t i = 0; i < e->all->count; i++) {
    const answer *a = &answers[i];
    n.made += a->made;
    n.first += a->made && a->place == 0;
    n.among += a->made && a->place >= 0 && a->place < (int64_t)e->top;
  }
  return n;
}

static double share(size_t part, size_t whole) { return whole ? (double)part / (double)whole : 0; }

static json_t *model_row(const evaluation *e, const char *model, const answer *answers) {
  counts n = count(e, answers);
  json_t *row =
      json_pack("{s:o, s:I}", "model", cli_json_text(model), "samples", (json_int_t)n.made);
  if (!e->all->known || n.made == 0) return row;
  json_object_set_new(row, "top1", json_real(share(n.first, n.made)));
  json_object_set_new(row, "top1_count", json_integer((json_int_t)n.first));
  json_object_set_new(row, "topk", json_real(share(n.among, n.made)));
  json_object_set_new(row, "topk_count", json_integer((json_int_t)n.among));
  return row;
}

/* ---- samples to list ---- */

static json_t *class_value(const evaluation *e, int64_t index) {
  const char *label =
      index >= 0 && index < (int64_t)e->names->count ? e->names->lines[index] : NULL;
  if (index < 0) return json_null();
  return json_pack("{s:I, s:o}", "class", (json_int_t)index, "label", cli_json_text(label));
}

static json_t *sample_row(const evaluation *e, size_t i) {
  const answer *a = &e->answers[i];
  json_t *row = json_pack("{s:o, s:o, s:o, s:f}", "sample", cli_json_text(e->all->items[i].name),
                          "truth", class_value(e, e->all->items[i].truth), "answer",
                          class_value(e, a->best), "margin", a->margin);
  if (e->of_against) {
    json_object_set_new(row, "against", class_value(e, e->of_against[i].best));
    json_object_set_new(row, "against_margin", json_real(e->of_against[i].margin));
  }
  return row;
}

/* Whether a sample is listed: with a second model if the two models decide differently, else if the
 * answer is wrong. */
static bool worth_a_look(const evaluation *e, size_t i) {
  const answer *a = &e->answers[i], *b = e->of_against ? &e->of_against[i] : NULL;
  if (!a->made || (b && !b->made)) return false;
  return b ? a->best != b->best : a->place > 0;
}

static json_t *listed_rows(const evaluation *e, size_t *out_count) {
  json_t *rows = json_array();
  *out_count = 0;
  for (size_t i = 0; i < e->all->count; i++) {
    if (!worth_a_look(e, i)) continue;
    if ((*out_count)++ < e->listed) json_array_append_new(rows, sample_row(e, i));
  }
  return rows;
}

/* ---- two models ---- */

static void add_agreement(const evaluation *e, json_t *report, size_t differing) {
  size_t both = 0;
  for (size_t i = 0; i < e->all->count; i++) both += e->answers[i].made && e->of_against[i].made;
  json_object_set_new(report, "agreement",
                      json_pack("{s:I, s:I, s:f}", "samples", (json_int_t)both, "differing",
                                (json_int_t)differing, "share", share(both - differing, both)));
}

/* Adds the losses. Quantization: the difference of the accuracies of the two models. Lowering: how
 * many samples have other bits from compiled code than from the interpreter at the model stage,
 * which defines the results. */
static void add_costs(const evaluation *e, json_t *report) {
  size_t differing = 0, both = 0;
  for (size_t i = 0; i < e->all->count; i++) {
    if (!e->answers[i].made || !e->of_interpreter[i].made) continue;
    both++;
    differing += strcmp(e->answers[i].digest, e->of_interpreter[i].digest) != 0;
  }
  json_object_set_new(
      report, "lowering",
      json_pack("{s:I, s:I}", "samples", (json_int_t)both, "differing", (json_int_t)differing));
  if (!e->of_against || !e->all->known) return;
  counts own = count(e, e->answers), other = count(e, e->of_against);
  if (own.made == 0 || other.made == 0) return;
  json_object_set_new(
      report, "quantization",
      json_pack("{s:f}", "top1_lost", share(other.first, other.made) - share(own.first, own.made)));
}

json_t *evaluation_report(const evaluation *e) {
  size_t differing;
  json_t *rows = listed_rows(e, &differing);
  json_t *report = json_pack("{s:I, s:I, s:I, s:o}", "samples", (json_int_t)e->all->count,
                             "skipped", (json_int_t)e->all->skipped, "k", (json_int_t)e->top,
                             "model", model_row(e, e->model, e->answers));
  if (e->parts)
    json_object_set_new(
        report, "part",
        json_pack("{s:I, s:I}", "number", (json_int_t)e->part, "of", (json_int_t)e->parts));
  if (e->of_against) {
    json_object_set_new(report, "against", model_row(e, e->against, e->of_against));
    add_agreement(e, report, differing);
  }
  if (e->of_interpreter) add_costs(e, report);
  json_object_set_new(report, "listed_of", json_integer((json_int_t)differing));
  json_object_set_new(report, "listed", rows);
  return report;
}

/* ---- printing ---- */

static double number(const json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}

static void print_models(const json_t *report) {
  char top[32];
  snprintf(top, sizeof top, "top-%.0f", number(report, "k"));
  const cli_column columns[] = {{"model", 'l'}, {"samples", 'r'}, {"top-1", 'r'},
                                {"", 'r'},      {top, 'r'},       {"", 'r'}};
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  for (int i = 0; i < 2; i++) {
    const json_t *row = json_object_get(report, i ? "against" : "model");
    if (!row) continue;
    bool known = json_object_get(row, "top1") != NULL;
    const char *model = json_string_value(json_object_get(row, "model"));
    cli_table_cell(&table, "%s", model ? model : "");
    cli_table_cell(&table, "%.0f", number(row, "samples"));
    cli_table_cell_if(&table, known, "%.0f", number(row, "top1_count"));
    cli_table_cell_if(&table, known, "%.2f %%", 100 * number(row, "top1"));
    cli_table_cell_if(&table, known, "%.0f", number(row, "topk_count"));
    cli_table_cell_if(&table, known, "%.2f %%", 100 * number(row, "topk"));
  }
  cli_table_end(&table, stdout);
}

static void class_cell(cli_table *table, const json_t *value) {
  const char *label = json_string_value(json_object_get(value, "label"));
  if (label)
    cli_table_cell(table, "%.0f %s", number(value, "class"), label);
  else
    cli_table_cell_if(table, json_is_object(value), "%.0f", number(value, "class"));
}

static void print_listed(const json_t *report) {
  bool two = json_object_get(report, "against") != NULL;
  const cli_column columns[] = {{"sample", 'l'},
                                {"truth", 'l'},
                                {"answer", 'l'},
                                {"margin", 'r'},
                                {two ? "against" : NULL, 'l'},
                                {two ? "margin" : NULL, 'r'}};
  const json_t *rows = json_object_get(report, "listed");
  size_t shown = json_array_size(rows), all = (size_t)number(report, "listed_of"), i;
  if (!shown) return;
  printf("\n%zu %s%s\n", all, two ? "decided differently" : "wrong",
         shown < all ? ", of which the first:" : ":");
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  json_t *row;
  json_array_foreach(rows, i, row) {
    cli_table_cell(&table, "%s", json_string_value(json_object_get(row, "sample")));
    class_cell(&table, json_object_get(row, "truth"));
    class_cell(&table, json_object_get(row, "answer"));
    cli_table_cell(&table, "%.4g", number(row, "margin"));
    if (two) class_cell(&table, json_object_get(row, "against"));
    if (two) cli_table_cell(&table, "%.4g", number(row, "against_margin"));
  }
  cli_table_end(&table, stdout);
}

void evaluation_print(const json_t *report) {
  const json_t *agreement = json_object_get(report, "agreement");
  const json_t *lost = json_object_get(report, "quantization");
  const json_t *lowering = json_object_get(report, "lowering");
  print_models(report);
  if (agreement && number(agreement, "samples") > 0)
    printf("the same decision on %.0f of %.0f samples, %.2f %%\n",
           number(agreement, "samples") - number(agreement, "differing"),
           number(agreement, "samples"), 100 * number(agreement, "share"));
  if (lost) printf("quantization costs %.2f points of top-1\n", 100 * number(lost, "top1_lost"));
  if (lowering)
    printf("lowering: %.0f of %.0f samples have other bits than the interpreter gives\n",
           number(lowering, "differing"), number(lowering, "samples"));
  print_listed(report);
}
