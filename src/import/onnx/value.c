/* Values of tensors: see value.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/value.h"

#include "base/transpose.h"
#include "ir/ops/forms.h"

/* Maximum chain of operators that forward a requested element type, which recurse here. */
enum { MOST_PASSED = 200 };

static const int64_t to_nhwc[] = {0, 2, 3, 1}, to_nchw[] = {0, 3, 1, 2};

const qn_type *qn_onnx_f32(const qn_graph *graph) { return qn_type_float(graph->cx, QN_F32); }

qn_graph_shape qn_onnx_shape_in(const qn_graph_shape *shape, qn_onnx_layout layout) {
  qn_graph_shape out = *shape;
  QN_ASSERT(layout == QN_ONNX_PLAIN || shape->rank == 4);
  for (uint32_t i = 0; i < 4 && layout == QN_ONNX_NHWC; i++) out.dims[i] = shape->dims[to_nhwc[i]];
  return out;
}

qn_value *qn_onnx_transpose(qn_graph_op *op, qn_value *value, const int64_t *perm) {
  qn_graph_shape from = qn_graph_shape_of(value), to = from;
  for (uint32_t i = 0; i < from.rank; i++) to.dims[i] = from.dims[perm[i]];
  return qn_graph_part(op, QN_OP_ML_TRANSPOSE, qn_type_element(value->type), &to, &value, 1,
                       QN_ATTRS({"perm", qn_attr_i64s(op->graph->cx, perm, from.rank)}));
}

/* Whether a transpose moves elements; not if only dimensions of size 1 move. */
static bool moves_elements(const qn_graph_shape *shape, const int64_t *perm) {
  int64_t last = -1;
  for (uint32_t i = 0; i < shape->rank; i++) {
    if (shape->dims[perm[i]] == 1) continue;
    if (perm[i] < last) return true;
    last = perm[i];
  }
  return false;
}

static qn_value *in_other_layout(qn_graph_op *op, qn_value *value, const int64_t *perm) {
  qn_graph_shape from = qn_graph_shape_of(value), to = from;
  if (moves_elements(&from, perm)) return qn_onnx_transpose(op, value, perm);
  for (uint32_t i = 0; i < from.rank; i++) to.dims[i] = from.dims[perm[i]];
  return qn_graph_view(op, value, &to);
}

/* ---- forms ---- */

static qn_onnx_form *form_of(qn_graph_op *op, const qn_graph_tensor *tensor) {
  qn_onnx_tensor *extra = qn_onnx_extra(op->graph, tensor);
  if (!extra->form) extra->form = QN_NEW(&op->graph->arena, qn_onnx_form);
  return extra->form;
}

static void keep(qn_graph_op *op, qn_onnx_form *form, const qn_type *element, qn_onnx_layout layout,
                 qn_value *value) {
  qn_onnx_built *built = QN_NEW(&op->graph->arena, qn_onnx_built);
  *built = (qn_onnx_built){element, layout, value, form->built};
  form->built = built;
}

static qn_value *find(const qn_onnx_form *form, const qn_type *element, qn_onnx_layout layout) {
  for (const qn_onnx_built *b = form->built; b; b = b->next)
    if (b->element == element && b->layout == layout) return b->value;
  return NULL;
}

bool qn_onnx_is_constant(qn_graph_op *op, const qn_graph_tensor *tensor) {
  const qn_onnx_form *form = form_of(op, tensor);
  return !form->recipe && !form->dequantized.tensor && tensor->writer < 0 && !tensor->is_input;
}

const qn_type *qn_onnx_own(qn_graph_op *op, qn_graph_tensor *tensor) {
  qn_onnx_form *form = form_of(op, tensor);
  if (!form->own) form->own = qn_graph_element_type(op->graph, op, tensor);
  return form->own;
}

/* ---- constants ---- */

static qn_bytes turned(qn_graph_op *op, const qn_graph_tensor *tensor, const qn_graph_shape *to,
                       const int64_t *perm, size_t width) {
  int64_t strides[QN_GRAPH_MAX_RANK], of[QN_GRAPH_MAX_RANK], stride = 1;
  size_t size = tensor->data.size;
  if (!qn_graph_spend(op, (int64_t)size)) return (qn_bytes){NULL, 0};
  for (uint32_t d = to->rank; d-- > 0; stride *= tensor->shape.dims[d]) of[d] = stride;
  for (uint32_t d = 0; d < to->rank; d++) strides[d] = of[perm[d]];
  uint8_t *bytes = qn_arena_alloc(&op->graph->cx->arena, size);
  qn_transpose(to->rank, to->dims, strides, width, tensor->data.data, bytes);
  return (qn_bytes){bytes, size};
}

