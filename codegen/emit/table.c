/* Expands the op tables to the table of emitters. Ops of the ml and quant dialects never occur at
 * the loops stage, so their tables are left out.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "ir/ops/forms.h"

qn_emit_fn *const qn_emitters[QN_OP_COUNT] = {
#define OP(stem, kind, ...) [QN_OP_##kind] = qn_emit_##stem,
#include "ir/ops/builtin.def"
#include "ir/ops/func.def"
#include "ir/ops/arith.def"
#include "ir/ops/math.def"
#include "ir/ops/scf.def"
#include "ir/ops/memref.def"
#include "ir/ops/vector.def"
#include "ir/ops/quern.def"
#undef OP
};

static const char *lacks(const qn_cg_source *source, const qn_op *op) {
  (void)source;
  return qn_emitters[op->kind] ? NULL : "has no machine code";
}

/* For models with 128 to 15,673 ops, peak resident memory grew by at most two thirds of this, JIT
 * and ahead of time. Constants in the image are in memory once. */
const qn_cg_backend qn_cg_llvm = {
    .lacks = lacks,
    .base_bytes = 24 << 20,
    .op_bytes = 2 << 10,
    .constant_bytes = 3,
    .image_bytes = 1,
};
