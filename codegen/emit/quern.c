/* The quern dialect: one target instruction where the level has it at that width, else the
 * definition spelled out in generic IR. So loops made for one level compile for every CPU that has
 * the features, only slower.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"

/* An instruction by operand width: 16, 32 and 64 bytes. */
typedef struct family {
  const char *names[3];
} family;

enum { LANE_BYTES = 16 };

static unsigned bytes_of(LLVMTypeRef type) {
  LLVMTypeRef element = e_scalar(type);
  unsigned bits =
      e_lanes(type) *
      (LLVMGetTypeKind(element) == LLVMFloatTypeKind ? 32 : LLVMGetIntTypeWidth(element));
  return bits / 8;
}

/* The family's instruction for operands of `bytes` bytes when the level's vectors are that wide and
 * `available`; else NULL. */
static LLVMValueRef instruction(const qn_cg *cg, const family *f, bool available, unsigned bytes,
                                LLVMTypeRef result, LLVMValueRef *args, unsigned count) {
  unsigned row = 0;
  while (row < QN_COUNT(f->names) && bytes != (unsigned)LANE_BYTES << row) row++;
  if (!available || row == QN_COUNT(f->names) || bytes > cg->level->vector_bytes || !f->names[row])
    return NULL;
  return e_native(cg, f->names[row], result, args, count);
}

/* Lane i of the result: product of lanes stride * i + k of a and b, extended to the element of
 * `result`. */
static LLVMValueRef products(const qn_cg *cg, LLVMTypeRef result, LLVMValueRef a, bool a_is_signed,
                             LLVMValueRef b, unsigned stride, unsigned k) {
  LLVMValueRef x = e_lanes_of(cg, a, a, k, stride, e_lanes(result));
  LLVMValueRef y = e_lanes_of(cg, b, b, k, stride, e_lanes(result));
  x = a_is_signed ? LLVMBuildSExt(cg->b, x, result, "") : LLVMBuildZExt(cg->b, x, result, "");
  return LLVMBuildMul(cg->b, x, LLVMBuildSExt(cg->b, y, result, ""), "");
}

void qn_emit_quern_dot_u8s8(qn_cg *cg, const qn_op *op) {
  static const family dot = {{"llvm.x86.avx512.vpdpbusd.128", "llvm.x86.avx512.vpdpbusd.256",
                              "llvm.x86.avx512.vpdpbusd.512"}};
  LLVMTypeRef type = e_result_type(cg, op);
  LLVMValueRef args[] = {e_operand(cg, op, 0), e_operand(cg, op, 1), e_operand(cg, op, 2)};
  LLVMValueRef sum =
      instruction(cg, &dot, cg->level->dot == QN_DOT_U8S8, bytes_of(type), type, args, 3);
  if (!sum) {
    sum = args[0];
    for (unsigned k = 0; k < 4; k++)
      sum = LLVMBuildAdd(cg->b, sum, products(cg, type, args[1], false, args[2], 4, k), "");
  }
  e_set(cg, op, sum);
}

void qn_emit_quern_madd_u8s8(qn_cg *cg, const qn_op *op) {
  static const family madd = {{"llvm.x86.ssse3.pmadd.ub.sw.128", "llvm.x86.avx2.pmadd.ub.sw",
                               "llvm.x86.avx512.pmaddubs.w.512"}};
  LLVMTypeRef type = e_result_type(cg, op), wide = e_like(type, cg->i32);
  LLVMValueRef args[] = {e_operand(cg, op, 0), e_operand(cg, op, 1)};
  LLVMValueRef sum =
      instruction(cg, &madd, cg->level->dot != QN_DOT_S16, bytes_of(type), type, args, 2);
  if (!sum) {
    LLVMValueRef even = products(cg, wide, args[0], false, args[1], 2, 0);
    LLVMValueRef odd = products(cg, wide, args[0], false, args[1], 2, 1);
    LLVMValueRef clamped = e_clamp(cg, LLVMBuildAdd(cg->b, even, odd, ""), INT16_MIN, INT16_MAX);
    sum = LLVMBuildTrunc(cg->b, clamped, type, "");
  }
  e_set(cg, op, sum);
}

