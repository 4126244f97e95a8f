/* The vector dialect, and the quern ops on vectors: choices of lanes, and short expressions of
 * them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/c/c.h"
#include "codegen/lanes.h"

void qn_c_emit_broadcast(qn_c *c, const qn_op *op) {
  uint32_t count = qn_c_lanes_of(qn_op_result(op, 0)->type);
  qn_c_lane *lanes = qn_c_new_lanes(c, count);
  for (uint32_t i = 0; i < count; i++) lanes[i] = qn_c_operand(c, op, 0)->lanes[0];
  qn_c_bind(c, qn_op_result(op, 0), lanes, count);
}

void qn_c_emit_shuffle(qn_c *c, const qn_op *op) {
  const qn_c_value *a = qn_c_operand(c, op, 0), *b = qn_c_operand(c, op, 1);
  qn_i64s mask = qn_op_mask(op);
  qn_c_lane *lanes = qn_c_new_lanes(c, mask.count);
  for (uint32_t i = 0; i < mask.count; i++) {
    int64_t k = mask.data[i];
    /* An undefined lane may have any value. */
    lanes[i] = k < 0 ? a->lanes[0] : k < a->count ? a->lanes[k] : b->lanes[k - a->count];
  }
  qn_c_bind(c, qn_op_result(op, 0), lanes, mask.count);
}

void qn_c_emit_extract(qn_c *c, const qn_op *op) {
  int64_t k = qn_op_static_position(op).data[0];
  qn_c_bind(c, qn_op_result(op, 0), &qn_c_operand(c, op, 0)->lanes[k], 1);
}

/* ---- vector.bitcast ---- */

/* A lane as an unsigned integer, and the reverse. */
static qn_c_lane to_bits(qn_c *c, const qn_c_type *type, const qn_c_lane *lane) {
  if (!type->is_float) return *lane;
  return qn_c_atom(qn_c_format(c, "bits_of_f%u(%s)", type->bits, lane->text));
}
static qn_c_lane of_bits(qn_c *c, const qn_c_type *type, qn_c_lane lane) {
  if (!type->is_float) return lane;
  return qn_c_atom(qn_c_format(c, "f%u_of_bits(%s)", type->bits, lane.text));
}

static const char *unsigned_of(unsigned bits) { return qn_c_integer(bits)->name; }

/* Part k of a wider lane; the lowest bits are the first. */
static qn_c_lane part_of(qn_c *c, const qn_c_lane *wide, bool is_word, unsigned bits, uint32_t k) {
  if (wide->constant) {
    return qn_c_number(c, qn_c_integer(bits), wide->number >> (k * bits));
  }
  if (wide->parts && wide->part_bits == bits) return wide->parts[k];
  const char *in = qn_c_in(c, wide), *to = unsigned_of(bits);
  if (bits == 8 && qn_c_is_name(in) && is_word) return qn_c_byte_of(c, in, k);
  if (k == 0) return qn_c_atom(qn_c_format(c, "(%s)%s", to, in));
  return qn_c_atom(qn_c_format(c, "(%s)(%s >> %u)", to, in, k * bits));
}

qn_c_lane qn_c_join(qn_c *c, const qn_c_lane *parts, uint32_t count, unsigned bits, unsigned wide) {
  const char *text = "", *word = bits == 8 && wide == 32 ? qn_c_word_of(parts) : NULL;
  if (word) return qn_c_atom(word);
  uint64_t number = 0;
  bool constant = true;
  for (uint32_t k = 0; k < count; k++) {
    constant &= parts[k].constant;
    number |= ((uint64_t)parts[k].number & ((UINT64_C(1) << bits) - 1)) << (k * bits);
  }
  if (constant) return qn_c_number(c, qn_c_integer(wide), (int64_t)number);
  for (uint32_t k = 0; k < count; k++) {
    const char *part = qn_c_format(c, "(%s)%s", unsigned_of(wide), qn_c_in(c, &parts[k]));
    if (k > 0) part = qn_c_format(c, " | (%s << %u)", part, k * bits);
    text = qn_c_format(c, "%s%s", text, part);
  }
  qn_c_lane lane = qn_c_compound(text);
  lane.parts = parts;
  lane.part_bits = bits;
  return lane;
}