/* Whether a constant that has to be transposed stays in the memory of the file, because the copies
 * so far have taken much. */
static bool stays_in_file(qn_graph_op *op, qn_bytes bytes) {
  enum { SMALLEST = 1 << 16, MOST_COPIED = 1 << 24 };
  qn_onnx *im = qn_onnx_of(op->graph);
  im->copied += (int64_t)bytes.size;
  return bytes.size >= SMALLEST && im->copied > MOST_COPIED;
}

/* The constant as in the file, an op that transposes it, and one that states its quantized type.
 * The pass turn-constants makes one constant of them. */
static qn_value *turned_later(qn_graph_op *op, const qn_graph_tensor *tensor, const qn_type *type,
                              const int64_t *perm) {
  qn_graph *graph = op->graph;
  const size_t width = (size_t)qn_graph_dtype_bytes(tensor->dtype);
  const qn_type *element = qn_type_element(qn_type_stored(graph->cx, type));
  const qn_type *stored = qn_graph_shaped(graph, element, &tensor->shape);
  if (!qn_graph_spend(op, (int64_t)tensor->data.size)) return NULL;
  const qn_attr *value =
      qn_attr_dense(graph->cx, stored, tensor->data, (uintptr_t)tensor->data.data % width == 0);
  qn_builder b = graph->builder;
  b.loc = qn_graph_loc(op, tensor);
  qn_value *x = qn_build_1(&b, QN_OP_ML_CONST, stored, NULL, 0, QN_ATTRS({"value", value}));
  x = qn_onnx_transpose(op, x, perm);
  const qn_graph_shape shape = qn_graph_shape_of(x);
  if (qn_type_element(type) == element) return x;
  return qn_graph_part(op, QN_OP_QUANT_SCAST, qn_type_element(type), &shape, &x, 1, NULL);
}

qn_value *qn_onnx_transposed(qn_graph_op *op, qn_graph_tensor *tensor, const qn_type *element,
                             const int64_t *perm) {
  qn_graph *graph = op->graph;
  const size_t width = (size_t)qn_graph_dtype_bytes(tensor->dtype);
  qn_graph_shape shape = tensor->shape;
  for (uint32_t i = 0; i < shape.rank; i++) shape.dims[i] = tensor->shape.dims[perm[i]];
  const qn_type *type = qn_graph_shaped(graph, element, &shape);
  const qn_type *stored = qn_type_stored(graph->cx, type);
  qn_bytes bytes = tensor->data;
  if (!qn_onnx_is_constant(op, tensor)) {
    qn_graph_error(op, tensor, QN_UNSUPPORTED, "it must be a constant");
    return NULL;
  }
  if (qn_graph_elements(&shape) == 0) return qn_graph_const(op, element, &shape, "");
  if (qn_type_bytes(qn_type_element(stored)) != width ||
      bytes.size != width * (size_t)qn_graph_elements(&shape)) {
    qn_graph_error(op, tensor, QN_UNSUPPORTED, "a constant of type %s is not supported here",
                   qn_graph_dtype_name(tensor->dtype));
    return NULL;
  }
  bool moves = moves_elements(&tensor->shape, perm);
  if (moves && stays_in_file(op, bytes)) return turned_later(op, tensor, type, perm);
  if (moves) bytes = turned(op, tensor, &shape, perm, width);
  if (bytes.size == 0 || (!moves && !qn_graph_spend(op, (int64_t)bytes.size))) return NULL;
  const qn_attr *value =
      qn_attr_dense(graph->cx, stored, bytes, (uintptr_t)bytes.data % width == 0);
  qn_builder b = graph->builder;
  b.loc = qn_graph_loc(op, tensor);
  return qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static const int64_t in_order[QN_GRAPH_MAX_RANK] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                    8, 9, 10, 11, 12, 13, 14, 15};