void qn_emit_quern_madd_s16(qn_cg *cg, const qn_op *op) {
  static const family madd = {
      {"llvm.x86.sse2.pmadd.wd", "llvm.x86.avx2.pmadd.wd", "llvm.x86.avx512.pmaddw.d.512"}};
  LLVMTypeRef type = e_result_type(cg, op);
  LLVMValueRef args[] = {e_operand(cg, op, 0), e_operand(cg, op, 1)};
  LLVMValueRef sum = instruction(cg, &madd, true, bytes_of(type), type, args, 2);
  if (!sum)
    sum = LLVMBuildAdd(cg->b, products(cg, type, args[0], true, args[1], 2, 0),
                       products(cg, type, args[0], true, args[1], 2, 1), "");
  e_set(cg, op, sum);
}

/* Clamps, joins lane by lane of 128 bits, and truncates. */
static LLVMValueRef pack_generic(const qn_cg *cg, LLVMTypeRef result, LLVMValueRef a,
                                 LLVMValueRef b, bool to_unsigned) {
  unsigned width = LLVMGetIntTypeWidth(e_scalar(result)), count = e_lanes(result);
  unsigned per_lane = LANE_BYTES * 8 / (2 * width); /* elements of a in 128 bits */
  int64_t lo = to_unsigned ? 0 : -(INT64_C(1) << (width - 1));
  int64_t hi = (INT64_C(1) << (width - (to_unsigned ? 0 : 1))) - 1;
  int32_t order[QN_CODEGEN_MAX_LANES];
  for (unsigned i = 0; i < count; i++) {
    unsigned lane = i / (2 * per_lane), within = i % (2 * per_lane);
    unsigned source = within < per_lane ? 0 : count / 2;
    order[i] = (int32_t)(source + lane * per_lane + within % per_lane);
  }
  LLVMValueRef joined = e_shuffle(cg, e_clamp(cg, a, lo, hi), e_clamp(cg, b, lo, hi), order, count);
  return LLVMBuildTrunc(cg->b, joined, result, "");
}

void qn_emit_quern_pack(qn_cg *cg, const qn_op *op) {
  /* By the result's element (i8, i16) and to_unsigned. */
  static const family packs[2][2] = {
      {{{"llvm.x86.sse2.packsswb.128", "llvm.x86.avx2.packsswb", "llvm.x86.avx512.packsswb.512"}},
       {{"llvm.x86.sse2.packuswb.128", "llvm.x86.avx2.packuswb", "llvm.x86.avx512.packuswb.512"}}},
      {{{"llvm.x86.sse2.packssdw.128", "llvm.x86.avx2.packssdw", "llvm.x86.avx512.packssdw.512"}},
       {{"llvm.x86.sse41.packusdw", "llvm.x86.avx2.packusdw", "llvm.x86.avx512.packusdw.512"}}},
  };
  LLVMTypeRef type = e_result_type(cg, op);
  LLVMValueRef args[] = {e_operand(cg, op, 0), e_operand(cg, op, 1)};
  bool to_unsigned = qn_op_to_unsigned(op);
  unsigned width = LLVMGetIntTypeWidth(e_scalar(type));
  LLVMValueRef packed = NULL;
  if (width == 8 || width == 16) {
    bool to_u16 = width == 16 && to_unsigned; /* the one that SSE2 lacks */
    packed = instruction(cg, &packs[width / 16][to_unsigned],
                         !to_u16 || cg->level->vector_bytes >= 32, bytes_of(type), type, args, 2);
  }
  e_set(cg, op, packed ? packed : pack_generic(cg, type, args[0], args[1], to_unsigned));
}

