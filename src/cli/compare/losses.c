/* Adds losses to the report, and prints them as a table.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "cli/compare/loss.h"
#include "cli/memory.h"
#include "cli/table.h"

static void set_number(json_t *row, const char *key, double value) {
  json_object_set_new(row, key, isfinite(value) ? json_real(value) : json_null());
}

/* ---- one tensor ---- */

static bool can_tell(const recorded *a, const recorded *b) {
  return a->data && b && b->data && loss_is_of(&a->info, &b->info) &&
         cli_tensor_elements(&a->info) == cli_tensor_elements(&b->info);
}

json_t *compare_loss(recorded *a, recorded *b, recorded *alone) {
  if (!can_tell(a, b)) return NULL;
  bool fed = alone && can_tell(a, alone);
  loss_report whole = loss_of(&a->info, a->data, &b->info, b->data), own = whole;
  if (fed) own = loss_of(&a->info, a->data, &alone->info, alone->data);
  json_t *row = json_pack("{s:s}", "cause", loss_cause_names[own.cause]), *without = json_object();
  json_object_set_new(row, "tensor", json_integer(b->info.index));
  json_object_set(row, "reads", json_object_get(b->row, "reads")); /* the report ignores NULL */
  json_object_set(row, "reads_inputs", json_object_get(b->row, "reads_inputs"));
  set_number(row, "snr_db", whole.snr_db);
  set_number(row, "alone_db", fed ? own.snr_db : NAN);
  set_number(row, "stored_db", own.stored_db);
  set_number(row, "ideal_db", own.ideal_db);
  set_number(row, "clipped", own.clipped);
  set_number(row, "away", own.away);
  set_number(row, "factor", own.factor);
  for (int i = 0; i < LOSS_CAUSES; i++) set_number(without, loss_cause_names[i], own.without[i]);
  json_object_set_new(row, "without", without);
  return row;
}

/* ---- losses of the operators before ---- */

static double own_db(const json_t *loss) {
  double alone = compare_number(loss, "alone_db");
  return isnan(alone) ? compare_number(loss, "snr_db") : alone;
}

/* Losses by index: of tensors, and of the model's inputs. */
typedef struct known {
  json_t *tensors, *inputs;
} known;

static void keep(json_t *by_number, json_int_t number, json_t *loss) {
  char key[24];
  snprintf(key, sizeof key, "%lld", (long long)number);
  if (loss) json_object_set(by_number, key, loss);
}

static double least_of(const json_t *numbers, const json_t *by_number, const char *what) {
  double least = NAN;
  size_t i;
  json_t *number;
  json_array_foreach((json_t *)(uintptr_t)numbers, i, number) {
    char key[24];
    snprintf(key, sizeof key, "%lld", (long long)json_integer_value(number));
    least = fmin(least, compare_number(json_object_get(by_number, key), what));
  }
  return least;
}

/* The smallest SNR in dB among the inputs of the operator. If the operator was run on floats, the
 * SNR of these floats in the tensor's encoding counts instead. NAN if no input's SNR is known. */
static double inputs_db(const json_t *loss, const known *k) {
  bool fed = !isnan(compare_number(loss, "alone_db"));
  double tensors =
      least_of(json_object_get(loss, "reads"), k->tensors, fed ? "stored_db" : "snr_db");
  return fmin(tensors, least_of(json_object_get(loss, "reads_inputs"), k->inputs, "snr_db"));
}

/* Sets what the operator itself has lost: the distance of its SNR from the best it could reach,
 * which its inputs and the ideal of its own encoding limit. */
static void set_lost(json_t *loss, const known *k) {
  static const double near = 3; /* dB */
  double own = own_db(loss), ideal = compare_number(loss, "ideal_db");
  double inputs = inputs_db(loss, k);
  set_number(loss, "inputs_db", inputs);
  set_number(loss, "lost_db", fmin(ideal, inputs) - own);
  if (own >= inputs - near && !(own >= ideal - near)) /* `ideal` can be NAN or infinite */
    json_object_set_new(loss, "cause", json_string(loss_cause_names[LOSS_INPUTS]));
}

static void set_all_lost(const json_t *tensors, const json_t *inputs) {
  known k = {json_object(), json_object()};
  json_t *row;
  size_t i;
  json_array_foreach((json_t *)(uintptr_t)inputs, i, row) {
    json_t *loss = json_object_get(row, "loss");
    keep(k.inputs, json_integer_value(json_object_get(row, "input")), loss);
    if (loss) set_lost(loss, &k);
  }
  json_array_foreach((json_t *)(uintptr_t)tensors, i, row) {
    json_t *loss = json_object_get(row, "loss");
    keep(k.tensors, json_integer_value(json_object_get(loss, "tensor")), loss);
  }
  json_array_foreach((json_t *)(uintptr_t)tensors, i, row) {
    json_t *loss = json_object_get(row, "loss");
    if (loss) set_lost(loss, &k);
  }
  json_decref(k.tensors);
  json_decref(k.inputs);
}

