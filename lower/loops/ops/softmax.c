/* Softmax over the last axis in fixed point. Tables computed at compile time with the functions of
 * runtime/fixed.h hold, for each of the 256 differences from the row's maximum, the exponential and
 * its term of the sum. The kernel finds the maximum, sums the terms, computes the reciprocal of the
 * sum with the same integer operations, and scales every exponential. In long rows it scales the
 * exponentials of all differences once, and elements look them up. Targets that keep constants
 * small compute the terms of short rows from the exponentials, and the exponentials of few elements
 * without a table.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/nest.h"
#include "lower/loops/ops/fixed_scalars.h"
#include "lower/loops/products.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"
#include "runtime/fixed.h"

enum {
  TABLE_SIZE = 256,
  LONG_ROW = 64,     /* longer rows amortize the table of results */
  FEW_ELEMENTS = 64, /* a table of exponentials has more bytes than the code that computes them */
  NARROW_ROW = 8191, /* rows of terms up to 2^19 whose sum fits in 32 bits */
  PLANES = 3,        /* byte planes of a term */
  TERM_SHIFT = 12,   /* of an exponential to its term (qn_softmax_term) */
};

typedef struct softmax {
  int64_t rows, row;
  bool is_unsigned;
  int64_t bits;       /* bits of the result */
  int64_t zero_point; /* stored value of 0, which is the minimum */
  bool by_planes;     /* terms are looked up in byte planes; if not, one element at a time */
  bool computes;      /* terms are computed from the exponentials and have no table */
  bool has_no_table;  /* exponentials are computed, too */
  const qn_softmax_params *params;
  /* in the kernel */
  qn_value *base;     /* first element of the row */
  qn_value *largest;  /* maximum of the row, as a byte */
  qn_value *maximum;  /* maximum of the row, as i32 */
  qn_value *results;  /* [difference] results; NULL: elements are scaled one by one */
  qn_value *computed; /* [element of the row] exponentials; NULL: they are in the table */
} softmax;

/* Arguments of the kernel. */
enum { ARG_X, ARG_Y, ARG_EXPONENTIALS, ARG_TERMS, ARG_COUNT = ARG_TERMS + PLANES };

/* ---- tables, by maximum - x ---- */

static void fill_tables(const qn_softmax_params *p, int32_t *exponentials, int32_t *terms) {
  for (int32_t i = 0; i < TABLE_SIZE; i++) {
    bool contributes = -i >= p->diff_min;
    exponentials[i] = contributes ? qn_softmax_exp(-i, p->input.mantissa, p->input.shift) : 0;
    terms[i] = contributes ? (int32_t)qn_softmax_term(exponentials[i]) : 0;
  }
}

/* ---- the kernel ---- */

static qn_value *load(qn_builder *b, qn_value *memref, qn_value *index, const qn_type *element) {
  return qn_build_1(b, QN_OP_MEMREF_LOAD, element, QN_VALUES(memref, index), NULL);
}

static qn_value *to_i32(qn_builder *b, const softmax *s, qn_value *byte) {
  return qn_build_unary(b, s->is_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, byte,
                        qn_type_i(b->cx, 32));
}

/* maximum - x[base + i] */
static qn_value *difference(qn_kernel *k, const softmax *s, qn_value *i) {
  qn_builder *b = &k->b;
  qn_value *x = load(b, k->args[ARG_X], qn_nest_add(b, s->base, i), qn_type_i(b->cx, 8));
  return qn_build_binary(b, QN_OP_ARITH_SUBI, s->maximum, to_i32(b, s, x));
}

/* The entry of a table for element i of the row. */
static qn_value *entry(qn_kernel *k, const softmax *s, qn_value *table, qn_value *i) {
  qn_builder *b = &k->b;
  qn_value *at = difference(k, s, i);
  at = qn_build_unary(b, QN_OP_ARITH_INDEX_CAST, at, qn_type_index(b->cx));
  return load(b, table, at, qn_type_i(b->cx, 32));
}