static qn_value *constant(qn_graph_op *op, qn_graph_tensor *tensor, const qn_type *element,
                          qn_onnx_layout layout) {
  return qn_onnx_transposed(op, tensor, element, layout == QN_ONNX_NHWC ? to_nhwc : in_order);
}

/* The type of transposed weights: dimension i was perm[i]. */
static const qn_type *turned_type(qn_graph *graph, const qn_type *element, const int64_t *perm) {
  if (element->kind != QN_TYPE_QUANT_UNIFORM || element->uniform.scheme != QN_PER_AXIS)
    return element;
  qn_quant_uniform u = element->uniform;
  int32_t axis = 0;
  while (perm[axis] != u.axis) axis++;
  u.axis = axis;
  return qn_type_uniform(graph->cx, &u);
}

qn_value *qn_onnx_weights(qn_graph_op *op, qn_onnx_source source, const int64_t *perm) {
  const qn_type *element = source.element ? source.element : qn_onnx_own(op, source.tensor);
  if (!element) return NULL;
  return qn_onnx_transposed(op, source.tensor, turned_type(op->graph, element, perm), perm);
}

/* ---- recipes ---- */

qn_value *qn_onnx_through(qn_graph_op *op, const qn_onnx_recipe *r, uint32_t i,
                          const qn_type *element) {
  qn_onnx *im = qn_onnx_of(op->graph);
  const bool apart = !qn_onnx_keeps_fusion(im, r, element);
  im->apart += apart;
  qn_value *value = qn_onnx_value_as(op, r->through[i], element, r->through_layout);
  im->apart -= apart;
  return value;
}

qn_value *qn_onnx_build(qn_graph_op *op, const qn_onnx_recipe *r, const qn_type *element) {
  if (r->build) return r->build(op, r, element);
  if (!r->through && qn_onnx_wants_doubles(r, element)) return qn_onnx_in_doubles(op, r, element);
  qn_graph *graph = op->graph;
  uint32_t count = r->through ? r->through_count : r->count;
  qn_value **operands = QN_NEW_ARRAY(&graph->arena, count, qn_value *);
  for (uint32_t i = 0; i < count; i++) {
    operands[i] = r->through ? qn_onnx_through(op, r, i, element) : r->operands[i];
    if (!operands[i]) return NULL;
  }
  const qn_type *type = qn_graph_shaped(graph, element, &r->shape);
  qn_op *built = qn_build(&graph->builder, (qn_op_state){.kind = r->kind,
                                                         .loc = r->loc,
                                                         .operands = operands,
                                                         .operand_count = count,
                                                         .result_types = &type,
                                                         .result_count = 1,
                                                         .attrs = r->attrs.items,
                                                         .attr_count = r->attrs.count});
  qn_onnx_note_fusion(op, r, built);
  return qn_op_result(built, 0);
}

/* ---- conversions ---- */

static qn_value *part(qn_graph_op *op, qn_op_kind kind, const qn_type *element, qn_value *x) {
  qn_graph_shape shape = qn_graph_shape_of(x);
  return qn_graph_part(op, kind, element, &shape, &x, 1, NULL);
}

static const qn_type *storage_of(qn_graph_op *op, const qn_type *element) {
  (void)op;
  return element->kind == QN_TYPE_QUANT_UNIFORM ? element->uniform.storage : element;
}

/* Interprets the stored integers of x, unchanged, as elements of another type of the same width. */
static qn_value *reinterpret(qn_graph_op *op, qn_graph_tensor *tensor, qn_value *x,
                             const qn_type *element) {
  const qn_type *from = qn_type_element(x->type);
  const qn_type *a = storage_of(op, from), *b = storage_of(op, element);
  if (a->kind != QN_TYPE_INTEGER || b->kind != QN_TYPE_INTEGER ||
      a->integer.width != b->integer.width) {
    qn_graph_error(op, tensor, QN_UNSUPPORTED,
                   "its elements can't be read as the integers that are expected here");
    return NULL;
  }
  if (from->kind == QN_TYPE_QUANT_UNIFORM) x = part(op, QN_OP_QUANT_SCAST, a, x);
  if (a != b) x = part(op, QN_OP_ML_BITCAST, b, x);
  if (element->kind == QN_TYPE_QUANT_UNIFORM) x = part(op, QN_OP_QUANT_SCAST, element, x);
  return x;
}

