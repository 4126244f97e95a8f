/* The quern dialect: one target instruction if the level has it at that width, else the definition
 * in generic IR. So loops for one level compile for every CPU with the features, only slower.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "codegen/lanes.h"
#include "codegen/machine/machine.h"
#include "codegen/rescale.h"

enum { LANE_BYTES = 16, MAX_BYTES = 64 };

/* ---- instructions in pieces ---- */

static unsigned bytes_of(LLVMTypeRef type) {
  return e_lanes(type) * LLVMGetIntTypeWidth(e_scalar(type)) / 8;
}

/* `count` lanes of v from `first`; lanes past the end are undefined. */
static LLVMValueRef part(const qn_cg *cg, LLVMValueRef v, unsigned first, unsigned count) {
  int32_t lanes[QN_CODEGEN_MAX_LANES];
  unsigned have = e_lanes(LLVMTypeOf(v));
  for (unsigned i = 0; i < count; i++) lanes[i] = first + i < have ? (int32_t)(first + i) : -1;
  return e_shuffle(cg, v, LLVMGetPoison(LLVMTypeOf(v)), lanes, count);
}

/* Concatenates a and b; a has at least as many lanes. */
static LLVMValueRef join(const qn_cg *cg, LLVMValueRef a, LLVMValueRef b) {
  unsigned first = e_lanes(LLVMTypeOf(a)), second = e_lanes(LLVMTypeOf(b));
  if (second < first) b = part(cg, b, 0, first);
  int32_t lanes[QN_CODEGEN_MAX_LANES];
  for (unsigned i = 0; i < first + second; i++) lanes[i] = (int32_t)i;
  return e_shuffle(cg, a, b, lanes, first + second);
}

/* Bytes of the narrowest form of the instruction that holds `bytes`; the widest if none does; 0 if
 * the level lacks it. */
static unsigned width_for(const qn_cg *cg, qn_cg_form form, unsigned bytes) {
  unsigned best = 0;
  for (unsigned width = LANE_BYTES; width <= MAX_BYTES; width *= 2) {
    if (!qn_cg_has(cg, form, width)) continue;
    best = width;
    if (width >= bytes) break;
  }
  return best;
}

/* Emits one instruction, or several for pieces of the operands, which is possible because each form
 * works within 128 bits. NULL if the level lacks it. */
static LLVMValueRef instruct(const qn_cg *cg, qn_cg_form form, LLVMTypeRef result,
                             LLVMValueRef *args, unsigned count) {
  LLVMValueRef whole = qn_cg_instruct(cg, form, result, args, count), all = NULL, pieces[3];
  if (whole || !e_is_vector(result)) return whole;
  unsigned lane_bytes = bytes_of(result) / e_lanes(result), width;
  for (unsigned at = 0; at < bytes_of(result); at += width) {
    width = width_for(cg, form, bytes_of(result) - at);
    if (width == 0) return NULL;
    for (unsigned i = 0; i < count; i++) {
      unsigned of_lane = bytes_of(result) / e_lanes(LLVMTypeOf(args[i]));
      pieces[i] = part(cg, args[i], at / of_lane, width / of_lane);
    }
    LLVMTypeRef type = LLVMVectorType(e_scalar(result), width / lane_bytes);
    LLVMValueRef piece = qn_cg_instruct(cg, form, type, pieces, count);
    all = all ? join(cg, all, piece) : piece;
  }
  return e_lanes(LLVMTypeOf(all)) > e_lanes(result) ? part(cg, all, 0, e_lanes(result)) : all;
}

/* ---- ops ---- */

/* Lane i of the result: product of lanes stride * i + k of a and b, extended to the element of
 * `result`. */
static LLVMValueRef products(const qn_cg *cg, LLVMTypeRef result, LLVMValueRef a, bool a_is_signed,
                             LLVMValueRef b, unsigned stride, unsigned k) {
  LLVMValueRef x = e_lanes_of(cg, a, a, k, stride, e_lanes(result));
  LLVMValueRef y = e_lanes_of(cg, b, b, k, stride, e_lanes(result));
  x = a_is_signed ? LLVMBuildSExt(cg->b, x, result, "") : LLVMBuildZExt(cg->b, x, result, "");
  return LLVMBuildMul(cg->b, x, LLVMBuildSExt(cg->b, y, result, ""), "");
}