/* The conversion of one register of floats. */
static LLVMValueRef convert_register(const qn_cg *cg, LLVMValueRef x, LLVMTypeRef result) {
  static const family convert = {{"llvm.x86.sse2.cvtps2dq", "llvm.x86.avx.cvt.ps2dq.256", NULL}};
  if (bytes_of(result) < 64)
    return instruction(cg, &convert, true, bytes_of(result), result, &x, 1);
  enum { ALL_LANES = 0xffff, CURRENT_ROUNDING = 4 };
  LLVMValueRef args[] = {x, LLVMConstNull(result),
                         LLVMConstInt(LLVMInt16TypeInContext(cg->llvm), ALL_LANES, 0),
                         e_i32(cg, CURRENT_ROUNDING)};
  return e_native(cg, "llvm.x86.avx512.mask.cvtps2dq.512", result, args, 4);
}

/* `count` lanes of v from `first`; lanes past the end are undefined. */
static LLVMValueRef part(const qn_cg *cg, LLVMValueRef v, unsigned first, unsigned count) {
  int32_t lanes[QN_CODEGEN_MAX_LANES];
  unsigned have = e_lanes(LLVMTypeOf(v));
  for (unsigned i = 0; i < count; i++) lanes[i] = first + i < have ? (int32_t)(first + i) : -1;
  return e_shuffle(cg, v, LLVMGetPoison(LLVMTypeOf(v)), lanes, count);
}

/* Any number of lanes, four at a time: SSE2 has that conversion everywhere. */
static LLVMValueRef convert_pieces(const qn_cg *cg, LLVMValueRef x, LLVMTypeRef result) {
  LLVMTypeRef quad = LLVMVectorType(cg->i32, 4);
  unsigned count = e_lanes(result);
  LLVMValueRef all = LLVMGetPoison(result);
  for (unsigned i = 0; i < count; i += 4) {
    LLVMValueRef converted = convert_register(cg, part(cg, x, i, 4), quad);
    for (unsigned k = 0; k < 4 && i + k < count; k++) {
      LLVMValueRef lane = LLVMBuildExtractElement(cg->b, converted, e_i64(cg, k), "");
      all = LLVMBuildInsertElement(cg->b, all, lane, e_i64(cg, i + k), "");
    }
  }
  return all;
}

void qn_emit_quern_round_to_int(qn_cg *cg, const qn_op *op) {
  LLVMTypeRef type = e_result_type(cg, op);
  LLVMValueRef x = e_operand(cg, op, 0);
  if (!e_is_vector(type)) {
    LLVMTypeRef quad = LLVMVectorType(cg->i32, 4);
    LLVMValueRef converted = convert_register(cg, e_splat(cg, x, 4), quad);
    e_set(cg, op, LLVMBuildExtractElement(cg->b, converted, e_i64(cg, 0), ""));
    return;
  }
  unsigned bytes = bytes_of(type);
  bool whole = bytes <= cg->level->vector_bytes && (bytes == 16 || bytes == 32 || bytes == 64);
  e_set(cg, op, whole ? convert_register(cg, x, type) : convert_pieces(cg, x, type));
}

/* Binds the arguments and leaves the rest to the helper (module.c): step callback, threads. */
void qn_emit_quern_launch(qn_cg *cg, const qn_op *op) {
  uint32_t count = op->operand_count - 1;
  const qn_op *kernel = qn_cg_named(cg->source, qn_op_kernel(op));
  for (uint32_t i = 0; i < count; i++)
    e_store(cg, e_operand(cg, op, i), e_at(cg, cg->ptr, cg->launch_args, e_i64(cg, i)),
            sizeof(void *));
  LLVMValueRef args[] = {cg->call,
                         qn_cg_symbol(cg, kernel),
                         cg->launch_args,
                         e_operand(cg, op, count),
                         e_i64(cg, cg->step++),
                         LLVMConstInt(cg->i1, qn_op_find(op, QN_A_ALONE) != NULL, 0)};
  LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(cg->launch), cg->launch, args, QN_COUNT(args), "");
}
