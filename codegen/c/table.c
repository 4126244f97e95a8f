/* The emitter of each op, and what has none.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/c/c.h"
#include "ir/ops/forms.h"
#include "ir/walk.h"

#define EXPRESSION(KIND) [QN_OP_##KIND] = qn_c_emit_expression

qn_c_emit_fn *const qn_c_emitters[QN_OP_COUNT] = {
    [QN_OP_MODULE] = qn_c_emit_nothing,
    [QN_OP_FUNC] = qn_c_emit_kernel,
    [QN_OP_FUNC_RETURN] = qn_c_emit_return,
    [QN_OP_ARITH_CONSTANT] = qn_c_emit_constant,
    [QN_OP_ARITH_ADDI] = qn_c_emit_addi,
    EXPRESSION(ARITH_SUBI),
    EXPRESSION(ARITH_MULI),
    EXPRESSION(ARITH_DIVSI),
    EXPRESSION(ARITH_DIVUI),
    EXPRESSION(ARITH_REMSI),
    EXPRESSION(ARITH_REMUI),
    EXPRESSION(ARITH_FLOORDIVSI),
    EXPRESSION(ARITH_CEILDIVSI),
    EXPRESSION(ARITH_ANDI),
    EXPRESSION(ARITH_ORI),
    EXPRESSION(ARITH_XORI),
    EXPRESSION(ARITH_SHLI),
    EXPRESSION(ARITH_SHRSI),
    EXPRESSION(ARITH_SHRUI),
    EXPRESSION(ARITH_MAXSI),
    EXPRESSION(ARITH_MINSI),
    EXPRESSION(ARITH_MAXUI),
    EXPRESSION(ARITH_MINUI),
    EXPRESSION(ARITH_ADDF),
    EXPRESSION(ARITH_SUBF),
    EXPRESSION(ARITH_MULF),
    EXPRESSION(ARITH_DIVF),
    EXPRESSION(ARITH_NEGF),
    EXPRESSION(ARITH_MAXIMUMF),
    EXPRESSION(ARITH_MINIMUMF),
    EXPRESSION(ARITH_MAXNUMF),
    EXPRESSION(ARITH_MINNUMF),
    EXPRESSION(ARITH_CMPI),
    EXPRESSION(ARITH_CMPF),
    EXPRESSION(ARITH_SELECT),
    EXPRESSION(ARITH_EXTSI),
    EXPRESSION(ARITH_EXTUI),
    EXPRESSION(ARITH_TRUNCI),
    EXPRESSION(ARITH_SITOFP),
    EXPRESSION(ARITH_UITOFP),
    EXPRESSION(ARITH_FPTOSI),
    EXPRESSION(ARITH_FPTOUI),
    EXPRESSION(ARITH_EXTF),
    EXPRESSION(ARITH_TRUNCF),
    EXPRESSION(ARITH_INDEX_CAST),
    EXPRESSION(ARITH_INDEX_CASTUI),
    EXPRESSION(ARITH_BITCAST),
    EXPRESSION(MATH_ABSI),
    EXPRESSION(MATH_CTLZ),
    EXPRESSION(MATH_ABSF),
    EXPRESSION(MATH_ROUNDEVEN),
    EXPRESSION(MATH_FLOOR),
    EXPRESSION(MATH_CEIL),
    EXPRESSION(MATH_TRUNC),
    EXPRESSION(MATH_ROUND),
    EXPRESSION(QUERN_OPAQUE),
    EXPRESSION(QUERN_ROUND_TO_INT),
    EXPRESSION(QUERN_RESCALE),
    [QN_OP_SCF_FOR] = qn_c_emit_for,
    [QN_OP_SCF_IF] = qn_c_emit_if,
    [QN_OP_SCF_WHILE] = qn_c_emit_while,
    [QN_OP_SCF_YIELD] = qn_c_emit_nothing,
    [QN_OP_SCF_CONDITION] = qn_c_emit_nothing,
    [QN_OP_MEMREF_GLOBAL] = qn_c_emit_nothing,
    [QN_OP_MEMREF_GET_GLOBAL] = qn_c_emit_get_global,
    [QN_OP_MEMREF_VIEW] = qn_c_emit_view,
    [QN_OP_MEMREF_LOAD] = qn_c_emit_load,
    [QN_OP_MEMREF_STORE] = qn_c_emit_store,
    [QN_OP_VECTOR_LOAD] = qn_c_emit_load,
    [QN_OP_VECTOR_STORE] = qn_c_emit_store,
    [QN_OP_VECTOR_BROADCAST] = qn_c_emit_broadcast,
    [QN_OP_VECTOR_BITCAST] = qn_c_emit_bitcast,
    [QN_OP_VECTOR_SHUFFLE] = qn_c_emit_shuffle,
    [QN_OP_VECTOR_EXTRACT] = qn_c_emit_extract,
    [QN_OP_VECTOR_REDUCTION] = qn_c_emit_reduction,
    [QN_OP_QUERN_LAUNCH] = qn_c_emit_launch,
    [QN_OP_QUERN_DOT] = qn_c_emit_dot,
    [QN_OP_QUERN_DOT_BLOCKS] = qn_c_emit_dot_blocks,
    [QN_OP_QUERN_DOT_JOINED] = qn_c_emit_dot_joined,
    [QN_OP_QUERN_SHUFFLE] = qn_c_emit_byte_shuffle,
    [QN_OP_QUERN_MADD_U8S8] = qn_c_emit_madd,
    [QN_OP_QUERN_MADD_S16] = qn_c_emit_madd,
    [QN_OP_QUERN_PACK] = qn_c_emit_pack,
    [QN_OP_QUERN_LOOKUP] = qn_c_emit_lookup,
    [QN_OP_QUERN_GATHER] = qn_c_emit_lookup,
    [QN_OP_QUERN_RELOAD] = qn_c_emit_load,
    [QN_OP_QUERN_SCRATCH] = qn_c_emit_scratch,
    /* They have no effect on values. */
    [QN_OP_QUERN_PREFETCH] = qn_c_emit_nothing,
    [QN_OP_QUERN_BOUNDARY] = qn_c_emit_nothing,
};