/* Bytes 1 and 3 (`odd`), or 0 and 2, of four bytes as a pair of 16 bits. */
static LLVMValueRef pair_of(const qn_cg *cg, qn_cg_form even, LLVMValueRef bytes, bool odd) {
  enum { BYTE = 8, WORD = 32 };
  LLVMValueRef args[] = {bytes, bytes, e_i32(cg, WORD - BYTE)};
  if (odd) bytes = e_generic(cg, "llvm.fshl", cg->i32, args, QN_COUNT(args));
  return qn_cg_instruct(cg, even, cg->i32, &bytes, 1);
}

/* Word i of two vectors of bytes as pairs: [factor][odd]. */
typedef LLVMValueRef pairs_of_word[2][2];

static void widen_word(const qn_cg *cg, LLVMValueRef *args, unsigned i, bool a_unsigned,
                       pairs_of_word out) {
  enum { WORD = 4 };
  for (int f = 0; f < 2; f++) {
    unsigned words = e_lanes(LLVMTypeOf(args[1 + f])) / WORD;
    LLVMTypeRef type = LLVMVectorType(cg->i32, words);
    LLVMValueRef word = LLVMBuildBitCast(cg->b, args[1 + f], type, "");
    word = LLVMBuildExtractElement(cg->b, word, e_i64(cg, i), "");
    qn_cg_form even = f == 0 && a_unsigned ? QN_FORM_EVEN_U8 : QN_FORM_EVEN_S8;
    for (int odd = 0; odd < 2; odd++) out[f][odd] = pair_of(cg, even, word, odd);
  }
}

/* Emits quern.dot of bytes in scalar registers, `each` products per lane: by pairs of products, or
 * by single ones. NULL if the level lacks them. */
static LLVMValueRef dot_in_scalars(const qn_cg *cg, LLVMTypeRef type, LLVMValueRef *args,
                                   unsigned each, bool a_unsigned) {
  enum { WORD = 4, PAIR_BYTES = 4 };
  if (!qn_cg_has(cg, QN_FORM_DOT_PAIR, PAIR_BYTES)) return NULL;
  if (each != WORD && (each != 1 || e_lanes(type) % WORD != 0)) return NULL;
  LLVMValueRef result = LLVMGetPoison(type);
  pairs_of_word f;
  for (unsigned i = 0; i < e_lanes(type); i++) {
    unsigned byte = i % WORD;
    if (each == WORD || byte == 0) widen_word(cg, args, i * each / WORD, a_unsigned, f);
    LLVMValueRef sum = LLVMBuildExtractElement(cg->b, args[0], e_i64(cg, i), "");
    if (each == WORD) {
      for (int odd = 0; odd < 2; odd++)
        sum = qn_cg_instruct(cg, QN_FORM_DOT_PAIR, cg->i32,
                             (LLVMValueRef[]){f[0][odd], f[1][odd], sum}, 3);
    } else {
      unsigned odd = byte % 2;
      qn_cg_form half = byte / 2 ? QN_FORM_DOT_HIGH : QN_FORM_DOT_LOW;
      sum = qn_cg_instruct(cg, half, cg->i32, (LLVMValueRef[]){f[0][odd], f[1][odd], sum}, 3);
    }
    result = LLVMBuildInsertElement(cg->b, result, sum, e_i64(cg, i), "");
  }
  return result;
}

/* Emits quern.dot_joined of bytes in scalar registers. NULL if the level lacks the products. */
static LLVMValueRef joined_in_scalars(const qn_cg *cg, LLVMTypeRef type, LLVMValueRef *args,
                                      bool a_unsigned) {
  enum { PAIR_BYTES = 4 };
  if (!qn_cg_has(cg, QN_FORM_DOT_PAIR, PAIR_BYTES)) return NULL;
  LLVMValueRef result = LLVMGetPoison(type), words[2];
  for (int f = 0; f < 2; f++) words[f] = LLVMBuildBitCast(cg->b, args[1 + f], type, "");
  for (unsigned i = 0; i < e_lanes(type); i++) {
    LLVMValueRef x = LLVMBuildExtractElement(cg->b, words[0], e_i64(cg, i), "");
    LLVMValueRef sum = LLVMBuildExtractElement(cg->b, args[0], e_i64(cg, i), "");
    for (unsigned odd = 0; odd < 2; odd++) {
      LLVMValueRef w = LLVMBuildExtractElement(cg->b, words[1], e_i64(cg, i / 2 * 2 + odd), "");
      LLVMValueRef pair = pair_of(cg, a_unsigned ? QN_FORM_EVEN_U8 : QN_FORM_EVEN_S8, x, odd);
      if (i % 2) w = pair_of(cg, QN_FORM_EVEN_S8, w, false);
      sum = qn_cg_instruct(cg, QN_FORM_DOT_PAIR, cg->i32, (LLVMValueRef[]){pair, w, sum}, 3);
    }
    result = LLVMBuildInsertElement(cg->b, result, sum, e_i64(cg, i), "");
  }
  return result;
}

