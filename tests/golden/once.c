/* What depends on constants alone is computed once, before the first call, and in no call:
 *   golden_once FILE...
 * Compiles each model and each module with @main to the loops stage, at two CPU levels, and fails
 * if a launch of a call reads only constants and prepared memory. It may if the next one that has
 * the same memory writes to it: first values of sums. So may copies. A FILE shared/NAME is in the
 * folder QUERN_SHARED, else beside the sources; without it the program ends with 77.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "api/passes/pipelines.h"
#include "ir/entry/port.h"
#include "ir/op_attrs.h"
#include "ir/walk.h"
#include "lower/target.h"

enum { SKIPPED = 77, MAX_PATH = 4096, MAX_ARGS = 256 };

typedef struct walk {
  const char *file;
  const qn_module *module;
  bool prepared[MAX_ARGS]; /* [argument of @main] whether it is prepared memory */
  uint32_t modules, launches, once, failures;
} walk;

/* ---- buffers ---- */

static const qn_value *origin(const qn_value *buffer) {
  while (buffer->op && buffer->op->kind == QN_OP_MEMREF_VIEW) buffer = qn_op_operand(buffer->op, 0);
  return buffer;
}

/* What a kernel does with its argument. */
typedef struct accesses {
  const qn_value *argument;
  bool reads, writes;
} accesses;

static bool note_access(qn_op *op, void *user) {
  accesses *a = user;
  bool stores = op->kind == QN_OP_MEMREF_STORE || op->kind == QN_OP_VECTOR_STORE ||
                op->kind == QN_OP_QUERN_TILE_STORE;
  for (uint32_t i = 0; i < op->operand_count && op->kind != QN_OP_MEMREF_VIEW; i++) {
    if (origin(qn_op_operand(op, i)) != a->argument) continue;
    bool target = stores && i == 1;
    a->writes |= target;
    a->reads |= !target;
  }
  return true;
}

static accesses accesses_of(const walk *w, const qn_op *launch, uint32_t operand) {
  qn_op *kernel = qn_module_lookup(w->module, qn_op_kernel(launch));
  accesses a = {qn_op_body(kernel)->args[operand], false, false};
  qn_walk_pre(kernel, note_access, &a);
  return a;
}

static bool is_known(const walk *w, const qn_value *buffer) {
  const qn_value *from = origin(buffer);
  if (from->op) return from->op->kind == QN_OP_MEMREF_GET_GLOBAL;
  return from->block == qn_op_body(qn_module_main(w->module)) && w->prepared[from->index];
}

static void find_prepared(walk *w) {
  qn_op *func = qn_module_main(w->module);
  memset(w->prepared, 0, sizeof w->prepared);
  for (uint32_t i = 0; i < qn_op_body(func)->arg_count && i < MAX_ARGS; i++) {
    qn_port port = QN_PORT_INIT;
    bool read = qn_port_read(w->module->cx, func, QN_SIDE_ARGUMENTS, i, &port) == QN_OK;
    w->prepared[i] = read && port.role == QN_ROLE_PREPARED;
  }
}

/* ---- launches ---- */

/* Whether the next launch that has the buffer writes to it: what is there is only a part, or the
 * first value of a sum. So is what a branch writes to a result of the model. */
static bool is_written_next(const walk *w, const qn_op *launch, const qn_value *buffer) {
  const qn_op *func = qn_module_main(w->module);
  if (!buffer->op && qn_op_parent(launch) != func) return true;
  for (qn_op *op = qn_nested_next(launch, func); op; op = qn_nested_next(op, func))
    for (uint32_t i = 0; qn_op_is_step(op) && i + 1 < op->operand_count; i++)
      if (qn_op_operand(op, i) == buffer) return accesses_of(w, op, i).writes;
  return false;
}

static bool starts_with(qn_str name, const char *start) {
  return name.size > strlen(start) && memcmp(name.data, start, strlen(start)) == 0;
}

/* Whether the launch may copy a constant: to a result of the model, to the first value of a loop,
 * next to other parts of a concatenation, or around an image. */
