/* CONCATENATION, SPLIT, PAD, PADV2 and STRIDED_SLICE.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/graph/ops/ops.h"
#include "ir/ops/forms.h"

/* Checks an operand of CONCATENATION: uint8 operands with other parameters than the result are
 * rescaled by the kernels; others must match. */
static bool concat_operand(qn_graph_op *op, qn_graph_tensor *x, const qn_graph_tensor *y,
                           uint32_t axis, qn_graph_shape *shape) {
  bool matches = qn_graph_is_quantized(y) && !qn_graph_is_narrow(y)
                     ? qn_graph_matching(op, x, y, y->dtype != QN_GRAPH_UINT8)
                     : qn_graph_movable(op, y, x);
  if (!matches) return false;
  bool fits = x->shape.rank == shape->rank;
  for (uint32_t i = 0; fits && i < shape->rank; i++)
    fits = i == axis || x->shape.dims[i] == shape->dims[i];
  if (!fits) {
    qn_str a = qn_graph_shape_text(op->graph, &x->shape), b = qn_graph_shape_text(op->graph, shape);
    return qn_graph_error(op, x, QN_INVALID,
                          "shape %.*s cannot be joined to %.*s along dimension %u", QN_STR_ARG(a),
                          QN_STR_ARG(b), axis);
  }
  shape->dims[axis] += x->shape.dims[axis];
  return qn_graph_check_size(op, y, shape);
}

void qn_graph_concat(qn_graph_op *op, int64_t stated) {
  qn_graph *graph = op->graph;
  qn_graph_tensor *first = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  uint32_t axis, count = op->inputs.count, used = 0;
  if (op->failed || !qn_graph_axis(op, stated, first->shape.rank, &axis)) return;
  qn_value **operands = QN_NEW_ARRAY(&graph->arena, count, qn_value *);
  qn_graph_shape shape = first->shape;
  shape.dims[axis] = 0;
  for (uint32_t i = 0; i < count; i++) {
    qn_graph_tensor *x = qn_graph_input(op, i);
    if (!x || !concat_operand(op, x, y, axis, &shape)) return;
    if (qn_graph_elements(&x->shape) == 0) continue;
    operands[used] = qn_graph_value(op, x);
    if (!operands[used++]) return;
  }
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "axis", qn_attr_i64(graph->cx, axis));
  qn_graph_build(op, QN_OP_ML_CONCAT, operands, used, &attrs, &shape);
}

void qn_graph_split(qn_graph_op *op, int64_t stated_parts) {
  qn_graph_tensor *operand = qn_graph_input(op, 0), *x = qn_graph_input(op, 1);
  int64_t stated, parts = op->outputs.count;
  uint32_t count, axis;
  if (op->failed || !qn_graph_ints(op, operand, 1, &stated, &count) ||
      !qn_graph_axis(op, stated, x->shape.rank, &axis))
    return;
  if (stated_parts != parts || x->shape.dims[axis] % parts != 0) {
    qn_graph_error(op, x, QN_INVALID, "%lld stated parts and %lld results of a dimension of %lld",
                   (long long)stated_parts, (long long)parts, (long long)x->shape.dims[axis]);
    return;
  }
  qn_graph_shape *shapes = QN_NEW_ARRAY(&op->graph->arena, (size_t)parts, qn_graph_shape);
  for (uint32_t i = 0; i < parts; i++) {
    qn_graph_tensor *y = qn_graph_output(op, i);
    if (!y || !qn_graph_movable(op, x, y)) return;
    shapes[i] = x->shape;
    shapes[i].dims[axis] /= parts;
  }
  qn_value *value = qn_graph_value(op, x);
  if (!value) return;
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "axis", qn_attr_i64(op->graph->cx, axis));
  qn_graph_build(op, QN_OP_ML_SPLIT, &value, 1, &attrs, shapes);
}

/* The padding value: an attribute of ml.pad, or a tensor. */
typedef struct border {
  const qn_attr *value, *real; /* NULL: none */
  qn_graph_tensor *fill;
} border;

/* A finite constant of float32. */
static const qn_attr *real_of(qn_graph_op *op, const qn_graph_tensor *operand) {
  float real;
  if (operand->dtype != QN_GRAPH_FLOAT32 || operand->data.size != sizeof real ||
      operand->writer >= 0 || operand->is_input)
    return NULL;
  memcpy(&real, operand->data.data, sizeof real);
  return isfinite(real)
             ? qn_attr_float(op->graph->cx, (double)real, qn_type_float(op->graph->cx, QN_F32))
             : NULL;
}

