/* The loops stage: memory plan, interpreter, machine code in memory and in an object.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "codegen/codegen.h"
#include "ir/types/float_format.h"
#include "ir/walk.h"
#include "runtime/parallel.h"
#include "tests/differ/differ.h"
#include "tests/support/memory_plan.h"
#include "text/text.h"

static bool wanted(const differ *d, uint32_t every) {
  return every && d->counts->cases % every == 0;
}

bool differ_is_compiled(const differ *d) { return d->compiles || wanted(d, d->options->jit_every); }

const qn_target *differ_target(differ *d) {
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  uint32_t first = (uint32_t)qn_choose(&d->m.choices, count);
  for (uint32_t i = 0; differ_is_compiled(d) && i < count; i++)
    if (qn_codegen_host_runs(&levels[(first + i) % count])) return &levels[(first + i) % count];
  return &levels[first];
}

/* ---- the buffers of @main ---- */

typedef struct buffers {
  qn_rt_value *values; /* inputs, outputs, arena */
  void **data;
  uint32_t count;
  qn_random_run run; /* the outputs as results */
} buffers;

/* Everything but the inputs starts as noise. */
static bool open_buffers(differ *d, const qn_module *loops, buffers *b) {
  const qn_block *body = qn_op_body(qn_module_main(loops));
  uint32_t inputs = d->inputs.arg_count, outputs = d->inputs.result_count;
  *b = (buffers){.count = body->arg_count, .run = d->inputs};
  qn_arena_init(&b->run.arena);
  if (b->count != inputs + outputs + 1) return false;
  b->values = QN_NEW_ARRAY(&b->run.arena, b->count, qn_rt_value);
  b->data = QN_NEW_ARRAY(&b->run.arena, b->count, void *);
  for (uint32_t i = 0; i < b->count; i++) {
    const qn_type *type = body->args[i]->type;
    int64_t size = qn_type_size(type);
    uint8_t *data = qn_arena_alloc(&b->run.arena, (size_t)size + 2 * QN_ABI_ALIGN);
    data += -(uintptr_t)data % QN_ABI_ALIGN;
    memset(data, 0xa5, (size_t)size);
    const qn_rt_value *in = i < inputs ? &d->inputs.args[i] : NULL;
    if (in && in->data) {
      if (in->size != size) return false;
      memcpy(data, in->data, (size_t)size);
    } else if (in && in->type->kind == QN_TYPE_FLOAT) {
      qn_float_store(in->type->float_kind, in->f, data);
    } else if (in) {
      memcpy(data, &in->i, (size_t)size);
    }
    b->values[i] = (qn_rt_value){.type = type, .data = data, .size = size};
    b->data[i] = data;
  }
  return true;
}

/* Results of the types that they had, on the bytes that came out. */
static bool same_outputs(differ *d, buffers *b) {
  for (uint32_t i = 0; i < d->inputs.result_count; i++) {
    const qn_rt_value *out = &b->values[d->inputs.arg_count + i];
    const qn_rt_value *expected = &d->expected.results[i];
    qn_rt_value *result = &b->run.results[i];
    *result = (qn_rt_value){.type = expected->type, .data = out->data, .size = out->size};
    if (qn_type_is_shaped(expected->type)) continue;
    qn_rt_value view = *result;
    view.type = qn_type_tensor(&d->m.cx, expected->type, 0, NULL);
    result->data = NULL, result->size = 0;
    if (expected->type->kind == QN_TYPE_FLOAT)
      result->f = qn_rt_float(&view, 0);
    else
      result->i = qn_rt_int(&view, 0);
  }
  return differ_same(d, &b->run);
}

/* ---- machine code ---- */

/* The last chunk first: units must not depend on each other. */
static void chunks(void *pool, qn_abi_kernel *kernel, void *const *args, int64_t count) {
  (void)pool;
  kernel(args, count * 2 / 3, count);
  kernel(args, count / 3, count * 2 / 3);
  kernel(args, 0, count / 3);
}

static bool invoke(differ *d, const qn_module *loops, const qn_abi_model *model, qn_abi_call call,
                   const char *what) {
  buffers b;
  bool ok = open_buffers(d, loops, &b);
  if (ok) {
    call.inputs = (const void *const *)b.data;
    call.outputs = b.data + d->inputs.arg_count;
    call.arena = b.data[b.count - 1];
    ok = model->invoke(&call) == 0 && same_outputs(d, &b);
  }
  qn_arena_deinit(&b.run.arena);
  return ok || differ_problem(d, loops, what);
}

