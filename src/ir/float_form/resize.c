/* Decompositions of the resizing ops (docs/arithmetic.md 12). Nearest: rows and columns are
 * gathered by lists of positions, which depend only on the sizes. Bilinear: signed integers have 10
 * fraction bits (resize_passes.c). For unsigned integers and floats one loop interpolates between
 * four elements in floats; products and sums are evaluated from left to right.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/float_form/resize.h"

static void place_fixed(qn_resize_axis *a, int64_t i, qn_sampling_mode mode) {
  bool corners = mode == QN_SAMPLING_ALIGN_CORNERS && a->out > 1;
  int64_t from = corners ? a->in - 1 : a->in, to = corners ? a->out - 1 : a->out;
  int64_t scale = (QN_RESIZE_FRACTION * from + to / 2) / to;
  int64_t at =
      i * scale + (mode == QN_SAMPLING_HALF_PIXEL ? scale / 2 - QN_RESIZE_FRACTION / 2 : 0);
  int64_t low = at / QN_RESIZE_FRACTION, high = (at + QN_RESIZE_FRACTION - 1) / QN_RESIZE_FRACTION;
  a->low[i] = (int32_t)(low > 0 ? low : 0);
  a->high[i] = (int32_t)(high < a->in - 1 ? high : a->in - 1);
  a->fixed[i] = (int32_t)(at - QN_RESIZE_FRACTION * a->low[i]);
}

static float scale_of(const qn_resize_axis *a, qn_sampling_mode mode) {
  return mode == QN_SAMPLING_ALIGN_CORNERS && a->out > 1 ? (float)(a->in - 1) / (float)(a->out - 1)
                                                         : (float)a->in / (float)a->out;
}

static void place_real(qn_resize_axis *a, int64_t i, qn_sampling_mode mode) {
  float scale = scale_of(a, mode), at = (float)i * scale;
  if (mode == QN_SAMPLING_HALF_PIXEL) {
    at = ((float)i + 0.5F) * scale;
    at -= 0.5F;
  }
  float low = fmaxf(floorf(at), 0.0F), high = fminf(ceilf(at), (float)(a->in - 1));
  a->low[i] = (int32_t)fminf(low, (float)(a->in - 1));
  a->high[i] = (int32_t)high;
  a->distance[i] = at - (float)a->low[i];
}

static void place_nearest(qn_resize_axis *a, int64_t i, qn_sampling_mode mode) {
  float at = ((float)i + (mode == QN_SAMPLING_HALF_PIXEL ? 0.5F : 0.0F)) * scale_of(a, mode);
  float whole = mode == QN_SAMPLING_ALIGN_CORNERS ? roundf(at) : floorf(at);
  a->low[i] = (int32_t)fmaxf(fminf(whole, (float)(a->in - 1)), 0.0F);
}

static qn_resize_axis axis_of(qn_form *f, uint32_t dim,
                              void (*place)(qn_resize_axis *a, int64_t i, qn_sampling_mode mode)) {
  qn_resize_axis a = {f->op->operands[0].value->type->shaped.dims[dim],
                      f->op->results[0].type->shaped.dims[dim],
                      NULL,
                      NULL,
                      NULL,
                      NULL};
  qn_arena *arena = &f->b->module->arena;
  a.low = qn_arena_array(arena, (size_t)a.out, sizeof *a.low);
  a.high = qn_arena_array(arena, (size_t)a.out, sizeof *a.high);
  a.fixed = qn_arena_array(arena, (size_t)a.out, sizeof *a.fixed);
  a.distance = qn_arena_array(arena, (size_t)a.out, sizeof *a.distance);
  for (int64_t i = 0; i < a.out; i++) place(&a, i, qn_op_sampling_mode(f->op));
  return a;
}

/* ---- the nearest ---- */

static qn_value *build_nearest(qn_form *f) {
  qn_value *x = f->operands[0];
  for (uint32_t d = 1; d <= 2; d++) {
    qn_resize_axis a = axis_of(f, d, place_nearest);
    x = qn_form_take(f, x, d, a.low, a.out);
  }
  const qn_type *type = f->op->results[0].type;
  return x->type == type ? x : qn_build_1(f->b, QN_OP_ML_RESHAPE, type, QN_VALUES(x), NULL);
}
const qn_float_form qn_float_form_ml_resize_nearest_neighbor = {
    .none = "there is no float op for it", .stored = build_nearest};

