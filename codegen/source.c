/* Opens the source: checks, symbols, assignment of kernels to parts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/source.h"

#include <stdlib.h>

#include "base/guard.h"
#include "ir/walk.h"

/* Minimum ops per part, about 10 ms of LLVM time. The number of parts depends on the model alone,
 * so that code is equal on every host. */
enum { MIN_OPS_PER_PART = 500 };

uint32_t qn_cg_part_of(const qn_cg_source *source, const qn_op *kernel) {
  uintptr_t entry = (uintptr_t)qn_map_get(&source->part_of, kernel);
  QN_ASSERT(entry <= source->parts); /* counted from 1 */
  return entry ? (uint32_t)entry - 1 : 0;
}

bool qn_cg_is_whole(const qn_cg_source *source) {
  return source->parts == 1 && !source->constants_apart;
}

static void collect_names(qn_cg_source *source) {
  QN_FOR_EACH_OP(op, qn_op_body(source->module->op))
  if (qn_op_has(op, QN_SYMBOL)) qn_str_map_set(&source->names, qn_op_sym_name(op), op);
}

/* ---- parts ---- */

typedef struct kernel_size {
  const qn_op *kernel;
  uint32_t number; /* index in the module, which decides ties */
  uint64_t ops;
} kernel_size;

static bool count_op(qn_op *op, void *user) {
  (void)op;
  ++*(uint64_t *)user;
  return true;
}

static int larger_first(const void *a, const void *b) {
  const kernel_size *x = a, *y = b;
  if (x->ops != y->ops) return x->ops > y->ops ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

/* Assigns kernels to parts, the largest first, each to the part with the least work. So parts are
 * balanced, and depend only on the module and the number of parts. */
static void deal(qn_cg_source *source, const kernel_size *kernels, uint32_t count) {
  uint64_t work[QN_CODE_TRANSLATED_PARTS] = {0};
  qn_walk_pre((qn_op *)(uintptr_t)source->interface.main, count_op, &work[0]);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t least = 0;
    for (uint32_t part = 1; part < source->parts; part++)
      if (work[part] < work[least]) least = part;
    work[least] += kernels[i].ops;
    qn_map_set(&source->part_of, kernels[i].kernel, (void *)(uintptr_t)(least + 1));
  }
}

static void make_parts(qn_cg_source *source, uint32_t max_parts) {
  uint32_t count = 0;
  uint64_t total = 0;
  QN_FOR_EACH_OP(op, qn_op_body(source->module->op)) count++;
  kernel_size *kernels = QN_NEW_ARRAY(&source->arena, count + 1, kernel_size);
  count = 0;
  QN_FOR_EACH_OP(op, qn_op_body(source->module->op)) {
    if (op->kind != QN_OP_FUNC || op == source->interface.main) continue;
    kernels[count] = (kernel_size){.kernel = op, .number = count};
    qn_walk_pre(op, count_op, &kernels[count].ops);
    total += kernels[count++].ops;
  }
  uint64_t worth = total / MIN_OPS_PER_PART;
  source->parts = max_parts < QN_CODE_TRANSLATED_PARTS ? max_parts : QN_CODE_TRANSLATED_PARTS;
  if (source->parts > worth) source->parts = worth > 0 ? (uint32_t)worth : 1;
  if (source->parts == 1) return;
  qsort(kernels, count, sizeof *kernels, larger_first);
  deal(source, kernels, count);
}

/* ---- memory ---- */

/* Minimum bytes of constants for a separate image; minimum bytes of free memory after lowering that
 * are returned to the system. */
enum { MIN_BYTES_APART = 256 << 10, MIN_BYTES_TO_TRIM = 1 << 20 };

static size_t constant_bytes(const qn_cg_source *source) {
  size_t bytes = 0;
  QN_FOR_EACH_OP(op, qn_op_body(source->module->op)) {
    if (op->kind != QN_OP_MEMREF_GLOBAL) continue;
    bytes += (size_t)qn_type_size(qn_op_find(op, QN_A_INITIAL_VALUE)->type);
  }
  return bytes;
}

static void foresee(const qn_cg_source *source, size_t constants) {
  uint64_t ops = 0;
  qn_walk_pre(source->module->op, count_op, &ops);
  const qn_cg_backend *backend = source->backend;
  size_t each = source->constants_apart ? backend->image_bytes : backend->constant_bytes;
  qn_guard_foresee(backend->base_bytes + backend->op_bytes * (size_t)ops + each * constants);
}

/* ---- open and close ---- */

qn_status qn_cg_source_open(qn_cg_source *source, const qn_cg_backend *backend,
                            const qn_module *loops, const qn_codegen_options *options,
                            uint32_t max_parts) {
  *source = (qn_cg_source){.backend = backend,
                           .module = loops,
                           .cx = loops->cx,
                           .options = options,
                           .name = loops->op->loc->text.size ? loops->op->loc->text.data
                                                             : options->symbol.data,
                           .level = options->target.level,
                           .parts = 1};
  qn_arena_init(&source->arena);
  QN_TRY(qn_interface_check_symbol(source->cx, options->symbol));
  QN_TRY(qn_interface_read(loops, source->level, &source->arena, &source->interface));
  collect_names(source);
  QN_TRY(qn_cg_check(source));
  size_t constants = constant_bytes(source);
  source->constants_apart = max_parts > 1 && constants >= MIN_BYTES_APART;
  foresee(source, constants);
  if (constants >= MIN_BYTES_TO_TRIM) qn_heap_trim();
  if (max_parts > 1) make_parts(source, max_parts);
  return QN_OK;
}

void qn_cg_source_close(qn_cg_source *source) {
  qn_map_deinit(&source->part_of);
  qn_str_map_deinit(&source->names);
  qn_arena_deinit(&source->arena);
}
