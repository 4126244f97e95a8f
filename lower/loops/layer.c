/* Names and shapes of layers (layer.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/layer.h"

#include "lower/loops/elements/row_groups.h"
#include "lower/loops/fuse_producer/fuse_producer.h"
#include "lower/loops/fusion/fusion.h"

qn_str qn_layer_name(const qn_loops *lo, const qn_op *op) {
  const qn_loc *loc = op->loc;
  while (loc->kind != QN_LOC_NAME && loc->child_count > 0) loc = loc->children[0];
  if (loc->kind == QN_LOC_NAME) return loc->text;
  if (loc->kind != QN_LOC_FILE || loc->line == 0) return op->name;
  return qn_arena_format(lo->scratch, "%u:%u (%.*s)", loc->line, loc->column, QN_STR_ARG(op->name));
}

static void put_shape(qn_text *out, const qn_type *type) {
  if (type->shaped.rank == 0) qn_text_puts(out, "scalar");
  for (uint32_t i = 0; i < type->shaped.rank; i++)
    qn_text_format(out, "%s%lld", i ? "x" : "", (long long)type->shaped.dims[i]);
}

/* Whether an operand's shape is shown. Constants with several dimensions are shown, because they
 * are weights; other constants are parameters. */
static bool is_shown(const qn_value *operand) {
  const qn_type *type = operand->type;
  bool constant = operand->op && qn_loops_is_constant(operand->op);
  return type->kind == QN_TYPE_TENSOR && (!constant || type->shaped.rank >= 2);
}

/* An op with many operands or results has several kernels, and each is described separately. */
enum { MOST_SHAPES = 16 };

/* Appends one more shape after `shown` others. */
static uint32_t put_next(qn_text *out, const qn_type *type, uint32_t shown) {
  if (shown > MOST_SHAPES) return shown;
  if (shown > 0) qn_text_puts(out, ", ");
  if (shown < MOST_SHAPES)
    put_shape(out, type);
  else
    qn_text_puts(out, "...");
  return shown + 1;
}

static uint32_t put_operands(qn_text *out, const qn_op *op, uint32_t first, uint32_t shown) {
  for (uint32_t i = first; i < op->operand_count; i++)
    if (is_shown(qn_op_operand(op, i))) shown = put_next(out, qn_op_operand(op, i)->type, shown);
  return shown;
}

/* Appends the shapes of the op. `producer`: the fused producer whose operands replace operand 0;
 * NULL if none. */
static void put_shapes(qn_text *out, const qn_op *op, const qn_op *producer) {
  uint32_t shown = producer ? put_operands(out, producer, 0, 0) : 0;
  shown = put_operands(out, op, producer ? 1 : 0, shown);
  for (uint32_t i = 0; i < op->result_count && i <= MOST_SHAPES; i++) {
    qn_text_puts(out, i ? ", " : shown ? " -> " : "-> ");
    if (i < MOST_SHAPES)
      put_shape(out, op->results[i].type);
    else
      qn_text_puts(out, "...");
  }
}

/* ---- row groups ---- */

/* Whether an op of the group before ops[end] reads the value. */
static bool is_read_before(const qn_row_group *group, uint32_t end, const qn_value *v) {
  for (uint32_t i = 0; i < end; i++)
    for (uint32_t j = 0; j < group->ops[i]->operand_count; j++)
      if (qn_op_operand(group->ops[i], j) == v) return true;
  return false;
}

static bool leaves_group(const qn_loops *lo, const qn_row_group *group, const qn_value *result) {
  for (const qn_use *use = result->first_use; use; use = use->next)
    if (qn_row_group_of(lo, use->owner) != group) return true;
  return false;
}

/* Appends the shapes that the kernel of a row group reads from other kernels, and those of the
 * results that others read. */
static void put_group_shapes(qn_text *out, const qn_loops *lo, const qn_row_group *group) {
  uint32_t shown = 0, results = 0;
  for (uint32_t i = 0; i < group->count; i++) {
    const qn_op *op = group->ops[i];
    for (uint32_t j = 0; j < op->operand_count; j++) {
      const qn_value *v = qn_op_operand(op, j);
      bool inside = v->op && (qn_loops_is_constant(v->op) || qn_row_group_of(lo, v->op) == group);
      if (!inside && !is_read_before(group, i, v)) shown = put_next(out, v->type, shown);
    }
  }
  qn_text_puts(out, shown ? " -> " : "-> ");
  for (uint32_t i = 0; i < group->count; i++)
    for (uint32_t r = 0; r < group->ops[i]->result_count; r++)
      if (leaves_group(lo, group, &group->ops[i]->results[r]))
        results = put_next(out, group->ops[i]->results[r].type, results);
}

/* The names of the layers that the kernel computes after its first, each once in a row. */
static void set_group_names(const qn_loops *lo, const qn_row_group *group, qn_op *launch) {
  const qn_attr *names[QN_FUSION_BUFFERS];
  uint32_t count = 0;
  const qn_attr *last = qn_attr_string(lo->cx, qn_layer_name(lo, group->ops[0]));
  for (uint32_t i = 1; i < group->count && count < QN_FUSION_BUFFERS; i++) {
    const qn_attr *name = qn_attr_string(lo->cx, qn_layer_name(lo, group->ops[i]));
    if (name != last) names[count++] = name;
    last = name;
  }
  if (count > 0)
    qn_op_set_attr(lo->module, launch, "quern.followers", qn_attr_array(lo->cx, names, count));
}

/* ---- one launch ---- */

static void set_post_ops(const qn_kernel *k, qn_op *launch) {
  const qn_loops *lo = k->lo;
  const qn_attr *names[QN_FUSION_BUFFERS];
  uint32_t count = 0;
  const qn_op *producer = qn_producer_of(lo, k->op);
  if (producer) names[count++] = qn_attr_string(lo->cx, qn_layer_name(lo, producer));
  for (const qn_op *op = k->op; (op = qn_fusion_next(lo, op)) && count < QN_FUSION_BUFFERS;)
    names[count++] = qn_attr_string(lo->cx, qn_layer_name(lo, op));
  if (count > 0)
    qn_op_set_attr(lo->module, launch, "quern.followers", qn_attr_array(lo->cx, names, count));
}

const qn_attr *qn_layer_describe(const qn_kernel *k, qn_op *launch) {
  const qn_loops *lo = k->lo;
  qn_str name = qn_layer_name(lo, k->op);
  qn_text text = {0};
  qn_text_format(&text, "%.*s: ", QN_STR_ARG(name));
  size_t prefix = text.size;
  const qn_row_group *group = k->of_rows ? qn_row_group_of(lo, k->op) : NULL;
  if (group)
    put_group_shapes(&text, lo, group);
  else
    put_shapes(&text, k->op, k->has_post_ops ? qn_producer_of(lo, k->op) : NULL);
  qn_str both = qn_text_view(&text);
  qn_str shapes = {both.data + prefix, both.size - prefix};
  qn_op_set_attr(lo->module, launch, "quern.name", qn_attr_string(lo->cx, name));
  qn_op_set_attr(lo->module, launch, "quern.shapes", qn_attr_string(lo->cx, shapes));
  if (k->has_post_ops) set_post_ops(k, launch);
  if (group) set_group_names(lo, group, launch);
  const qn_attr *layer = qn_attr_string(lo->cx, both);
  qn_text_deinit(&text);
  return layer;
}