/* ---- what has no C ---- */

static const char *type_lacks(const qn_op *op) {
  const char *why = NULL;
  for (uint32_t i = 0; i < op->operand_count && !why; i++)
    why = qn_c_type_lacks(qn_op_operand(op, i)->type);
  for (uint32_t i = 0; i < op->result_count && !why; i++)
    why = qn_c_type_lacks(qn_op_result(op, i)->type);
  for (uint32_t r = 0; r < op->region_count; r++) QN_FOR_EACH_BLOCK(block, &op->regions[r])
  for (uint32_t i = 0; i < block->arg_count && !why; i++)
    why = qn_c_type_lacks(block->args[i]->type);
  return why;
}

static const char *lacks(const qn_cg_source *source, const qn_op *op) {
  (void)source;
  if (!qn_c_emitters[op->kind])
    return "has no C code: compile to an object, or for another level (--cpu generic)";
  if (op->kind == QN_OP_QUERN_LAUNCH && qn_op_prepares(op))
    return "prepares constants, which has no C code: compile to an object";
  const char *why = type_lacks(op);
  if (why) return why;
  bool expression = qn_c_emitters[op->kind] == qn_c_emit_expression || op->kind == QN_OP_ARITH_ADDI;
  if (expression && !qn_c_has_expression(op)) return "has no C code for operands of one bit";
  if (op->kind == QN_OP_VECTOR_BITCAST || op->kind == QN_OP_VECTOR_REDUCTION) {
    bool bit = qn_type_is_int(qn_type_element(qn_op_operand(op, 0)->type), 1) ||
               qn_type_is_int(qn_type_element(qn_op_result(op, 0)->type), 1);
    if (bit) return "has no C code for operands of one bit";
  }
  return NULL;
}

/* The text of a lane takes some hundred bytes, and ops have up to 64 lanes; a byte of constants
 * takes up to 6 characters, which are in two buffers at the end. */
const qn_cg_backend qn_cg_c = {
    .lacks = lacks,
    .base_bytes = 1 << 20,
    .op_bytes = 8 << 10,
    .constant_bytes = 12,
    .image_bytes = 12,
};
