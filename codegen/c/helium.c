/* Ops on vectors that have registers, at levels with Helium, each as a call of a helper function,
 * which is one instruction or a few (helium_helpers.c). Ops that multiply, widen or narrow
 * alternate lanes are recognized with the shuffles that select the lanes: Helium has an instruction
 * for both together. All other ops on vectors are on lanes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/c/c.h"
#include "codegen/rescale.h"
#include "ir/ops/forms.h"

enum { BYTE_BITS = 8, WORD_BITS = 32, MAX_REGISTERS = 64 };

typedef bool emit_fn(qn_c *c, const qn_op *op);

static uint32_t count_of(const qn_c *c, const qn_value *value) {
  uint32_t count = qn_c_registers_of(c, value->type);
  return count <= MAX_REGISTERS ? count : 0;
}

static const char *suffix_of(const qn_value *value) {
  return qn_c_register_suffix(qn_c_lane_bits(value->type));
}

/* The number of which all lanes of a constant are. */
static bool is_splat(const qn_value *value, int64_t *out_number) {
  const qn_attr *constant = qn_value_constant(value);
  if (!constant || !qn_attr_is_elements(constant) || !constant->dense.splat) return false;
  *out_number = qn_dense_int(constant, 0);
  return true;
}

static bool is_splat_of(const qn_value *value, int64_t number) {
  int64_t own;
  return is_splat(value, &own) && own == number;
}

/* ---- elementwise ---- */

static const char *const names[QN_OP_COUNT] = {[QN_OP_ARITH_ADDI] = "add",
                                               [QN_OP_ARITH_SUBI] = "sub",
                                               [QN_OP_ARITH_MULI] = "mul",
                                               [QN_OP_ARITH_ANDI] = "and",
                                               [QN_OP_ARITH_ORI] = "or",
                                               [QN_OP_ARITH_XORI] = "xor",
                                               [QN_OP_ARITH_MAXSI] = "max",
                                               [QN_OP_ARITH_MINSI] = "min",
                                               [QN_OP_ARITH_MAXUI] = "max_unsigned",
                                               [QN_OP_ARITH_MINUI] = "min_unsigned",
                                               [QN_OP_ARITH_SHLI] = "shift_left",
                                               [QN_OP_ARITH_SHRSI] = "shift_right",
                                               [QN_OP_ARITH_SHRUI] = "shift_right_unsigned"};

static bool binary(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0);
  const char *const *a = qn_c_registers(c, qn_op_operand(op, 0)),
                    *const *b = qn_c_registers(c, qn_op_operand(op, 1)), *texts[MAX_REGISTERS];
  for (uint32_t i = 0; i < count_of(c, result); i++)
    texts[i] = qn_c_format(c, "%s_%s(%s, %s)", names[op->kind], suffix_of(result), a[i], b[i]);
  qn_c_set_registers(c, result, texts);
  return true;
}

/* Shifts by a constant; others are on lanes. */
static bool shift(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0);
  const char *const *a, *texts[MAX_REGISTERS];
  int64_t by;
  if (!is_splat(qn_op_operand(op, 1), &by)) return false;
  if (by <= 0 || by >= qn_c_lane_bits(result->type)) return false;
  a = qn_c_registers(c, qn_op_operand(op, 0));
  for (uint32_t i = 0; i < count_of(c, result); i++)
    texts[i] =
        qn_c_format(c, "%s_%s(%s, %lld)", names[op->kind], suffix_of(result), a[i], (long long)by);
  qn_c_set_registers(c, result, texts);
  return true;
}

/* ---- comparisons: what reads the bits of the lanes has registers of 0 and 1 ---- */

/* The comparison of registers that makes a value in the same block; NULL if it is none. */
static const qn_op *comparison_of(const qn_c *c, const qn_op *user, uint32_t operand) {
  enum { SIGNED_LESS = 2, SIGNED_AT_LEAST = 5 };
  const qn_op *op = qn_op_operand(user, operand)->op;
  if (!op || op->kind != QN_OP_ARITH_CMPI || op->block != user->block) return NULL;
  bool ordered = qn_op_predicate(op) >= SIGNED_LESS && qn_op_predicate(op) <= SIGNED_AT_LEAST;
  const qn_type *type = qn_op_operand(op, 0)->type;
  bool words = qn_c_registers_of(c, type) > 0 && qn_c_lane_bits(type) == WORD_BITS;
  return ordered && words && count_of(c, qn_op_operand(op, 0)) > 0 ? op : NULL;
}

