/* Constant folding by the interpreter.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/fold.h"
#include "ir/ops/forms.h"
#include "ir/ops/linalg.h"
#include "ir/walk.h"

#include <string.h>

#include "base/array.h"
#include "base/heap.h"
#include "eval/eval_op.h"

struct qn_folder {
  qn_eval ev;
  qn_arena arena;  /* rewound after each fold */
  size_t capacity; /* capacity of the table of values */
  int64_t limit;   /* limit in bytes of an operand or result */
  bool bodies;     /* also ops with bodies, and operands with unspecified elements */
};

static const qn_eval_options no_options = {0};

qn_folder *qn_folder_create(const qn_module *module) {
  qn_folder *folder = qn_heap_new(sizeof *folder);
  qn_arena_init(&folder->arena);
  folder->limit = QN_FOLD_MAX_BYTES;
  folder->ev = (qn_eval){.module = module,
                         .cx = module->cx,
                         .arena = &folder->arena,
                         .options = &no_options,
                         .index_bits = (uint32_t)qn_op_index_bits(module->op)};
  return folder;
}

void qn_folder_set_limit(qn_folder *folder, int64_t bytes) { folder->limit = bytes; }

void qn_folder_allow_bodies(qn_folder *folder) { folder->bodies = true; }

void qn_folder_destroy(qn_folder *folder) {
  if (!folder) return;
  qn_array_release(folder->ev.values);
  qn_arena_deinit(&folder->arena);
  qn_heap_free(folder);
}

/* Grows the table of values, because rewriting creates values. */
static void grow(qn_folder *folder) {
  size_t needed = folder->ev.module->value_count + 1, before = folder->capacity;
  if (needed <= before) return;
  folder->ev.values =
      qn_array_grow(folder->ev.values, &folder->capacity, needed, sizeof *folder->ev.values);
  memset(folder->ev.values + before, 0, (folder->capacity - before) * sizeof *folder->ev.values);
}

static bool is_quant_cast(const qn_op *op) {
  static const bool casts[QN_OP_COUNT] = {
#define OP(stem, kind, ...) [QN_OP_##kind] = true,
#include "ir/ops/quant.def"
#undef OP
  };
  return casts[op->kind];
}

static bool is_number(const qn_type *element) {
  return element->kind == QN_TYPE_INTEGER || element->kind == QN_TYPE_INDEX ||
         qn_type_is_float(element, QN_F16) || qn_type_is_float(element, QN_BF16) ||
         qn_type_is_float(element, QN_F32) || qn_type_is_float(element, QN_F64);
}

static bool is_small(const qn_folder *folder, const qn_type *type, bool may_be_quantized) {
  const qn_type *element = qn_type_element(type);
  bool quantized = may_be_quantized && qn_type_quant(type) != NULL;
  if (!is_number(element) && !quantized) return false;
  if (!qn_type_is_shaped(type)) return qn_type_bytes(type) <= 8;
  if (type->kind == QN_TYPE_MEMREF) return false;
  int64_t elements = qn_type_elements(type);
  return elements > 0 && elements <= folder->limit / qn_type_bytes(element);
}

/* The ops that produce an operand: a constant, or a storage cast of one, which is how quantized
 * constants are written. */
typedef struct sources {
  const qn_op *ops[2];
  uint32_t count;
} sources;

static sources sources_of(const qn_folder *folder, const qn_op *op, uint32_t operand) {
  const qn_value *value = qn_op_operand(op, operand);
  bool empty = folder->bodies && value->op && value->op->kind == QN_OP_TENSOR_EMPTY;
  if (qn_value_constant(value) || empty) return (sources){{value->op}, 1};
  bool cast = is_quant_cast(op) && value->op && value->op->kind == QN_OP_QUANT_SCAST;
  if (!cast || !qn_value_constant(qn_op_operand(value->op, 0))) return (sources){.count = 0};
  return (sources){{qn_op_operand(value->op, 0)->op, value->op}, 2};
}

/* The op of a constant that the body reads from outside; NULL if the value is from inside. */
static const qn_op *outside_of(const qn_value *value, const qn_op *op) {
  const qn_block *block = value->op ? value->op->block : value->block;
  return block == qn_op_body(op) ? NULL : value->op;
}

static bool is_computable(const qn_folder *folder, const qn_op *op) {
  if (op->kind == QN_OP_LINALG_GENERIC) return folder->bodies && qn_generic_is_closed(op);
  return qn_op_has(op, QN_PURE) && !qn_op_has(op, QN_CONSTANT) && op->region_count == 0;
}