/* The maximum of the row: vectors that may overlap, then across lanes. */
static qn_value *row_maximum(qn_kernel *k, const softmax *s) {
  qn_builder *b = &k->b;
  qn_op_kind larger = s->is_unsigned ? QN_OP_ARITH_MAXUI : QN_OP_ARITH_MAXSI;
  int64_t lanes = k->lo->target->vector_bytes;
  while (lanes > s->row) lanes /= 2;
  qn_value *x = k->args[ARG_X], *acc = qn_vec_load(b, x, s->base, 0, lanes);
  int64_t whole = s->row / lanes * lanes;
  if (whole > lanes) {
    qn_carry loop = qn_carry_begin(b, lanes, whole, lanes, &acc, 1);
    qn_value *next = qn_vec_load(b, x, qn_nest_add(b, s->base, loop.index), 0, lanes);
    acc = qn_build_binary(b, larger, acc, next);
    qn_carry_end(b, &loop);
  }
  if (whole < s->row)
    acc = qn_build_binary(b, larger, acc, qn_vec_load(b, x, s->base, s->row - lanes, lanes));
  return qn_vec_reduce(b, s->is_unsigned ? "maxui" : "maxsi", acc);
}

/* maximum - x[base + i ...] as byte lanes. */
static qn_value *differences(qn_kernel *k, const softmax *s, qn_value *i, int64_t lanes) {
  qn_builder *b = &k->b;
  qn_value *x = qn_vec_load(b, k->args[ARG_X], qn_nest_add(b, s->base, i), 0, lanes);
  qn_value *maximum = qn_vec_broadcast(b, s->largest, lanes);
  return qn_build_binary(b, QN_OP_ARITH_SUBI, maximum, x);
}

static qn_value *look_up(qn_kernel *k, qn_value *table, qn_value *indices) {
  return qn_build_1(&k->b, QN_OP_QUERN_LOOKUP, indices->type, QN_VALUES(table, indices), NULL);
}

/* Adds each byte plane of the terms of `diff` to its sum; the first `skipped` lanes are not added.
 */
static void add_planes(qn_kernel *k, qn_value *diff, int64_t skipped, qn_value **sums) {
  qn_builder *b = &k->b;
  int64_t lanes = qn_vec_count(diff), mask[QN_VEC_MAX_BYTES];
  qn_value *ones = qn_build_int(b, 1, diff->type), *none = qn_build_int(b, 0, diff->type);
  for (int64_t i = 0; i < lanes; i++) mask[i] = i < skipped ? lanes + i : i;
  for (int p = 0; p < PLANES; p++) {
    qn_value *bytes = look_up(k, k->args[ARG_TERMS + p], diff);
    if (skipped > 0) bytes = qn_vec_shuffle(b, bytes, none, mask, lanes);
    sums[p] = qn_products_in_lanes(b, sums[p], bytes, ones, true);
  }
}

/* The row sum, combined from the sums of byte planes. The last vector ends at the end of the row.
 */
static qn_value *row_sum_by_planes(qn_kernel *k, const softmax *s) {
  qn_builder *b = &k->b;
  int64_t lanes = k->lo->target->vector_bytes, whole = s->row / lanes * lanes;
  const qn_type *type = qn_type_vec(b->cx, qn_type_i(b->cx, 32), lanes / 4);
  qn_value *sums[PLANES];
  for (int p = 0; p < PLANES; p++) sums[p] = qn_build_int(b, 0, type);
  qn_carry loop = qn_carry_begin(b, 0, whole, lanes, sums, PLANES);
  add_planes(k, differences(k, s, loop.index, lanes), 0, sums);
  qn_carry_end(b, &loop);
  if (whole < s->row) {
    qn_value *last = differences(k, s, qn_build_index(b, s->row - lanes), lanes);
    add_planes(k, last, lanes - (s->row - whole), sums);
  }
  qn_value *sum = qn_vec_reduce(b, "add", sums[0]);
  for (int p = 1; p < PLANES; p++) {
    qn_value *part = qn_vec_reduce(b, "add", sums[p]);
    part = qn_build_binary(b, QN_OP_ARITH_SHLI, part, qn_scalar_i32(b, 8 * p));
    sum = qn_build_binary(b, QN_OP_ARITH_ADDI, sum, part);
  }
  return sum;
}