/* Reads the padding value of PADV2, which has the output's quantization. 32-bit integers, stored
 * values of quantized tensors, and finite floats become an attribute of ml.pad. Other values, and
 * values known at run time only, fill the padding by a selection. */
static bool pad_value(qn_graph_op *op, const qn_graph_tensor *y, border *out_border) {
  qn_graph_tensor *operand = qn_graph_input(op, 2);
  *out_border = (border){0};
  if (!operand) return !op->failed;
  if (qn_graph_is_quantized(y) && operand->dtype != QN_GRAPH_INT16
          ? !qn_graph_matching(op, operand, y, true)
          : !qn_graph_movable(op, operand, y))
    return false;
  if (qn_graph_elements(&operand->shape) != 1)
    return qn_graph_error(op, operand, QN_INVALID, "a padding value has one element");
  int64_t value;
  if (qn_graph_whole(operand, &value) && value >= INT32_MIN && value <= INT32_MAX)
    out_border->value = qn_attr_i64(op->graph->cx, value);
  else
    out_border->real = real_of(op, operand);
  if (!out_border->value && !out_border->real) out_border->fill = operand;
  return true;
}

/* Builds the padded tensor with `fill` in its padding, by a selection with a padded mask. */
static void build_filled(qn_graph_op *op, qn_value *padded, const qn_attr *pad,
                         qn_graph_tensor *fill, const qn_graph_shape *inner,
                         const qn_graph_shape *shape) {
  qn_ir_context *cx = op->graph->cx;
  const qn_graph_shape one = {0};
  const uint8_t yes = 1;
  const qn_type *bit = qn_type_i(cx, 1), *type = qn_graph_shaped(op->graph, bit, inner);
  qn_value *value = qn_graph_value(op, fill);
  if (!value) return;
  qn_builder b = op->graph->builder;
  b.loc = qn_graph_loc(op, NULL);
  qn_value *ones =
      qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0,
                 QN_ATTRS({"value", qn_attr_dense(cx, type, (qn_bytes){&yes, 1}, false)}));
  qn_value *inside = qn_build_1(&b, QN_OP_ML_PAD, qn_graph_shaped(op->graph, bit, shape),
                                QN_VALUES(ones), QN_ATTRS({"pad", pad}));
  qn_graph_attrs attrs = {0};
  qn_graph_build(op, QN_OP_ML_SELECT,
                 (qn_value *[]){inside, padded, qn_graph_view(op, value, &one)}, 3, &attrs, shape);
}

void qn_graph_import_pad(qn_graph_op *op) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_graph_input(op, 0), *operand = qn_graph_input(op, 1),
                  *y = qn_graph_output(op, 0);
  int64_t pads[2 * QN_GRAPH_MAX_RANK];
  uint32_t count;
  border outside;
  if (op->failed || !qn_graph_movable(op, x, y) ||
      !qn_graph_ints(op, operand, 2 * QN_GRAPH_MAX_RANK, pads, &count) ||
      !pad_value(op, y, &outside))
    return;
  qn_graph_shape shape = x->shape;
  bool good = count == 2 * shape.rank;
  for (uint32_t i = 0; i < count; i++)
    good = good && pads[i] >= 0 && pads[i] <= QN_GRAPH_MAX_TENSOR_BYTES;
  for (uint32_t i = 0; good && i < count; i++) shape.dims[i / 2] += pads[i];
  if (!good) {
    qn_graph_error(op, operand, QN_INVALID, "no amounts of padding for %u dimensions",
                   x->shape.rank);
    return;
  }
  qn_value *value = qn_graph_value(op, x);
  if (!value) return;
  const qn_attr *pad = qn_attr_i64s(cx, pads, count);
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "pad", pad);
  qn_graph_attr(&attrs, "value", outside.value);
  qn_graph_attr(&attrs, "real_value", outside.real);
  if (!outside.fill) {
    qn_graph_build(op, QN_OP_ML_PAD, &value, 1, &attrs, &shape);
    return;
  }
  qn_builder b = op->graph->builder;
  b.loc = qn_graph_loc(op, NULL);
  const qn_type *type = qn_graph_shaped(op->graph, qn_type_element(value->type), &shape);
  build_filled(op, qn_build_1(&b, QN_OP_ML_PAD, type, QN_VALUES(value), QN_ATTRS({"pad", pad})),
               pad, outside.fill, &x->shape, &shape);
}

