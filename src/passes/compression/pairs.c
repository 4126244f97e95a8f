/* Reads the ranges of an option, and inserts pairs of quantize and dequantize.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/compression/pairs.h"

#include <float.h>
#include <math.h>

#include "base/map.h"
#include "ir/entry/port.h"
#include "text/number.h"

typedef struct range {
  double low, high; /* range that the type must represent; contains 0 */
} range;

struct qn_pairing {
  qn_map ranges;    /* index of a tensor + 1 -> range */
  qn_map arguments; /* argument of the function -> range */
  qn_map pairs;     /* value -> dequantized value; the value itself if it gets no pair */
  bool symmetric, is_signed;
};

/* ---- ranges ---- */

static bool read_real(qn_str text, double *out_value) {
  bool negative = text.size && text.data[0] == '-', digit = false;
  if (negative) text.data++, text.size--;
  for (size_t i = 0; i < text.size; i++) {
    char c = text.data[i];
    bool sign = (c == '+' || c == '-') && i > 0 && (text.data[i - 1] | 0x20) == 'e';
    bool mark = digit && (c == '.' || (c | 0x20) == 'e');
    if (!(c >= '0' && c <= '9') && !sign && !mark) return false;
    digit |= c >= '0' && c <= '9';
  }
  if (!digit) return false;
  double value = qn_number_read_double(text);
  *out_value = negative ? -value : value;
  return isfinite(value);
}

static bool split(qn_str text, char at, qn_str *out_before, qn_str *out_behind) {
  const char *found = text.size ? memchr(text.data, at, text.size) : NULL;
  if (!found) return false;
  size_t size = (size_t)(found - text.data);
  *out_before = (qn_str){text.data, size};
  *out_behind = (qn_str){found + 1, text.size - size - 1};
  return true;
}

/* Reads INDEX=LOW:HIGH. A range that f32 can't represent is an error. */
static bool read_range(qn_pass_context *pc, qn_pairing *p, qn_str item) {
  qn_str number, rest, low, high;
  uint64_t tensor;
  range r;
  if (!split(item, '=', &number, &rest) || !split(rest, ':', &low, &high) || !number.size ||
      memchr(number.data, 'x', number.size) || strspn(number.data, "0123456789") < number.size ||
      !qn_number_read_uint(number, &tensor) || tensor >= INT32_MAX || !read_real(low, &r.low) ||
      !read_real(high, &r.high) || !(r.low <= r.high) ||
      fmax(fabs(r.low), fabs(r.high)) > (double)FLT_MAX / 2)
    return false;
  range *kept = QN_NEW(pc->scratch, range);
  *kept = (range){fmin(r.low, 0), fmax(r.high, 0)};
  qn_map_set(&p->ranges, (const void *)(uintptr_t)(tensor + 1), kept);
  return true;
}

static qn_status read_ranges(qn_pass_context *pc, qn_pairing *p) {
  qn_str list = qn_str_of(qn_pass_string(pc, "ranges")), item;
  while (qn_str_next(&list, &item))
    if (!read_range(pc, p, item))
      return qn_error(&pc->cx->diag, pc->root->loc, QN_INVALID,
                      "'%.*s' is not NUMBER=LOW:HIGH, the range of a tensor", QN_STR_ARG(item));
  return QN_OK;
}

static range *numbered(const qn_pairing *p, int64_t tensor) {
  return tensor < 0 ? NULL : qn_map_get(&p->ranges, (const void *)(uintptr_t)(tensor + 1));
}

static qn_status find_arguments(qn_pass_context *pc, qn_pairing *p) {
  const qn_block *body = qn_op_body(pc->root);
  for (uint32_t i = 0; body && i < body->arg_count; i++) {
    qn_port port;
    QN_TRY(qn_port_read(pc->cx, pc->root, QN_SIDE_ARGUMENTS, i, &port));
    range *r = numbered(p, port.index);
    if (r) qn_map_set(&p->arguments, body->args[i], r);
  }
  return QN_OK;
}

