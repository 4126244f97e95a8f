/* Describes the kernel launches of a loops-stage module.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/executable.h"
#include "base/checked.h"
#include "ir/ops/control.h"
#include "ir/walk.h"

static const char *text(qn_arena *arena, qn_str view) {
  return view.data ? qn_arena_str(arena, view).data : "";
}

static void read_followers(const qn_op *launch, qn_arena *arena, qn_step_info *step) {
  const qn_attr *list = qn_op_find(launch, QN_A_FOLLOWERS);
  if (!list || list->kind != QN_ATTR_ARRAY) return;
  const char **names = QN_NEW_ARRAY(arena, (size_t)list->array.count + 1, const char *);
  for (uint32_t i = 0; i < list->array.count; i++) {
    const qn_attr *item = list->array.items[i];
    if (item->kind == QN_ATTR_STRING) names[step->follower_count++] = text(arena, item->string);
  }
  step->followers = names;
}

/* The operand type of a launch, derived from its first operand, the activations. */
static qn_factor factor_of(const qn_op *launch) {
  const qn_type *element = qn_type_element(qn_op_operand(launch, 0)->type);
  if (element->kind == QN_TYPE_FLOAT) return QN_FACTOR_F32;
  return qn_type_bytes(element) == 2 ? QN_FACTOR_I16 : QN_FACTOR_I8;
}

static qn_step_info read(const qn_op *launch, qn_arena *arena) {
  qn_step_info step = {.name = text(arena, qn_op_layer_name(launch)),
                       .kernel = text(arena, qn_op_kernel(launch)),
                       .shapes = text(arena, qn_op_layer_shapes(launch)),
                       .macs = qn_launch_macs(launch),
                       .factor = factor_of(launch)};
  int64_t rounds = qn_control_rounds(launch);
  for (uint32_t i = 0; i < launch->operand_count; i++) {
    const qn_value *buffer = qn_op_operand(launch, i);
    bool constant = buffer->op && buffer->op->kind == QN_OP_MEMREF_GET_GLOBAL;
    int64_t bytes = qn_memref_bytes(buffer->type);
    if (bytes > 0 && !qn_checked_mul(bytes, rounds, &bytes)) bytes = INT64_MAX;
    size_t *sum = constant ? &step.constant_bytes : &step.value_bytes;
    if (bytes > 0 && (size_t)bytes <= SIZE_MAX - *sum) *sum += (size_t)bytes;
  }
  read_followers(launch, arena, &step);
  return step;
}

qn_step_info *qn_steps_read(const qn_module *loops, qn_arena *arena) {
  const qn_op *main = qn_module_main(loops);
  if (!main) return NULL; /* compilation reports the missing main function */
  uint32_t count = 0;
  QN_FOR_EACH_NESTED_OP(op, main) count += qn_op_is_step(op);
  qn_step_info *steps = QN_NEW_ARRAY(arena, (size_t)count + 1, qn_step_info), *next = steps;
  QN_FOR_EACH_NESTED_OP(op, main) if (qn_op_is_step(op)) *next++ = read(op, arena);
  return steps;
}