static bool may_copy(const qn_op *launch) {
  static const char *const kernels[] = {"copy_", "concat_", "border_"};
  for (size_t i = 0; i < QN_COUNT(kernels); i++)
    if (starts_with(qn_op_kernel(launch), kernels[i])) return true;
  return false;
}

/* Whether the kernel shifts, in a branch or loop that may not be reached: the result may be
 * undefined. */
static bool may_be_undefined(const walk *w, const qn_op *launch) {
  bool shifts = false;
  const qn_op *kernel = qn_module_lookup(w->module, qn_op_kernel(launch));
  QN_FOR_EACH_NESTED_OP(op, kernel)
  shifts |= op->kind == QN_OP_ARITH_SHLI;
  return shifts && qn_op_parent(launch) != qn_module_main(w->module);
}

static void check_launch(walk *w, const qn_op *launch, const char *level) {
  bool needed = may_copy(launch) || may_be_undefined(w, launch);
  for (uint32_t i = 0; i + 1 < launch->operand_count && !needed; i++) {
    const qn_value *buffer = qn_op_operand(launch, i);
    accesses a = accesses_of(w, launch, i);
    needed = (a.reads && !is_known(w, buffer)) || (a.writes && is_written_next(w, launch, buffer));
  }
  w->launches++;
  if (needed) return;
  w->failures++;
  printf("%s: %s: each call launches @%.*s on constants only\n", w->file, level,
         QN_STR_ARG(qn_op_kernel(launch)));
}

static void check_module(walk *w, const qn_module *module, const char *level) {
  w->module = module;
  w->modules++;
  find_prepared(w);
  QN_FOR_EACH_NESTED_OP(op, qn_module_main(module)) {
    if (qn_op_is_step(op))
      check_launch(w, op, level);
    else if (op->kind == QN_OP_QUERN_LAUNCH)
      w->once++;
  }
}

/* ---- files ---- */

static void ignore_messages(void *user, const qn_message *message) {
  (void)user;
  (void)message;
}

/* Files that are errors on purpose, or modules without @main, have nothing to compile. */
static void compile(walk *w, const char *path, const char *level) {
  const qn_lower_config config = {.target = qn_target_find(qn_str_of(level))};
  const qn_run_settings settings = qn_pipeline_settings(&config);
  qn_context *context = qn_context_create();
  qn_model *model;
  qn_context_set_parts_handler(context, ignore_messages, NULL);
  if (qn_model_load(context, path, NULL, &model) == QN_OK) {
    qn_module *module = model->module;
    if (qn_module_main(module) &&
        qn_pipeline_lower(module, &settings, QN_STAGE_MODEL, QN_STAGE_LOOPS) == QN_OK)
      check_module(w, module, level);
    qn_model_destroy(model);
  }
  qn_context_destroy(context);
}

/* The path of a file; shared ones are in another folder. */
static const char *find_file(const char *file, char out_path[MAX_PATH]) {
  const char *shared = getenv("QUERN_SHARED");
  bool is_shared = strncmp(file, "shared/", strlen("shared/")) == 0;
  if (!is_shared) return file;
  snprintf(out_path, MAX_PATH, "%s/%s", shared ? shared : QN_TEST_SHARED, file + strlen("shared/"));
  return out_path;
}

int main(int argc, char **argv) {
  static const char *const levels[] = {"generic", "x86-64-v3"};
  static walk w;
  for (int i = 1; i < argc; i++) {
    char path[MAX_PATH];
    w.file = find_file(argv[i], path);
    if (access(w.file, R_OK) != 0) {
      printf("SKIP: %s is not there\n", w.file);
      return SKIPPED;
    }
    for (size_t k = 0; k < QN_COUNT(levels); k++) compile(&w, w.file, levels[k]);
  }
  printf("%u modules, %u launches in calls, %u once; %u failures\n", w.modules, w.launches, w.once,
         w.failures);
  return w.failures || w.launches == 0 || w.once == 0;
}
