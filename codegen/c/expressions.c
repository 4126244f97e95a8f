/* Elementwise ops: a table of templates, one expression per lane.
 *
 * In a template, {k} is operand k, in parentheses if it is not an atom; {rk} is the bare
 * expression, for an argument; {sk} is the signed value; {U} and {S} are the result's type and its
 * signed type; {w} is the width of operand 0. An operand is evaluated once, because it may hold
 * other expressions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/c/c.h"
#include "ir/ops/forms.h"

enum {
  ATOM = 1,  /* the expression is an atom */
  WRAPS = 2, /* the result of 8 or 16 bits is converted, because C computes with int */
  BOOLS = 4, /* also for i1 */
};

typedef struct template {
  const char *text;
  const char *narrow; /* for results of 8 and 16 bits, if different */
  unsigned flags;
}
template;

static const template by_kind[QN_OP_COUNT] = {
    [QN_OP_ARITH_ADDI] = {"{0} + {1}", NULL, WRAPS},
    [QN_OP_ARITH_SUBI] = {"{0} - {1}", NULL, WRAPS},
    [QN_OP_ARITH_MULI] = {"{0} * {1}", "(uint32_t){0} * {1}", WRAPS},
    [QN_OP_ARITH_DIVSI] = {"({U})({s0} / {s1})", NULL, ATOM},
    [QN_OP_ARITH_DIVUI] = {"{0} / {1}", NULL, 0},
    [QN_OP_ARITH_REMSI] = {"({U})({s0} % {s1})", NULL, ATOM},
    [QN_OP_ARITH_REMUI] = {"{0} % {1}", NULL, 0},
    [QN_OP_ARITH_FLOORDIVSI] = {"floor_div_s{w}({r0}, {r1})", NULL, ATOM},
    [QN_OP_ARITH_CEILDIVSI] = {"ceil_div_s{w}({r0}, {r1})", NULL, ATOM},
    [QN_OP_ARITH_ANDI] = {"{0} & {1}", NULL, BOOLS},
    [QN_OP_ARITH_ORI] = {"{0} | {1}", NULL, BOOLS},
    [QN_OP_ARITH_XORI] = {"{0} ^ {1}", NULL, BOOLS},
    [QN_OP_ARITH_SHLI] = {"{0} << {1}", "(uint32_t){0} << {1}", WRAPS},
    [QN_OP_ARITH_SHRSI] = {"shift_right_s{w}({r0}, {r1})", NULL, ATOM},
    [QN_OP_ARITH_SHRUI] = {"{0} >> {1}", NULL, 0},
    [QN_OP_ARITH_MAXSI] = {"max_s{w}({r0}, {r1})", NULL, ATOM},
    [QN_OP_ARITH_MINSI] = {"min_s{w}({r0}, {r1})", NULL, ATOM},
    [QN_OP_ARITH_MAXUI] = {"max_u{w}({r0}, {r1})", NULL, ATOM},
    [QN_OP_ARITH_MINUI] = {"min_u{w}({r0}, {r1})", NULL, ATOM},
    [QN_OP_ARITH_SELECT] = {"{0} ? {1} : {2}", NULL, BOOLS},
    [QN_OP_ARITH_EXTUI] = {"({U}){0}", NULL, ATOM | BOOLS},
    [QN_OP_ARITH_SITOFP] = {"({U}){s0}", NULL, ATOM},
    [QN_OP_ARITH_UITOFP] = {"({U}){0}", NULL, ATOM | BOOLS},
    [QN_OP_ARITH_FPTOSI] = {"({U})({S}){0}", NULL, ATOM},
    [QN_OP_ARITH_FPTOUI] = {"({U}){0}", NULL, ATOM},
    [QN_OP_ARITH_EXTF] = {"({U}){0}", NULL, ATOM},
    [QN_OP_ARITH_TRUNCF] = {"({U}){0}", NULL, ATOM},
    [QN_OP_ARITH_ADDF] = {"{0} + {1}", NULL, 0},
    [QN_OP_ARITH_SUBF] = {"{0} - {1}", NULL, 0},
    [QN_OP_ARITH_MULF] = {"{0} * {1}", NULL, 0},
    [QN_OP_ARITH_DIVF] = {"{0} / {1}", NULL, 0},
    [QN_OP_ARITH_NEGF] = {"-{0}", NULL, 0},
    [QN_OP_ARITH_MAXIMUMF] = {"maximum_f{w}({r0}, {r1})", NULL, ATOM},
    [QN_OP_ARITH_MINIMUMF] = {"minimum_f{w}({r0}, {r1})", NULL, ATOM},
    [QN_OP_ARITH_MAXNUMF] = {"max_number_f{w}({r0}, {r1})", NULL, ATOM},
    [QN_OP_ARITH_MINNUMF] = {"min_number_f{w}({r0}, {r1})", NULL, ATOM},
    [QN_OP_MATH_ABSI] = {"abs_s{w}({r0})", NULL, ATOM},
    [QN_OP_MATH_CTLZ] = {"leading_zeros_{w}({r0})", NULL, ATOM},
    [QN_OP_MATH_ABSF] = {"abs_f{w}({r0})", NULL, ATOM},
    [QN_OP_MATH_ROUNDEVEN] = {"round_even_f{w}({r0})", NULL, ATOM},
    [QN_OP_MATH_FLOOR] = {"floor_f{w}({r0})", NULL, ATOM},
    [QN_OP_MATH_CEIL] = {"ceil_f{w}({r0})", NULL, ATOM},
    [QN_OP_MATH_TRUNC] = {"trunc_f{w}({r0})", NULL, ATOM},
    [QN_OP_MATH_ROUND] = {"round_f{w}({r0})", NULL, ATOM},
    [QN_OP_QUERN_OPAQUE] = {"{0}", NULL, ATOM},
    [QN_OP_QUERN_ROUND_TO_INT] = {"({U})(int32_t)round_even_f32({r0})", NULL, ATOM},
    [QN_OP_QUERN_RESCALE] = {"rescale_s32({r0}, {r1}, {r2})", NULL, ATOM},
};

