/* A partition: compiled once its sizes are known, and again when they change.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct kernel {
  const options *o;
  char *path;
  qn_context *context;
  qn_executable *executable;
  uint32_t operator_count, input_count, output_count;
  uint32_t *operators;
  int *tensors; /* inputs, then outputs: numbers in the graph, which are those of the file */
  int64_t batch;
  const void **inputs;
  void **outputs;
} kernel;

static lt_tensor *input_of(const kernel *k, lt_context *c, uint32_t i) {
  return &c->tensors[k->tensors[i]];
}
static lt_tensor *output_of(const kernel *k, lt_context *c, uint32_t i) {
  return &c->tensors[k->tensors[k->input_count + i]];
}

/* ---- life ---- */

static void drop_code(kernel *k) {
  qn_executable_destroy(k->executable);
  k->executable = NULL;
  qn_context_destroy(k->context);
  k->context = NULL;
}

static void release(lt_context *c, void *user) {
  kernel *k = user;
  (void)c;
  if (!k) return;
  drop_code(k);
  free(k->path);
  free(k->operators);
  free(k->tensors);
  free(k->inputs);
  free(k->outputs);
  free(k);
}

/* Constants are in the file, states are Quern's: neither is given. */
static bool is_given(const lt_context *c, int tensor) {
  return tensor >= 0 && c->tensors[tensor].allocation != LT_CONSTANT &&
         !c->tensors[tensor].variable;
}

static bool fill(kernel *k, const lt_context *c, const lt_partition *p) {
  size_t tensors = (size_t)p->inputs->size + (size_t)p->outputs->size;
  k->operators = calloc((size_t)p->nodes->size + 1, sizeof *k->operators);
  k->tensors = calloc(tensors + 1, sizeof *k->tensors);
  k->inputs = calloc((size_t)p->inputs->size + 1, sizeof *k->inputs);
  k->outputs = calloc((size_t)p->outputs->size + 1, sizeof *k->outputs);
  if (!k->operators || !k->tensors || !k->inputs || !k->outputs || !k->path) return false;
  for (int i = 0; i < p->nodes->size; i++)
    k->operators[k->operator_count++] = (uint32_t)p->nodes->data[i];
  for (int i = 0; i < p->inputs->size; i++)
    if (is_given(c, p->inputs->data[i])) k->tensors[k->input_count++] = p->inputs->data[i];
  for (int i = 0; i < p->outputs->size; i++)
    k->tensors[k->input_count + k->output_count++] = p->outputs->data[i];
  return true;
}

static void *init(lt_context *c, const char *buffer, size_t bytes) {
  const lt_partition *p = (const void *)buffer;
  kernel *k = calloc(1, sizeof *k);
  (void)bytes;
  if (!k) return NULL;
  k->o = (const options *)p->delegate;
  k->path = file_find(k->o, c);
  if (fill(k, c, p)) return k;
  release(c, k);
  return NULL;
}

/* ---- code ---- */

static qn_status compile_model(kernel *k, const qn_model *model, int recommended) {
  qn_compile_options compile = QN_COMPILE_OPTIONS_INIT;
  compile.cache = k->o->cache;
  compile.cpu = k->o->cpu;
  qn_status status = qn_compile(model, &compile, &k->executable);
  int threads = k->o->threads ? k->o->threads : recommended;
  if (status == QN_OK && threads > 1 &&
      qn_executable_set_threads(k->executable, (uint32_t)threads) != QN_OK)
    say((void *)(uintptr_t)k->o, QN_MESSAGE_WARNING, "threads can't be started: one works");
  return status;
}

/* batch 0: as the file has it. */
static qn_status make_code(kernel *k, lt_context *c, int64_t batch) {
  qn_load_options load = QN_LOAD_OPTIONS_INIT;
  qn_model *model = NULL;
  drop_code(k);
  k->context = qn_context_create();
  if (!k->context) return QN_LIMIT;
  qn_context_set_handler(k->context, say, (void *)(uintptr_t)k->o);
  load.numerics = k->o->numerics;
  load.operators = k->operators;
  load.operator_count = k->operator_count;
  load.inputs = k->tensors;
  load.input_count = k->input_count;
  load.outputs = k->tensors + k->input_count;
  load.output_count = k->output_count;
  load.batch = batch;
  load.rebatch = batch > 0;
  qn_status status = qn_model_load(k->context, k->path, &load, &model);
  if (status == QN_OK) status = compile_model(k, model, c->threads);
  qn_model_destroy(model);
  if (k->o->verbose)
    fprintf(stderr, "quern: partition of %u nodes, %u inputs, %u outputs: %s\n", k->operator_count,
            k->input_count, k->output_count, qn_status_name(status));
  return status;
}