static bool is_quantized(const qn_type *element) { return element->kind == QN_TYPE_QUANT_UNIFORM; }

/* Converts a value from the quantized tensor that a DequantizeLinear reads. */
static qn_value *from_quantized(qn_graph_op *op, qn_onnx_source source, const qn_type *element,
                                qn_onnx_layout layout) {
  qn_value *x = qn_onnx_value_as(op, source.tensor, source.element, layout);
  if (!x || source.element == element) return x;
  return part(op, is_quantized(element) ? QN_OP_ML_REQUANTIZE : QN_OP_QUANT_DCAST, element, x);
}

static qn_value *convert(qn_graph_op *op, qn_graph_tensor *tensor, const qn_type *element,
                         qn_onnx_layout layout) {
  const qn_type *own = qn_onnx_own(op, tensor);
  if (!own) return NULL;
  qn_value *x = qn_onnx_value_as(op, tensor, own, layout);
  if (!x) return NULL;
  if (own->kind == QN_TYPE_FLOAT && is_quantized(element))
    return part(op, QN_OP_QUANT_QCAST, element, x);
  return reinterpret(op, tensor, x, element);
}

/* Sets the tensor index on the op whose result has the file's layout. */
static void mark(qn_graph_op *op, const qn_graph_tensor *tensor, qn_value *value) {
  const int64_t number = tensor->index;
  const char *name = qn_attr_decls[QN_A_TENSORS].name;
  if (!value->op || qn_op_find(value->op, QN_A_TENSORS)) return;
  if (qn_op_has(value->op, QN_CONSTANT)) return;
  qn_op_set_attr(op->graph->module, value->op, name, qn_attr_i64s(op->graph->cx, &number, 1));
  qn_onnx_extra(op->graph, tensor)->has_value = true;
}

static bool has_written(qn_graph_op *op, qn_graph_tensor *tensor, const qn_onnx_form *form) {
  if (form->built || form->recipe || form->dequantized.tensor) return true;
  if (!tensor->bad)
    qn_graph_error(op, tensor, QN_UNSUPPORTED, "its value is not known where it is read");
  op->failed = true;
  return false;
}

qn_value *qn_onnx_value_as(qn_graph_op *op, qn_graph_tensor *tensor, const qn_type *element,
                           qn_onnx_layout layout) {
  qn_onnx_form *form = form_of(op, tensor);
  qn_value *value = find(form, element, layout);
  if (value) return value;
  if (tensor->value && !form->built) { /* an input of the model */
    keep(op, form, qn_type_element(tensor->value->type), QN_ONNX_PLAIN, tensor->value);
    form->own = qn_type_element(tensor->value->type);
    return qn_onnx_value_as(op, tensor, element, layout);
  }
  qn_onnx_layout other = layout == QN_ONNX_PLAIN ? QN_ONNX_NHWC : QN_ONNX_PLAIN;
  value = tensor->shape.rank == 4 ? find(form, element, other) : NULL;
  if (value) {
    qn_value *moved = in_other_layout(op, value, layout == QN_ONNX_NHWC ? to_nhwc : to_nchw);
    if (moved != value) moved->op->loc = qn_graph_loc(op, tensor); /* not that of the reader */
    value = moved;
  } else if (qn_onnx_is_constant(op, tensor)) {
    value = constant(op, tensor, element, layout);
  } else if (!has_written(op, tensor, form)) {
    return NULL;
  } else if (form->dequantized.tensor) {
    value = from_quantized(op, form->dequantized, element, layout);
  } else if (form->recipe && (form->recipe->is_exact || element == qn_onnx_own(op, tensor))) {
    value = qn_onnx_build(op, form->recipe, element);
    if (value && form->recipe->layout != layout) {
      keep(op, form, element, form->recipe->layout, value);
      return qn_onnx_value_as(op, tensor, element, layout);
    }
  } else if (element != qn_onnx_own(op, tensor)) {
    value = convert(op, tensor, element, layout);
  }
  if (!value) return NULL;
  keep(op, form, element, layout, value);
  if (layout == QN_ONNX_PLAIN && element == qn_onnx_own(op, tensor)) mark(op, tensor, value);
  return value;
}

