/* quern inspect: what is in a model.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>

#include "cli/cli.h"
#include "cli/document.h"
#include "cli/table.h"

static const char *text_of(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

static long long number_of(const json_t *row, const char *key) {
  return (long long)json_integer_value(json_object_get(row, key));
}

static double real_of(const json_t *row, const char *key) {
  return json_number_value(json_object_get(row, key));
}

static void print_tensors(const json_t *report, const char *key, const char *title) {
  const char *const titles[] = {title, "tensor", "shape", "type", "scale", "zero point"};
  cli_table table;
  cli_table_begin(&table, "lrllrr", titles);
  size_t i, k;
  json_t *row, *dim;
  json_array_foreach(json_object_get(report, key), i, row) {
    char shape[128] = "";
    size_t used = 0;
    json_array_foreach(json_object_get(row, "shape"), k, dim) {
      used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%lld", k ? "x" : "",
                               (long long)json_integer_value(dim));
      if (used >= sizeof shape) break;
    }
    cli_table_cell(&table, "%s", text_of(row, "name"));
    cli_table_cell(&table, "%lld", number_of(row, "tensor"));
    cli_table_cell(&table, "%s", shape);
    cli_table_cell(&table, "%s", text_of(row, "dtype"));
    double scale = real_of(row, "scale");
    cli_table_cell_if(&table, scale > 0, "%.9g", scale);
    cli_table_cell_if(&table, scale > 0, "%lld", number_of(row, "zero_point"));
  }
  cli_table_end(&table, stdout);
  putchar('\n');
}

/* The row of "quantized" for the first tensor that an operator writes, or NULL; both lists are in
 * the order of operators, and *at goes forward in the first. */
static const json_t *quantization_of(const json_t *rows, size_t *at, const json_t *op) {
  while (*at < json_array_size(rows)) {
    const json_t *row = json_array_get(rows, *at);
    long long difference = number_of(row, "operator") - number_of(op, "index");
    if (difference >= 0) return difference == 0 ? row : NULL;
    ++*at;
  }
  return NULL;
}

static void print_operators(const json_t *report) {
  static const char *const titles[] = {"#",    "op",    "tensor",     "scale",
                                       "zero", "range", "multiplier", "shift",
                                       "MMAC", "kB",    "weights",    "tensor name"};
  cli_table table;
  cli_table_begin(&table, "rlrrrlrrrrrs", titles);
  const json_t *quantized = json_object_get(report, "quantized");
  size_t i, at = 0;
  json_t *row;
  json_array_foreach(json_object_get(report, "operators"), i, row) {
    const json_t *q = quantization_of(quantized, &at, row), *m = json_object_get(row, "multiplier");
    bool fixed = json_object_get(m, "shift") != NULL;
    cli_table_label(&table, text_of(row, "location"));
    cli_table_cell(&table, "%s", text_of(row, "op"));
    cli_table_cell_if(&table, q, "%lld", number_of(q, "tensor"));
    cli_table_cell_if(&table, q, "%.6g", real_of(q, "scale"));
    cli_table_cell_if(&table, q, "%lld", number_of(q, "zero_point"));
    cli_table_cell_if(&table, q, "[%.4g, %.4g]", real_of(q, "min"), real_of(q, "max"));
    cli_table_cell_if(&table, m, "%.6g%s", real_of(m, "real"),
                      number_of(m, "channels") > 1 ? " .." : "");
    cli_table_cell_if(&table, fixed, "%lld", number_of(m, "shift"));
    long long macs = number_of(row, "macs"), weights = number_of(row, "weight_bytes");
    cli_table_cell_if(&table, macs, "%.3f", 1e-6 * (double)macs);
    long long bytes = number_of(row, "bytes");
    cli_table_cell_if(&table, bytes, "%.1f", 1e-3 * (double)bytes);
    cli_table_cell_if(&table, weights, "%lld", weights);
    cli_table_tensor(&table, text_of(row, "location"));
  }
  cli_table_end(&table, stdout);
}

static void print_report(const json_t *report) {
  const json_t *totals = json_object_get(report, "totals");
  printf("%s: %s stage, numerics %s\n\n", text_of(report, "model"), text_of(report, "stage"),
         text_of(report, "numerics"));
  print_tensors(report, "inputs", "input");
  print_tensors(report, "outputs", "output");
  print_operators(report);
  printf("\n%lld operators, %.3f million multiply-accumulates, %.1f kB read and written, %lld "
         "bytes of "
         "weights\n",
         number_of(totals, "operators"), 1e-6 * (double)number_of(totals, "macs"),
         1e-3 * (double)number_of(totals, "bytes"), number_of(totals, "weight_bytes"));
  printf("arena of %lld bytes, planned for %s\n", number_of(totals, "arena_bytes"),
         text_of(totals, "level"));
}

static cli_exit inspect(cli *c) {
  qn_model *model;
  cli_exit code = cli_load(c, &model);
  if (code != CLI_OK) return code;
  char *text;
  size_t size;
  c->progress = cli_progress_begin("inspecting", c->options.verbose);
  code = cli_exit_of(qn_model_inspect(model, &text, &size));
  cli_progress_end(c->progress);
  c->progress = NULL;
  qn_model_destroy(model);
  if (code != CLI_OK) return code;
  json_t *report = json_loadb(text, size, 0, NULL);
  qn_free(text);
  if (c->options.json) return cli_print_document(c, report, JSON_INDENT(1));
  print_report(report);
  json_decref(report);
  return CLI_OK;
}

static const char *const options[] = {
    "json",     "numerics",  "fall-back", "rules", "rewrite-limit", "rewrite-only", "rule-settings",
    "validate", "bit-rules", "dim",       NULL};

const cli_command cli_inspect = {
    .name = "inspect",
    .argument = "MODEL",
    .summary = "print operators, tensors, quantization, sizes",
    .options = options,
    .details = "The multiplier of an operator with weights per channel is that of its first "
               "channel, marked\n"
               "by two dots. The range is what the stored values can represent.\n",
    .run = inspect,
};
