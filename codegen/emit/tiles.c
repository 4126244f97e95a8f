/* AMX tiles and kernel-local scratch. Tiles are in registers of the matrix unit if the level has
 * one, else vectors that pass through memory. The second way is correct everywhere and slow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/tiles.h"

#include "codegen/emit/emit.h"
#include "codegen/machine/machine.h"
#include "ir/op_attrs.h"
#include "ir/ops/tile.h"

static const qn_cg_tile_unit *unit(const qn_cg *cg) { return cg->architecture->tiles; }

void qn_cg_begin_tiles(qn_cg *cg) {
  if (cg->tiles) unit(cg)->configure(cg, cg->tiles->registers);
}

void qn_cg_end_tiles(qn_cg *cg) {
  if (cg->tiles) unit(cg)->release(cg);
}

void qn_cg_carry_tile(qn_cg *cg, const qn_value *carried, const qn_value *init) {
  if (e_is_zero(init)) unit(cg)->zero(cg, qn_cg_tile_of(cg, carried));
}

/* ---- memory ---- */

/* Allocates stack memory in the entry block, so that it exists once per call. It begins at a cache
 * line where there are caches; on a microcontroller the frame need not be moved for it. */
static LLVMValueRef allocate(qn_cg *cg, LLVMTypeRef type) {
  enum { LINE = 64, POINTER = 32 };
  bool is_small = cg->level->index_bits == POINTER;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(cg->function);
  LLVMPositionBuilder(cg->b, entry, LLVMGetFirstInstruction(entry));
  LLVMValueRef memory = LLVMBuildAlloca(cg->b, type, "");
  LLVMSetAlignment(memory, is_small ? cg->architecture->stack_align : LINE);
  LLVMPositionBuilderAtEnd(cg->b, here);
  return memory;
}

void qn_emit_quern_scratch(qn_cg *cg, const qn_op *op) {
  const qn_type *type = op->results[0].type;
  LLVMTypeRef element = qn_cg_memory_type(cg, type->shaped.element);
  e_set(cg, op, allocate(cg, LLVMArrayType2(element, (uint64_t)type->shaped.dims[0])));
}

/* Address of row `row` of a tile in memory; memref and index are operands i and i + 1. */
static LLVMValueRef row_of(const qn_cg *cg, const qn_op *op, uint32_t i, int64_t row) {
  LLVMTypeRef element = qn_cg_memory_type(cg, qn_op_operand(op, i)->type->shaped.element);
  LLVMValueRef at = e_at(cg, element, e_operand(cg, op, i), e_operand(cg, op, i + 1));
  return row == 0 ? at : e_at(cg, element, at, e_index(cg, row * qn_op_row_stride(op)));
}

static int64_t stride_bytes(const qn_op *op, uint32_t memref) {
  return qn_op_row_stride(op) * qn_type_bytes(qn_op_operand(op, memref)->type->shaped.element);
}

/* ---- as vectors ---- */

/* Copies rows between a tile in memory and a vector in memory. */
static void move_rows(qn_cg *cg, const qn_op *op, uint32_t memref, int64_t rows, LLVMTypeRef vector,
                      LLVMValueRef joined, bool in) {
  unsigned columns = LLVMGetVectorSize(vector) / (unsigned)rows;
  LLVMTypeRef element = LLVMGetElementType(vector), row = LLVMVectorType(element, columns);
  unsigned align = LLVMGetIntTypeWidth(element) / 8;
  for (int64_t r = 0; r < rows; r++) {
    LLVMValueRef there = row_of(cg, op, memref, r);
    LLVMValueRef here = e_at(cg, element, joined, e_index(cg, r * columns));
    e_store(cg, e_load(cg, row, in ? there : here, align), in ? here : there, align);
  }
}

static void load_vector(qn_cg *cg, const qn_op *op) {
  LLVMTypeRef type = e_result_type(cg, op);
  LLVMValueRef joined = allocate(cg, type);
  move_rows(cg, op, 0, qn_op_tile_rows(op), type, joined, true);
  e_set(cg, op, e_load(cg, type, joined, 1));
}

static void store_vector(qn_cg *cg, const qn_op *op) {
  LLVMValueRef sums = e_operand(cg, op, 0);
  LLVMTypeRef type = LLVMTypeOf(sums);
  LLVMValueRef joined = allocate(cg, type);
  e_store(cg, sums, joined, 1);
  move_rows(cg, op, 1, LLVMGetVectorSize(type) / QN_TILE_SUMS, type, joined, false);
}

static LLVMValueRef stored(qn_cg *cg, LLVMValueRef vector) {
  LLVMValueRef memory = allocate(cg, LLVMTypeOf(vector));
  e_store(cg, vector, memory, 1);
  return memory;
}