/* Indexed by MLIR's predicate numbers. */
static const template integer_comparisons[] = {
    {"{0} == {1}", NULL, BOOLS}, {"{0} != {1}", NULL, BOOLS}, {"{s0} < {s1}", NULL, 0},
    {"{s0} <= {s1}", NULL, 0},   {"{s0} > {s1}", NULL, 0},    {"{s0} >= {s1}", NULL, 0},
    {"{0} < {1}", NULL, BOOLS},  {"{0} <= {1}", NULL, BOOLS}, {"{0} > {1}", NULL, BOOLS},
    {"{0} >= {1}", NULL, BOOLS},
};
static const template float_comparisons[] = {
    {"false", NULL, ATOM},
    {"{0} == {1}", NULL, 0},
    {"{0} > {1}", NULL, 0},
    {"{0} >= {1}", NULL, 0},
    {"{0} < {1}", NULL, 0},
    {"{0} <= {1}", NULL, 0},
    {"differ_f{w}({r0}, {r1})", NULL, ATOM},
    {"!unordered_f{w}({r0}, {r1})", NULL, ATOM},
    {"!differ_f{w}({r0}, {r1})", NULL, ATOM},
    {"!({0} <= {1})", NULL, ATOM},
    {"!({0} < {1})", NULL, ATOM},
    {"!({0} >= {1})", NULL, ATOM},
    {"!({0} > {1})", NULL, ATOM},
    {"{0} != {1}", NULL, 0},
    {"unordered_f{w}({r0}, {r1})", NULL, ATOM},
    {"true", NULL, ATOM},
};

/* ---- the template of an op ---- */

static const template same = {"{0}", NULL, BOOLS};
static const template extended = {"({U}){s0}", NULL, ATOM};
static const template extended_bool = {"({U})(0 - {0})", NULL, ATOM | BOOLS};
static const template truncated = {"({U}){0}", NULL, ATOM};
static const template truncated_to_bool = {"({0} & 1) != 0", NULL, 0};
static const template zero_extended = {"({U}){0}", NULL, ATOM};

static unsigned bits_of(const qn_type *type, unsigned index_bits) {
  const qn_type *element = qn_type_element(type);
  if (element->kind == QN_TYPE_INDEX) return index_bits;
  if (element->kind == QN_TYPE_FLOAT) return element->float_kind == QN_F64 ? 64 : 32;
  return element->integer.width;
}

static const template *cast(unsigned from, unsigned to, const template *widened) {
  if (from == to) return &same;
  if (to == 1) return &truncated_to_bool;
  return to < from ? &truncated : from == 1 ? &extended_bool : widened;
}