/* The exponential of element i of the row, computed and kept for when it is scaled. */
static qn_value *compute(qn_kernel *k, const softmax *s, qn_value *i) {
  qn_builder *b = &k->b;
  qn_value *e = qn_scalar_softmax_exp(b, difference(k, s, i), s->params);
  qn_build_0(b, QN_OP_MEMREF_STORE, QN_VALUES(e, s->computed, i), NULL);
  return e;
}

/* The term of element i of the row. Computed: qn_softmax_term, whose ties go up, because
 * exponentials are not negative. */
static qn_value *term_of(qn_kernel *k, const softmax *s, qn_value *i) {
  qn_builder *b = &k->b;
  if (!s->computes) return entry(k, s, k->args[ARG_TERMS], i);
  qn_value *term = s->computed ? compute(k, s, i) : entry(k, s, k->args[ARG_EXPONENTIALS], i);
  qn_value *half = qn_scalar_i32(b, 1 << (TERM_SHIFT - 1)), *shift = qn_scalar_i32(b, TERM_SHIFT);
  term = qn_build_binary(b, QN_OP_ARITH_ADDI, term, half);
  return qn_build_binary(b, QN_OP_ARITH_SHRUI, term, shift);
}

/* The row sum as unsigned i32. Larger sums become UINT32_MAX, which scales everything to 0, as all
 * sums of that size do. */
static qn_value *row_sum(qn_kernel *k, const softmax *s) {
  qn_builder *b = &k->b;
  bool wide = s->row > NARROW_ROW;
  const qn_type *i32 = qn_type_i(b->cx, 32), *sum_type = wide ? qn_type_i(b->cx, 64) : i32;
  qn_value *sum = qn_build_int(b, 0, sum_type);
  qn_carry loop = qn_carry_begin(b, 0, s->row, 1, &sum, 1);
  qn_value *term = term_of(k, s, loop.index);
  if (wide) term = qn_build_unary(b, QN_OP_ARITH_EXTSI, term, sum_type);
  sum = qn_build_binary(b, QN_OP_ARITH_ADDI, sum, term);
  qn_carry_end(b, &loop);
  if (!wide) return sum;
  qn_value *most = qn_build_int(b, UINT32_MAX, sum_type);
  return qn_build_unary(b, QN_OP_ARITH_TRUNCI, qn_build_binary(b, QN_OP_ARITH_MINUI, sum, most),
                        i32);
}

/* Factors that scale the exponentials of a row, i32. */
typedef struct scale {
  qn_value *reciprocal, *shift, *half; /* half: rounding constant */
} scale;

/* The scale from the reciprocal of the fraction and a shift of at least 15. For shifts beyond 31,
 * qn_softmax_scale returns 0. */
static scale scale_of(qn_builder *b, qn_value *reciprocal, qn_value *shift) {
  enum { MOST = 31 };
  qn_value *vanishes = qn_build_cmpi(b, QN_CMP_SGT, shift, qn_scalar_i32(b, MOST));
  reciprocal = qn_build_select(b, vanishes, qn_scalar_i32(b, 0), reciprocal);
  shift = qn_build_binary(b, QN_OP_ARITH_MINSI, shift, qn_scalar_i32(b, MOST));
  qn_value *one = qn_scalar_i32(b, 1);
  qn_value *below = qn_build_binary(b, QN_OP_ARITH_SUBI, shift, one);
  return (scale){reciprocal, shift, qn_build_binary(b, QN_OP_ARITH_SHLI, one, below)};
}

/* clamp(exponential * reciprocal / 2^shift + zero point), scalar or lanes. All values are
 * non-negative before the zero point, and sums are below 2^32. */
