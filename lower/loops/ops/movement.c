/* Data movement: concat, split, slice, gather, and reshapes that are not views; also transposes
 * that are not tiled (transpose.c). All are strided copies: dimensions with strides in source and
 * destination, merged where both are contiguous. A work item is an index of the outermost
 * dimension, or a block of elements if everything is one contiguous run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/ops/movement.h"

#include "lower/loops/fusion/fusion.h"
#include "lower/loops/nest.h"
#include "lower/loops/memory/views.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

/* One strided copy. `from` and `to` are indices of kernel arguments. */
typedef struct copy_part {
  uint32_t from_arg, to_arg;
  int64_t from_base, to_base;
  qn_copy_dim *dims;
  uint32_t rank;
} copy_part;

/* The op for which a launch copies, and the tensors. */
typedef struct copy_job {
  const qn_op *op;
  const char *stem;
  const qn_value *tensor; /* tensor whose dynamic size determines the work items */
} copy_job;

/* Bytes that a vector of the target holds, in elements of the buffer. */
static int64_t vector_lanes(const qn_kernel *k, const qn_value *buffer) {
  return k->lo->target->vector_bytes / qn_type_bytes(qn_type_element(buffer->type));
}

/* Lanes of one step of a run of elements. Several vectors per step hide the cost of the loop, which
 * copies of some hundred bytes (states) show. The step divides the run, so that no rest is left.
 * Levels without vectors and those that keep objects small have one. */
static int64_t step_lanes(const qn_kernel *k, const qn_value *buffer, int64_t count) {
  enum { VECTORS = 4 };
  const qn_target *target = k->lo->target;
  int64_t lanes = vector_lanes(k, buffer);
  bool several = !target->compact && !target->dot->splits && count % (lanes * VECTORS) == 0;
  return several ? lanes * VECTORS : lanes;
}

uint32_t qn_movement_merge(qn_copy_dim *dims, uint32_t count) {
  uint32_t rank = 0;
  for (uint32_t i = 0; i < count; i++) {
    qn_copy_dim dim = dims[i];
    if (dim.extent == 1) continue;
    qn_copy_dim *outer = rank > 0 ? &dims[rank - 1] : NULL;
    if (outer && outer->from == dim.from * dim.extent && outer->to == dim.to * dim.extent)
      *outer = (qn_copy_dim){outer->extent * dim.extent, dim.from, dim.to};
    else
      dims[rank++] = dim;
  }
  if (rank == 0) dims[rank++] = (qn_copy_dim){1, 1, 1};
  return rank;
}

/* ---- building a copy ---- */

typedef struct copy_run {
  qn_value *from, *to;             /* buffers */
  qn_value *from_index, *to_index; /* index of element 0 of the run */
} copy_run;

static void copy_vector(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const copy_run *run = user;
  qn_builder *b = &k->b;
  qn_value *v = qn_vec_load(b, run->from, qn_nest_add(b, run->from_index, index), 0, lanes);
  qn_vec_store(b, v, run->to, qn_nest_add(b, run->to_index, index), 0);
}

static void copy_element(qn_kernel *k, const copy_run *run) {
  qn_value *v = qn_build_1(&k->b, QN_OP_MEMREF_LOAD, qn_type_element(run->from->type),
                           QN_VALUES(run->from, run->from_index), NULL);
  qn_build_0(&k->b, QN_OP_MEMREF_STORE, QN_VALUES(v, run->to, run->to_index), NULL);
}

/* Emits dimensions [level, rank) of the part from the indices in `run`. Extents are at least 2, so
 * the depth is limited by the bits of a size. */
static void copy_dims(qn_kernel *k, const copy_part *part, uint32_t level, copy_run run) {
  qn_builder *b = &k->b;
  if (level == part->rank) {
    copy_element(k, &run);
    return;
  }
  qn_copy_dim dim = part->dims[level];
  if (level + 1 == part->rank && dim.from == 1 && dim.to == 1) {
    qn_nest_run(k, dim.extent, vector_lanes(k, run.to), true, copy_vector, &run);
    return;
  }
  qn_value *i = qn_nest_count(b, dim.extent, 1);
  qn_value *from = qn_index_affine(b, i, dim.from, 0);
  run.from_index = qn_nest_add(b, run.from_index, from);
  qn_value *to = qn_index_affine(b, i, dim.to, 0);
  run.to_index = qn_nest_add(b, run.to_index, to);
  copy_dims(k, part, level + 1, run);
  qn_nest_end(b);
}