static bool can_fold(const qn_folder *folder, const qn_op *op) {
  if (!is_computable(folder, op)) return false;
  if (op->operand_count == 0 || op->result_count == 0) return false;
  bool casts = is_quant_cast(op);
  if (op->kind == QN_OP_QUANT_SCAST && qn_type_quant(op->results[0].type)) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (sources_of(folder, op, i).count == 0 ||
        !is_small(folder, qn_op_operand(op, i)->type, casts))
      return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!is_small(folder, op->results[i].type, casts)) return false;
  return true;
}

/* Stored values as signless integers of the storage's width. */
static const qn_attr *stored_attr(qn_folder *folder, const qn_rt_value *value) {
  qn_ir_context *cx = folder->ev.cx;
  uint32_t width = qn_type_quant(value->type)->storage->integer.width;
  const qn_type *integer = qn_type_i(cx, width);
  if (!qn_type_is_shaped(value->type)) return qn_attr_int(cx, value->i, integer);
  qn_rt_value stored = {.type = qn_type_with_element(cx, value->type, integer),
                        .data = qn_arena_alloc(&folder->arena, (size_t)value->size),
                        .size = value->size};
  for (int64_t i = 0, n = qn_rt_count(value); i < n; i++)
    qn_rt_set_int(&stored, i, qn_low_bits(qn_rt_int(value, i), width, width > 1));
  return qn_attr_dense(cx, stored.type, (qn_bytes){stored.data, (size_t)stored.size}, false);
}

static const qn_attr *attr_of(qn_folder *folder, const qn_rt_value *value) {
  qn_ir_context *cx = folder->ev.cx;
  if (qn_type_quant(value->type)) return stored_attr(folder, value);
  if (qn_type_is_shaped(value->type))
    return qn_attr_dense(cx, value->type, (qn_bytes){value->data, (size_t)value->size}, false);
  if (value->type->kind == QN_TYPE_FLOAT) return qn_attr_float(cx, value->f, value->type);
  if (qn_type_is_int(value->type, 1)) return qn_attr_bool(cx, value->i != 0);
  return qn_attr_int(cx, value->i, value->type);
}

/* Evaluates an op without diagnostics: an evaluation error is not an error of the program, because
 * the program may never execute this op. */
static qn_status evaluate_silently(qn_folder *folder, const qn_op *op) {
  qn_diag_state state = qn_diag_silence(&folder->ev.cx->diag);
  qn_status status = QN_OK;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    sources from = sources_of(folder, op, i);
    for (uint32_t k = 0; k < from.count && status == QN_OK; k++)
      status = qn_eval_table[from.ops[k]->kind](&folder->ev, from.ops[k]);
  }
  QN_FOR_EACH_NESTED_OP(inner, op) {
    for (uint32_t i = 0; i < inner->operand_count && status == QN_OK; i++) {
      const qn_op *constant = outside_of(qn_op_operand(inner, i), op);
      if (constant) status = qn_eval_table[constant->kind](&folder->ev, constant);
    }
  }
  if (status == QN_OK) status = qn_eval_table[op->kind](&folder->ev, op);
  qn_diag_restore(&folder->ev.cx->diag, &state);
  return status;
}

/* Clears the values, which point into the arena that is about to be rewound. */
static void forget(qn_folder *folder, const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    sources from = sources_of(folder, op, i);
    for (uint32_t k = 0; k < from.count; k++)
      folder->ev.values[from.ops[k]->results[0].id] = (qn_rt_value){0};
  }
  for (uint32_t i = 0; i < op->result_count; i++)
    folder->ev.values[op->results[i].id] = (qn_rt_value){0};
  QN_FOR_EACH_NESTED_OP(inner, op) {
    for (uint32_t i = 0; i < inner->result_count; i++)
      folder->ev.values[inner->results[i].id] = (qn_rt_value){0};
    for (uint32_t i = 0; i < inner->operand_count; i++) {
      const qn_op *constant = outside_of(qn_op_operand(inner, i), op);
      if (constant) folder->ev.values[constant->results[0].id] = (qn_rt_value){0};
    }
  }
}

bool qn_fold(qn_folder *folder, const qn_op *op, const qn_attr **out_values) {
  if (!can_fold(folder, op)) return false;
  grow(folder);
  qn_arena_mark mark = qn_arena_get_mark(&folder->arena);
  bool folded = evaluate_silently(folder, op) == QN_OK;
  for (uint32_t i = 0; folded && i < op->result_count; i++)
    out_values[i] = attr_of(folder, &folder->ev.values[op->results[i].id]);
  forget(folder, op);
  qn_arena_rewind(&folder->arena, mark);
  return folded;
}