static const char *compare(qn_c *c, const qn_op *op, uint32_t i) {
  static const struct {
    const char *name;
    uint32_t first; /* operand */
  } rows[] = {{"greater", 1}, {"at_least", 1}, {"greater", 0}, {"at_least", 0}};
  uint32_t row = (uint32_t)qn_op_predicate(op) - 2, first = rows[row].first;
  const char *const *a = qn_c_registers(c, qn_op_operand(op, first));
  const char *const *b = qn_c_registers(c, qn_op_operand(op, 1 - first));
  return qn_c_format(c, "%s_32x4(%s, %s)", rows[row].name, a[i], b[i]);
}

static bool extend_bits(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0);
  const qn_op *bits = comparison_of(c, op, 0);
  const char *texts[MAX_REGISTERS];
  if (!bits || qn_c_lane_bits(result->type) != WORD_BITS) return false;
  for (uint32_t i = 0; i < count_of(c, result); i++) texts[i] = compare(c, bits, i);
  qn_c_set_registers(c, result, texts);
  return true;
}

static bool choose(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0);
  const qn_op *bits = comparison_of(c, op, 0);
  const char *texts[MAX_REGISTERS];
  if (!bits || qn_c_lane_bits(result->type) != WORD_BITS) return false;
  const char *const *a = qn_c_registers(c, qn_op_operand(op, 1));
  const char *const *b = qn_c_registers(c, qn_op_operand(op, 2));
  for (uint32_t i = 0; i < count_of(c, result); i++)
    texts[i] = qn_c_format(c, "select_32x4(%s, %s, %s)", compare(c, bits, i), a[i], b[i]);
  qn_c_set_registers(c, result, texts);
  return true;
}

/* ---- alternate lanes ---- */

/* Whether lane i of a shuffle is lane 2 * i + `first` of its first operand. */
static bool takes_alternate(const qn_op *op, int64_t first) {
  qn_i64s mask = qn_op_mask(op);
  for (uint32_t i = 0; i < mask.count; i++)
    if (mask.data[i] != 2 * (int64_t)i + first) return false;
  return mask.count * 2 == qn_c_lanes_of(qn_op_operand(op, 0)->type);
}

/* The register whose even or odd lanes a value is, as a shuffle of `user`'s block makes it. */
static const char *alternate(qn_c *c, const qn_op *user, const qn_value *value, bool *out_odd) {
  const qn_op *op = value->op;
  if (!op || op->kind != QN_OP_VECTOR_SHUFFLE || op->block != user->block) return NULL;
  if (count_of(c, qn_op_operand(op, 0)) != 1) return NULL;
  *out_odd = takes_alternate(op, 1);
  if (!*out_odd && !takes_alternate(op, 0)) return NULL;
  return qn_c_registers(c, qn_op_operand(op, 0))[0];
}

static bool extend(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0), *from = qn_op_operand(op, 0);
  const qn_c_value *loaded = &c->values[from->id];
  unsigned bits = qn_c_lane_bits(result->type);
  bool odd;
  if (loaded->widened && loaded->widened_bits == bits) {
    c->values[result->id] = (qn_c_value){.count = loaded->count, .registers = loaded->widened};
    return true;
  }
  if (qn_c_lane_bits(from->type) * 2 != bits) return false;
  const char *lanes = alternate(c, op, from, &odd);
  if (!lanes) return false;
  const char *text =
      qn_c_format(c, "%s_%s(%s)", odd ? "odd" : "even", qn_c_register_suffix(bits / 2), lanes);
  qn_c_set_registers(c, result, &text);
  return true;
}

/* The register whose even or odd lanes are extended to a factor. */
static const char *factor(qn_c *c, const qn_op *op, uint32_t i, bool *out_odd) {
  const qn_op *from = qn_op_operand(op, i)->op;
  if (!from || from->kind != QN_OP_ARITH_EXTSI || from->block != op->block) return NULL;
  if (qn_c_lane_bits(qn_op_operand(from, 0)->type) != BYTE_BITS) return NULL;
  return alternate(c, from, qn_op_operand(from, 0), out_odd);
}