/* ---- the ranking ---- */

typedef struct ranked {
  double lost;
  size_t row;
} ranked;

static int by_loss(const void *a, const void *b) {
  const ranked *left = a, *right = b;
  if (left->lost != right->lost) return left->lost < right->lost ? 1 : -1;
  return (left->row > right->row) - (left->row < right->row);
}

json_t *compare_ranked(const json_t *tensors, const json_t *inputs) {
  ranked *order = cli_need(calloc(json_array_size(tensors) + 1, sizeof *order));
  size_t count = 0, i;
  json_t *row, *list = json_array();
  set_all_lost(tensors, inputs);
  json_array_foreach(tensors, i, row) {
    const json_t *loss = json_object_get(row, "loss");
    double lost = compare_number(loss, "lost_db");
    if (loss) order[count++] = (ranked){isnan(lost) ? -INFINITY : lost, i};
  }
  qsort(order, count, sizeof *order, by_loss);
  for (i = 0; i < count; i++) json_array_append_new(list, json_integer((json_int_t)order[i].row));
  free(order);
  return list;
}

/* ---- printing ---- */

static void add_number(cli_table *table, double value, const char *format) {
  char text[40] = "";
  if (!isnan(value)) snprintf(text, sizeof text, format, value);
  cli_table_cell(table, "%s", text);
}

static void tell_why(const json_t *loss, loss_cause cause, char *out, size_t size) {
  double away = compare_number(loss, "away"), factor = compare_number(loss, "factor");
  double clipped = 100 * compare_number(loss, "clipped");
  snprintf(out, size, "%s", loss_cause_names[cause]);
  if (cause == LOSS_CLIPPING) snprintf(out, size, "clipping of %.3g %%", clipped);
  if (cause == LOSS_BIAS) snprintf(out, size, "bias, by channel");
  if (cause == LOSS_ZERO_POINT && clipped >= 1)
    snprintf(out, size, "zero point, clips %.3g %%", clipped);
  else if (cause == LOSS_ZERO_POINT)
    snprintf(out, size, "zero point, %+.3g steps", away);
  if (cause == LOSS_SCALE && fabs(factor - 1) > 0.01)
    snprintf(out, size, "scale, factor %.3g", factor);
  else if (cause == LOSS_SCALE)
    snprintf(out, size, "scale, steps too large");
}

static loss_cause cause_named(const char *name) {
  int cause = 0;
  while (cause < LOSS_INPUTS && strcmp(name, loss_cause_names[cause]) != 0) cause++;
  return (loss_cause)cause;
}

static void add_row(cli_table *table, const json_t *row) {
  const json_t *loss = json_object_get(row, "loss");
  loss_cause cause = cause_named(compare_text(loss, "cause"));
  char operator_text[96], why[64];
  double tensor = compare_number(row, "tensor"), input = compare_number(row, "input");
  compare_operator(row, operator_text, sizeof operator_text);
  if (input >= 0) snprintf(operator_text, sizeof operator_text, "input %.0f", input);
  tell_why(loss, cause, why, sizeof why);
  cli_table_cell_if(table, tensor >= 0, "%.0f", tensor);
  cli_table_cell(table, "%s", operator_text);
  add_number(table, compare_number(loss, "snr_db"), "%.2f");
  add_number(table, compare_number(loss, "alone_db"), "%.2f");
  add_number(table, compare_number(loss, "inputs_db"), "%.2f");
  add_number(table, compare_number(loss, "ideal_db"), "%.2f");
  add_number(table, compare_number(loss, "lost_db"), "%.2f");
  cli_table_cell(table, "%s", why);
  add_number(table, compare_number(json_object_get(loss, "without"), loss_cause_names[cause]),
             "%.2f");
  cli_table_tensor(table, compare_text(row, "name"));
}

void compare_print_losses(const json_t *report, FILE *to) {
  static const cli_column columns[] = {
      {"tensor", 'r'}, {"operator", 'l'}, {"SNR dB", 'r'}, {"alone", 'r'},   {"inputs", 'r'},
      {"ideal", 'r'},  {"lost", 'r'},     {"cause", 'l'},  {"without", 'r'}, {"name", 's'}};
  const json_t *rows = json_object_get(report, "tensors");
  const json_t *order = json_object_get(report, "ranked");
  cli_table table;
  size_t i;
  json_t *number;
  CLI_TABLE_BEGIN(&table, columns);
  json_array_foreach(json_object_get(report, "inputs"), i, number) {
    if (json_object_get(number, "loss")) add_row(&table, number);
  }
  json_array_foreach(order, i, number)
      add_row(&table, json_array_get(rows, (size_t)json_integer_value(number)));
  cli_table_end(&table, to);
  fprintf(to, "%zu quantized tensors beside floats, the one that loses most first\n",
          json_array_size(order));
  if (json_is_true(json_object_get(report, "random_inputs")))
    fputs("the inputs are random numbers of B's encoding, not data: give some with --input or "
          "--image\n",
          to);
}