/* Copies parts with equal outermost extents, which is the number of work items. */
static void copy_by_rows(qn_kernel *k, const copy_part *parts, uint32_t count) {
  qn_builder *b = &k->b;
  qn_value *unit = qn_nest_begin(b, k->lower, k->upper, 1);
  for (uint32_t i = 0; i < count; i++) {
    const copy_part *p = &parts[i];
    qn_value *from = qn_index_affine(b, unit, p->dims[0].from, p->from_base);
    qn_value *to = qn_index_affine(b, unit, p->dims[0].to, p->to_base);
    copy_dims(k, p, 1, (copy_run){k->args[p->from_arg], k->args[p->to_arg], from, to});
  }
  qn_nest_end(b);
}

/* A kernel for one part. */
static void launch_copy(qn_loops *lo, copy_job job, qn_value *from, qn_value *to, copy_part part) {
  enum { ARG_FROM, ARG_TO, ARG_COUNT };
  qn_value *buffers[ARG_COUNT] = {[ARG_FROM] = from, [ARG_TO] = to};
  part.from_arg = ARG_FROM;
  part.to_arg = ARG_TO;
  part.rank = qn_movement_merge(part.dims, part.rank);
  qn_kernel k = qn_kernel_begin(lo, job.stem, job.op, buffers, ARG_COUNT);
  k.size = qn_loops_size(lo, job.tensor);
  int64_t units = part.dims[0].extent;
  if (part.rank == 1 && part.dims[0].from == 1 && part.dims[0].to == 1) {
    units = qn_nest_units(&k, part.dims[0].extent);
    qn_value *from_base = qn_build_index(&k.b, part.from_base);
    qn_value *to_base = qn_build_index(&k.b, part.to_base);
    copy_run run = {k.args[ARG_FROM], k.args[ARG_TO], from_base, to_base};
    qn_nest_flat(&k, part.dims[0].extent, step_lanes(&k, to, part.dims[0].extent), copy_vector,
                 &run);
  } else {
    copy_by_rows(&k, &part, 1);
  }
  qn_kernel_end(&k, units, 0);
}

static void copy_contiguous(qn_loops *lo, copy_job job, qn_value *from, int64_t from_base,
                            qn_value *to, int64_t to_base, int64_t count) {
  qn_copy_dim dim = {count, 1, 1};
  launch_copy(lo, job, from, to,
              (copy_part){.from_base = from_base, .to_base = to_base, .dims = &dim, .rank = 1});
}

void qn_movement_copy(qn_loops *lo, const qn_op *op, const qn_value *tensor, qn_value *from,
                      qn_value *to) {
  copy_job job = {op, "copy", tensor};
  copy_contiguous(lo, job, from, 0, to, 0, qn_type_elements(to->type));
}

/* ---- reshape, squeeze, expand_dims ---- */

static qn_status reshape(qn_loops *lo, qn_op *op) {
  const qn_value *in = qn_op_operand(op, 0), *out = &op->results[0];
  if (qn_memory_same_place(lo->plan, in, out)) return QN_OK;
  qn_value *from = qn_loops_buffer(lo, in);
  qn_movement_copy(lo, op, out, from, qn_loops_buffer(lo, out));
  return QN_OK;
}

/* The order of elements is the same. */
static bool place_reshaped(const qn_op *op, uint32_t operand, qn_placement *at) {
  (void)op, (void)at;
  return operand == 0;
}

#define RESHAPE                                                                                    \
  { .lower = reshape, .sharing = QN_SHARES_WHOLE, .place = place_reshaped }
const qn_schedule qn_schedule_ml_reshape = RESHAPE;
const qn_schedule qn_schedule_ml_squeeze = RESHAPE;
const qn_schedule qn_schedule_ml_expand_dims = RESHAPE;
#undef RESHAPE

/* ---- strided copies of transposes and slices ---- */

void qn_movement_strided(qn_loops *lo, const qn_op *op, const char *stem, qn_copy_dim *dims,
                         uint32_t rank) {
  qn_value *from = qn_loops_buffer(lo, qn_op_operand(op, 0)),
           *to = qn_loops_buffer(lo, &op->results[0]);
  copy_job job = {op, stem, &op->results[0]};
  launch_copy(lo, job, from, to, (copy_part){.dims = dims, .rank = rank});
}

