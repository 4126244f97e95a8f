/* Constant folding by the interpreter.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "eval/eval_op.h"

struct qn_folder {
  qn_eval ev;
  qn_arena arena;  /* rewound after each fold */
  size_t capacity; /* of the table of values */
};

static const qn_eval_options no_options = {0};

qn_folder *qn_folder_create(const qn_module *module) {
  qn_folder *folder = calloc(1, sizeof *folder);
  if (!folder) qn_check_failed(__FILE__, __LINE__, "out of memory");
  qn_arena_init(&folder->arena);
  folder->ev = (qn_eval){
      .module = module, .cx = module->cx, .arena = &folder->arena, .options = &no_options};
  return folder;
}

void qn_folder_destroy(qn_folder *folder) {
  if (!folder) return;
  qn_array_release(folder->ev.values);
  qn_arena_deinit(&folder->arena);
  free(folder);
}

/* Rewriting makes values: the table grows with the module. */
static void grow(qn_folder *folder) {
  size_t needed = folder->ev.module->value_count + 1, before = folder->capacity;
  if (needed <= before) return;
  folder->ev.values =
      qn_array_grow(folder->ev.values, &folder->capacity, needed, sizeof *folder->ev.values);
  memset(folder->ev.values + before, 0, (folder->capacity - before) * sizeof *folder->ev.values);
}

static bool is_small(const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  bool scalar = element->kind == QN_TYPE_INTEGER || element->kind == QN_TYPE_INDEX ||
                qn_type_is_float(element, QN_F32) || qn_type_is_float(element, QN_F64);
  if (!scalar || (qn_type_is_shaped(type) && type->kind == QN_TYPE_MEMREF)) return false;
  if (!qn_type_is_shaped(type)) return qn_type_bytes(type) <= 8;
  int64_t elements = qn_type_elements(type);
  return elements > 0 && elements * qn_type_bytes(element) <= QN_FOLD_MAX_BYTES;
}

static bool can_fold(const qn_op *op) {
  if (!qn_op_has(op, QN_PURE) || qn_op_has(op, QN_CONSTANT) || op->region_count > 0) return false;
  if (op->operand_count == 0 || op->result_count == 0) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!qn_value_constant(qn_op_operand(op, i)) || !is_small(qn_op_operand(op, i)->type))
      return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!is_small(op->results[i].type)) return false;
  return true;
}

static const qn_attr *attr_of(qn_folder *folder, const qn_rt_value *value) {
  qn_ir_context *cx = folder->ev.cx;
  if (qn_type_is_shaped(value->type))
    return qn_attr_dense(cx, value->type, (qn_bytes){value->data, (size_t)value->size}, false);
  if (value->type->kind == QN_TYPE_FLOAT) return qn_attr_float(cx, value->f, value->type);
  if (qn_type_is_int(value->type, 1)) return qn_attr_bool(cx, value->i != 0);
  return qn_attr_int(cx, value->i, value->type);
}

static void ignore(void *user, const qn_diag *diag) { (void)user, (void)diag; }

/* Errors of an evaluation are no errors of the program: it may never get there. */
static qn_status evaluate_silently(qn_folder *folder, const qn_op *op) {
  qn_diag_engine *diag = &folder->ev.cx->diag;
  qn_diag_handler *handler = diag->handler;
  uint32_t errors = diag->errors, warnings = diag->warnings;
  diag->handler = ignore;
  qn_status status = QN_OK;
  for (uint32_t i = 0; i < op->operand_count && status == QN_OK; i++) {
    const qn_op *constant = qn_op_operand(op, i)->op;
    status = qn_eval_table[constant->kind](&folder->ev, constant);
  }
  if (status == QN_OK) status = qn_eval_table[op->kind](&folder->ev, op);
  diag->handler = handler;
  diag->errors = errors;
  diag->warnings = warnings;
  return status;
}

/* Slots point into the arena, which is about to be rewound. */
static void forget(qn_folder *folder, const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    *qn_eval_operand(&folder->ev, op, i) = (qn_rt_value){0};
  for (uint32_t i = 0; i < op->result_count; i++)
    folder->ev.values[op->results[i].id] = (qn_rt_value){0};
}

bool qn_fold(qn_folder *folder, const qn_op *op, const qn_attr **out_values) {
  if (!can_fold(op)) return false;
  grow(folder);
  qn_arena_mark mark = qn_arena_get_mark(&folder->arena);
  bool folded = evaluate_silently(folder, op) == QN_OK;
  for (uint32_t i = 0; folded && i < op->result_count; i++)
    out_values[i] = attr_of(folder, &folder->ev.values[op->results[i].id]);
  forget(folder, op);
  qn_arena_rewind(&folder->arena, mark);
  return folded;
}
