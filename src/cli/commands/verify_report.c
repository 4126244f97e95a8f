/* The report of quern verify: rows of a JSON document, from which the table is made.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/verify.h"
#include "cli/document.h"
#include "cli/table.h"

/* ---- what the library reports about the model ---- */

const json_t *verify_inspected(verifier *v, const char *key) {
  char *text;
  size_t size;
  if (!v->inspection && qn_model_inspect(v->model, &text, &size) == QN_OK) {
    v->inspection = json_loadb(text, size, 0, NULL);
    qn_free(text);
  }
  return json_object_get(v->inspection, key);
}

const json_t *verify_row_of(verifier *v, int64_t tensor) {
  size_t i, k;
  json_t *row, *number;
  json_array_foreach(verify_inspected(v, "operators"), i, row) {
    json_array_foreach(json_object_get(row, "tensors"), k, number) {
      if (json_integer_value(number) == tensor) return row;
    }
  }
  return NULL;
}

/* The location of the operator that writes a tensor, as text. */
static const char *operator_of(verifier *v, int64_t tensor) {
  return json_string_value(json_object_get(verify_row_of(v, tensor), "location"));
}

void verify_report(verifier *v, const golden_case *one, uint32_t invocation, const outcome *o,
                   const char *first_name) {
  json_t *row = json_pack("{s:s, s:i, s:I, s:I, s:I, s:I, s:I}", "case", one->name, "invocation",
                          (int)invocation, "tensors", (json_int_t)o->tensors, "differing_tensors",
                          (json_int_t)o->tensors_differing, "outputs", (json_int_t)o->outputs,
                          "differing_outputs", (json_int_t)o->outputs_differing, "in_float",
                          (json_int_t)o->open);
  if (o->first >= 0) {
    const char *where = operator_of(v, o->first);
    json_t *name = json_string(first_name ? first_name : "");
    json_t *location = where ? json_string(where) : NULL;
    json_object_set_new(row, "first_tensor", json_integer(o->first));
    json_object_set_new(row, "first_name", name ? name : json_null());
    json_object_set_new(row, "first_operator", location ? location : json_null());
    json_object_set_new(row, "first_is_missing", json_boolean(o->first_missing));
  }
  json_array_append_new(v->report, row);
  v->tensors += o->tensors;
  v->tensors_differing += o->tensors_differing;
  v->outputs += o->outputs;
  v->outputs_differing += o->outputs_differing;
  v->in_float += o->open;
}

static const char *text_of(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

static json_int_t number_of(const json_t *row, const char *key) {
  return json_integer_value(json_object_get(row, key));
}

static void print_table(const verifier *v) {
  static const cli_column columns[] = {
      {"case", 'l'},    {"run", 'r'},    {"tensors", 'r'},         {"differ", 'r'},
      {"outputs", 'r'}, {"differ", 'r'}, {"first difference", 'l'}};
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  size_t i;
  json_t *row;
  json_array_foreach(v->report, i, row) {
    cli_table_cell(&table, "%s", text_of(row, "case"));
    cli_table_cell(&table, "%lld", (long long)number_of(row, "invocation"));
    cli_table_cell(&table, "%lld", (long long)number_of(row, "tensors"));
    cli_table_cell(&table, "%lld", (long long)number_of(row, "differing_tensors"));
    cli_table_cell(&table, "%lld", (long long)number_of(row, "outputs"));
    cli_table_cell(&table, "%lld", (long long)number_of(row, "differing_outputs"));
    if (json_object_get(row, "first_tensor")) {
      bool missing = json_is_true(json_object_get(row, "first_is_missing"));
      cli_table_cell(&table, "tensor %lld '%s'%s, %s", (long long)number_of(row, "first_tensor"),
                     text_of(row, "first_name"), missing ? " (not written)" : "",
                     text_of(row, "first_operator"));
    } else {
      cli_table_cell(&table, "%s", number_of(row, "differing_outputs") ? "outputs only" : "none");
    }
  }
  cli_table_end(&table, stdout);
  if (!v->board) printf("%zu tensors compared, %zu differ; ", v->tensors, v->tensors_differing);
  printf("%zu outputs compared, %zu differ\n", v->outputs, v->outputs_differing);
  if (v->board)
    printf("board %s: calls took up to %u bytes of stack\n", v->board, (unsigned)v->stack_bytes);
  if (v->in_float > 0)
    printf("%zu more differ that the runtime of the profile computes in float, or from such\n",
           v->in_float);
}

static cli_exit print_json(const verifier *v) {
  json_t *all = json_pack(
      "{s:o, s:O, s:I, s:I, s:I, s:I, s:I}", "model", cli_json_text(v->c->options.argument),
      "cases", v->report, "tensors", (json_int_t)v->tensors, "differing_tensors",
      (json_int_t)v->tensors_differing, "outputs", (json_int_t)v->outputs, "differing_outputs",
      (json_int_t)v->outputs_differing, "in_float", (json_int_t)v->in_float);
  if (v->board) {
    json_object_set_new(all, "board", json_string(v->board));
    json_object_set_new(all, "stack_bytes", json_integer((json_int_t)v->stack_bytes));
  }
  return cli_print_document(v->c, all, JSON_INDENT(1));
}

cli_exit verify_print(verifier *v) {
  cli_exit code = CLI_OK;
  if (v->c->options.json) code = print_json(v);
  if (!v->c->options.json) print_table(v);
  bool differ = v->tensors_differing > 0 || v->outputs_differing > 0;
  return code == CLI_OK && differ ? CLI_MISMATCH : code;
}