static qn_status lower_slice(qn_loops *lo, qn_op *op) {
  const qn_value *input = qn_op_operand(op, 0), *result = &op->results[0];
  const qn_type *in = input->type, *out = result->type;
  if (qn_memory_is_view(lo->plan, op)) return QN_OK;
  qn_i64s begin = qn_op_begin(op), stride = qn_op_stride(op);
  uint32_t rank = in->shaped.rank;
  copy_part part = {.dims = QN_NEW_ARRAY(lo->scratch, rank + 1, qn_copy_dim), .rank = rank};
  for (uint32_t i = 0; i < rank; i++) {
    int64_t step = qn_tensor_extent(in, i + 1, rank);
    part.dims[i] = (qn_copy_dim){out->shaped.dims[i], step * stride.data[i],
                                 qn_tensor_extent(out, i + 1, rank)};
    part.from_base += begin.data[i] * step;
  }
  qn_value *from = qn_loops_buffer(lo, input), *to = qn_loops_buffer(lo, result);
  launch_copy(lo, (copy_job){op, "slice", result}, from, to, part);
  return QN_OK;
}
const qn_schedule qn_schedule_ml_slice_by_index = {.lower = lower_slice,
                                                   .sharing = QN_SHARES_RANGE};

/* ---- concat, split: rows of the joined tensor and rows of its parts ---- */

typedef struct joint {
  const qn_value *whole;
  const qn_value **parts;
  uint32_t count;
  bool to_whole;      /* concat */
  int64_t outer, row; /* rows; elements per row of the whole */
  uint32_t axis;
} joint;

static int64_t part_row(const joint *j, uint32_t i) {
  return qn_tensor_extent(j->parts[i]->type, j->axis, j->parts[i]->type->shaped.rank);
}

/* A view of `count` elements of the whole from element `first` on, and *first becomes 0; if no view
 * is possible, the buffer of the whole. */
static qn_value *view_whole(qn_loops *lo, const joint *j, int64_t *first, int64_t count) {
  qn_value *view = qn_loops_part(lo, j->whole, *first, count);
  if (!view) return qn_loops_buffer(lo, j->whole);
  *first = 0;
  return view;
}

/* Copies the parts of a single row one by one. Parts that buffer assignment has placed inside the
 * whole are skipped. */
static void join_contiguous(qn_loops *lo, const qn_op *op, const joint *j, const char *stem) {
  int64_t offset = 0;
  copy_job job = {op, stem, &op->results[0]};
  qn_buffer_slice whole = qn_memory_place(lo->plan, j->whole);
  int64_t bytes = qn_type_bytes(j->whole->type->shaped.element);
  for (uint32_t i = 0; i < j->count; i++) {
    qn_buffer_slice place = qn_memory_place(lo->plan, j->parts[i]);
    int64_t count = part_row(j, i), first = offset;
    if (place.buffer != whole.buffer || place.offset != whole.offset + offset * bytes) {
      qn_value *part = qn_loops_buffer(lo, j->parts[i]), *all = view_whole(lo, j, &first, count);
      if (j->to_whole)
        copy_contiguous(lo, job, part, 0, all, first, count);
      else
        copy_contiguous(lo, job, all, first, part, 0, count);
    }
    offset += count;
  }
}

/* Maximum parts per kernel, which bounds the size of a function. */
enum { JOINED_AT_ONCE = 32 };

/* Whether a kernel has stored part i of the whole already. */
static bool is_stored(const qn_loops *lo, const qn_op *op, const joint *j, uint32_t i) {
  return j->to_whole && qn_fusion_is_placed(lo, op, i);
}

/* Copies parts [begin, end), which begin at element `first` of a row and cover `width` elements. */
static void join_some(qn_loops *lo, const qn_op *op, const joint *j, const char *stem,
                      uint32_t begin, uint32_t end, int64_t first, int64_t width) {
  enum { ARG_WHOLE, ARG_PARTS };
  uint32_t most = end - begin, count = 0;
  qn_value **buffers = QN_NEW_ARRAY(lo->scratch, ARG_PARTS + most, qn_value *);
  copy_part *parts = QN_NEW_ARRAY(lo->scratch, most, copy_part);
  int64_t offset = first, row;
  buffers[ARG_WHOLE] = view_whole(lo, j, &offset, (j->outer - 1) * j->row + width);
  for (uint32_t i = begin; i < end; i++, offset += row) {
    row = part_row(j, i);
    if (is_stored(lo, op, j, i)) continue;
    qn_copy_dim *dims = QN_NEW_ARRAY(lo->scratch, 2, qn_copy_dim);
    dims[0] =
        j->to_whole ? (qn_copy_dim){j->outer, row, j->row} : (qn_copy_dim){j->outer, j->row, row};
    dims[1] = (qn_copy_dim){row, 1, 1};
    uint32_t arg = ARG_PARTS + count;
    buffers[arg] = qn_loops_buffer(lo, j->parts[i]);
    parts[count++] = j->to_whole ? (copy_part){arg, ARG_WHOLE, 0, offset, dims, 2}
                                 : (copy_part){ARG_WHOLE, arg, offset, 0, dims, 2};
  }
  if (count == 0) return;
  qn_kernel k = qn_kernel_begin(lo, stem, op, buffers, ARG_PARTS + count);
  copy_by_rows(&k, parts, count);
  qn_kernel_end(&k, j->outer, 0);
}

