/* The input of a translation: a checked loops-stage module with its interface and symbols, and the
 * assignment of its kernels to parts. Each part becomes an object, so that threads can translate in
 * parallel; the source does not change meanwhile. Ahead of time there is one part.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_SOURCE_H
#define QN_CODEGEN_SOURCE_H

#include "base/map.h"
#include "codegen/codegen.h"
#include "codegen/interface.h"

typedef struct qn_cg_source qn_cg_source;

/* A back end: what it translates, and how much memory it may need. */
typedef struct qn_cg_backend {
  /* Why the back end has no code for an op, as the end of a sentence about it; NULL if it has. */
  const char *(*lacks)(const qn_cg_source *source, const qn_op *op);
  size_t base_bytes, op_bytes;        /* upper bounds: once, and per op */
  size_t constant_bytes, image_bytes; /* per byte of constants; if they are in an image */
} qn_cg_backend;

/* Maximum lanes of a vector. Schedules use at most 64; a tile as a vector has 1024 bytes. */
enum { QN_CODEGEN_MAX_LANES = 1024 };

struct qn_cg_source {
  const qn_cg_backend *backend;
  const qn_module *module;
  qn_ir_context *cx;
  const char *name; /* for fatal errors of LLVM: the file, else the symbol */
  const qn_codegen_options *options;
  const qn_target *level;
  qn_interface interface;
  qn_str_map names;       /* symbol -> op */
  uint32_t parts;         /* 1 .. QN_CODE_TRANSLATED_PARTS */
  bool constants_apart;   /* constants are in an image outside of LLVM (emit/globals.c) */
  bool placeholders;      /* large constants have placeholders (emit/placeholders.c) */
  bool counts_iterations; /* SYMBOL_invoke calls `step` with -1 periodically in loops, for our own
                             runtime only */
  bool host_checked;      /* SYMBOL_supported is omitted, because the host has been checked */
  qn_map part_of;         /* kernel -> part + 1, as a pointer; empty if there is one part */
  qn_arena arena;
};

/* Opens a source: checks the symbol, the interface and every op (check.c), with all errors in one
 * run, and that enough memory is available, because LLVM cannot be interrupted when memory runs
 * out. Uses at most `max_parts` parts, fewer for little work. Must be closed in any case. */
QN_NODISCARD qn_status qn_cg_source_open(qn_cg_source *source, const qn_cg_backend *backend,
                                         const qn_module *loops, const qn_codegen_options *options,
                                         uint32_t max_parts);
void qn_cg_source_close(qn_cg_source *source);

/* Whether one object contains everything. */
bool qn_cg_is_whole(const qn_cg_source *source);
/* The part of a kernel. @main, the descriptor, and constants that are not in the image are in part
 * 0. */
uint32_t qn_cg_part_of(const qn_cg_source *source, const qn_op *kernel);
/* The op that a symbol attribute names; NULL if there is none. */
static inline const qn_op *qn_cg_named(const qn_cg_source *source, qn_str symbol) {
  return qn_str_map_get(&source->names, symbol);
}
/* Whether the level multiplies bytes by pairs of 16 bits, which widen a word of four. */
static inline bool qn_cg_multiplies_pairs(const qn_cg_source *source) {
  const qn_dot *dot = source->level->dot;
  return dot && dot->splits && dot->depth > 1;
}
/* Reports everything that has no machine code at the level. Needs interface and names only. */
QN_NODISCARD qn_status qn_cg_check(qn_cg_source *source);

#endif
