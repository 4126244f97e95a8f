/* Prints the tables of a report.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/inspect/inspect.h"
#include "cli/table.h"

const char *inspect_text(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

long long inspect_number(const json_t *row, const char *key) {
  return (long long)json_integer_value(json_object_get(row, key));
}

double inspect_real(const json_t *row, const char *key) {
  return json_number_value(json_object_get(row, key));
}

/* ---- a line that is built piece by piece ---- */

typedef struct line {
  char *text;
  size_t size;
  FILE *stream;
} line;

static void line_begin(line *l) { l->stream = cli_need(open_memstream(&l->text, &l->size)); }

static void line_cell(line *l, cli_table *table) {
  fclose(l->stream);
  cli_table_cell(table, "%s", l->text);
  free(l->text);
}

/* ---- interface ---- */

/* Writes a shape. A dynamic size is "?", as in the types of operators. */
static void put_shape(const json_t *row, FILE *out) {
  const json_t *dims = json_object_get(row, "shape");
  bool open = json_object_get(row, "size") != NULL;
  for (size_t d = 0; d < json_array_size(dims); d++) {
    if (d > 0) fputc('x', out);
    if (open && (long long)d == inspect_number(row, "size_dimension"))
      fputc('?', out);
    else
      fprintf(out, "%lld", (long long)json_integer_value(json_array_get(dims, d)));
  }
}

static void print_tensors(const json_t *report, const char *key, const char *title) {
  const cli_column columns[] = {{title, 'l'},  {"tensor", 'r'}, {"shape", 'l'},
                                {"type", 'l'}, {"scale", 'r'},  {"zero point", 'r'}};
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  size_t i;
  json_t *row;
  json_array_foreach(json_object_get(report, key), i, row) {
    line shape;
    cli_table_cell(&table, "%s", inspect_text(row, "name"));
    cli_table_cell(&table, "%lld", inspect_number(row, "tensor"));
    line_begin(&shape);
    put_shape(row, shape.stream);
    line_cell(&shape, &table);
    cli_table_cell(&table, "%s", inspect_text(row, "dtype"));
    double scale = inspect_real(row, "scale");
    cli_table_cell_if(&table, scale > 0, "%.9g", scale);
    cli_table_cell_if(&table, scale > 0, "%lld", inspect_number(row, "zero_point"));
  }
  cli_table_end(&table, stdout);
  putchar('\n');
}

/* ---- operators ---- */

/* Writes "1x8x8x3" of "tensor<1x8x8x3x!quant.uniform<...>>". */
static void put_dims(const char *type, FILE *out) {
  const char *at = strchr(type, '<');
  if (strncmp(type, "tensor<", 7) != 0 || !at) {
    fputs(type, out);
    return;
  }
  const char *end = ++at;
  for (const char *c = at; (*c >= '0' && *c <= '9') || *c == '?' || *c == 'x'; c++)
    if (*c == 'x') end = c;
  if (end == at)
    fputs("scalar", out);
  else
    fprintf(out, "%.*s", (int)(end - at), at);
}

static void put_types(const json_t *types, FILE *out) {
  size_t i;
  json_t *type;
  json_array_foreach(types, i, type) {
    if (i > 0) fputs(", ", out);
    put_dims(json_string_value(type) ? json_string_value(type) : "", out);
  }
}

static void add_shapes(cli_table *table, const json_t *row) {
  line shapes;
  line_begin(&shapes);
  put_types(json_object_get(row, "inputs"), shapes.stream);
  fputs(" -> ", shapes.stream);
  put_types(json_object_get(row, "outputs"), shapes.stream);
  line_cell(&shapes, table);
}

