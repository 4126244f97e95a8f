/* ml.pad: fills the padding and copies the rows of the input in between. A work item is an index of
 * the outermost result dimension that is longer than 1.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fuse_producer/fuse_producer.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/nest.h"
#include "lower/loops/ops/lut.h"
#include "lower/loops/ops/movement.h"
#include "lower/loops/memory/buffers.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

typedef struct padding {
  const qn_type *in, *out;
  qn_i64s pad;   /* padding before and after, per dimension */
  uint32_t last; /* last padded dimension; rows are contiguous in it and after it */
  int64_t lanes;
  qn_value *from, *to; /* kernel arguments; `from` NULL: fill the padding only */
  int64_t value;       /* stored padding value */
  double real;         /* padding value of floats */
  const qn_op *flips;  /* ml.lut whose flipped bits are copied; NULL: those of the operand */
} padding;

/* A run of elements, in the input and the result. */
typedef struct pad_run {
  const padding *p;
  qn_value *from_index, *to_index;
} pad_run;

static int64_t before(const padding *p, uint32_t dim) { return p->pad.data[2 * dim]; }
static int64_t after(const padding *p, uint32_t dim) { return p->pad.data[2 * dim + 1]; }
static int64_t in_step(const padding *p, uint32_t dim) {
  return qn_tensor_extent(p->in, dim + 1, p->in->shaped.rank);
}
static int64_t out_step(const padding *p, uint32_t dim) {
  return qn_tensor_extent(p->out, dim + 1, p->out->shaped.rank);
}

typedef struct fill_run {
  const qn_filling *filling;
  qn_value *index;
} fill_run;

static void fill_vector(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const fill_run *run = user;
  const qn_filling *f = run->filling;
  qn_builder *b = &k->b;
  const qn_type *element = qn_type_element(f->to->type), *type = qn_type_vec(b->cx, element, lanes);
  /* A ui8 value is an i8 with the same bits. */
  int64_t value = qn_type_is_int(element, 8) ? (int8_t)f->value : f->value;
  qn_value *fill = element->kind == QN_TYPE_FLOAT ? qn_build_float(b, f->real, type)
                                                  : qn_build_int(b, value, type);
  qn_vec_store(b, fill, f->to, qn_nest_add(b, run->index, index), 0);
}

void qn_movement_fill(qn_kernel *k, const qn_filling *filling, qn_value *index, int64_t count) {
  fill_run run = {filling, index};
  qn_nest_run(k, count, filling->lanes, true, fill_vector, &run);
}

static void copy_vector(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const pad_run *run = user;
  qn_builder *b = &k->b;
  qn_value *v = qn_vec_load(b, run->p->from, qn_nest_add(b, run->from_index, index), 0, lanes);
  if (run->p->flips) v = qn_lut_emit(b, run->p->flips, NULL, v);
  qn_vec_store(b, v, run->p->to, qn_nest_add(b, run->to_index, index), 0);
}

static void copy(qn_kernel *k, const padding *p, qn_value *from_index, qn_value *to_index,
                 int64_t count) {
  pad_run run = {p, from_index, to_index};
  if (p->from) qn_nest_run(k, count, p->lanes, true, copy_vector, &run);
}

static void fill(qn_kernel *k, const padding *p, qn_value *to_index, int64_t count) {
  const qn_filling border = {.to = p->to, .lanes = p->lanes, .value = p->value, .real = p->real};
  qn_movement_fill(k, &border, to_index, count);
}

/* Emits everything inside of one index of the dimensions before `dim`. */
static void pad_dim(qn_kernel *k, const padding *p, uint32_t dim, qn_value *from, qn_value *to) {
  qn_builder *b = &k->b;
  int64_t extent = p->in->shaped.dims[dim], head = before(p, dim) * out_step(p, dim);
  fill(k, p, to, head);
  qn_value *inside = qn_index_add(b, to, head);
  if (dim == p->last) {
    copy(k, p, from, inside, extent * in_step(p, dim));
  } else if (extent > 0) {
    qn_value *i = qn_nest_count(b, extent, 1);
    from = qn_nest_add(b, from, qn_index_affine(b, i, in_step(p, dim), 0));
    to = qn_nest_add(b, inside, qn_index_affine(b, i, out_step(p, dim), 0));
    pad_dim(k, p, dim + 1, from, to);
    qn_nest_end(b);
  }
  fill(k, p, qn_index_add(b, inside, extent * out_step(p, dim)), after(p, dim) * out_step(p, dim));
}