static const range *range_of(const qn_pairing *p, const qn_value *value) {
  if (!value->op) return qn_map_get(&p->arguments, value);
  qn_i64s tensors = qn_op_tensors(value->op);
  uint32_t index = (uint32_t)(value - value->op->results);
  return index < tensors.count ? numbered(p, tensors.data[index]) : NULL;
}

/* ---- pairs ---- */

static const qn_type *stored_type(const qn_rewriter *rw, const range *r, const qn_type *type) {
  const qn_pairing *p = rw->state;
  int64_t min = p->is_signed ? -128 : 0, max = min + 255, middle = min + 128, zero_point = middle;
  QN_ASSERT(r->low <= 0 && r->high >= 0);
  double span = p->symmetric ? 2 * fmax(-r->low, r->high) : r->high - r->low;
  double scale = span > 0 ? (double)(float)(span / (p->symmetric ? 254 : 255)) : 1;
  if (!(scale >= (double)FLT_MIN)) return NULL;
  if (!p->symmetric && span > 0)
    zero_point =
        (int64_t)fmin(fmax(nearbyint((double)min - r->low / scale), (double)min), (double)max);
  qn_quant_uniform q = {.scheme = QN_PER_LAYER,
                        .is_signed = p->is_signed,
                        .storage = qn_type_i(rw->cx, 8),
                        .expressed = qn_type_element(type),
                        .min = min,
                        .max = max,
                        .count = 1,
                        .scales = &scale,
                        .zero_points = &zero_point};
  return qn_type_with_element(rw->cx, type, qn_type_uniform(rw->cx, &q));
}

static bool is_quantized_already(const qn_value *value) {
  for (const qn_use *use = value->first_use; use; use = use->next)
    if (use->owner->kind == QN_OP_QUANT_QCAST) return true;
  return value->op && value->op->kind == QN_OP_QUANT_DCAST;
}

qn_value *qn_pair_behind(qn_rewriter *rw, qn_value *value) {
  qn_pairing *p = rw->state;
  qn_value *made = qn_map_get(&p->pairs, value);
  if (made) return made == value ? NULL : made;
  const range *r = range_of(p, value);
  if (!r || !qn_ml_holds(value->type) || qn_value_literal(value) ||
      !qn_type_is_float(qn_type_element(value->type), QN_F32))
    return NULL;
  const qn_type *type = is_quantized_already(value) ? NULL : stored_type(rw, r, value->type);
  if (!type) {
    qn_map_set(&p->pairs, value, value);
    return NULL;
  }
  qn_builder b = value->op ? qn_builder_after(rw->module, value->op)
                           : (qn_builder){rw->module, rw->cx, value->block, value->block->first,
                                          value->loc ? value->loc : rw->pc->root->loc};
  qn_value *stored = qn_build_unary(&b, QN_OP_QUANT_QCAST, value, type);
  made = qn_build_unary(&b, QN_OP_QUANT_DCAST, stored, value->type);
  qn_map_set(&p->pairs, value, made);
  return made;
}

/* ---- passes ---- */

const qn_option_spec qn_pair_options[] = {
    {"ranges", QN_OPTION_STRING, "", "NUMBER=LOW:HIGH of tensors of the model, commas between"},
    {"mode", QN_OPTION_CHOICE, "linear_symmetric|linear", "whether the stored 0 is the middle"},
    {"dtype", QN_OPTION_CHOICE, "int8|uint8", "what is stored"},
    {NULL, 0, NULL, NULL},
};

qn_status qn_put_pairs(qn_pass_context *pc, const qn_pattern *patterns, uint32_t count) {
  qn_pairing p = {.symmetric = strcmp(qn_pass_string(pc, "mode"), "linear_symmetric") == 0,
                  .is_signed = strcmp(qn_pass_string(pc, "dtype"), "int8") == 0};
  qn_status status = read_ranges(pc, &p);
  if (status == QN_OK) status = find_arguments(pc, &p);
  if (status == QN_OK)
    status = qn_rewrite_greedily(pc, pc->root, patterns, count, &(qn_greedy_options){.state = &p});
  qn_map_deinit(&p.ranges);
  qn_map_deinit(&p.arguments);
  qn_map_deinit(&p.pairs);
  return status;
}
