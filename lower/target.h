/* What a schedule may know of the CPU: widths and dot-product instructions. One row per level in
 * target.c; codegen maps the same names to LLVM features.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_TARGET_H
#define QN_LOWER_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

typedef enum qn_dot_kind {
  QN_DOT_S16,  /* quern.madd_s16 only (SSE2) */
  QN_DOT_MADD, /* quern.madd_u8s8 + quern.madd_s16 (SSSE3, AVX2, AVX-512BW): 16-bit pairs saturate
                */
  QN_DOT_U8S8, /* quern.dot_u8s8 (AVX-512 VNNI, AVX-VNNI): exact */
} qn_dot_kind;

typedef struct qn_target {
  const char *name;          /* a row of target.c, for example "x86-64-v3" */
  const char *llvm_cpu;      /* CPU name for LLVM when compiling for the level itself */
  const char *llvm_features; /* "+avx512vnni,..." added to llvm_cpu */
  uint32_t vector_bytes;     /* 16, 32 or 64 */
  uint32_t vector_registers; /* 16 or 32 */
  qn_dot_kind dot;
  bool fma;          /* one-rounding multiply-add on f32 vectors */
  bool byte_permute; /* AVX-512 VBMI: quern.lookup is a few instructions */
  const char *summary;
} qn_target;

/* All levels, from the least to the best. */
const qn_target *qn_targets(uint32_t *out_count);
/* By level name; NULL when unknown. */
const qn_target *qn_target_find(qn_str name);

#endif