static LLVMValueRef joined_generic(const qn_cg *cg, LLVMTypeRef type, LLVMValueRef *args,
                                   bool a_unsigned) {
  enum { BYTE = 8, WORD = 32 };
  int32_t rows[QN_CODEGEN_MAX_LANES], columns[QN_CODEGEN_MAX_LANES], ends[QN_CODEGEN_MAX_LANES];
  unsigned lanes = e_lanes(type);
  LLVMTypeRef halves = LLVMVectorType(cg->i16, 2 * lanes);
  LLVMValueRef sum = args[0], b = LLVMBuildBitCast(cg->b, args[2], halves, "");
  LLVMValueRef shift = e_splat(cg, e_i32(cg, WORD - BYTE), lanes);
  for (uint32_t k = 0; k < QN_JOINED_DEPTH; k++) {
    for (uint32_t i = 0; i < lanes; i++) {
      rows[i] = (int32_t)(QN_JOINED_DEPTH * i + k);
      columns[i] = (int32_t)qn_cg_joined_column(i, k) / 2;
      ends[i] = (int32_t)(i % 2 * lanes + i);
    }
    LLVMValueRef x = e_shuffle(cg, args[1], args[1], rows, lanes);
    x = a_unsigned ? LLVMBuildZExt(cg->b, x, type, "") : LLVMBuildSExt(cg->b, x, type, "");
    LLVMValueRef whole = LLVMBuildSExt(cg->b, e_shuffle(cg, b, b, columns, lanes), type, "");
    LLVMValueRef low = LLVMBuildAShr(cg->b, LLVMBuildShl(cg->b, whole, shift, ""), shift, "");
    LLVMValueRef y = LLVMBuildMul(cg->b, x, e_shuffle(cg, whole, low, ends, lanes), "");
    sum = LLVMBuildAdd(cg->b, sum, y, "");
  }
  return sum;
}

void qn_emit_quern_dot_joined(qn_cg *cg, const qn_op *op) {
  LLVMTypeRef type = e_result_type(cg, op);
  LLVMValueRef args[] = {e_operand(cg, op, 0), e_operand(cg, op, 1), e_operand(cg, op, 2)};
  bool a_unsigned = qn_op_a_unsigned(op);
  LLVMValueRef sum = joined_in_scalars(cg, type, args, a_unsigned);
  e_set(cg, op, sum ? sum : joined_generic(cg, type, args, a_unsigned));
}

/* Emits the same of pairs of i16; `sum` NULL is 0. */
static LLVMValueRef pairs_in_scalars(const qn_cg *cg, LLVMTypeRef type, LLVMValueRef sum,
                                     LLVMValueRef a, LLVMValueRef b) {
  enum { PAIR_BYTES = 4 };
  if (!qn_cg_has(cg, QN_FORM_DOT_PAIR, PAIR_BYTES)) return NULL;
  LLVMValueRef x = LLVMBuildBitCast(cg->b, a, type, ""), y = LLVMBuildBitCast(cg->b, b, type, "");
  LLVMValueRef result = LLVMGetPoison(type), from = sum ? sum : LLVMConstNull(type);
  for (unsigned i = 0; i < e_lanes(type); i++) {
    LLVMValueRef lane = e_i64(cg, i), of[3], all[] = {x, y, from};
    for (int k = 0; k < 3; k++) of[k] = LLVMBuildExtractElement(cg->b, all[k], lane, "");
    LLVMValueRef one = qn_cg_instruct(cg, QN_FORM_DOT_PAIR, cg->i32, of, 3);
    result = LLVMBuildInsertElement(cg->b, result, one, lane, "");
  }
  return result;
}

