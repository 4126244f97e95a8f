/* Gather, Split, Expand, Tile, DepthToSpace and SpaceToDepth.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/value.h"
#include "ir/ops/forms.h"

/* ---- Gather ---- */

static qn_value *build_gather(qn_graph_op *op, const qn_onnx_recipe *r, const qn_type *element) {
  qn_value *x = qn_onnx_through(op, r, 0, element);
  if (!x) return NULL;
  return qn_graph_part(op, QN_OP_ML_GATHER, element, &r->shape, (qn_value *[]){x, r->operands[0]},
                       2, QN_ATTRS({"axis", r->attrs.items[0].value}));
}

/* Normalizes indices: negative ones count from the end. */
static qn_value *from_start(qn_graph_op *op, qn_value *indices, int64_t size) {
  const qn_type *element = qn_type_element(indices->type), *boolean = qn_type_i(op->graph->cx, 1);
  const qn_graph_shape shape = qn_graph_shape_of(indices);
  qn_value *zero = qn_graph_const_number(op, element, 0);
  qn_value *all = qn_graph_const_number(op, element, size);
  qn_value *negative =
      qn_graph_part(op, QN_OP_ML_LESS, boolean, &shape, (qn_value *[]){indices, zero}, 2, NULL);
  qn_value *moved =
      qn_graph_part(op, QN_OP_ML_ADD, element, &shape, (qn_value *[]){indices, all}, 2, NULL);
  return qn_graph_part(op, QN_OP_ML_SELECT, element, &shape,
                       (qn_value *[]){negative, moved, indices}, 3, NULL);
}

void qn_onnx_import_gather(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *indices = qn_graph_input(op, 1);
  uint32_t axis;
  if (op->failed || !qn_graph_axis(op, qn_onnx_int(op, "axis", 0), x->shape.rank, &axis)) return;
  if (!qn_graph_is_index(indices->dtype)) {
    qn_graph_error(op, indices, QN_INVALID, "indices of type %s",
                   qn_graph_dtype_name(indices->dtype));
    return;
  }
  qn_graph_shape shape = {0};
  if (x->shape.rank + indices->shape.rank > QN_GRAPH_MAX_RANK) {
    qn_graph_error(op, x, QN_LIMIT, "a result of rank %u", x->shape.rank + indices->shape.rank - 1);
    return;
  }
  for (uint32_t i = 0; i < axis; i++) shape.dims[shape.rank++] = x->shape.dims[i];
  for (uint32_t i = 0; i < indices->shape.rank; i++)
    shape.dims[shape.rank++] = indices->shape.dims[i];
  for (uint32_t i = axis + 1; i < x->shape.rank; i++) shape.dims[shape.rank++] = x->shape.dims[i];
  qn_onnx_recipe r = {.build = build_gather, .shape = shape};
  r.operands[0] = qn_onnx_value(op, indices);
  if (!r.operands[0]) return;
  r.operands[0] = from_start(op, r.operands[0], x->shape.dims[axis]);
  qn_graph_attr(&r.attrs, "axis", qn_attr_i64(op->graph->cx, axis));
  qn_onnx_pass_one(op, x, qn_graph_output(op, 0), &shape, &r);
}

/* ---- Split ---- */

/* Sizes of the parts: given, or equal except for the last one. */
static bool split_sizes(qn_graph_op *op, int64_t size, int64_t *sizes, uint32_t count) {
  uint32_t given = 0;
  if (qn_onnx_opset(op) < 13) {
    if (!qn_onnx_ints(op, "split", count, sizes, &given)) return false;
  } else if (qn_graph_has_input(op, 1)) {
    qn_graph_tensor *operand = qn_graph_input(op, 1);
    if (!operand || !qn_graph_ints(op, operand, count, sizes, &given)) return false;
  }
  if (given != 0 && given != count)
    return qn_graph_error(op, NULL, QN_INVALID, "%u sizes of %u parts", given, count);
  int64_t left = size, each = (size + count - 1) / count;
  for (uint32_t i = 0; i < count; i++) {
    if (given == 0) sizes[i] = each < left ? each : left;
    if ((given && given != count) || sizes[i] < 0 || sizes[i] > left) {
      qn_graph_error(op, NULL, QN_INVALID, "%lld elements are not split into these %u parts",
                     (long long)size, count);
      return false;
    }
    left -= sizes[i];
  }
  return left == 0 || qn_graph_error(op, NULL, QN_INVALID, "the parts leave %lld elements over",
                                     (long long)left);
}

