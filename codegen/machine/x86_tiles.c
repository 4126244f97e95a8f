/* The matrix unit of x86-64 (AMX), by the intrinsics with register numbers; Quern assigns registers
 * and the configuration. LLVM treats each as a memory barrier, so they keep their order among loads
 * and stores.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "codegen/emit/tiles.h"
#include "codegen/machine/machine.h"

static void call(const qn_cg *cg, const char *name, LLVMValueRef *args, unsigned count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  QN_ASSERT(id != 0);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(cg->module, id, NULL, 0);
  LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(function), function, args, count, "");
}

static LLVMValueRef number(const qn_cg *cg, int tile) {
  return LLVMConstInt(cg->i8, (unsigned)tile, 0);
}

/* Palette 1: offset 16 has the bytes per row of each tile, offset 48 the rows. */
static void configure(qn_cg *cg, const qn_cg_tile *registers) {
  enum { SIZE = 64, WIDTHS = 16, ROWS = 48 };
  char config[SIZE] = {1};
  for (int t = 0; t < QN_MAX_TILES; t++) {
    config[WIDTHS + 2 * t] = (char)registers[t].row_bytes;
    config[ROWS + t] = (char)registers[t].rows;
  }
  LLVMValueRef content = LLVMConstStringInContext2(cg->llvm, config, SIZE, 1);
  LLVMValueRef address = qn_cg_private_constant(cg, "tiles", content);
  call(cg, "llvm.x86.ldtilecfg", &address, 1);
}

static void release(qn_cg *cg) { call(cg, "llvm.x86.tilerelease", NULL, 0); }

static void zero(qn_cg *cg, int tile) {
  LLVMValueRef args[] = {number(cg, tile)};
  call(cg, "llvm.x86.tilezero", args, QN_COUNT(args));
}

static void load(qn_cg *cg, int tile, LLVMValueRef address, int64_t stride) {
  LLVMValueRef args[] = {number(cg, tile), address, e_i64(cg, stride)};
  call(cg, "llvm.x86.tileloadd64", args, QN_COUNT(args));
}

static void store(qn_cg *cg, int tile, LLVMValueRef address, int64_t stride) {
  LLVMValueRef args[] = {number(cg, tile), address, e_i64(cg, stride)};
  call(cg, "llvm.x86.tilestored64", args, QN_COUNT(args));
}

static void dot(qn_cg *cg, int acc, int a, int b, bool a_unsigned) {
  LLVMValueRef args[] = {number(cg, acc), number(cg, a), number(cg, b)};
  call(cg, a_unsigned ? "llvm.x86.tdpbusd" : "llvm.x86.tdpbssd", args, QN_COUNT(args));
}

const qn_cg_tile_unit qn_cg_x86_tiles = {.configure = configure,
                                         .release = release,
                                         .zero = zero,
                                         .load = load,
                                         .store = store,
                                         .dot = dot};