/* Emits quern.dot of 16 bytes per lane, one product across a vector for each lane. NULL if the
 * level lacks it. */
static LLVMValueRef dot_across(const qn_cg *cg, LLVMTypeRef type, LLVMValueRef *args, unsigned each,
                               bool a_unsigned) {
  enum { SUM_BYTES = 4 };
  if (a_unsigned || each != LANE_BYTES || !qn_cg_has(cg, QN_FORM_DOT_ACROSS, SUM_BYTES))
    return NULL;
  LLVMValueRef result = LLVMGetPoison(type);
  for (unsigned i = 0; i < e_lanes(type); i++) {
    LLVMValueRef of[] = {LLVMBuildExtractElement(cg->b, args[0], e_i64(cg, i), ""),
                         part(cg, args[1], i * LANE_BYTES, LANE_BYTES),
                         part(cg, args[2], i * LANE_BYTES, LANE_BYTES)};
    LLVMValueRef sum = qn_cg_instruct(cg, QN_FORM_DOT_ACROSS, cg->i32, of, QN_COUNT(of));
    result = LLVMBuildInsertElement(cg->b, result, sum, e_i64(cg, i), "");
  }
  return result;
}

/* Emits the dot product of sixteen or four bytes, or two i16, per lane as an instruction; NULL if
 * the level lacks it. */
static LLVMValueRef dot_instruction(const qn_cg *cg, LLVMTypeRef type, LLVMValueRef *args,
                                    unsigned width, unsigned each, bool a_unsigned) {
  LLVMValueRef sum = width == 8 ? dot_in_scalars(cg, type, args, each, a_unsigned) : NULL;
  if (!sum && width == 8) sum = dot_across(cg, type, args, each, a_unsigned);
  if (sum) return sum;
  if (width == 8 && each == 4)
    return instruct(cg, a_unsigned ? QN_FORM_DOT_U8S8 : QN_FORM_DOT_S8S8, type, args, 3);
  if (width != 16 || each != 2 || a_unsigned) return NULL;
  sum = pairs_in_scalars(cg, type, args[0], args[1], args[2]);
  if (sum) return sum;
  LLVMValueRef pair = instruct(cg, QN_FORM_MADD_S16, type, args + 1, 2);
  return pair ? LLVMBuildAdd(cg->b, args[0], pair, "") : NULL;
}

void qn_emit_quern_dot(qn_cg *cg, const qn_op *op) {
  LLVMTypeRef type = e_result_type(cg, op);
  LLVMValueRef args[] = {e_operand(cg, op, 0), e_operand(cg, op, 1), e_operand(cg, op, 2)};
  LLVMTypeRef factors = LLVMTypeOf(args[1]);
  unsigned width = LLVMGetIntTypeWidth(e_scalar(factors)), each = e_lanes(factors) / e_lanes(type);
  QN_ASSERT(LLVMTypeOf(args[1]) == LLVMTypeOf(args[2]) && each * e_lanes(type) == e_lanes(factors));
  bool a_unsigned = qn_op_a_unsigned(op);
  LLVMValueRef sum = dot_instruction(cg, type, args, width, each, a_unsigned);
  if (!sum) {
    sum = args[0];
    for (unsigned k = 0; k < each; k++)
      sum =
          LLVMBuildAdd(cg->b, sum, products(cg, type, args[1], !a_unsigned, args[2], each, k), "");
  }
  e_set(cg, op, sum);
}

static LLVMValueRef blocks_generic(const qn_cg *cg, LLVMTypeRef type, LLVMValueRef *args,
                                   bool a_unsigned) {
  int32_t rows[QN_CODEGEN_MAX_LANES], columns[QN_CODEGEN_MAX_LANES];
  LLVMValueRef sum = args[0];
  for (uint32_t k = 0; k < QN_BLOCK_DEPTH; k++) {
    for (uint32_t i = 0; i < e_lanes(type); i++) {
      rows[i] = (int32_t)qn_cg_block_row(i, k);
      columns[i] = (int32_t)qn_cg_block_column(i, k);
    }
    LLVMValueRef x = e_shuffle(cg, args[1], args[1], rows, e_lanes(type));
    LLVMValueRef y = e_shuffle(cg, args[2], args[2], columns, e_lanes(type));
    x = a_unsigned ? LLVMBuildZExt(cg->b, x, type, "") : LLVMBuildSExt(cg->b, x, type, "");
    y = LLVMBuildMul(cg->b, x, LLVMBuildSExt(cg->b, y, type, ""), "");
    sum = LLVMBuildAdd(cg->b, sum, y, "");
  }
  return sum;
}