void qn_onnx_import_split(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  const uint32_t count = op->outputs.count;
  uint32_t axis;
  if (op->failed || !qn_graph_axis(op, qn_onnx_int(op, "axis", 0), x->shape.rank, &axis)) return;
  int64_t *sizes = QN_NEW_ARRAY(&op->graph->arena, count, int64_t);
  if (!split_sizes(op, x->shape.dims[axis], sizes, count)) return;
  int64_t begin[QN_GRAPH_MAX_RANK] = {0}, end[QN_GRAPH_MAX_RANK], stride[QN_GRAPH_MAX_RANK];
  for (uint32_t d = 0; d < x->shape.rank; d++) end[d] = x->shape.dims[d], stride[d] = 1;
  for (uint32_t i = 0; i < count; i++) {
    qn_graph_shape shape = x->shape;
    shape.dims[axis] = sizes[i];
    end[axis] = begin[axis] + sizes[i];
    qn_onnx_recipe r = {.kind = QN_OP_ML_SLICE_BY_INDEX, .shape = shape};
    qn_graph_attr_i64s(op, &r.attrs, "begin", begin, shape.rank);
    qn_graph_attr_i64s(op, &r.attrs, "end", end, shape.rank);
    qn_graph_attr_i64s(op, &r.attrs, "stride", stride, shape.rank);
    begin[axis] = end[axis];
    if (qn_graph_number(op->outputs, i) < 0) continue;
    if (qn_graph_elements(&shape) == 0)
      qn_onnx_define_empty(op, qn_graph_output(op, i), x->dtype, &shape);
    else
      qn_onnx_pass_one(op, x, qn_graph_output(op, i), &shape, &r);
  }
}

/* ---- Expand and Tile ---- */

static qn_value *build_tile(qn_graph_op *op, const qn_onnx_recipe *r, const qn_type *element) {
  qn_value *x = qn_onnx_through(op, r, 0, element);
  if (!x) return NULL;
  qn_graph_shape from = qn_graph_shape_of(x), view = {.rank = r->shape.rank};
  const uint32_t missing = view.rank - from.rank;
  int64_t reps[QN_GRAPH_MAX_RANK];
  for (uint32_t i = 0; i < view.rank; i++) {
    view.dims[i] = i < missing ? 1 : from.dims[i - missing];
    reps[i] = r->shape.dims[i] / view.dims[i];
  }
  x = qn_graph_view(op, x, &view);
  return qn_graph_part(op, QN_OP_ML_TILE, element, &r->shape, &x, 1,
                       QN_ATTRS({"reps", qn_attr_i64s(op->graph->cx, reps, view.rank)}));
}

void qn_onnx_import_expand(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *sizes = qn_graph_input(op, 1), to = {0};
  qn_graph_shape shape;
  if (op->failed || !qn_graph_ints(op, sizes, QN_GRAPH_MAX_RANK, to.shape.dims, &to.shape.rank) ||
      !qn_graph_broadcast(op, x, &to, &shape) || !qn_graph_check_size(op, x, &shape))
    return;
  qn_onnx_recipe r = {.build = build_tile, .shape = shape};
  qn_onnx_pass_one(op, x, qn_graph_output(op, 0), &shape, &r);
}