qn_value *qn_onnx_value_in(qn_graph_op *op, qn_graph_tensor *tensor, qn_onnx_layout layout) {
  if (tensor->value) (void)form_of(op, tensor);
  const qn_type *own = qn_onnx_own(op, tensor);
  if (tensor->value) own = form_of(op, tensor)->own = qn_type_element(tensor->value->type);
  return own ? qn_onnx_value_as(op, tensor, own, layout) : NULL;
}

qn_value *qn_onnx_value(qn_graph_op *op, qn_graph_tensor *tensor) {
  return qn_onnx_value_in(op, tensor, QN_ONNX_PLAIN);
}

qn_value *qn_onnx_output_value(qn_graph_op *op, qn_graph_tensor *tensor) {
  const qn_onnx_node *quantizer = qn_onnx_extra(op->graph, tensor)->quantizer;
  if (!quantizer || tensor->dtype != QN_GRAPH_FLOAT32) return qn_onnx_value(op, tensor);
  const qn_type *own = qn_onnx_own(op, tensor);
  const qn_type *element = qn_onnx_own(op, &op->graph->tensors[quantizer->outputs[0]]);
  qn_value *x = element ? qn_onnx_value_as(op, tensor, element, QN_ONNX_PLAIN) : NULL;
  if (!own || !x) return NULL;
  qn_value *value = part(op, QN_OP_QUANT_DCAST, own, x);
  mark(op, tensor, value);
  return value;
}

/* ---- operands ---- */

qn_onnx_source qn_onnx_source_of(qn_graph_op *op, uint32_t i) {
  qn_graph_tensor *tensor = qn_graph_input(op, i);
  if (!tensor) return (qn_onnx_source){NULL, NULL};
  const qn_onnx_form *form = form_of(op, tensor);
  if (form->dequantized.tensor) return form->dequantized;
  const qn_onnx_source *moved = qn_onnx_moved_source(qn_onnx_of(op->graph), tensor);
  return (qn_onnx_source){tensor, moved ? moved->element : NULL};
}

bool qn_onnx_is_exact(qn_graph_op *op, qn_onnx_source source) {
  return source.element || qn_onnx_is_constant(op, source.tensor);
}

qn_value *qn_onnx_source_value(qn_graph_op *op, qn_onnx_source source, qn_onnx_layout layout) {
  return source.element ? qn_onnx_value_as(op, source.tensor, source.element, layout)
                        : qn_onnx_value_in(op, source.tensor, layout);
}

qn_onnx_layout qn_onnx_layout_of(qn_graph_op *op, const qn_graph_tensor *tensor) {
  const qn_onnx_form *form = form_of(op, tensor);
  if (tensor->shape.rank != 4) return QN_ONNX_PLAIN;
  if (form->dequantized.tensor) return qn_onnx_layout_of(op, form->dequantized.tensor);
  for (const qn_onnx_built *b = form->built; b; b = b->next)
    if (b->layout == QN_ONNX_NHWC) return QN_ONNX_NHWC;
  return form->built || !form->recipe ? QN_ONNX_PLAIN : form->recipe->layout;
}

/* ---- results ---- */

static bool open_result(qn_graph_op *op, qn_graph_tensor *tensor, uint8_t dtype,
                        const qn_graph_shape *shape) {
  tensor->dtype = dtype;
  tensor->loaded = true;
  if (!qn_graph_check_size(op, tensor, shape)) return false;
  tensor->shape = *shape;
  return !op->failed;
}

static bool takes_steps(const qn_graph_op *op) { return qn_onnx_node_of(op)->row->takes_steps; }

void qn_onnx_leave(qn_graph_op *op, qn_graph_tensor *tensor, uint8_t dtype,
                   const qn_graph_shape *shape, const qn_onnx_recipe *recipe) {
  if (!open_result(op, tensor, dtype, shape)) return;
  qn_onnx_recipe *own = QN_NEW(&op->graph->arena, qn_onnx_recipe);
  *own = *recipe;
  own->loc = qn_graph_loc(op, tensor);
  own->takes_steps = takes_steps(op);
  own->node = qn_onnx_node_of(op);
  for (uint32_t i = 0; i < own->through_count; i++) {
    const qn_onnx_recipe *inner = form_of(op, own->through[i])->recipe;
    uint32_t depth = inner ? inner->depth + 1 : 1;
    if (depth > own->depth) own->depth = depth;
  }
  if (own->depth > MOST_PASSED) {
    qn_graph_error(op, tensor, QN_LIMIT,
                   "more than %d operators that only move or clamp elements "
                   "follow each other",
                   MOST_PASSED);
    return;
  }
  form_of(op, tensor)->recipe = own;
}

