/* Names of SSA values: results are %0, %1, ..., arguments of entry blocks %arg0, %arg1, ..., and
 * constants contain their value (%c4, %c-1_i32, %true, %cst). The values of a region are named when
 * it is entered, after those of the enclosing block. Sibling regions reuse names.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "ir/walk.h"
#include "text/printer.h"

static qn_value_name *slot(qn_printer *out, const qn_value *value) {
  size_t needed = (size_t)value->id + 1;
  if (out->names.count < needed) {
    qn_array_reserve(&out->names, needed);
    memset(out->names.data + out->names.count, 0,
           (needed - out->names.count) * sizeof *out->names.data);
    out->names.count = needed;
  }
  return &out->names.data[value->id];
}

/* Base names of results by kind of op. If the second result has a base name, too, each result of
 * the op is bound by its own name. */
static const char *const result_names[QN_OP_COUNT][2] = {
    [QN_OP_FUNC_CONSTANT] = {"f"},
    [QN_OP_TENSOR_DIM] = {"dim"},
    [QN_OP_TENSOR_RANK] = {"rank"},
    [QN_OP_TENSOR_SPLAT] = {"splat"},
    [QN_OP_TENSOR_RESHAPE] = {"reshape"},
    [QN_OP_TENSOR_FROM_ELEMENTS] = {"from_elements"},
    [QN_OP_TENSOR_CAST] = {"cast"},
    [QN_OP_TENSOR_EXTRACT] = {"extracted"},
    [QN_OP_SHAPE_SPLIT_AT] = {"head", "tail"},
};

/* Removes the text printed from `start` on, and returns it as a name. */
static const char *take_name(qn_printer *out, size_t start) {
  qn_str text = {out->out->data + start, out->out->size - start};
  out->out->size = start;
  return qn_arena_str(&out->scratch, text).data;
}

/* The preferred name of a constant; NULL if it has none. */
static const char *constant_name(qn_printer *out, const qn_op *op) {
  if (op->kind != QN_OP_ARITH_CONSTANT || op->result_count != 1) return NULL;
  const qn_attr *value = qn_op_find(op, QN_A_VALUE);
  if (!value) return NULL;
  if (value->kind == QN_ATTR_BOOL) return value->boolean ? "true" : "false";
  if (value->kind != QN_ATTR_INTEGER) return "cst";
  size_t start = out->out->size;
  qn_puts(out, "c");
  qn_print_int(out, value->integer, value->type);
  if (value->type->kind != QN_TYPE_INDEX) {
    qn_puts(out, "_");
    qn_print_type(out, value->type);
  }
  return take_name(out, start);
}

static const char *make_unique(qn_printer *out, const char *wish) {
  qn_str name = qn_str_of(wish);
  void **used = qn_str_map_at(&out->used_names, name);
  while (*used) {
    size_t start = out->out->size;
    qn_puts(out, wish);
    qn_puts(out, "_");
    qn_print_uint(out, out->level.next_conflict++);
    name = qn_str_of(take_name(out, start));
    used = qn_str_map_at(&out->used_names, name);
  }
  *used = out;
  qn_array_push(&out->used_order, name);
  out->level.used = out->used_order.count;
  return name.data;
}

uint32_t qn_bound_results(const qn_op *op) {
  bool each = op->result_count == 2 && result_names[op->kind][1];
  return each ? 2 : op->result_count ? 1 : 0;
}

static void name_op(qn_printer *out, const qn_op *op) {
  for (uint32_t i = 0; i < qn_bound_results(op); i++) {
    qn_value_name *name = slot(out, qn_op_result(op, i));
    const char *wish = constant_name(out, op);
    if (!wish) wish = result_names[op->kind][i];
    *name = (qn_value_name){.known = true};
    if (wish)
      name->name = make_unique(out, wish);
    else
      name->number = out->level.next_number++;
  }
}

/* Preferred name of a block argument. Arguments of linalg.generic represent elements of inputs and
 * outputs. */
static const char *argument_name(const qn_op *owner, bool entry, uint32_t i) {
  if (!entry || !owner || owner->kind != QN_OP_LINALG_GENERIC) return NULL;
  return i < qn_op_segment(owner, 0) ? "in" : "out";
}

static void name_args(qn_printer *out, const qn_block *block, bool entry) {
  for (uint32_t i = 0; i < block->arg_count; i++) {
    qn_value_name *name = slot(out, block->args[i]);
    const char *wish = argument_name(block->region->owner, entry, i);
    if (wish) {
      *name = (qn_value_name){.known = true};
      name->name = make_unique(out, wish);
      continue;
    }
    uint32_t number = entry ? out->level.next_argument++ : out->level.next_number++;
    *name = (qn_value_name){.known = true, .argument = entry, .number = number};
  }
}

qn_name_level qn_names_enter(qn_printer *out, const qn_region *region) {
  qn_name_level before = out->level;
  uintptr_t number = 0;
  QN_FOR_EACH_BLOCK(block, region) {
    if (number++) qn_map_set(&out->blocks, block, (void *)(number - 1));
    name_args(out, block, block == region->first);
    QN_FOR_EACH_OP(op, block) name_op(out, op);
  }
  return before;
}

void qn_names_leave(qn_printer *out, qn_name_level before) {
  while (out->used_order.count > before.used)
    qn_str_map_set(&out->used_names, out->used_order.data[--out->used_order.count], NULL);
  out->level = before;
}

void qn_names_enter_ancestors(qn_printer *out, const qn_op *op) {
  QN_ARRAY(const qn_region *) regions = {0};
  for (const qn_op *at = op; at && at->block && at->block->region; at = qn_op_parent(at))
    qn_array_push(&regions, at->block->region);
  if (regions.count == 0) name_op(out, op);
  while (regions.count) qn_names_enter(out, regions.data[--regions.count]);
  qn_array_free(&regions);
}

void qn_print_value_name(qn_printer *out, const qn_value *value) {
  const qn_value_name *name = value->id < out->names.count ? &out->names.data[value->id] : NULL;
  bool known = name && name->known; /* otherwise the value is defined outside of the printed op */
  qn_puts(out, "%");
  if (known && name->name) {
    qn_puts(out, name->name);
    return;
  }
  if (!known)
    qn_puts(out, "unnamed");
  else if (name->argument)
    qn_puts(out, "arg");
  qn_print_uint(out, known ? name->number : value->id);
}

void qn_print_value(qn_printer *out, const qn_value *value) {
  bool bound = !value->op || value->index < qn_bound_results(value->op);
  qn_print_value_name(out, bound ? value : qn_op_result(value->op, 0));
  if (value->op && value->op->result_count > qn_bound_results(value->op)) {
    qn_puts(out, "#");
    qn_print_uint(out, value->index);
  }
}

/* Prints ^bb with the block's index in its region. A block that is not in the map is the only one,
 * with index 0. */
void qn_print_block_name(qn_printer *out, const qn_block *block) {
  qn_puts(out, "^bb");
  qn_print_uint(out, (uintptr_t)qn_map_get(&out->blocks, block));
}