/* The parts of wide lanes are expressions, of which most uses take one. */
void qn_c_emit_bitcast(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0);
  const qn_c_value *from = qn_c_operand(c, op, 0);
  const qn_c_type *source = qn_c_type_of(c, qn_op_operand(op, 0)->type);
  const qn_c_type *type = qn_c_type_of(c, result->type);
  uint32_t count = qn_c_lanes_of(result->type);
  qn_c_lane *lanes = qn_c_new_lanes(c, count), *bits = qn_c_new_lanes(c, from->count);
  for (uint32_t i = 0; i < from->count; i++) bits[i] = to_bits(c, source, &from->lanes[i]);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t ratio = count > from->count ? count / from->count : from->count / count;
    if (count > from->count)
      lanes[i] = part_of(c, &bits[i / ratio], source->bits == 32, type->bits, i % ratio);
    else if (count < from->count)
      lanes[i] = qn_c_join(c, &bits[i * ratio], ratio, source->bits, type->bits);
    else
      lanes[i] = bits[i];
    lanes[i] = of_bits(c, type, lanes[i]);
  }
  qn_c_set(c, result, lanes);
}

/* ---- sums ---- */

void qn_c_emit_reduction(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0);
  const qn_c_type *type = qn_c_type_of(c, result->type);
  const qn_c_value *from = qn_c_operand(c, op, 0);
  qn_str kind = qn_op_find(op, QN_A_REDUCTION_KIND)->string;
  bool adds = qn_str_is(kind, "#vector.kind<add>");
  /* "#vector.kind<maxsi>": max or min, then signed or unsigned. */
  const char *name = adds ? "" : kind.data + strlen("#vector.kind<");
  qn_c_lane sum = from->lanes[0];
  for (uint32_t i = 1; i < from->count; i++) {
    if (adds)
      sum = qn_c_compound(qn_c_format(c, "%s + %s", sum.text, qn_c_in(c, &from->lanes[i])));
    else
      sum = qn_c_atom(qn_c_format(c, "%.3s_%c%u(%s, %s)", name, name[3], type->bits, sum.text,
                                  from->lanes[i].text));
  }
  if (adds && type->bits < 32) sum = qn_c_atom(qn_c_format(c, "(%s)(%s)", type->name, sum.text));
  qn_c_set(c, result, &sum);
}

/* The product of two signed or unsigned lanes, as a signed number of 32 bits. */
static const char *product(qn_c *c, const qn_c_lane *a, const char *a_type, const qn_c_lane *b,
                           const char *b_type) {
  return qn_c_format(c, "(int32_t)(%s)%s * (%s)%s", a_type, qn_c_in(c, a), b_type, qn_c_in(c, b));
}

/* Which lanes of a and b are the factors of product k of accumulator i. */
typedef uint32_t factor_fn(uint32_t each, uint32_t i, uint32_t k);
static uint32_t consecutive(uint32_t each, uint32_t i, uint32_t k) { return each * i + k; }
static uint32_t row(uint32_t each, uint32_t i, uint32_t k) {
  (void)each;
  return qn_cg_block_row(i, k);
}
static uint32_t column(uint32_t each, uint32_t i, uint32_t k) {
  (void)each;
  return qn_cg_block_column(i, k);
}

static void emit_sums(qn_c *c, const qn_op *op, uint32_t each, factor_fn *left, factor_fn *right) {
  const qn_value *result = qn_op_result(op, 0);
  const qn_c_value *acc = qn_c_operand(c, op, 0), *a = qn_c_operand(c, op, 1),
                   *b = qn_c_operand(c, op, 2);
  const qn_c_type *factor = qn_c_type_of(c, qn_op_operand(op, 1)->type);
  const char *a_type = qn_op_a_unsigned(op) ? factor->name : factor->of_signed;
  qn_c_lane *lanes = qn_c_new_lanes(c, acc->count);
  for (uint32_t i = 0; i < acc->count; i++) {
    const char *sum = qn_c_in(c, &acc->lanes[i]);
    for (uint32_t k = 0; k < each; k++)
      sum = qn_c_format(c, "%s + (uint32_t)(%s)", sum,
                        product(c, &a->lanes[left(each, i, k)], a_type,
                                &b->lanes[right(each, i, k)], factor->of_signed));
    lanes[i] = qn_c_compound(sum);
  }
  qn_c_set(c, result, lanes);
}

void qn_c_emit_dot(qn_c *c, const qn_op *op) {
  uint32_t each = qn_c_operand(c, op, 1)->count / qn_c_operand(c, op, 0)->count;
  if (qn_c_emit_pairs(c, op)) return;
  emit_sums(c, op, each, consecutive, consecutive);
}