void qn_onnx_import_tile(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *operand = qn_graph_input(op, 1);
  int64_t reps[QN_GRAPH_MAX_RANK];
  uint32_t count;
  qn_graph_shape shape;
  if (op->failed || !qn_graph_ints(op, operand, QN_GRAPH_MAX_RANK, reps, &count)) return;
  shape = x->shape;
  if (count != shape.rank) {
    qn_graph_error(op, operand, QN_INVALID, "%u repeats for rank %u", count, shape.rank);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (reps[i] < 0 || reps[i] > INT32_MAX) {
      qn_graph_error(op, operand, QN_UNSUPPORTED, "%lld repeats", (long long)reps[i]);
      return;
    }
    shape.dims[i] *= reps[i]; /* below 2^62 */
  }
  if (!qn_graph_check_size(op, x, &shape)) return;
  qn_onnx_recipe r = {.build = build_tile, .shape = shape};
  qn_onnx_pass_one(op, x, qn_graph_output(op, 0), &shape, &r);
}

/* ---- blocks ---- */

/* Whether the channel is the slowest index of a block (CRD), or the fastest (DCR). */
static bool read_order(qn_graph_op *op, bool *out_first) {
  qn_str mode = qn_onnx_string(op, "mode", "DCR");
  *out_first = qn_str_is(mode, "CRD");
  if (op->failed || *out_first || qn_str_is(mode, "DCR")) return !op->failed;
  mode = qn_graph_printable(&op->graph->arena, mode, 40);
  return qn_graph_error(op, NULL, QN_INVALID, "'mode' is '%.*s'", QN_STR_ARG(mode));
}

/* As a transpose, for blocks whose slowest index is the channel. r->axis: the block's size. */
static qn_value *build_blocks(qn_graph_op *op, const qn_onnx_recipe *r, const qn_type *element) {
  static const int64_t to_space[] = {0, 1, 4, 2, 5, 3}, to_depth[] = {0, 1, 3, 5, 2, 4};
  const bool spreads = r->kind == QN_OP_ML_DEPTH_TO_SPACE;
  const int64_t block = r->axis;
  qn_value *x = qn_onnx_through(op, r, 0, element);
  if (!x) return NULL;
  const int64_t *d = x->type->shaped.dims;
  const qn_graph_shape deep = {6, {d[0], r->shape.dims[1], block, block, d[2], d[3]}};
  const qn_graph_shape wide = {6, {d[0], d[1], r->shape.dims[2], block, r->shape.dims[3], block}};
  x = qn_graph_view(op, x, spreads ? &deep : &wide);
  x = qn_onnx_transpose(op, x, spreads ? to_space : to_depth);
  return qn_graph_view(op, x, &r->shape);
}

void qn_onnx_import_blocks(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  const bool to_space = op->row->kind == QN_OP_ML_DEPTH_TO_SPACE;
  int64_t block = qn_onnx_int(op, "blocksize", 0);
  bool first;
  if (op->failed || !read_order(op, &first)) return;
  if (x->shape.rank != 4 || block < 1 || block > INT16_MAX) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "only images of rank 4 have blocks, of 1 to %d elements",
                   INT16_MAX);
    return;
  }
  qn_graph_shape shape = x->shape;
  int64_t *d = shape.dims;
  bool fits = to_space ? d[1] % (block * block) == 0 : d[2] % block == 0 && d[3] % block == 0;
  if (!fits) {
    qn_graph_error(op, x, QN_INVALID, "it has no blocks of %lld", (long long)block);
    return;
  }
  d[1] = to_space ? d[1] / (block * block) : d[1] * block * block;
  d[2] = to_space ? d[2] * block : d[2] / block;
  d[3] = to_space ? d[3] * block : d[3] / block;
  if (!qn_graph_check_size(op, x, &shape)) return;

  qn_onnx_recipe r = {.kind = op->row->kind,
                      .layout = QN_ONNX_NHWC,
                      .through_layout = QN_ONNX_NHWC,
                      .shape = qn_onnx_shape_in(&shape, QN_ONNX_NHWC)};
  if (first)
    r = (qn_onnx_recipe){
        .build = build_blocks, .kind = op->row->kind, .shape = shape, .axis = (uint32_t)block};
  else
    qn_graph_attr_i64s(op, &r.attrs, "block_shape", &block, 1);
  qn_onnx_pass_one(op, x, qn_graph_output(op, 0), &shape, &r);
}