static bool check_entry(differ *d, const qn_module *loops, const qn_abi_model *model) {
  enum { MOST_THREADS = 8 };
  qn_pool *pool = NULL;
  uint32_t threads = 1 + (uint32_t)qn_choose(&d->m.choices, MOST_THREADS);
  if (qn_pool_create(threads, &pool) != QN_OK) return differ_problem(d, loops, "no threads");
  bool ok = invoke(d, loops, model, (qn_abi_call){0}, "machine code differs") &&
            invoke(d, loops, model, (qn_abi_call){.parallel_for = chunks}, "chunks differ") &&
            invoke(d, loops, model, (qn_abi_call){.parallel_for = qn_pool_for, .pool = pool},
                   "threads differ");
  qn_pool_destroy(pool);
  return ok;
}

static uint8_t *make_room(void *user, size_t size) {
  qn_text *bytes = user;
  qn_text_clear(bytes);
  uint8_t *room = (uint8_t *)qn_text_reserve(bytes, size);
  bytes->size = size;
  return room;
}

/* An object as a program would use it: linked, loaded, called. */
static bool check_object(differ *d, qn_module *loops, const qn_codegen_options *options) {
  char folder[] = "/tmp/differXXXXXX", command[256], object[64], library[64];
  qn_text bytes = {0};
  bool ok = false;
  if (!mkdtemp(folder)) return differ_problem(d, loops, "no folder for an object");
  snprintf(object, sizeof object, "%s/m.o", folder);
  snprintf(library, sizeof library, "%s/m.so", folder);
  snprintf(command, sizeof command, "cc -shared -o %s %s", library, object);
  FILE *file = fopen(object, "wb");
  if (file && qn_codegen_emit(loops, options, QN_EMIT_OBJECT, make_room, &bytes) == QN_OK)
    ok = fwrite(bytes.data, 1, bytes.size, file) == bytes.size;
  if (file) ok &= fclose(file) == 0;
  ok = ok && system(command) == 0;
  void *handle = ok ? dlopen(library, RTLD_NOW) : NULL;
  const qn_abi_model *model = handle ? dlsym(handle, "model_model") : NULL;
  ok = model && invoke(d, loops, model, (qn_abi_call){0}, "the object differs");
  if (handle) dlclose(handle);
  unlink(object), unlink(library), rmdir(folder);
  qn_text_deinit(&bytes);
  d->counts->aots++;
  return ok || differ_problem(d, loops, "no object that can be loaded");
}

static bool check_machine_code(differ *d, qn_module *loops, const qn_target *target) {
  qn_codegen_options options = {.symbol = qn_str_of("model")};
  qn_jit *jit = NULL;
  qn_status status = qn_codegen_target_resolve(&d->m.cx, NULL, target->name, NULL, &options.target);
  if (status == QN_OK) status = qn_jit_create(loops, &options, &jit);
  if (status == QN_UNSUPPORTED) return differ_refuse(d);
  if (status != QN_OK) return differ_problem(d, loops, "there is no machine code");
  d->counts->jits++;
  bool ok = check_entry(d, loops, qn_jit_model(jit));
  qn_jit_destroy(jit);
  return ok && (!wanted(d, d->options->aot_every) || check_object(d, loops, &options));
}

/* ---- all of it ---- */

static bool check_plan(differ *d, const qn_module *loops) {
  qn_text problems = {0};
  bool ok = qn_memory_plan_check(loops, &problems);
  d->counts->plans++;
  if (!ok) fprintf(stderr, "%s", problems.data);
  qn_text_deinit(&problems);
  return ok || differ_problem(d, loops, "the memory plan is wrong");
}

/* Both ways of a branch on numbers are computed, and one is taken: what the other has no result for
 * is 0. Where it is the one that counts, the outputs differ. */
static bool never(void *user, const qn_op *op) {
  (void)user, (void)op;
  return false;
}

static bool check_kernels(differ *d, const qn_module *loops) {
  buffers b;
  const qn_eval_options options = {.is_meant = never};
  bool ok = open_buffers(d, loops, &b) &&
            qn_eval_call(loops, qn_module_main(loops), b.values, b.count, NULL, &b.run.arena,
                         &options) == QN_OK &&
            same_outputs(d, &b);
  qn_arena_deinit(&b.run.arena);
  return ok || differ_problem(d, loops, "the loops differ");
}

static bool holds_index(qn_op *op, void *user) {
  const qn_target *const *target = user;
  int64_t index;
  return op->kind != QN_OP_ARITH_CONSTANT ||
         qn_target_holds_index(*target, qn_op_result(op, 0), &index);
}

bool differ_check_loops(differ *d, qn_module *loops, const qn_target *target) {
  /* Code generation rejects an index constant that the target can't represent, and the interpreter
   * stops at it. */
  if (!qn_walk_pre(loops->op, holds_index, &target)) return differ_refuse(d);
  if (!check_plan(d, loops) || !check_kernels(d, loops)) return false;
  bool compile = differ_is_compiled(d) && qn_codegen_host_runs(target);
  return !compile || check_machine_code(d, loops, target);
}
