/* quern.lookup: 256-entry tables of bytes, in four ways.
 *
 * By permutes of 128 bytes: the table is four registers; two permutes cover 128 entries each, and
 * the sign bit of the index selects. (Not by a mask register: on Zen 4 making it occupies the pipes
 * that multiply.) By shuffles within 16 bytes: sixteen shuffles, one per row of 16 entries, by the
 * low four bits of the index; the others select among their results. By tables of 64 bytes in four
 * registers: one lookup per quarter, which keeps lanes whose index is in another quarter. Else one
 * load per lane.
 *
 * Measured on one Zen 4 core, ns per byte: 0.025 by permutes; 0.13 by shuffles of 64 or 32 bytes.
 * On one Sapphire Rapids core loads take 0.34 to 0.44. Shuffles of 16 bytes take longer, so
 * machine/ has no row for them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "codegen/machine/machine.h"

enum { ROW = 16, ROWS = 16 };

static LLVMValueRef table_at(const qn_cg *cg, LLVMValueRef table, unsigned offset, unsigned bytes) {
  LLVMValueRef address = e_at(cg, cg->i8, table, e_index(cg, offset));
  return e_load(cg, LLVMVectorType(cg->i8, bytes), address, 1);
}

/* Resizes x to `lanes` lanes: narrower vectors are extended to 64 lanes and cut back. */
static LLVMValueRef resize(const qn_cg *cg, LLVMValueRef x, unsigned lanes) {
  int32_t mask[QN_CODEGEN_MAX_LANES];
  unsigned have = e_lanes(LLVMTypeOf(x));
  if (have == lanes) return x;
  for (unsigned i = 0; i < lanes; i++) mask[i] = i < have ? (int32_t)i : -1;
  return e_shuffle(cg, x, LLVMGetPoison(LLVMTypeOf(x)), mask, lanes);
}

static LLVMValueRef by_permute(const qn_cg *cg, LLVMValueRef table, LLVMValueRef index) {
  enum { LANES = 64 };
  unsigned lanes = e_lanes(LLVMTypeOf(index));
  if (lanes > LANES || !qn_cg_has(cg, QN_FORM_PERMUTE, LANES)) return NULL;
  LLVMValueRef wide = resize(cg, index, LANES), halves[2];
  LLVMTypeRef type = LLVMTypeOf(wide);
  for (unsigned half = 0; half < 2; half++) {
    LLVMValueRef args[] = {table_at(cg, table, half * 2 * LANES, LANES), wide,
                           table_at(cg, table, half * 2 * LANES + LANES, LANES)};
    halves[half] = qn_cg_instruct(cg, QN_FORM_PERMUTE, type, args, 3);
    if (!halves[half]) return NULL;
  }
  /* A shuffle of ones by the index leaves them where its sign bit is 0. */
  LLVMValueRef low[] = {LLVMConstAllOnes(type), wide}, select[] = {NULL, halves[0], halves[1]};
  select[0] = qn_cg_instruct(cg, QN_FORM_SHUFFLE, type, low, QN_COUNT(low));
  if (!select[0]) return NULL;
  LLVMValueRef result = qn_cg_instruct(cg, QN_FORM_SELECT_BITS, type, select, QN_COUNT(select));
  return result ? resize(cg, result, lanes) : NULL;
}

/* A lookup by shuffles within 16 bytes. */
typedef struct shuffles {
  LLVMValueRef table, index, low; /* low: bits 0 to 3 of the index */
} shuffles;

/* The entry in rows [first, first + count) of the table, by the low bits of the index; NULL if this
 * LLVM has no shuffle. Few rows are in registers at the same time, because one half of the rows is
 * complete before the other. */