static void put_value(const json_t *value, FILE *out) {
  size_t i;
  json_t *item;
  if (json_is_string(value)) {
    fputs(json_string_value(value), out);
  } else if (json_is_array(value)) {
    fputc('[', out);
    json_array_foreach(value, i, item) {
      if (i > 0) fputc(' ', out);
      put_value(item, out);
    }
    fputc(']', out);
  } else if (json_is_integer(value)) {
    fprintf(out, "%lld", (long long)json_integer_value(value));
  } else if (json_is_real(value)) {
    fprintf(out, "%.9g", json_real_value(value));
  } else {
    fputs(json_is_true(value) ? "yes" : "no", out);
  }
}

static void add_attributes(cli_table *table, const json_t *row) {
  line attributes;
  const char *key;
  json_t *value;
  bool any = false;
  line_begin(&attributes);
  json_object_foreach(json_object_get(row, "attributes"), key, value) {
    fprintf(attributes.stream, "%s%s=", any ? ", " : "", key);
    put_value(value, attributes.stream);
    any = true;
  }
  if (json_object_get(row, "in_float")) fprintf(attributes.stream, "%sin float", any ? ", " : "");
  line_cell(&attributes, table);
}

static bool any_unsupported(const json_t *rows) {
  size_t i;
  json_t *row;
  json_array_foreach(rows, i, row) if (json_object_get(row, "unsupported")) return true;
  return false;
}

static void add_bytes(cli_table *table, const json_t *row, const char *key) {
  cli_table_cell_if(table, json_object_get(row, key), "%lld", inspect_number(row, key));
}

static void print_operators(const json_t *report) {
  const json_t *rows = json_object_get(report, "operators");
  bool why = any_unsupported(rows), has_code = json_object_get(report, "object") != NULL;
  const cli_column columns[] = {{"#", 'r'},
                                {"op", 'l'},
                                {why ? "can't be compiled" : NULL, 's'},
                                {"shapes", 's'},
                                {"layout", 's'},
                                {"MMAC", 'r'},
                                {"kB", 'r'},
                                {"weights", 'r'},
                                {"ROM", 'r'},
                                {"RAM", 'r'},
                                {has_code ? "code" : NULL, 'r'},
                                {has_code ? "stack" : NULL, 'r'},
                                {"attributes", 's'},
                                {"tensor", 's'}};
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  size_t i;
  json_t *row;
  json_array_foreach(rows, i, row) {
    cli_table_label(&table, inspect_text(row, "location"));
    cli_table_cell(&table, "%s", inspect_text(row, "op"));
    if (why) cli_table_cell(&table, "%s", inspect_text(row, "unsupported"));
    add_shapes(&table, row);
    cli_table_cell(&table, "%s", inspect_text(row, "layout"));
    long long macs = inspect_number(row, "macs"), weights = inspect_number(row, "weight_bytes");
    cli_table_cell_if(&table, macs, "%.3f", 1e-6 * (double)macs);
    long long bytes = inspect_number(row, "bytes");
    cli_table_cell_if(&table, bytes, "%.1f", 1e-3 * (double)bytes);
    cli_table_cell_if(&table, weights, "%lld", weights);
    add_bytes(&table, row, "rom_bytes");
    add_bytes(&table, row, "ram_bytes");
    if (has_code) add_bytes(&table, row, "code_bytes");
    if (has_code) add_bytes(&table, row, "stack_bytes");
    add_attributes(&table, row);
    cli_table_tensor(&table, inspect_text(row, "location"));
  }
  cli_table_end(&table, stdout);
  putchar('\n');
}

/* ---- quantization ---- */

/* The storage type of "tensor<4x!quant.uniform<i8:f32, 0.5>>": i8. */
static void add_storage(cli_table *table, const json_t *row) {
  static const char before[] = "uniform<";
  const char *type = strstr(inspect_text(row, "type"), before);
  if (type) type += sizeof before - 1;
  cli_table_cell(table, "%.*s", type ? (int)strcspn(type, "<:") : 0, type ? type : "");
}