/* Products of extended alternate bytes; others are elementwise. */
static bool multiply(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0);
  bool odd[2] = {false, false};
  if (qn_c_lane_bits(result->type) != 2 * BYTE_BITS) return binary(c, op);
  const char *a = factor(c, op, 0, &odd[0]), *b = a ? factor(c, op, 1, &odd[1]) : NULL;
  if (!b || odd[0] != odd[1]) return binary(c, op);
  const char *text = qn_c_format(c, "product_%s_8x16(%s, %s)", odd[0] ? "odd" : "even", a, b);
  qn_c_set_registers(c, result, &text);
  return true;
}

/* The value that is clamped to integers of `bits`, from which `narrow` is cast; NULL if it is not.
 */
static const qn_value *clamped(const qn_value *narrow, unsigned bits) {
  const qn_op *cast = narrow->op;
  if (!cast || cast->kind != QN_OP_VECTOR_BITCAST) return NULL;
  const qn_op *least = qn_op_operand(cast, 0)->op;
  if (!least || least->kind != QN_OP_ARITH_MINSI) return NULL;
  const qn_op *most = qn_op_operand(least, 0)->op;
  if (!most || most->kind != QN_OP_ARITH_MAXSI || most->block != cast->block) return NULL;
  int64_t limit = INT64_C(1) << (bits - 1);
  bool is = qn_c_lane_bits(qn_op_operand(most, 0)->type) == 2 * bits &&
            is_splat_of(qn_op_operand(least, 1), limit - 1) &&
            is_splat_of(qn_op_operand(most, 1), -limit);
  return is ? qn_op_operand(most, 0) : NULL;
}

/* Even lanes of two registers, alternately; of clamped values, the clamped lanes of twice the
 * width.
 */
static bool interleave(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0), *a = qn_op_operand(op, 0),
                 *b = qn_op_operand(op, 1);
  unsigned bits = qn_c_lane_bits(result->type);
  qn_i64s mask = qn_op_mask(op);
  if (count_of(c, result) != 1 || count_of(c, a) != 1 || count_of(c, b) != 1) return false;
  if (bits == WORD_BITS) return false;
  for (uint32_t i = 0; i < mask.count; i++)
    if (mask.data[i] != (i % 2 == 0 ? i : mask.count + i - 1)) return false;
  const qn_value *wide_a = clamped(a, bits), *wide_b = clamped(b, bits);
  bool clamps = wide_a && wide_b && wide_a->op && wide_a->op->block == op->block && wide_b->op &&
                wide_b->op->block == op->block;
  const char *name = clamps ? "narrow" : "interleave_even";
  const char *first = qn_c_registers(c, clamps ? wide_a : a)[0],
             *second = qn_c_registers(c, clamps ? wide_b : b)[0];
  const char *text = qn_c_format(c, "%s_%s(%s, %s)", name,
                                 qn_c_register_suffix(clamps ? 2 * bits : bits), first, second);
  qn_c_set_registers(c, result, &text);
  return true;
}

/* ---- other ops on vectors ---- */

static bool broadcast(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0);
  const char *texts[MAX_REGISTERS];
  qn_c_emit_broadcast(c, op); /* shuffles read single lanes */
  const qn_c_lane *lane = c->values[result->id].lanes;
  for (uint32_t i = 0; i < count_of(c, result); i++)
    texts[i] = qn_c_format(c, "splat_%s(%s)", suffix_of(result), lane->text);
  c->values[result->id].registers =
      qn_c_name_registers(c, qn_c_lane_bits(result->type), texts, count_of(c, result));
  return true;
}

static bool bitcast(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0), *from = qn_op_operand(op, 0);
  const char *const *a, *texts[MAX_REGISTERS];
  if (count_of(c, from) == 0 || qn_c_lane_bits(from->type) == qn_c_lane_bits(result->type))
    return false;
  a = qn_c_registers(c, from);
  for (uint32_t i = 0; i < count_of(c, result); i++)
    texts[i] = qn_c_format(c, "as_%s_from_%s(%s)", suffix_of(result), suffix_of(from), a[i]);
  qn_c_set_registers(c, result, texts);
  return true;
}

