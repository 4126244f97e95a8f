/* What is translated: a checked loops-stage module with its interface and symbols, and how its
 * kernels are dealt out to parts. A part becomes an object of its own, so that threads can
 * translate at the same time; nothing here changes while they do. Ahead of time there is one part.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_SOURCE_H
#define QN_CODEGEN_SOURCE_H

#include "base/map.h"
#include "codegen/codegen.h"
#include "codegen/interface.h"

typedef struct qn_cg_source {
  const qn_module *module;
  qn_ir_context *cx;
  const char *name; /* for fatal errors of LLVM: the file, else the symbol */
  const qn_codegen_options *options;
  const qn_target *level;
  qn_interface interface;
  qn_str_map names;       /* symbol -> op */
  uint32_t parts;         /* 1 .. QN_CODE_TRANSLATED_PARTS */
  bool constants_apart;   /* in an image that LLVM does not see (emit/globals.c) */
  bool placeholders;      /* large ones have placeholders (emit/placeholders.c) */
  bool counts_iterations; /* SYMBOL_invoke tells -1 now and then in loops: for our runtime alone */
  bool host_checked;      /* SYMBOL_supported is not needed and left out */
  qn_map part_of;         /* kernel -> its part + 1, as a pointer; with one part empty */
  qn_arena arena;
} qn_cg_source;

/* Checks the symbol, the interface and every op (check.c), all errors in one run, and that there is
 * memory for LLVM, which can't be interrupted for want of it. At most
 * `max_parts` parts, fewer when there is little to do. Call close in any case. */
QN_NODISCARD qn_status qn_cg_source_open(qn_cg_source *source, const qn_module *loops,
                                         const qn_codegen_options *options, uint32_t max_parts);
void qn_cg_source_close(qn_cg_source *source);

/* Whether one object has everything. */
bool qn_cg_is_whole(const qn_cg_source *source);
/* The part of a kernel. @main, the description, and constants that are not apart are in part 0. */
uint32_t qn_cg_part_of(const qn_cg_source *source, const qn_op *kernel);
/* What a symbol attribute of `op` names; NULL when nothing. */
const qn_op *qn_cg_named(const qn_cg_source *source, qn_str symbol);
/* Reports everything that has no machine code at the level. Needs interface and names only. */
QN_NODISCARD qn_status qn_cg_check(qn_cg_source *source);

#endif