void qn_c_emit_dot_blocks(qn_c *c, const qn_op *op) {
  emit_sums(c, op, QN_BLOCK_DEPTH, row, column);
}

void qn_c_emit_dot_joined(qn_c *c, const qn_op *op) {
  if (qn_c_emit_pairs(c, op)) return;
  const qn_c_value *acc = qn_c_operand(c, op, 0), *a = qn_c_operand(c, op, 1),
                   *b = qn_c_operand(c, op, 2);
  const qn_c_type *factor = qn_c_type_of(c, qn_op_operand(op, 1)->type);
  const char *a_type = qn_op_a_unsigned(op) ? factor->name : factor->of_signed;
  qn_c_lane *lanes = qn_c_new_lanes(c, acc->count);
  for (uint32_t i = 0; i < acc->count; i++) {
    const char *sum = qn_c_in(c, &acc->lanes[i]);
    for (uint32_t k = 0; k < QN_JOINED_DEPTH; k++) {
      const qn_c_lane *w = &b->lanes[qn_cg_joined_column(i, k)];
      const char *low = qn_c_in(c, w), *high = qn_c_in(c, w + 1);
      const char *y = i % 2 ? qn_c_format(c, "(int8_t)%s", low)
                            : qn_c_format(c, "((int8_t)%s * 256 + (uint8_t)%s)", high, low);
      sum = qn_c_format(c, "%s + (uint32_t)((int32_t)(%s)%s * %s)", sum, a_type,
                        qn_c_in(c, &a->lanes[QN_JOINED_DEPTH * i + k]), y);
    }
    lanes[i] = qn_c_compound(sum);
  }
  qn_c_set(c, qn_op_result(op, 0), lanes);
}

/* Pairs of products: a helper function, which may become an instruction of the target. */
void qn_c_emit_madd(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0);
  const qn_c_value *a = qn_c_operand(c, op, 0), *b = qn_c_operand(c, op, 1);
  const char *name = op->kind == QN_OP_QUERN_MADD_S16 ? "madd_s16" : "madd_u8s8";
  uint32_t count = qn_c_lanes_of(result->type);
  qn_c_lane *lanes = qn_c_new_lanes(c, count);
  for (uint32_t i = 0; i < count; i++) {
    const qn_c_lane *x = &a->lanes[2 * i], *y = &b->lanes[2 * i];
    lanes[i] = qn_c_atom(
        qn_c_format(c, "%s(%s, %s, %s, %s)", name, x[0].text, y[0].text, x[1].text, y[1].text));
  }
  qn_c_set(c, result, lanes);
}

void qn_c_emit_pack(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0);
  const qn_c_value *a = qn_c_operand(c, op, 0), *b = qn_c_operand(c, op, 1);
  const qn_c_type *wide = qn_c_type_of(c, qn_op_operand(op, 0)->type);
  const qn_c_type *type = qn_c_type_of(c, result->type);
  const char *to = qn_op_to_unsigned(op) ? "u" : "s";
  uint32_t count = qn_c_lanes_of(result->type);
  qn_c_lane *lanes = qn_c_new_lanes(c, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t k = qn_cg_pack_source(type->bits, count, i);
    const qn_c_lane *from = k < a->count ? &a->lanes[k] : &b->lanes[k - a->count];
    lanes[i] = qn_c_atom(
        qn_c_format(c, "saturate_%u_to_%s%u(%s)", wide->bits, to, type->bits, from->text));
  }
  qn_c_set(c, result, lanes);
}

/* The bytes that indices select, 16 by 16, are in an array. */
void qn_c_emit_byte_shuffle(qn_c *c, const qn_op *op) {
  enum { GROUP = 16 };
  const qn_c_value *bytes = qn_c_operand(c, op, 0), *index = qn_c_operand(c, op, 1);
  qn_c_lane *lanes = qn_c_new_lanes(c, bytes->count);
  uint32_t group = 0;
  for (uint32_t i = 0; i < bytes->count; i++) {
    if (i % GROUP == 0) {
      const char *list = bytes->lanes[i].text;
      for (uint32_t k = i + 1; k < i + GROUP && k < bytes->count; k++)
        list = qn_c_format(c, "%s, %s", list, bytes->lanes[k].text);
      group = c->variables++;
      qn_c_line_put(c, "const uint8_t v%u[%d] = {%s};", group, GROUP, list);
    }
    lanes[i] = qn_c_atom(qn_c_format(c, "pick_16(v%u, %s)", group, index->lanes[i].text));
  }
  qn_c_set(c, qn_op_result(op, 0), lanes);
}
