/* Attributes in MLIR's spelling. Inside of arrays the default types i64 and f64 are not written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "text/lexer.h"
#include "text/printer.h"

void qn_print_quoted(qn_printer *out, qn_str text) {
  qn_puts(out, "\"");
  for (size_t i = 0; i < text.size; i++) {
    unsigned char c = (unsigned char)text.data[i];
    if (c == '\\')
      qn_puts(out, "\\\\");
    else if (c < ' ' || c > '~' || c == '"')
      qn_text_format(out->out, "\\%02X", c);
    else
      qn_text_putc(out->out, (char)c);
  }
  qn_puts(out, "\"");
}

/* "a::@b" is @a::@b. */
void qn_print_symbol(qn_printer *out, qn_str path) {
  for (;;) {
    const char *next = path.size ? memmem(path.data, path.size, "::@", 3) : NULL;
    qn_str name = {path.data, next ? (size_t)(next - path.data) : path.size};
    qn_puts(out, "@");
    if (qn_is_bare_id(name))
      qn_put(out, name);
    else
      qn_print_quoted(out, name);
    if (!next) return;
    qn_puts(out, "::");
    path.data += name.size + 3;
    path.size -= name.size + 3;
  }
}

void qn_print_named_attr(qn_printer *out, qn_named_attr named) {
  if (qn_is_bare_id(named.name))
    qn_put(out, named.name);
  else
    qn_print_quoted(out, named.name);
  if (named.value->kind == QN_ATTR_UNIT) return;
  qn_puts(out, " = ");
  qn_print_attr(out, named.value);
}

void qn_print_int(qn_printer *out, int64_t value, const qn_type *type) {
  if (qn_type_is_unsigned(type))
    qn_print_uint(out, (uint64_t)value);
  else
    qn_print_i64(out, value);
}

static void print_number(qn_printer *out, const qn_attr *attr, bool in_array) {
  bool is_float = attr->kind == QN_ATTR_FLOAT;
  size_t start = out->out->size;
  if (is_float)
    qn_text_print_float(attr->number, attr->type->float_kind, out->out);
  else
    qn_print_int(out, attr->integer, attr->type);
  bool is_default = is_float
                        ? qn_type_is_float(attr->type, QN_F64)
                        : qn_type_is_int(attr->type, 64) && attr->type->integer.sign == QN_SIGNLESS;
  bool pattern = is_float && out->out->data[start + 1] == 'x'; /* would be read as an integer */
  if (in_array && is_default && !pattern) return;
  qn_puts(out, " : ");
  qn_print_type(out, attr->type);
}

static void print_dense_array(qn_printer *out, const qn_attr *attr) {
  qn_puts(out, "array<");
  qn_print_type(out, attr->type);
  for (uint32_t i = 0; i < attr->dense_array.count; i++) {
    qn_puts(out, i ? ", " : ": ");
    if (attr->dense_array.numbers)
      qn_text_print_float(attr->dense_array.numbers[i], attr->type->float_kind, out->out);
    else if (qn_type_is_int(attr->type, 1))
      qn_puts(out, attr->dense_array.ints[i] ? "true" : "false");
    else
      qn_print_int(out, attr->dense_array.ints[i], attr->type);
  }
  qn_puts(out, ">");
}

/* ---- affine maps ---- */

static void print_expr(qn_printer *out, const qn_affine_expr *expr);

static void print_factor(qn_printer *out, const qn_affine_expr *expr) {
  bool leaf = expr->kind <= QN_AFFINE_SYMBOL;
  if (!leaf) qn_puts(out, "(");
  print_expr(out, expr);
  if (!leaf) qn_puts(out, ")");
}

/* The factor when `expr` is something times a constant; 0 when it is not. */
static int64_t factor_of(const qn_affine_expr *expr) {
  bool scaled = expr->kind == QN_AFFINE_MUL && expr->rhs->kind == QN_AFFINE_CONST;
  return scaled ? expr->rhs->value : 0;
}

/* a + b, or a - b where b is negative or something times a negative number */
static void print_sum(qn_printer *out, const qn_affine_expr *expr) {
  const qn_affine_expr *rhs = expr->rhs;
  int64_t factor = factor_of(rhs);
  print_expr(out, expr->lhs);
  if (rhs->kind == QN_AFFINE_CONST && rhs->value < 0 && rhs->value != INT64_MIN) {
    qn_text_format(out->out, " - %" PRId64, -rhs->value);
  } else if (factor == -1) {
    qn_puts(out, " - ");
    if (rhs->lhs->kind == QN_AFFINE_ADD)
      print_factor(out, rhs->lhs);
    else
      print_expr(out, rhs->lhs);
  } else if (factor < 0 && factor != INT64_MIN) {
    qn_puts(out, " - ");
    print_factor(out, rhs->lhs);
    qn_text_format(out->out, " * %" PRId64, -factor);
  } else {
    qn_puts(out, " + ");
    print_expr(out, rhs);
  }
}