static LLVMValueRef in_rows(const qn_cg *cg, const shuffles *s, unsigned first, unsigned count) {
  LLVMTypeRef type = LLVMTypeOf(s->index);
  unsigned lanes = e_lanes(type);
  if (count == 1) {
    int32_t repeat[QN_CODEGEN_MAX_LANES];
    for (unsigned k = 0; k < lanes; k++) repeat[k] = (int32_t)(k % ROW);
    LLVMValueRef entries = table_at(cg, s->table, first * ROW, ROW);
    LLVMValueRef args[] = {e_shuffle(cg, entries, entries, repeat, lanes), s->low};
    return qn_cg_instruct(cg, QN_FORM_SHUFFLE, type, args, QN_COUNT(args));
  }
  LLVMValueRef no = in_rows(cg, s, first, count / 2);
  LLVMValueRef yes = in_rows(cg, s, first + count / 2, count / 2);
  if (!no || !yes) return NULL;
  /* The bit that selects becomes the sign. */
  LLVMValueRef bit = LLVMBuildMul(cg->b, s->index, e_int(type, ROWS / count), "");
  LLVMValueRef is_set = LLVMBuildICmp(cg->b, LLVMIntSLT, bit, LLVMConstNull(type), "");
  return LLVMBuildSelect(cg->b, is_set, yes, no, "");
}

static LLVMValueRef by_shuffles(const qn_cg *cg, LLVMValueRef table, LLVMValueRef index) {
  LLVMTypeRef type = LLVMTypeOf(index);
  if (!qn_cg_has(cg, QN_FORM_SHUFFLE, e_lanes(type))) return NULL;
  const shuffles s = {table, index, LLVMBuildAnd(cg->b, index, e_int(type, ROW - 1), "")};
  return in_rows(cg, &s, 0, ROWS);
}

static LLVMValueRef by_tables(const qn_cg *cg, LLVMValueRef table, LLVMValueRef index) {
  enum { LEAST = 8 /* lanes, that loads would take longer for */, PARTS = 4, EACH = PARTS * ROW };
  unsigned lanes = e_lanes(LLVMTypeOf(index));
  if (lanes > ROW || lanes < LEAST || !qn_cg_has(cg, QN_FORM_TABLE, ROW)) return NULL;
  LLVMValueRef wide = resize(cg, index, ROW), result = NULL;
  LLVMTypeRef type = LLVMTypeOf(wide);
  for (unsigned quarter = 0; quarter < ROWS * ROW / EACH; quarter++) {
    LLVMValueRef args[PARTS + 2] = {result};
    for (unsigned part = 0; part < PARTS; part++)
      args[part + 1] = table_at(cg, table, quarter * EACH + part * ROW, ROW);
    args[PARTS + 1] = LLVMBuildSub(cg->b, wide, e_int(type, quarter * EACH), "");
    result = result ? qn_cg_instruct(cg, QN_FORM_TABLE_ELSE, type, args, PARTS + 2)
                    : qn_cg_instruct(cg, QN_FORM_TABLE, type, args + 1, PARTS + 1);
  }
  return resize(cg, result, lanes);
}

/* Looks up by loads; entries have the type of the indices, which are unsigned. */
static LLVMValueRef by_loads(const qn_cg *cg, LLVMValueRef table, LLVMValueRef index) {
  LLVMTypeRef type = LLVMTypeOf(index), element = e_scalar(type);
  LLVMValueRef result = LLVMGetPoison(type);
  for (unsigned i = 0; i < e_lanes(type); i++) {
    LLVMValueRef lane = LLVMBuildExtractElement(cg->b, index, e_i64(cg, i), "");
    LLVMValueRef offset = LLVMBuildZExt(cg->b, lane, cg->index, "");
    LLVMValueRef entry = e_load(cg, element, e_at(cg, element, table, offset), 1);
    result = LLVMBuildInsertElement(cg->b, result, entry, e_i64(cg, i), "");
  }
  return result;
}

void qn_emit_quern_lookup(qn_cg *cg, const qn_op *op) {
  LLVMValueRef table = e_operand(cg, op, 0), index = e_operand(cg, op, 1);
  LLVMValueRef result = by_permute(cg, table, index);
  if (!result) result = by_shuffles(cg, table, index);
  if (!result) result = by_tables(cg, table, index);
  e_set(cg, op, result ? result : by_loads(cg, table, index));
}

void qn_emit_quern_gather(qn_cg *cg, const qn_op *op) {
  e_set(cg, op, by_loads(cg, e_operand(cg, op, 0), e_operand(cg, op, 1)));
}