static const template *bit_cast(const qn_op *op, unsigned bits) {
  static const template rows[2][2] = {
      {{"bits_of_f32({r0})", NULL, ATOM}, {"f32_of_bits({r0})", NULL, ATOM}},
      {{"bits_of_f64({r0})", NULL, ATOM}, {"f64_of_bits({r0})", NULL, ATOM}}};
  bool from = qn_type_element(qn_op_operand(op, 0)->type)->kind == QN_TYPE_FLOAT;
  bool to = qn_type_element(qn_op_result(op, 0)->type)->kind == QN_TYPE_FLOAT;
  return from == to ? &same : &rows[bits == 64][to];
}

static const template *template_of(const qn_op *op, unsigned index_bits) {
  if (op->operand_count == 0 || op->result_count != 1) return NULL;
  unsigned from = bits_of(qn_op_operand(op, 0)->type, index_bits);
  unsigned to = bits_of(qn_op_result(op, 0)->type, index_bits);
  switch (op->kind) {
  case QN_OP_ARITH_EXTSI:
  case QN_OP_ARITH_TRUNCI:
  case QN_OP_ARITH_INDEX_CAST:
    return cast(from, to, &extended);
  case QN_OP_ARITH_INDEX_CASTUI:
    return cast(from, to, &zero_extended);
  case QN_OP_ARITH_BITCAST:
    return bit_cast(op, from);
  case QN_OP_ARITH_CMPI:
    return &integer_comparisons[qn_op_predicate(op)];
  case QN_OP_ARITH_CMPF:
    return &float_comparisons[qn_op_predicate(op)];
  default:
    return by_kind[op->kind].text ? &by_kind[op->kind] : NULL;
  }
}

bool qn_c_has_expression(const qn_op *op) {
  enum { ANY_INDEX = 64 };
  const template *t = template_of(op, ANY_INDEX);
  if (!t) return false;
  for (uint32_t i = op->kind == QN_OP_ARITH_SELECT; i < op->operand_count; i++)
    if (bits_of(qn_op_operand(op, i)->type, ANY_INDEX) == 1 && !(t->flags & BOOLS)) return false;
  return true;
}

/* ---- expansion ---- */

static const char *signed_text(qn_c *c, const qn_op *op, uint32_t k, const qn_c_lane *lane) {
  const qn_c_type *type = qn_c_type_of(c, qn_op_operand(op, k)->type);
  if (lane->constant && lane->number == INT64_MIN) return "INT64_MIN";
  if (lane->constant)
    return qn_c_format(c, type->bits == 64 ? "%lldll" : "%lld", (long long)lane->number);
  return qn_c_format(c, "(%s)%s", type->of_signed, qn_c_in(c, lane));
}

/* The lane of operand k that belongs to lane `i` of the result. A condition may be one for all. */
static const qn_c_lane *lane_of(qn_c *c, const qn_op *op, uint32_t k, uint32_t i) {
  const qn_c_value *value = qn_c_operand(c, op, k);
  QN_ASSERT(value->count == 1 || i < value->count);
  return &value->lanes[value->count == 1 ? 0 : i];
}

static void put_field(qn_c *c, const qn_op *op, uint32_t i, const char *field, qn_text *out) {
  const qn_c_type *result = qn_c_type_of(c, qn_op_result(op, 0)->type);
  bool is_number = field[0] >= '0' && field[0] <= '9';
  uint32_t k = (uint32_t)(is_number ? field[0] - '0' : field[1] - '0');
  if (field[0] == 'U')
    qn_text_puts(out, result->name);
  else if (field[0] == 'S')
    qn_text_puts(out, result->of_signed);
  else if (field[0] == 'w')
    qn_text_format(out, "%u", qn_c_type_of(c, qn_op_operand(op, 0)->type)->bits);
  else if (is_number)
    qn_text_puts(out, qn_c_in(c, lane_of(c, op, k, i)));
  else if (field[0] == 'r')
    qn_text_puts(out, lane_of(c, op, k, i)->text);
  else
    qn_text_puts(out, signed_text(c, op, k, lane_of(c, op, k, i)));
}

static qn_c_lane expand(qn_c *c, const qn_op *op, uint32_t i, const char *text, unsigned flags,
                        bool narrow) {
  qn_text out = {0};
  bool wraps = narrow && (flags & WRAPS);
  if (wraps) qn_text_format(&out, "(%s)(", qn_c_type_of(c, qn_op_result(op, 0)->type)->name);
  for (; *text; text++) {
    if (*text != '{') {
      qn_text_putc(&out, *text);
      continue;
    }
    put_field(c, op, i, text + 1, &out);
    text = strchr(text, '}');
  }
  if (wraps) qn_text_putc(&out, ')');
  qn_c_lane lane = {.text = qn_c_format(c, "%s", out.data), .atom = wraps || (flags & ATOM)};
  qn_text_deinit(&out);
  return lane;
}