/* Fills work items in [from, to), which are padding. */
static void fill_units(qn_kernel *k, const padding *p, uint32_t dim, int64_t from, int64_t to) {
  qn_builder *b = &k->b;
  if (from == to) return;
  qn_value *i = qn_nest_begin_items(k, from, to);
  fill(k, p, qn_index_affine(b, i, out_step(p, dim), 0), out_step(p, dim));
  qn_nest_end(b);
}

static void build_kernel(qn_kernel *k, const padding *p, uint32_t dim) {
  qn_builder *b = &k->b;
  int64_t first = before(p, dim), end = first + p->in->shaped.dims[dim];
  fill_units(k, p, dim, 0, first);
  if (first < end) {
    qn_value *i = qn_nest_begin_items(k, first, end);
    qn_value *from = qn_index_affine(b, i, in_step(p, dim), -first * in_step(p, dim));
    qn_value *to = qn_index_affine(b, i, out_step(p, dim), 0);
    if (dim >= p->last)
      copy(k, p, from, to, in_step(p, dim));
    else
      pad_dim(k, p, dim + 1, from, to);
    qn_nest_end(b);
  }
  fill_units(k, p, dim, end, p->out->shaped.dims[dim]);
}

static padding padding_of(qn_loops *lo, const qn_op *op) {
  padding p = {.in = qn_op_operand(op, 0)->type,
               .out = op->results[0].type,
               .pad = qn_op_pad(op),
               .lanes =
                   lo->target->vector_bytes / qn_type_bytes(qn_type_element(op->results[0].type)),
               .value = qn_op_pad_value(op),
               .real = qn_pad_border_real(op)};
  for (uint32_t i = 0; i < p.out->shaped.rank; i++)
    if (before(&p, i) != 0 || after(&p, i) != 0) p.last = i;
  return p;
}

/* The first dimension that is longer than 1, or the last one. */
static uint32_t unit_dim(const padding *p) {
  uint32_t dim = 0;
  while (dim + 1 < p->out->shaped.rank && p->out->shaped.dims[dim] == 1) dim++;
  return dim;
}

static qn_status lower_pad(qn_loops *lo, qn_op *op) {
  padding p = padding_of(lo, op);
  if (qn_fusion_is_placed(lo, op, 0)) {
    qn_movement_border(lo, op);
    return QN_OK;
  }
  enum { ARG_FROM, ARG_TO, ARG_COUNT };
  p.flips = qn_producer_of(lo, op);
  const qn_value *from = qn_op_operand(p.flips ? p.flips : op, 0);
  qn_value *buffers[ARG_COUNT] = {[ARG_FROM] = qn_loops_buffer(lo, from)};
  buffers[ARG_TO] = qn_loops_buffer(lo, &op->results[0]);
  if (p.out->shaped.rank == 0) {
    qn_movement_copy(lo, op, &op->results[0], buffers[ARG_FROM], buffers[ARG_TO]);
    return QN_OK;
  }
  qn_kernel k = qn_kernel_begin(lo, "pad", op, buffers, ARG_COUNT);
  p.from = k.args[ARG_FROM];
  p.to = k.args[ARG_TO];
  build_kernel(&k, &p, unit_dim(&p));
  qn_kernel_end(&k, p.out->shaped.dims[unit_dim(&p)], 0);
  return QN_OK;
}

bool qn_movement_takes_flipped(qn_loops *lo, qn_op *op, const qn_op *from) {
  (void)lo;
  return from->kind == QN_OP_ML_LUT && !qn_op_operand(from, 0)->op &&
         op->results[0].type->shaped.rank > 0;
}

static bool place_padded(const qn_op *op, uint32_t operand, qn_placement *at) {
  const qn_type *in = qn_op_operand(op, operand)->type;
  return qn_placement_take_box(at, op->results[0].type, in, qn_op_pad(op).data, 2);
}
const qn_schedule qn_schedule_ml_pad = {.lower = lower_pad,
                                        .post_op = QN_POST_OP_PAD,
                                        .takes = qn_movement_takes_flipped,
                                        .place = place_padded};

void qn_movement_border(qn_loops *lo, const qn_op *pad) {
  enum { ARG_TO, ARG_COUNT };
  padding p = padding_of(lo, pad);
  qn_value *const buffers[ARG_COUNT] = {[ARG_TO] = qn_loops_buffer(lo, &pad->results[0])};
  qn_kernel k = qn_kernel_begin(lo, "border", pad, buffers, ARG_COUNT);
  p.to = k.args[ARG_TO];
  build_kernel(&k, &p, unit_dim(&p));
  qn_kernel_end(&k, p.out->shaped.dims[unit_dim(&p)], 0);
}