/* ---- STRIDED_SLICE ---- */

static const int64_t FAR = (int64_t)1 << 40;

/* The operator's operands: elements of begin, end, stride with their mask bits. */
typedef struct spec {
  int64_t begin[2 * QN_GRAPH_MAX_RANK], end[2 * QN_GRAPH_MAX_RANK], stride[2 * QN_GRAPH_MAX_RANK];
  uint32_t count;
  qn_graph_slice_masks masks;
} spec;

/* The resolved slice: one begin, end, stride per input dimension, and the final shape. */
typedef struct resolved {
  int64_t begin[QN_GRAPH_MAX_RANK], end[QN_GRAPH_MAX_RANK], stride[QN_GRAPH_MAX_RANK];
  qn_graph_shape sliced, final;
} resolved;

static int64_t clamp(int64_t x, int64_t lo, int64_t hi) { return x < lo ? lo : x > hi ? hi : x; }

static bool read_spec(qn_graph_op *op, spec *s) {
  int64_t *lists[3] = {s->begin, s->end, s->stride};
  uint32_t counts[3];
  for (uint32_t i = 0; i < 3; i++)
    if (!qn_graph_ints(op, qn_graph_input(op, 1 + i), 2 * QN_GRAPH_MAX_RANK, lists[i], &counts[i]))
      return false;
  if (counts[0] != counts[1] || counts[0] != counts[2])
    return qn_graph_error(op, NULL, QN_INVALID,
                          "begin, end and strides have %u, %u and %u elements", counts[0],
                          counts[1], counts[2]);
  s->count = counts[0];
  for (uint32_t i = 0; i < s->count;
       i++) /* clamped far beyond every dimension, so that sums cannot overflow */
    for (uint32_t k = 0; k < 3; k++) lists[k][i] = clamp(lists[k][i], -FAR, FAR);
  return true;
}

/* Applies element i of the operands to a dimension of size n (docs/arithmetic.md 10). */
static bool resolve_entry(qn_graph_op *op, const spec *s, uint32_t i, uint32_t dim, int64_t n,
                          resolved *r) {
  int64_t stride = s->stride[i], begin = s->begin[i],
          end = s->masks.offset ? begin + s->end[i] : s->end[i];
  bool masked = s->masks.begin >> i & 1;
  if (s->masks.shrink >> i & 1) {
    begin = masked ? (stride < 0 ? n - 1 : 0) : begin + (begin < 0 ? n : 0);
    if (stride < 0)
      qn_graph_warn(op, NULL,
                    "dimension %u is dropped with stride %lld, for which the reference kernel "
                    "writes nothing: index %lld is taken",
                    i, (long long)stride, (long long)begin);
    if (begin < 0 || begin >= n)
      return qn_graph_error(op, NULL, QN_INVALID, "index %lld of a dimension of %lld",
                            (long long)s->begin[i], (long long)n);
    r->begin[dim] = begin;
    r->end[dim] = begin + 1;
    r->stride[dim] = 1;
    return true;
  }
  if (stride == 0) return qn_graph_error(op, NULL, QN_INVALID, "stride %u is 0", i);
  int64_t lo = stride > 0 ? 0 : -1, hi = stride > 0 ? n : n - 1;
  begin = masked ? (stride > 0 ? 0 : n - 1) : clamp(begin < 0 ? begin + n : begin, lo, hi);
  end = s->masks.end >> i & 1 ? (stride > 0 ? n : -1) : clamp(end < 0 ? end + n : end, lo, hi);
  r->begin[dim] = begin;
  r->end[dim] = end;
  r->stride[dim] = clamp(stride, -INT32_MAX, INT32_MAX);
  return true;
}

static void whole_dimension(resolved *r, uint32_t dim, int64_t n) {
  r->begin[dim] = 0;
  r->end[dim] = n;
  r->stride[dim] = 1;
}

