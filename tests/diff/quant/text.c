/* A case as MLIR type aliases.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "case.h"

static void put_grid(const quant_case *c, int dim, int64_t *at, qn_text *text) {
  if (dim >= c->rank || dim >= QUANT_MAX_RANK) {
    uint64_t bits;
    memcpy(&bits, &c->scales[*at], sizeof bits);
    qn_text_format(text, "0x%016llX:%lld", (unsigned long long)bits,
                   (long long)c->zero_points[*at]);
    (*at)++;
    return;
  }
  bool list = c->scheme == QN_SUB_CHANNEL || (c->scheme == QN_PER_AXIS && dim == c->axis);
  if (list) qn_text_puts(text, "{");
  for (int64_t i = 0; i < c->grid[dim]; i++) {
    if (i > 0) qn_text_puts(text, ", ");
    put_grid(c, dim + 1, at, text);
  }
  if (list) qn_text_puts(text, "}");
}

static void put_quant(const quant_case *c, unsigned number, qn_text *text) {
  qn_text_format(text, "!q%u = !quant.uniform<%c%d<%lld:%lld>:%s", number, c->is_signed ? 'i' : 'u',
                 c->width, (long long)c->min, (long long)c->max, quant_float_names[c->expressed]);
  if (c->scheme == QN_PER_AXIS) qn_text_format(text, ":%d", c->axis);
  if (c->scheme == QN_SUB_CHANNEL) {
    const char *separator = ":{";
    for (int i = 0; i < c->rank; i++) {
      if (c->blocks[i] == 0) continue;
      qn_text_format(text, "%s%d:%lld", separator, i, (long long)c->blocks[i]);
      separator = ", ";
    }
    qn_text_puts(text, separator[0] == ':' ? ":{}" : "}");
  }
  int64_t at = 0;
  qn_text_puts(text, ", ");
  put_grid(c, 0, &at, text);
  qn_text_puts(text, ">\n");
}

static void put_type(const quant_case *c, const char *alias, unsigned number, const char *element,
                     qn_text *text) {
  qn_text_format(text, "!%s%u = ", alias, number);
  if (c->kind == QUANT_SCALAR) {
    qn_text_format(text, "%s\n", element);
    return;
  }
  qn_text_puts(text, c->kind == QUANT_UNRANKED ? "tensor<*x" : "tensor<");
  for (int i = 0; c->kind != QUANT_UNRANKED && i < c->rank; i++) {
    if (c->dynamic[i])
      qn_text_puts(text, "?x");
    else
      qn_text_format(text, "%lldx", (long long)c->dims[i]);
  }
  qn_text_format(text, "%s>\n", element);
}

void quant_case_put_types(const quant_case *c, unsigned number, qn_text *text) {
  char quantized[24], integer[8];
  snprintf(quantized, sizeof quantized, "!q%u", number);
  snprintf(integer, sizeof integer, "i%d", c->width);
  put_quant(c, number, text);
  put_type(c, "stored", number, quantized, text);
  put_type(c, "integer", number, integer, text);
  put_type(c, "real", number, quant_float_names[c->expressed], text);
}