/* The number that an integer lane becomes by a cast; false if it is not constant. */
static bool cast_constant(qn_c *c, const qn_op *op, const qn_c_lane *lane, int64_t *out_number) {
  bool is_unsigned = op->kind == QN_OP_ARITH_EXTUI || op->kind == QN_OP_ARITH_INDEX_CASTUI;
  bool casts = is_unsigned || op->kind == QN_OP_ARITH_EXTSI || op->kind == QN_OP_ARITH_TRUNCI ||
               op->kind == QN_OP_ARITH_INDEX_CAST;
  if (!lane->constant || !casts) return false;
  unsigned bits = qn_c_type_of(c, qn_op_operand(op, 0)->type)->bits;
  uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  *out_number = is_unsigned ? (int64_t)((uint64_t)lane->number & mask) : lane->number;
  return true;
}

static qn_c_lane lane_by(qn_c *c, const qn_op *op, uint32_t i, const template *t) {
  const qn_c_type *type = qn_c_type_of(c, qn_op_result(op, 0)->type);
  bool narrow = !type->is_float && (type->bits == 8 || type->bits == 16);
  int64_t number;
  if (cast_constant(c, op, lane_of(c, op, 0, i), &number)) return qn_c_number(c, type, number);
  return expand(c, op, i, narrow && t->narrow ? t->narrow : t->text, t->flags, narrow);
}

void qn_c_emit_expression(qn_c *c, const qn_op *op) {
  const template *t = template_of(op, c->index_bits);
  const qn_type *type = qn_op_result(op, 0)->type;
  uint32_t count = qn_c_lanes_of(type);
  if (t == &same) {
    qn_c_bind(c, qn_op_result(op, 0), qn_c_operand(c, op, 0)->lanes, count);
    return;
  }
  qn_c_lane *lanes = qn_c_new_lanes(c, count);
  for (uint32_t i = 0; i < count; i++) lanes[i] = lane_by(c, op, i, t);
  qn_c_set(c, qn_op_result(op, 0), lanes);
}

/* Adds a negative constant as a difference, for readers. */
void qn_c_emit_addi(qn_c *c, const qn_op *op) {
  const qn_type *type = qn_op_result(op, 0)->type;
  const qn_c_type *result = qn_c_type_of(c, type);
  const qn_c_lane *right = &qn_c_operand(c, op, 1)->lanes[0];
  bool negative = right->constant && right->number < 0 && right->number > INT32_MIN;
  if (type->kind == QN_TYPE_VECTOR || result->bits < 32 || !negative) {
    qn_c_emit_expression(c, op);
    return;
  }
  const char *left = qn_c_in(c, &qn_c_operand(c, op, 0)->lanes[0]);
  const char *text = qn_c_format(c, "%s - %lld%s", left, (long long)-right->number, result->suffix);
  qn_c_lane lane = qn_c_compound(text);
  qn_c_set(c, qn_op_result(op, 0), &lane);
}

/* ---- constants ---- */

static qn_c_lane constant_lane(qn_c *c, const qn_c_type *type, const qn_attr *value, int64_t i) {
  if (value->kind == QN_ATTR_BOOL) return qn_c_number(c, type, value->boolean);
  if (value->kind == QN_ATTR_INTEGER) return qn_c_number(c, type, value->integer);
  if (value->kind == QN_ATTR_FLOAT) return qn_c_real(c, type, value->number);
  if (value->dense.splat) i = 0;
  return type->is_float ? qn_c_real(c, type, qn_dense_float(value, i))
                        : qn_c_number(c, type, qn_dense_int(value, i));
}

void qn_c_emit_constant(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0);
  const qn_attr *value = qn_op_find(op, QN_A_VALUE);
  uint32_t count = qn_c_lanes_of(result->type);
  qn_c_lane *lanes = qn_c_new_lanes(c, count);
  for (uint32_t i = 0; i < count; i++)
    lanes[i] = constant_lane(c, qn_c_type_of(c, result->type), value, i);
  qn_c_bind(c, result, lanes, count);
}