void qn_emit_quern_dot_blocks(qn_cg *cg, const qn_op *op) {
  LLVMTypeRef type = e_result_type(cg, op);
  LLVMValueRef args[] = {e_operand(cg, op, 0), e_operand(cg, op, 1), e_operand(cg, op, 2)};
  bool a_unsigned = qn_op_a_unsigned(op);
  qn_cg_form form = a_unsigned ? QN_FORM_BLOCKS_U8S8 : QN_FORM_BLOCKS_S8S8;
  LLVMValueRef sum = instruct(cg, form, type, args, 3);
  e_set(cg, op, sum ? sum : blocks_generic(cg, type, args, a_unsigned));
}

void qn_emit_quern_madd_u8s8(qn_cg *cg, const qn_op *op) {
  LLVMTypeRef type = e_result_type(cg, op), wide = e_like(type, cg->i32);
  LLVMValueRef args[] = {e_operand(cg, op, 0), e_operand(cg, op, 1)};
  LLVMValueRef sum = instruct(cg, QN_FORM_MADD_U8S8, type, args, 2);
  if (!sum) {
    LLVMValueRef even = products(cg, wide, args[0], false, args[1], 2, 0);
    LLVMValueRef odd = products(cg, wide, args[0], false, args[1], 2, 1);
    LLVMValueRef clamped = e_clamp(cg, LLVMBuildAdd(cg->b, even, odd, ""), INT16_MIN, INT16_MAX);
    sum = LLVMBuildTrunc(cg->b, clamped, type, "");
  }
  e_set(cg, op, sum);
}

/* A constant vector of ones; LLVM has each constant once. */
static bool is_ones(const qn_cg *cg, LLVMValueRef v) {
  LLVMValueRef ones[QN_CODEGEN_MAX_LANES];
  unsigned count = e_lanes(LLVMTypeOf(v));
  for (unsigned i = 0; i < count; i++) ones[i] = LLVMConstInt(cg->i16, 1, 0);
  return v == LLVMConstVector(ones, count);
}

void qn_emit_quern_madd_s16(qn_cg *cg, const qn_op *op) {
  LLVMTypeRef type = e_result_type(cg, op);
  LLVMValueRef args[] = {e_operand(cg, op, 0), e_operand(cg, op, 1)};
  LLVMValueRef sum = instruct(cg, QN_FORM_MADD_S16, type, args, 2);
  if (!sum) sum = pairs_in_scalars(cg, type, NULL, args[0], args[1]);
  if (!sum && is_ones(cg, args[1])) sum = instruct(cg, QN_FORM_ADD_PAIRS, type, args, 1);
  if (!sum)
    sum = LLVMBuildAdd(cg->b, products(cg, type, args[0], true, args[1], 2, 0),
                       products(cg, type, args[0], true, args[1], 2, 1), "");
  e_set(cg, op, sum);
}

/* Clamps, interleaves 128-bit blocks of a and b, and truncates. */
static LLVMValueRef pack_generic(const qn_cg *cg, LLVMTypeRef result, LLVMValueRef a,
                                 LLVMValueRef b, bool to_unsigned) {
  unsigned width = LLVMGetIntTypeWidth(e_scalar(result)), count = e_lanes(result);
  int64_t lo = to_unsigned ? 0 : -(INT64_C(1) << (width - 1));
  int64_t hi = (INT64_C(1) << (width - (to_unsigned ? 0 : 1))) - 1;
  int32_t order[QN_CODEGEN_MAX_LANES];
  for (unsigned i = 0; i < count; i++) order[i] = (int32_t)qn_cg_pack_source(width, count, i);
  LLVMValueRef high = e_clamp(cg, b, lo, hi), low = e_clamp(cg, a, lo, hi);
  LLVMValueRef joined = e_shuffle(cg, low, high, order, count);
  return LLVMBuildTrunc(cg->b, joined, result, "");
}