void qn_onnx_define(qn_graph_op *op, qn_graph_tensor *tensor, uint8_t dtype,
                    const qn_graph_shape *shape, qn_value *value, qn_onnx_layout layout) {
  if (!value || !open_result(op, tensor, dtype, shape)) {
    op->failed = true;
    return;
  }
  qn_onnx_form *form = form_of(op, tensor);
  const qn_type *element = qn_type_element(value->type);
  form->own = element;
  keep(op, form, element, layout, value);
  /* Removed if it has no reader, unless tensors are kept. */
  if (layout == QN_ONNX_NHWC) value = qn_onnx_value_as(op, tensor, element, QN_ONNX_PLAIN);
  if (value) mark(op, tensor, value);
  if (qn_graph_is_index(dtype)) tensor->value = value; /* its value may be known (qn_graph_ints) */
}

void qn_onnx_make(qn_graph_op *op, qn_graph_tensor *tensor, uint8_t dtype,
                  const qn_graph_shape *shape, const qn_onnx_recipe *recipe,
                  const qn_type *element) {
  qn_onnx_recipe own = *recipe;
  own.loc = qn_graph_loc(op, tensor);
  own.takes_steps = takes_steps(op);
  qn_onnx_define(op, tensor, dtype, shape, qn_onnx_build(op, &own, element), recipe->layout);
}

void qn_onnx_pass(qn_graph_op *op, qn_graph_tensor *tensor, const qn_graph_shape *shape,
                  const qn_onnx_recipe *recipe) {
  qn_graph_tensor *x = recipe->through[0];
  qn_onnx_recipe own = *recipe;
  own.is_exact = true;
  for (uint32_t i = 0; i < own.through_count; i++) {
    qn_graph_tensor *t = own.through[i];
    const qn_onnx_form *form = form_of(op, t);
    bool exact = form->dequantized.tensor || (form->recipe && form->recipe->is_exact);
    own.is_exact &= exact || qn_onnx_is_constant(op, t);
  }
  if (x->dtype == QN_GRAPH_FLOAT32) {
    qn_onnx_leave(op, tensor, x->dtype, shape, &own);
    return;
  }
  if (!qn_onnx_value(op, x)) return;
  qn_onnx_make(op, tensor, x->dtype, shape, &own, qn_onnx_own(op, x));
}

void qn_onnx_pass_one(qn_graph_op *op, qn_graph_tensor *x, qn_graph_tensor *tensor,
                      const qn_graph_shape *shape, const qn_onnx_recipe *recipe) {
  qn_graph_tensor **through = QN_NEW_ARRAY(&op->graph->arena, 1, qn_graph_tensor *);
  qn_onnx_recipe own = *recipe;
  through[0] = x;
  own.through = through;
  own.through_count = 1;
  qn_onnx_pass(op, tensor, shape, &own);
}

void qn_onnx_define_empty(qn_graph_op *op, qn_graph_tensor *tensor, uint8_t dtype,
                          const qn_graph_shape *shape) {
  QN_ASSERT(qn_graph_elements(shape) == 0);
  if (!open_result(op, tensor, dtype, shape)) return;
  tensor->data = (qn_bytes){NULL, 0};
  tensor->writer = -1; /* as for a constant in the file */
}

void qn_onnx_alias(qn_graph_op *op, qn_graph_tensor *tensor, qn_graph_tensor *of) {
  if (!open_result(op, tensor, of->dtype, &of->shape)) return;
  qn_onnx_tensor *extra = qn_onnx_extra(op->graph, tensor);
  if (qn_onnx_is_constant(op, of)) {
    tensor->data = of->data;
    tensor->writer = -1;
    extra->bits = qn_onnx_extra(op->graph, of)->bits;
    return;
  }
  if (of->value) (void)qn_onnx_value(op, of); /* an input of the model */
  extra->form = form_of(op, of);
}