static void print_quantization(const json_t *report) {
  static const cli_column columns[] = {{"#", 'r'},          {"tensor", 'r'}, {"type", 'l'},
                                       {"scale", 'r'},      {"zero", 'r'},   {"range", 'l'},
                                       {"multiplier", 'r'}, {"shift", 'r'},  {"name", 's'}};
  const json_t *operators = json_object_get(report, "operators");
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  size_t i;
  json_t *q;
  json_array_foreach(json_object_get(report, "quantized"), i, q) {
    const json_t *row = json_array_get(operators, (size_t)inspect_number(q, "operator"));
    const json_t *m = json_object_get(row, "multiplier");
    bool fixed = json_object_get(m, "shift") != NULL;
    cli_table_label(&table, inspect_text(row, "location"));
    cli_table_cell(&table, "%lld", inspect_number(q, "tensor"));
    add_storage(&table, q);
    cli_table_cell(&table, "%.6g%s", inspect_real(q, "scale"),
                   inspect_number(q, "channels") > 1 ? " .." : "");
    cli_table_cell(&table, "%lld", inspect_number(q, "zero_point"));
    cli_table_cell(&table, "[%.4g, %.4g]", inspect_real(q, "min"), inspect_real(q, "max"));
    cli_table_cell_if(&table, m, "%.6g%s", inspect_real(m, "real"),
                      inspect_number(m, "channels") > 1 ? " .." : "");
    cli_table_cell_if(&table, fixed, "%lld", inspect_number(m, "shift"));
    cli_table_tensor(&table, inspect_text(row, "location"));
  }
  cli_table_end(&table, stdout);
}

static void print_signatures(const json_t *report) {
  const json_t *names = json_object_get(report, "signatures");
  size_t i;
  json_t *name;
  json_array_foreach(names, i, name)
      printf("%s %s", i ? "," : "signatures:", json_string_value(name));
  if (json_array_size(names) > 0) printf("\n");
}

static void print_sizes(const json_t *report) {
  size_t i;
  json_t *size;
  json_array_foreach(json_object_get(report, "sizes"), i, size)
      printf("size %s: ? in shapes, at most %lld, of which all numbers below are\n",
             inspect_text(size, "name"), inspect_number(size, "bound"));
}

/* What --arena-limit made run in bands of rows. */
static void print_bands(const json_t *report) {
  size_t i;
  json_t *note;
  json_array_foreach(json_object_get(report, "bands"), i, note) {
    char *text = cli_need(strdup(json_string_value(note)));
    qn_make_printable(text);
    printf("in bands: %s\n", text);
    free(text);
  }
}

void inspect_print(const json_t *report) {
  const json_t *totals = json_object_get(report, "totals");
  char *path = cli_need(strdup(inspect_text(report, "model")));
  qn_make_printable(path);
  printf("%s: %s stage, numerics %s\n", path, inspect_text(report, "stage"),
         inspect_text(report, "numerics"));
  free(path);
  print_signatures(report);
  print_sizes(report);
  printf("\n");
  print_tensors(report, "inputs", "input");
  print_tensors(report, "outputs", "output");
  print_operators(report);
  if (json_array_size(json_object_get(report, "quantized"))) print_quantization(report);
  printf("\n%lld operators, %.3f million multiply-accumulates, %.1f kB read and written, %lld "
         "bytes of weights\n",
         inspect_number(totals, "operators"), 1e-6 * (double)inspect_number(totals, "macs"),
         1e-3 * (double)inspect_number(totals, "bytes"), inspect_number(totals, "weight_bytes"));
  if (!json_is_true(json_object_get(report, "compilable"))) return;
  printf("arena of %lld bytes (RAM), ", inspect_number(totals, "arena_bytes"));
  if (inspect_number(totals, "state_bytes") > 0)
    printf("states of %lld bytes (RAM), ", inspect_number(totals, "state_bytes"));
  if (inspect_number(totals, "prepared_bytes") > 0)
    printf("prepared constants of %lld bytes (RAM), ", inspect_number(totals, "prepared_bytes"));
  printf("constants of %lld bytes (ROM), planned for %s\n", inspect_number(totals, "rom_bytes"),
         inspect_text(totals, "level"));
  print_bands(report);
}