static bool rescale(qn_c *c, const qn_op *op) {
  enum { TOP = 24 };
  const qn_value *result = qn_op_result(op, 0), *by = qn_op_operand(op, 2);
  const char *name = qn_cg_is_rectified(result) ? "rescale_half_up" : "rescale";
  /* The helper reads the lowest byte of the shift. */
  if (by->op && by->op->kind == QN_OP_ARITH_SHRSI && is_splat_of(qn_op_operand(by->op, 1), TOP)) {
    const qn_op *top = qn_op_operand(by->op, 0)->op;
    bool extends = top && top->kind == QN_OP_ARITH_SHLI && is_splat_of(qn_op_operand(top, 1), TOP);
    if (extends) by = qn_op_operand(top, 0);
  }
  const char *const *x = qn_c_registers(c, qn_op_operand(op, 0)),
                    *const *mantissa = qn_c_registers(c, qn_op_operand(op, 1)),
                    *const *shift_by = qn_c_registers(c, by), *texts[MAX_REGISTERS];
  for (uint32_t i = 0; i < count_of(c, result); i++)
    texts[i] = qn_c_format(c, "%s_32x4(%s, %s, %s)", name, x[i], mantissa[i], shift_by[i]);
  qn_c_set_registers(c, result, texts);
  return true;
}

static bool multiply_pairs(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0);
  const char *const *a = qn_c_registers(c, qn_op_operand(op, 0)),
                    *const *b = qn_c_registers(c, qn_op_operand(op, 1)), *texts[MAX_REGISTERS];
  for (uint32_t i = 0; i < count_of(c, result); i++)
    texts[i] = qn_c_format(c, "sum_pairs_16x8(%s, %s)", a[i], b[i]);
  qn_c_set_registers(c, result, texts);
  return true;
}

/* Products across a register; the sums are scalars. Each is computed where the op is: later, more
 * registers would be needed at once. */
static bool dot(qn_c *c, const qn_op *op) {
  const qn_value *a = qn_op_operand(op, 1), *b = qn_op_operand(op, 2);
  const qn_c_value *sums = qn_c_operand(c, op, 0);
  bool across = qn_c_lane_bits(a->type) == BYTE_BITS && !qn_op_a_unsigned(op) &&
                count_of(c, a) == sums->count;
  if (!across) return false;
  const char *const *x = qn_c_registers(c, a), *const *w = qn_c_registers(c, b);
  qn_c_lane *lanes = qn_c_new_lanes(c, sums->count);
  for (uint32_t i = 0; i < sums->count; i++) {
    const qn_c_lane *sum = &sums->lanes[i];
    bool first = sum->constant && sum->number == 0;
    const char *text = first ? qn_c_format(c, "dot_8x16(%s, %s)", x[i], w[i])
                             : qn_c_format(c, "dot_add_8x16(%s, %s, %s)", sum->text, x[i], w[i]);
    lanes[i] = qn_c_declare(c, 'v', "uint32_t", text);
  }
  qn_c_bind(c, qn_op_result(op, 0), lanes, sums->count);
  qn_c_join_results(c, op);
  return true;
}

/* ---- memory ---- */

/* The width to which every user of loaded bytes extends them by their sign; 0 if one does not. */
static unsigned widened_bits(const qn_c *c, const qn_value *bytes) {
  unsigned bits = 0;
  if (bytes->type->kind != QN_TYPE_VECTOR ||
      !qn_type_is_int(qn_type_element(bytes->type), BYTE_BITS))
    return 0;
  for (const qn_use *use = bytes->first_use; use; use = use->next) {
    const qn_op *user = use->owner;
    if (user->kind != QN_OP_ARITH_EXTSI || count_of(c, qn_op_result(user, 0)) == 0) return 0;
    unsigned own = qn_c_lane_bits(qn_op_result(user, 0)->type);
    if (bits != 0 && own != bits) return 0;
    bits = own;
  }
  return bits;
}

static const char *address(qn_c *c, const qn_op *op, uint32_t buffer, uint32_t lane) {
  const qn_c_lane *index = &qn_c_operand(c, op, buffer + 1)->lanes[0];
  return qn_c_format(c, "%s, %s", qn_c_operand(c, op, buffer)->lanes[0].text,
                     qn_c_index(c, index, lane));
}