static void join_rows(qn_loops *lo, const qn_op *op, const joint *j, const char *stem) {
  int64_t first = 0;
  for (uint32_t begin = 0; begin < j->count;) {
    uint32_t end = begin;
    int64_t width = 0;
    for (; end < j->count && end - begin < JOINED_AT_ONCE; end++) width += part_row(j, end);
    join_some(lo, op, j, stem, begin, end, first, width);
    begin = end;
    first += width;
  }
}

/* Copies the parts into the interior of the result of `pad`, one kernel each. */
static void join_padded(qn_loops *lo, const qn_op *op, const joint *j, const qn_op *pad) {
  const qn_value *whole = &pad->results[0];
  const int64_t *amounts = qn_op_pad(pad).data;
  uint32_t rank = whole->type->shaped.rank;
  int64_t base = 0;
  for (uint32_t d = 0; d < rank; d++)
    base += amounts[2 * d] * qn_tensor_extent(whole->type, d + 1, rank);
  for (uint32_t i = 0; i < j->count; i++) {
    const qn_type *part = j->parts[i]->type;
    const int64_t first = base;
    base += part->shaped.dims[j->axis] * qn_tensor_extent(whole->type, j->axis + 1, rank);
    if (is_stored(lo, op, j, i)) continue;
    qn_copy_dim *dims = QN_NEW_ARRAY(lo->scratch, rank, qn_copy_dim);
    for (uint32_t d = 0; d < rank; d++)
      dims[d] = (qn_copy_dim){part->shaped.dims[d], qn_tensor_extent(part, d + 1, rank),
                              qn_tensor_extent(whole->type, d + 1, rank)};
    qn_value *from = qn_loops_buffer(lo, j->parts[i]), *to = qn_loops_buffer(lo, whole);
    launch_copy(lo, (copy_job){op, "concat", whole}, from, to,
                (copy_part){.to_base = first, .dims = dims, .rank = rank});
  }
}

static void lower_joint(qn_loops *lo, const qn_op *op, joint *j, const char *stem) {
  const qn_type *whole = j->whole->type;
  j->axis = (uint32_t)qn_op_axis(op);
  j->outer = qn_tensor_extent(whole, 0, j->axis);
  j->row = qn_tensor_extent(whole, j->axis, whole->shaped.rank);
  const qn_op *pad = qn_fusion_pad(lo, op);
  if (pad)
    join_padded(lo, op, j, pad);
  else if (j->outer == 1)
    join_contiguous(lo, op, j, stem);
  else
    join_rows(lo, op, j, stem);
}

static qn_status lower_concat(qn_loops *lo, qn_op *op) {
  joint j = {.whole = &op->results[0], .count = op->operand_count, .to_whole = true};
  j.parts = QN_NEW_ARRAY(lo->scratch, j.count, const qn_value *);
  for (uint32_t i = 0; i < j.count; i++) j.parts[i] = qn_op_operand(op, i);
  lower_joint(lo, op, &j, "concat");
  return QN_OK;
}

static bool place_part(const qn_op *op, uint32_t operand, qn_placement *at) {
  const uint32_t axis = (uint32_t)qn_op_axis(op);
  int64_t begin[QN_PLACEMENT_DIGITS] = {0};
  if (axis >= QN_PLACEMENT_DIGITS) return false;
  for (uint32_t i = 0; i < operand; i++)
    begin[axis] += qn_op_operand(op, i)->type->shaped.dims[axis];
  const qn_type *part = qn_op_operand(op, operand)->type;
  return qn_placement_take_box(at, op->results[0].type, part, begin, 1);
}
const qn_schedule qn_schedule_ml_concat = {
    .lower = lower_concat, .sharing = QN_SHARES_JOINED, .place = place_part, .borders = true};

static qn_status lower_split(qn_loops *lo, qn_op *op) {
  joint j = {.whole = qn_op_operand(op, 0), .count = op->result_count};
  j.parts = QN_NEW_ARRAY(lo->scratch, j.count, const qn_value *);
  for (uint32_t i = 0; i < j.count; i++) j.parts[i] = &op->results[i];
  lower_joint(lo, op, &j, "split");
  return QN_OK;
}
const qn_schedule qn_schedule_ml_split = {.lower = lower_split, .sharing = QN_SHARES_CUT};