void qn_emit_quern_pack(qn_cg *cg, const qn_op *op) {
  /* [result element: i8, i16][to_unsigned] */
  static const qn_cg_form packs[2][2] = {{QN_FORM_PACK_S8, QN_FORM_PACK_U8},
                                         {QN_FORM_PACK_S16, QN_FORM_PACK_U16}};
  LLVMTypeRef type = e_result_type(cg, op);
  LLVMValueRef args[] = {e_operand(cg, op, 0), e_operand(cg, op, 1)};
  bool to_unsigned = qn_op_to_unsigned(op);
  unsigned width = LLVMGetIntTypeWidth(e_scalar(type));
  LLVMValueRef packed = NULL;
  if ((width == 8 || width == 16) && bytes_of(type) % LANE_BYTES == 0)
    packed = instruct(cg, packs[width / 16][to_unsigned], type, args, 2);
  e_set(cg, op, packed ? packed : pack_generic(cg, type, args[0], args[1], to_unsigned));
}

/* Shuffles lane by lane. */
static LLVMValueRef shuffle_generic(const qn_cg *cg, LLVMValueRef a, LLVMValueRef index) {
  LLVMTypeRef type = LLVMTypeOf(a);
  LLVMValueRef result = LLVMConstNull(type), last = LLVMConstInt(cg->i8, LANE_BYTES - 1, 0);
  for (unsigned i = 0; i < e_lanes(type); i++) {
    LLVMValueRef own = LLVMBuildExtractElement(cg->b, index, e_i64(cg, i), "");
    LLVMValueRef at = LLVMBuildZExt(cg->b, LLVMBuildAnd(cg->b, own, last, ""), cg->index, "");
    at = LLVMBuildAdd(cg->b, at, e_index(cg, i / LANE_BYTES * LANE_BYTES), "");
    LLVMValueRef byte = LLVMBuildExtractElement(cg->b, a, at, "");
    LLVMValueRef none = LLVMBuildICmp(cg->b, LLVMIntSLT, own, LLVMConstNull(cg->i8), "");
    byte = LLVMBuildSelect(cg->b, none, LLVMConstNull(cg->i8), byte, "");
    result = LLVMBuildInsertElement(cg->b, result, byte, e_i64(cg, i), "");
  }
  return result;
}

void qn_emit_quern_shuffle(qn_cg *cg, const qn_op *op) {
  LLVMValueRef args[] = {e_operand(cg, op, 0), e_operand(cg, op, 1)};
  LLVMValueRef result = instruct(cg, QN_FORM_SHUFFLE, e_result_type(cg, op), args, 2);
  e_set(cg, op, result ? result : shuffle_generic(cg, args[0], args[1]));
}

static LLVMValueRef convert_scalar(const qn_cg *cg, LLVMValueRef x) {
  LLVMValueRef four = e_splat(cg, x, 4);
  LLVMTypeRef quad = LLVMVectorType(cg->i32, 4);
  LLVMValueRef converted = qn_cg_instruct(cg, QN_FORM_ROUND_TO_INT, quad, &four, 1);
  return LLVMBuildExtractElement(cg->b, converted, e_i64(cg, 0), "");
}

void qn_emit_quern_round_to_int(qn_cg *cg, const qn_op *op) {
  LLVMTypeRef type = e_result_type(cg, op);
  LLVMValueRef x = e_operand(cg, op, 0);
  LLVMValueRef result = instruct(cg, QN_FORM_ROUND_TO_INT, type, &x, 1);
  if (!result && !e_is_vector(type) && qn_cg_has(cg, QN_FORM_ROUND_TO_INT, LANE_BYTES))
    result = convert_scalar(cg, x);
  e_set(cg, op, result ? result : LLVMBuildFPToSI(cg->b, e_round_even(cg, x), type, ""));
}