static qn_value *scaled(qn_kernel *k, const softmax *s, const scale *by, qn_value *e) {
  qn_builder *b = &k->b;
  qn_value *factors[] = {by->reciprocal, by->shift, by->half};
  for (size_t i = 0; i < QN_COUNT(factors); i++)
    if (e->type->kind == QN_TYPE_VECTOR)
      factors[i] = qn_vec_broadcast(b, factors[i], qn_vec_count(e));
  qn_value *y = qn_scalar_high_product(b, factors[0], e);
  y = qn_build_binary(b, QN_OP_ARITH_ADDI, y, factors[2]);
  y = qn_build_binary(b, QN_OP_ARITH_SHRUI, y, factors[1]);
  qn_value *most = qn_build_int(b, (INT64_C(1) << s->bits) - 1, y->type);
  y = qn_build_binary(b, QN_OP_ARITH_MINUI, y, most);
  y = qn_build_binary_int(b, QN_OP_ARITH_ADDI, y, s->zero_point);
  const qn_type *element = qn_type_element(k->args[ARG_Y]->type);
  if (y->type->kind == QN_TYPE_VECTOR) return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, y, element);
  return qn_build_unary(b, QN_OP_ARITH_TRUNCI, y, element);
}

static void scale_row(qn_kernel *k, const softmax *s, const scale *by) {
  qn_builder *b = &k->b;
  qn_value *i = qn_nest_count(b, s->row, 1);
  qn_value *e = s->computed ? load(b, s->computed, i, qn_type_i(b->cx, 32))
                            : entry(k, s, k->args[ARG_EXPONENTIALS], i);
  qn_value *y = scaled(k, s, by, e);
  qn_build_0(b, QN_OP_MEMREF_STORE, QN_VALUES(y, k->args[ARG_Y], qn_nest_add(b, s->base, i)), NULL);
  qn_nest_end(b);
}

static void fill_results(qn_kernel *k, const softmax *s, const scale *by) {
  enum { LANES = 16 };
  qn_builder *b = &k->b;
  qn_value *i = qn_nest_count(b, TABLE_SIZE, LANES);
  qn_value *e = qn_vec_load(b, k->args[ARG_EXPONENTIALS], i, 0, LANES);
  qn_vec_store(b, scaled(k, s, by, e), s->results, i, 0);
  qn_nest_end(b);
}

static void look_up_results(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const softmax *s = user;
  qn_value *y = look_up(k, s->results, differences(k, s, index, lanes));
  qn_vec_store(&k->b, y, k->args[ARG_Y], qn_nest_add(&k->b, s->base, index), 0);
}

static void build_row(qn_kernel *k, softmax *s) {
  qn_builder *b = &k->b;
  s->largest = row_maximum(k, s);
  s->maximum = to_i32(b, s, s->largest);
  qn_value *sum = s->by_planes ? row_sum_by_planes(k, s) : row_sum(k, s);
  qn_value *zeros = qn_build_unary(b, QN_OP_MATH_CTLZ, sum, sum->type);
  /* The sum without its leading 1: a fraction of 31 bits. */
  qn_value *fraction = qn_build_binary(b, QN_OP_ARITH_SHLI, sum, zeros);
  fraction = qn_build_binary(b, QN_OP_ARITH_XORI, fraction, qn_scalar_i32(b, INT32_MIN));
  /* The sum has 12 integer bits: 12 - zeros + 31 - bits. */
  qn_value *shift = qn_build_binary(b, QN_OP_ARITH_SUBI, qn_scalar_i32(b, 43 - s->bits), zeros);
  scale by = scale_of(b, qn_scalar_recip_1p(b, fraction), shift);
  if (!s->results) {
    scale_row(k, s, &by);
    return;
  }
  fill_results(k, s, &by);
  qn_nest_run(k, s->row, k->lo->target->vector_bytes, false, look_up_results, s);
}

/* ---- buffers ---- */

static qn_value *table(qn_loops *lo, const qn_type *element, const void *data, size_t size) {
  return qn_loops_constant(lo, element, (qn_bytes){data, size});
}