/* ---- between four ---- */

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}

/* q00 (1 - dy) (1 - dx) + q10 dy (1 - dx) + q01 (1 - dy) dx + q11 dy dx. */
static qn_value *between(qn_form *f, qn_value *const q[4], qn_value *dy, qn_value *dx) {
  qn_value *one = qn_build_float(f->b, 1, dy->type), *sum = NULL;
  qn_value *ny = binary(f, QN_OP_ARITH_SUBF, one, dy), *nx = binary(f, QN_OP_ARITH_SUBF, one, dx);
  qn_value *const rows[] = {ny, dy, ny, dy}, *const columns[] = {nx, nx, dx, dx};
  for (int i = 0; i < 4; i++) {
    qn_value *term = binary(f, QN_OP_ARITH_MULF, q[i], rows[i]);
    term = binary(f, QN_OP_ARITH_MULF, term, columns[i]);
    sum = sum ? binary(f, QN_OP_ARITH_ADDF, sum, term) : term;
  }
  return sum;
}

/* Conversion of an element or a distance to the type of the arithmetic, and of the result back. */
static qn_value *opened(qn_form *f, const qn_type *number, qn_value *q) {
  if (q->type == number) return q;
  bool real = q->type->kind == QN_TYPE_FLOAT;
  return qn_build_unary(f->b, real ? QN_OP_ARITH_EXTF : QN_OP_ARITH_UITOFP, q, number);
}
static qn_value *closed(qn_form *f, qn_value *y, const qn_type *stored) {
  if (y->type == stored) return y;
  if (stored->kind == QN_TYPE_FLOAT) return qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, y, stored);
  y = binary(f, QN_OP_ARITH_ADDF, y, qn_build_float(f->b, 0.5, y->type));
  return qn_build_unary(f->b, QN_OP_ARITH_FPTOUI, y, stored);
}

static qn_form_access row_access(qn_form *f, qn_value *row, uint32_t dim) {
  return (qn_form_access){.value = row, .at = {qn_form_dim(f, dim)}};
}

static qn_value *build_bilinear(qn_form *f) {
  qn_value *x = qn_form_stored(f, 0);
  const bool fixed = !qn_form_is_real(x) && !qn_form_is_unsigned(f, 0);
  /* Positions are f32 always, and so is the arithmetic of all but f64. */
  const qn_type *f32 = qn_type_float(f->cx, QN_F32), *element = qn_type_element(x->type);
  const qn_type *number = qn_type_is_float(element, QN_F64) ? element : f32;
  const qn_resize_axis h = axis_of(f, 1, fixed ? place_fixed : place_real);
  const qn_resize_axis w = axis_of(f, 2, fixed ? place_fixed : place_real);
  qn_value *passed = qn_resize_in_passes(f, x, &h, &w, fixed);
  QN_ASSERT(passed || !fixed);
  if (passed) return qn_form_restored(f, passed);
  qn_form_access inputs[6];
  for (int i = 0; i < 4; i++) {
    qn_value *rows = qn_form_take(f, x, 1, i & 1 ? h.high : h.low, h.out);
    inputs[i] = qn_form_whole(f, qn_form_take(f, rows, 2, i & 2 ? w.high : w.low, w.out));
  }
  inputs[4] = row_access(f, qn_form_row(f, f32, h.distance, h.out), 1);
  inputs[5] = row_access(f, qn_form_row(f, f32, w.distance, w.out), 2);
  const qn_type *type = qn_form_stored_result(f);
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, 4, 0, inputs, 6, &output);
  qn_value *q[4];
  for (uint32_t i = 0; i < 4; i++) q[i] = opened(f, number, qn_form_element(generic, i));
  qn_value *dy = opened(f, number, qn_form_element(generic, 4));
  qn_value *dx = opened(f, number, qn_form_element(generic, 5));
  qn_value *y = between(f, q, dy, dx);
  return qn_form_restored(f, qn_form_close(f, generic, closed(f, y, qn_type_element(type))));
}

const qn_float_form qn_float_form_ml_resize_bilinear = {.none = "its form is on stored values",
                                                        .stored = build_bilinear};
