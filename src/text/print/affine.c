/* Affine expressions, maps and sets in MLIR's spelling.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "text/printer.h"

static void print_expr(qn_printer *out, const qn_affine_expr *expr);

static void print_factor(qn_printer *out, const qn_affine_expr *expr) {
  bool leaf = expr->kind <= QN_AFFINE_SYMBOL;
  if (!leaf) qn_puts(out, "(");
  print_expr(out, expr);
  if (!leaf) qn_puts(out, ")");
}

/* The constant factor if `expr` is a product with a constant; else 0. */
static int64_t factor_of(const qn_affine_expr *expr) {
  bool scaled = expr->kind == QN_AFFINE_MUL && expr->rhs->kind == QN_AFFINE_CONST;
  return scaled ? expr->rhs->value : 0;
}

/* Prints a + b, or a - b if b is negative or a product with a negative constant. */
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

/* Prints word<(d0, d1)[s0] */
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

void qn_print_map(qn_printer *out, const qn_attr *attr) {
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