/* Computed with 64 bits, where no sum overflows. */
static LLVMValueRef rescale(const qn_cg *cg, LLVMTypeRef type, LLVMValueRef *args) {
  LLVMTypeRef wide = LLVMVectorType(LLVMInt64TypeInContext(cg->llvm), e_lanes(type));
  LLVMValueRef of[3];
  for (int i = 0; i < 3; i++) of[i] = LLVMBuildSExt(cg->b, args[i], wide, "");
  LLVMValueRef x = LLVMBuildMul(cg->b, of[0], of[1], "");
  x = LLVMBuildAdd(cg->b, x, e_int(wide, INT64_C(1) << 30), "");
  x = LLVMBuildAShr(cg->b, x, e_int(wide, 31), "");
  x = e_generic(cg, "llvm.smin", wide, (LLVMValueRef[]){x, e_int(wide, INT32_MAX)}, 2);
  LLVMValueRef shift = LLVMBuildNeg(cg->b, of[2], "");
  LLVMValueRef less = LLVMBuildSub(cg->b, shift, e_int(wide, 1), "");
  LLVMValueRef half = LLVMBuildShl(cg->b, e_int(wide, 1), less, "");
  LLVMValueRef sign = LLVMBuildAShr(cg->b, x, e_int(wide, 63), "");
  x = LLVMBuildAdd(cg->b, x, half, "");
  x = LLVMBuildAdd(cg->b, x, sign, "");
  return LLVMBuildTrunc(cg->b, LLVMBuildAShr(cg->b, x, shift, ""), type, "");
}

/* The operand whose low byte, extended by its sign, is the shift; else the shift itself. The low
 * byte is all that the instruction reads. */
static LLVMValueRef low_byte_of(LLVMTypeRef type, LLVMValueRef shift) {
  enum { TOP = 24 };
  LLVMValueRef top = e_int(type, TOP), byte = shift;
  static const LLVMOpcode opcodes[] = {LLVMAShr, LLVMShl};
  for (size_t i = 0; i < QN_COUNT(opcodes); i++) {
    bool is = LLVMIsAInstruction(byte) && LLVMGetInstructionOpcode(byte) == opcodes[i] &&
              LLVMGetOperand(byte, 1) == top;
    if (!is) return shift;
    byte = LLVMGetOperand(byte, 0);
  }
  return byte;
}

/* The instructions round half up. 1 less for negative values rounds their halves down, and no other
 * value differently, because the shift is not 0. Where all negative quotients are
 * alike, they need no such correction. */
void qn_emit_quern_rescale(qn_cg *cg, const qn_op *op) {
  LLVMTypeRef type = e_result_type(cg, op);
  LLVMValueRef args[] = {e_operand(cg, op, 0), e_operand(cg, op, 1), e_operand(cg, op, 2)};
  LLVMValueRef x = instruct(cg, QN_FORM_MULTIPLY_HIGH, type, args, 2);
  if (x) {
    if (!qn_cg_is_rectified(&op->results[0])) {
      LLVMValueRef sign = LLVMBuildAShr(cg->b, x, e_int(type, 31), "");
      x = LLVMBuildAdd(cg->b, x, sign, "");
    }
    LLVMValueRef shift = low_byte_of(type, args[2]);
    x = instruct(cg, QN_FORM_SHIFT_ROUNDED, type, (LLVMValueRef[]){x, shift}, 2);
  }
  e_set(cg, op, x ? x : rescale(cg, type, args));
}

/* Binds the arguments and calls the helper `launch` (step callback, threads). */
void qn_emit_quern_launch(qn_cg *cg, const qn_op *op) {
  if (qn_op_prepares(op)) return; /* in SYMBOL_prepare (launches.c) */
  uint32_t count = op->operand_count - 1;
  const qn_op *kernel = qn_cg_named(cg->source, qn_op_kernel(op));
  QN_ASSERT(kernel && kernel->kind == QN_OP_FUNC); /* check.c has looked it up */
  for (uint32_t i = 0; i < count; i++)
    e_store(cg, e_operand(cg, op, i), e_at(cg, cg->ptr, cg->launch_args, e_index(cg, i)),
            cg->index_bytes);
  LLVMValueRef args[] = {cg->call,
                         qn_cg_symbol(cg, kernel),
                         cg->launch_args,
                         e_operand(cg, op, count),
                         e_index(cg, cg->step++),
                         LLVMConstInt(cg->i1, qn_op_find(op, QN_A_ALONE) != NULL, 0)};
  LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(cg->launch), cg->launch, args, QN_COUNT(args), "");
}