/* ---- gather: a work item is all result slices from one slice of x, or for few of these one result
 * slice ---- */

enum { GATHER_X, GATHER_INDICES, GATHER_Y, GATHER_ARGS };
enum {
  SLICES =
      16 /* enough for threads; with more, the division per slice would take longer than the copy */
};

static int64_t extent_of(const qn_type *type, int64_t from, int64_t to) {
  return qn_tensor_extent(type, (uint32_t)from, (uint32_t)to);
}

/* The index at position `at`, clamped to its dimension. */
static qn_value *load_index(qn_kernel *k, qn_value *at, int64_t size) {
  qn_builder *b = &k->b;
  qn_value *indices = k->args[GATHER_INDICES];
  qn_value *i = qn_build_1(b, QN_OP_MEMREF_LOAD, qn_type_element(indices->type),
                           QN_VALUES(indices, at), NULL);
  i = qn_build_unary(b, QN_OP_ARITH_INDEX_CAST, i, qn_type_index(b->cx));
  return qn_nest_min(b, qn_nest_max(b, i, 0), size - 1);
}

/* A slice of the result: its index, the index of the slice of x, and the position among the
 * indices. */
typedef struct gathered {
  qn_value *unit, *slice, *at;
} gathered;

/* `slices`: of x, from each of which `count` slices of the result are taken. */
static gathered open_gather(qn_kernel *k, int64_t count, int64_t slices, bool by_slice) {
  qn_builder *b = &k->b;
  gathered g = {.unit = qn_nest_begin(b, k->lower, k->upper, 1)};
  if (slices == 1) {
    g.slice = qn_build_index(b, 0);
    g.at = g.unit;
    return g;
  }
  if (by_slice) {
    g.slice = g.unit;
    g.at = qn_nest_count(b, count, 1);
    g.unit = qn_nest_add(b, qn_index_affine(b, g.slice, count, 0), g.at);
    return g;
  }
  qn_value *divisor = qn_build_index(b, count);
  g.slice = qn_build_binary(b, QN_OP_ARITH_DIVUI, g.unit, divisor);
  g.at = qn_build_binary(b, QN_OP_ARITH_REMUI, g.unit, divisor);
  return g;
}

static qn_status lower_gather(qn_loops *lo, qn_op *op) {
  const qn_type *x = qn_op_operand(op, 0)->type, *indices = qn_op_operand(op, 1)->type;
  int64_t axis = qn_op_axis(op), batch = qn_op_batch_dims(op), rank = x->shaped.rank;
  int64_t outer = extent_of(x, batch, axis), inner = extent_of(x, axis + 1, rank);
  int64_t count = extent_of(indices, batch, indices->shaped.rank), size = x->shaped.dims[axis];
  qn_value *buffers[GATHER_ARGS];
  buffers[GATHER_X] = qn_loops_buffer(lo, qn_op_operand(op, 0));
  buffers[GATHER_INDICES] = qn_loops_buffer(lo, qn_op_operand(op, 1));
  buffers[GATHER_Y] = qn_loops_buffer(lo, &op->results[0]);
  int64_t all = qn_type_elements(op->results[0].type) / inner;
  bool by_slice = all / count >= SLICES;
  qn_kernel k = qn_kernel_begin(lo, "gather", op, buffers, GATHER_ARGS);
  qn_builder *b = &k.b;
  gathered g = open_gather(&k, count, all / count, by_slice);
  if (batch > 0) {
    qn_value *entry = qn_build_binary(b, QN_OP_ARITH_DIVUI, g.slice, qn_build_index(b, outer));
    g.at = qn_nest_add(b, g.at, qn_index_affine(b, entry, count, 0));
  }
  qn_value *from = qn_index_affine(b, g.slice, size, 0);
  from = qn_nest_add(b, from, load_index(&k, g.at, size));
  copy_run run = {k.args[GATHER_X], k.args[GATHER_Y], qn_index_affine(b, from, inner, 0), NULL};
  run.to_index = qn_index_affine(b, g.unit, inner, 0);
  if (inner == 1)
    copy_element(&k, &run);
  else
    qn_nest_run(&k, inner, vector_lanes(&k, run.to), true, copy_vector, &run);
  if (by_slice) qn_nest_end(b);
  qn_nest_end(b);
  qn_kernel_end(&k, by_slice ? all / count : all, 0);
  return QN_OK;
}
const qn_schedule qn_schedule_ml_gather = {.lower = lower_gather};