/* Appends the buffers of the tables; returns the number of arguments. */
static uint32_t add_tables(qn_loops *lo, const softmax *s, qn_value **buffers) {
  if (s->has_no_table) return ARG_EXPONENTIALS;
  int32_t exponentials[TABLE_SIZE], terms[TABLE_SIZE];
  const qn_type *i8 = qn_type_i(lo->cx, 8), *i32 = qn_type_i(lo->cx, 32);
  fill_tables(s->params, exponentials, terms);
  buffers[ARG_EXPONENTIALS] = table(lo, i32, exponentials, sizeof exponentials);
  for (int i = 0; s->computes && i < TABLE_SIZE; i++)
    QN_ASSERT(((uint32_t)exponentials[i] + (1u << (TERM_SHIFT - 1))) >> TERM_SHIFT ==
              (uint32_t)terms[i]);
  if (s->computes) return ARG_TERMS;
  if (!s->by_planes) {
    buffers[ARG_TERMS] = table(lo, i32, terms, sizeof terms);
    return ARG_TERMS + 1;
  }
  for (int p = 0; p < PLANES; p++) {
    uint8_t bytes[TABLE_SIZE];
    for (int i = 0; i < TABLE_SIZE; i++) bytes[i] = (uint8_t)(terms[i] >> 8 * p);
    buffers[ARG_TERMS + p] = table(lo, i8, bytes, sizeof bytes);
  }
  return ARG_COUNT;
}

static qn_status lower_softmax(qn_loops *lo, qn_op *op) {
  const qn_type *type = qn_op_operand(op, 0)->type;
  qn_plan plan = qn_loops_plan(lo, op);
  softmax s = {.is_unsigned = qn_type_is_unsigned(qn_type_element(type)),
               .bits = 8 * (int64_t)qn_type_bytes(qn_type_element(op->results[0].type)),
               .zero_point = plan.softmax.output_zero_point,
               .params = &plan.softmax.params};
  s.row = type->shaped.rank > 0 ? type->shaped.dims[type->shaped.rank - 1] : 1;
  s.rows = qn_type_elements(type) / s.row;
  /* With 16-byte vectors, each lookup is a load. */
  bool is_long = s.row >= LONG_ROW && lo->target->vector_bytes > 16;
  bool is_small = lo->target->narrow16 || lo->target->index_bits == 32;
  s.computes = is_small && s.row < LONG_ROW;
  s.has_no_table = lo->target->narrow16 && s.rows * s.row <= FEW_ELEMENTS && s.computes;
  s.by_planes = is_long && s.row <= NARROW_ROW && lo->target->permutes;
  qn_value *buffers[ARG_COUNT];
  buffers[ARG_X] = qn_loops_buffer(lo, qn_op_operand(op, 0));
  buffers[ARG_Y] = qn_loops_buffer(lo, qn_op_result(op, 0));
  uint32_t count = add_tables(lo, &s, buffers);
  qn_kernel k = qn_kernel_begin(lo, "softmax", op, buffers, count);
  if (is_long && s.bits == 8) {
    const qn_type *results = qn_type_buf(lo->cx, qn_type_i(lo->cx, 8), TABLE_SIZE);
    s.results = qn_build_1(&k.b, QN_OP_QUERN_SCRATCH, results, NULL, 0, NULL);
  }
  if (s.has_no_table) {
    const qn_type *row = qn_type_buf(lo->cx, qn_type_i(lo->cx, 32), s.row);
    s.computed = qn_build_1(&k.b, QN_OP_QUERN_SCRATCH, row, NULL, 0, NULL);
  }
  qn_value *unit = qn_nest_begin(&k.b, k.lower, k.upper, 1);
  s.base = qn_index_affine(&k.b, unit, s.row, 0);
  build_row(&k, &s);
  qn_nest_end(&k.b);
  qn_kernel_end(&k, s.rows, 0);
  return QN_OK;
}
const qn_schedule qn_schedule_ml_integer_softmax = {.lower = lower_softmax,
                                                    .read = qn_plan_read_softmax};