static bool inputs_fit(const kernel *k, lt_context *c) {
  if (!k->executable || qn_executable_input_count(k->executable) != k->input_count) return false;
  for (uint32_t i = 0; i < k->input_count; i++)
    if (qn_executable_input(k->executable, i).bytes != input_of(k, c, i)->bytes) return false;
  return true;
}

/* What the application resized dimension 0 of the inputs to. */
static int64_t batch_of(const kernel *k, lt_context *c) {
  const lt_ints *dims = k->input_count ? input_of(k, c, 0)->dims : NULL;
  return dims && dims->size > 0 ? dims->data[0] : 0;
}

static bool ensure_code(kernel *k, lt_context *c) {
  if (inputs_fit(k, c)) return true;
  bool made = make_code(k, c, 0) == QN_OK;
  if (made && inputs_fit(k, c)) return true;
  int64_t batch = batch_of(k, c);
  if (batch > 0 && make_code(k, c, batch) == QN_OK && inputs_fit(k, c)) return true;
  c->report(c, made ? "Quern: an input has another size than the partition can be compiled for"
                    : "Quern could not compile the partition: option verbose=1 says why");
  return false;
}

static bool has_shape(const lt_ints *dims, qn_tensor_info info) {
  if (!dims || (uint32_t)dims->size != info.rank) return false;
  for (uint32_t d = 0; d < info.rank; d++)
    if (dims->data[d] != info.dims[d]) return false;
  return true;
}

/* Files hold shapes that are filled in only when the model is prepared. */
static bool resize_output(lt_context *c, lt_tensor *t, qn_tensor_info info) {
  if (info.bytes == t->bytes && has_shape(t->dims, info)) return true;
  lt_ints *dims = malloc(sizeof *dims + info.rank * sizeof(int));
  if (!dims) return false;
  dims->size = (int)info.rank;
  for (uint32_t d = 0; d < info.rank; d++) dims->data[d] = (int)info.dims[d];
  return c->resize_tensor(c, t, dims) == 0 && t->bytes == info.bytes;
}

static int prepare(lt_context *c, lt_node *n) {
  kernel *k = n->user_data;
  if (!k || !ensure_code(k, c)) return 1;
  if (qn_executable_output_count(k->executable) != k->output_count) return 1;
  for (uint32_t i = 0; i < k->output_count; i++)
    if (!resize_output(c, output_of(k, c, i), qn_executable_output(k->executable, i))) {
      c->report(c, "Quern: output %u of a partition has another size in the graph", i);
      return 1;
    }
  return 0;
}

/* ---- calls ---- */

/* Variable tensors are the application's to reset and others' to read: what they hold is what the
 * call begins with, and what it leaves is theirs again. */
static lt_tensor *variable_of(const kernel *k, lt_context *c, uint32_t state) {
  qn_tensor_info info = qn_executable_state(k->executable, state);
  if (info.index < 0 || (size_t)info.index >= c->tensor_count) return NULL;
  lt_tensor *t = &c->tensors[info.index];
  return t->variable && t->data && t->bytes == info.bytes ? t : NULL;
}

static int invoke(lt_context *c, lt_node *n) {
  kernel *k = n->user_data;
  uint32_t states = qn_executable_state_count(k->executable);
  for (uint32_t i = 0; i < k->input_count; i++) k->inputs[i] = input_of(k, c, i)->data;
  for (uint32_t i = 0; i < k->output_count; i++) k->outputs[i] = output_of(k, c, i)->data;
  for (uint32_t i = 0; i < states; i++) {
    const lt_tensor *t = variable_of(k, c, i);
    if (t) qn_executable_write_state(k->executable, i, t->data);
  }
  if (qn_executable_invoke(k->executable, k->inputs, k->outputs) != QN_OK) return 1;
  for (uint32_t i = 0; i < states; i++) {
    lt_tensor *t = variable_of(k, c, i);
    if (t) qn_executable_read_state(k->executable, i, t->data);
  }
  return 0;
}

lt_registration kernel_registration(void) {
  return (lt_registration){.init = init,
                           .release = release,
                           .prepare = prepare,
                           .invoke = invoke,
                           .builtin_code = LT_DELEGATE,
                           .custom_name = "Quern",
                           .version = 1};
}