/* Adds the products of one quad of a row to the row's accumulators. */
static LLVMValueRef add_quad(qn_cg *cg, LLVMValueRef sums, LLVMValueRef quad, LLVMValueRef b,
                             bool a_unsigned) {
  LLVMTypeRef type = LLVMTypeOf(sums), bytes = LLVMTypeOf(b);
  LLVMValueRef a = LLVMBuildBitCast(cg->b, e_splat(cg, quad, QN_TILE_SUMS), bytes, "");
  LLVMValueRef args[] = {sums, a, b};
  qn_cg_form form = a_unsigned ? QN_FORM_DOT_U8S8 : QN_FORM_DOT_S8S8;
  LLVMValueRef sum = qn_cg_instruct(cg, form, type, args, 3);
  for (unsigned k = 0; k < QN_TILE_QUAD && !sum; k++) {
    LLVMValueRef x = e_lanes_of(cg, a, a, k, QN_TILE_QUAD, QN_TILE_SUMS);
    LLVMValueRef y = e_lanes_of(cg, b, b, k, QN_TILE_QUAD, QN_TILE_SUMS);
    x = a_unsigned ? LLVMBuildZExt(cg->b, x, type, "") : LLVMBuildSExt(cg->b, x, type, "");
    y = LLVMBuildMul(cg->b, x, LLVMBuildSExt(cg->b, y, type, ""), "");
    sums = LLVMBuildAdd(cg->b, sums, y, "");
  }
  return sum ? sum : sums;
}

/* A loop over the quads of all rows; accumulators stay in memory. */
static void dot_vector(qn_cg *cg, const qn_op *op) {
  qn_tile_dot_shape shape = qn_tile_dot_shape_of(op);
  LLVMTypeRef row = LLVMVectorType(cg->i32, QN_TILE_SUMS);
  LLVMTypeRef bytes = LLVMVectorType(cg->i8, QN_TILE_BYTES);
  LLVMValueRef acc = stored(cg, e_operand(cg, op, 0)), a = stored(cg, e_operand(cg, op, 1));
  LLVMValueRef b = stored(cg, e_operand(cg, op, 2)), zero = e_index(cg, 0);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(cg->b);
  LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(cg->llvm, cg->function, "quads");
  LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(cg->llvm, cg->function, "after");
  LLVMBuildBr(cg->b, loop);
  LLVMPositionBuilderAtEnd(cg->b, loop);
  LLVMValueRef i = LLVMBuildPhi(cg->b, cg->index, ""),
               quads = e_index(cg, shape.depth / QN_TILE_QUAD);
  LLVMAddIncoming(i, &zero, &before, 1);
  LLVMValueRef r = LLVMBuildUDiv(cg->b, i, quads, ""), q = LLVMBuildURem(cg->b, i, quads, "");
  LLVMValueRef sums_at = e_at(cg, row, acc, r);
  LLVMValueRef quad = e_load(cg, cg->i32, e_at(cg, cg->i32, a, i), 1);
  LLVMValueRef weights = e_load(cg, bytes, e_at(cg, bytes, b, q), 1);
  LLVMValueRef sums = e_load(cg, row, sums_at, 1);
  e_store(cg, add_quad(cg, sums, quad, weights, qn_op_a_unsigned(op)), sums_at, 1);
  LLVMValueRef next = LLVMBuildAdd(cg->b, i, e_index(cg, 1), "");
  LLVMValueRef end = e_index(cg, shape.rows * shape.depth / QN_TILE_QUAD);
  LLVMBuildCondBr(cg->b, LLVMBuildICmp(cg->b, LLVMIntULT, next, end, ""), loop, after);
  LLVMAddIncoming(i, &next, &loop, 1);
  LLVMPositionBuilderAtEnd(cg->b, after);
  e_set(cg, op, e_load(cg, e_result_type(cg, op), acc, 1));
}

/* ---- emitters ---- */

void qn_emit_quern_tile_load(qn_cg *cg, const qn_op *op) {
  int tile = qn_cg_tile_of(cg, &op->results[0]);
  if (tile < 0)
    load_vector(cg, op);
  else
    unit(cg)->load(cg, tile, row_of(cg, op, 0, 0), stride_bytes(op, 0));
}

void qn_emit_quern_tile_dot(qn_cg *cg, const qn_op *op) {
  int acc = qn_cg_tile_of(cg, &op->results[0]);
  if (acc < 0) {
    dot_vector(cg, op);
    return;
  }
  if (e_is_zero(qn_op_operand(op, 0))) unit(cg)->zero(cg, acc);
  unit(cg)->dot(cg, acc, qn_cg_tile_of(cg, qn_op_operand(op, 1)),
                qn_cg_tile_of(cg, qn_op_operand(op, 2)), qn_op_a_unsigned(op));
}

void qn_emit_quern_tile_store(qn_cg *cg, const qn_op *op) {
  int tile = qn_cg_tile_of(cg, qn_op_operand(op, 0));
  if (tile < 0)
    store_vector(cg, op);
  else
    unit(cg)->store(cg, tile, row_of(cg, op, 1, 0), stride_bytes(op, 1));
}