static bool load(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0);
  unsigned wide = widened_bits(c, result);
  uint32_t count = count_of(c, result), lanes = qn_c_lanes_of(result->type);
  const char *texts[MAX_REGISTERS];
  if (wide == 0 && count == 0) return false;
  unsigned bits = wide ? wide : qn_c_lane_bits(result->type);
  uint32_t each = QN_C_REGISTER_BITS / bits;
  for (uint32_t i = 0; i < lanes / each; i++)
    texts[i] = qn_c_format(c, "load_%s%s(%s)", wide ? "8_as_" : "", qn_c_register_suffix(bits),
                           address(c, op, 0, i * each));
  const char *const *registers = qn_c_name_registers(c, bits, texts, lanes / each);
  c->values[result->id] =
      wide ? (qn_c_value){.count = lanes, .widened = registers, .widened_bits = wide}
           : (qn_c_value){.count = lanes, .registers = registers};
  return true;
}

/* The value whose lanes are truncated to the bytes that are stored; NULL if there is none. */
static const qn_value *truncated(const qn_c *c, const qn_op *store) {
  const qn_op *op = qn_op_operand(store, 0)->op;
  if (!op || op->kind != QN_OP_ARITH_TRUNCI || op->block != store->block) return NULL;
  if (qn_c_lane_bits(qn_op_result(op, 0)->type) != BYTE_BITS) return NULL;
  return count_of(c, qn_op_operand(op, 0)) > 0 ? qn_op_operand(op, 0) : NULL;
}

static bool store(qn_c *c, const qn_op *op) {
  const qn_value *stored = qn_op_operand(op, 0);
  if (stored->type->kind != QN_TYPE_VECTOR) return false;
  const qn_value *wide = truncated(c, op), *from = wide ? wide : stored;
  if (count_of(c, from) == 0) return false;
  const char *const *registers = qn_c_registers(c, from);
  uint32_t each = QN_C_REGISTER_BITS / qn_c_lane_bits(from->type);
  for (uint32_t i = 0; i < count_of(c, from); i++)
    qn_c_line_put(c, "store_%s%s(%s, %s);", wide ? "8_of_" : "", suffix_of(from),
                  address(c, op, 1, i * each), registers[i]);
  return true;
}

/* ---- the table ---- */

static emit_fn *const on_results[QN_OP_COUNT] = {
    [QN_OP_ARITH_ADDI] = binary,
    [QN_OP_ARITH_SUBI] = binary,
    [QN_OP_ARITH_MULI] = multiply,
    [QN_OP_ARITH_ANDI] = binary,
    [QN_OP_ARITH_ORI] = binary,
    [QN_OP_ARITH_XORI] = binary,
    [QN_OP_ARITH_MAXSI] = binary,
    [QN_OP_ARITH_MINSI] = binary,
    [QN_OP_ARITH_MAXUI] = binary,
    [QN_OP_ARITH_MINUI] = binary,
    [QN_OP_ARITH_SHLI] = shift,
    [QN_OP_ARITH_SHRSI] = shift,
    [QN_OP_ARITH_SHRUI] = shift,
    [QN_OP_ARITH_EXTSI] = extend,
    [QN_OP_ARITH_EXTUI] = extend_bits,
    [QN_OP_ARITH_SELECT] = choose,
    [QN_OP_VECTOR_BROADCAST] = broadcast,
    [QN_OP_VECTOR_BITCAST] = bitcast,
    [QN_OP_VECTOR_SHUFFLE] = interleave,
    [QN_OP_QUERN_RESCALE] = rescale,
    [QN_OP_QUERN_MADD_S16] = multiply_pairs,
};

/* Ops whose result has no registers, or that have none. */
static emit_fn *const on_operands[QN_OP_COUNT] = {
    [QN_OP_QUERN_DOT] = dot,
    [QN_OP_VECTOR_LOAD] = load,
    [QN_OP_VECTOR_STORE] = store,
};

bool qn_c_emit_in_registers(qn_c *c, const qn_op *op) {
  if (!c->source->level->across) return false;
  if (on_operands[op->kind]) return on_operands[op->kind](c, op);
  if (!on_results[op->kind]) return false;
  return count_of(c, qn_op_result(op, 0)) > 0 && on_results[op->kind](c, op);
}