static int64_t length_of(const resolved *r, uint32_t dim) {
  int64_t span = r->end[dim] - r->begin[dim], stride = r->stride[dim];
  if (stride < 0) span = -span, stride = -stride;
  return span <= 0 ? 0 : (span + stride - 1) / stride;
}

static bool add_final(qn_graph_op *op, resolved *r, int64_t n) {
  if (r->final.rank == QN_GRAPH_MAX_RANK)
    return qn_graph_error(op, NULL, QN_LIMIT, "the result's rank is above the limit of %d",
                          QN_GRAPH_MAX_RANK);
  r->final.dims[r->final.rank++] = n;
  return true;
}

/* Resolves all elements; an ellipsis covers all dimensions without an element. */
static bool resolve_spec(qn_graph_op *op, const spec *s, const qn_graph_shape *x, resolved *r) {
  uint32_t named = 0, dim = 0;
  bool ellipsis_seen = false;
  for (uint32_t i = 0; i < s->count; i++)
    named += !(s->masks.ellipsis >> i & 1) && !(s->masks.new_axis >> i & 1);
  if (named > x->rank)
    return qn_graph_error(op, NULL, QN_INVALID, "%u indices for a tensor of rank %u", named,
                          x->rank);
  for (uint32_t i = 0; i <= s->count; i++) {
    bool at_end = i == s->count,
         ellipsis = !at_end && !ellipsis_seen && (s->masks.ellipsis >> i & 1);
    if (ellipsis || (at_end && !ellipsis_seen)) { /* at the end: dimensions without an element */
      ellipsis_seen = true;
      for (uint32_t k = x->rank - named; k > 0; k--, dim++) {
        whole_dimension(r, dim, x->dims[dim]);
        if (!add_final(op, r, x->dims[dim])) return false;
      }
    } else if (!at_end && (s->masks.ellipsis >> i & 1)) {
      return qn_graph_error(op, NULL, QN_INVALID, "more than one ellipsis");
    } else if (!at_end && (s->masks.new_axis >> i & 1)) {
      if (!add_final(op, r, 1)) return false;
    } else if (!at_end) {
      if (!resolve_entry(op, s, i, dim, x->dims[dim], r)) return false;
      if (!(s->masks.shrink >> i & 1) && !add_final(op, r, length_of(r, dim))) return false;
      dim++;
    }
  }
  return true;
}

void qn_graph_strided_slice(qn_graph_op *op, const qn_graph_slice_masks *masks) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  for (uint32_t i = 1; i < 4; i++) qn_graph_input(op, i);
  spec s = {.masks = *masks};
  resolved r = {0};
  if (op->failed || !qn_graph_movable(op, x, y) || !read_spec(op, &s) ||
      !resolve_spec(op, &s, &x->shape, &r))
    return;
  r.sliced.rank = x->shape.rank;
  for (uint32_t i = 0; i < x->shape.rank; i++) r.sliced.dims[i] = length_of(&r, i);
  qn_value *value = qn_graph_value(op, x);
  if (!value || !qn_graph_check_size(op, y, &r.sliced)) return;
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "begin", qn_attr_i64s(cx, r.begin, x->shape.rank));
  qn_graph_attr(&attrs, "end", qn_attr_i64s(cx, r.end, x->shape.rank));
  qn_graph_attr(&attrs, "stride", qn_attr_i64s(cx, r.stride, x->shape.rank));
  if (qn_graph_same_shape(&r.sliced, &r.final) || qn_graph_elements(&r.final) == 0) {
    qn_graph_build(op, QN_OP_ML_SLICE_BY_INDEX, &value, 1, &attrs, &r.final);
    return;
  }
  qn_builder b = op->graph->builder; /* a reshape drops and inserts dimensions */
  b.loc = qn_graph_loc(op, NULL);
  qn_op_state state = {.kind = QN_OP_ML_SLICE_BY_INDEX, .operands = &value, .operand_count = 1};
  const qn_type *type = qn_graph_shaped(op->graph, qn_type_element(value->type), &r.sliced);
  state.result_types = &type;
  state.result_count = 1;
  state.attrs = attrs.items;
  state.attr_count = attrs.count;
  qn_value *sliced = qn_op_result(qn_build(&b, state), 0);
  qn_graph_attrs none = {0};
  qn_graph_build(op, QN_OP_ML_RESHAPE, &sliced, 1, &none, &r.final);
}