static void print_expr(qn_printer *out, const qn_affine_expr *expr) {
  static const char *const words[] = {[QN_AFFINE_MUL] = " * ",
                                      [QN_AFFINE_FLOORDIV] = " floordiv ",
                                      [QN_AFFINE_CEILDIV] = " ceildiv ",
                                      [QN_AFFINE_MOD] = " mod "};
  switch (expr->kind) {
  case QN_AFFINE_CONST:
    qn_text_format(out->out, "%" PRId64, expr->value);
    return;
  case QN_AFFINE_DIM:
    qn_text_format(out->out, "d%" PRId64, expr->value);
    return;
  case QN_AFFINE_SYMBOL:
    qn_text_format(out->out, "s%" PRId64, expr->value);
    return;
  case QN_AFFINE_ADD:
    print_sum(out, expr);
    return;
  default:
    break;
  }
  if (factor_of(expr) == -1) {
    qn_puts(out, "-");
    print_factor(out, expr->lhs);
    return;
  }
  print_factor(out, expr->lhs);
  qn_puts(out, words[expr->kind]);
  print_factor(out, expr->rhs);
}

static void print_variables(qn_printer *out, char letter, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    qn_comma(out, i);
    qn_text_format(out->out, "%c%" PRIu32, letter, i);
  }
}

/* word<(d0, d1)[s0] */
static void print_domain(qn_printer *out, const char *word, const qn_affine_map *map) {
  qn_text_format(out->out, "%s<(", word);
  print_variables(out, 'd', map->dims);
  qn_puts(out, ")");
  if (map->symbols == 0) return;
  qn_puts(out, "[");
  print_variables(out, 's', map->symbols);
  qn_puts(out, "]");
}

void qn_text_print_affine_set(const qn_affine_map *constraints, const bool *equal, qn_text *out) {
  qn_printer printer;
  qn_printer_init(&printer, NULL, out);
  print_domain(&printer, "affine_set", constraints);
  qn_puts(&printer, " : (");
  for (uint32_t i = 0; i < constraints->result_count; i++) {
    qn_comma(&printer, i);
    print_expr(&printer, constraints->results[i]);
    qn_puts(&printer, equal[i] ? " == 0" : " >= 0");
  }
  qn_puts(&printer, ")>");
  qn_printer_deinit(&printer);
}

static void print_map(qn_printer *out, const qn_affine_map *map) {
  print_domain(out, "affine_map", map);
  qn_puts(out, " -> (");
  for (uint32_t i = 0; i < map->result_count; i++) {
    qn_comma(out, i);
    print_expr(out, map->results[i]);
  }
  qn_puts(out, ")>");
}

static void print_map_or_alias(qn_printer *out, const qn_attr *attr) {
  if (out->aliases)
    qn_print_alias(out, &out->maps, "#map", attr);
  else
    print_map(out, attr->map);
}

void qn_print_map_aliases(qn_printer *out) {
  for (size_t i = 0; i < out->maps.items.count; i++) {
    const qn_attr *attr = out->maps.items.data[i];
    qn_print_alias(out, &out->maps, "#map", attr);
    qn_puts(out, " = ");
    print_map(out, attr->map);
    qn_puts(out, "\n");
  }
}

/* ---- dispatch ---- */

static void print(qn_printer *out, const qn_attr *attr, bool in_array) {
  switch (attr->kind) {
  case QN_ATTR_UNIT:
    qn_puts(out, "unit");
    return;
  case QN_ATTR_BOOL:
    qn_puts(out, attr->boolean ? "true" : "false");
    return;
  case QN_ATTR_INTEGER:
  case QN_ATTR_FLOAT:
    print_number(out, attr, in_array);
    return;
  case QN_ATTR_STRING:
    qn_print_quoted(out, attr->string);
    return;
  case QN_ATTR_TYPE:
    qn_print_type(out, attr->type);
    return;
  case QN_ATTR_SYMBOL:
    qn_print_symbol(out, attr->string);
    return;
  case QN_ATTR_DENSE_ARRAY:
    print_dense_array(out, attr);
    return;
  case QN_ATTR_OPAQUE:
    qn_put(out, attr->string);
    return;
  case QN_ATTR_AFFINE_MAP:
    print_map_or_alias(out, attr);
    return;
  case QN_ATTR_ARRAY:
    qn_puts(out, "[");
    for (uint32_t i = 0; i < attr->array.count; i++) {
      qn_comma(out, i);
      print(out, attr->array.items[i], true);
    }
    qn_puts(out, "]");
    return;
  case QN_ATTR_DICT:
    qn_puts(out, "{");
    for (uint32_t i = 0; i < attr->dict.count; i++) {
      qn_comma(out, i);
      qn_print_named_attr(out, attr->dict.items[i]);
    }
    qn_puts(out, "}");
    return;
  case QN_ATTR_DENSE:
  case QN_ATTR_RESOURCE:
  case QN_ATTR_ELIDED:
    qn_print_elements(out, attr);
    qn_puts(out, " : ");
    qn_print_type(out, attr->type);
    return;
  }
}

void qn_print_attr(qn_printer *out, const qn_attr *attr) { print(out, attr, false); }

void qn_print_attr_untyped(qn_printer *out, const qn_attr *attr) {
  if (qn_attr_is_shaped(attr))
    qn_print_elements(out, attr);
  else
    qn_print_attr(out, attr);
}
