/* Runs the object of a model on recorded inputs and compares every byte of its outputs, once as it
 * is, once with every launch cut in two, and with -DTHREADS=N once by N threads: main [-f] CASE...
 *
 * -f: also where SYMBOL_supported does not know the CPU.
 *
 * A case is a folder of in0.npy, out0.npy and so on; with states in0.0.npy, in0.1.npy are calls in
 * their order. The program is one of the machine that the object is for.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef THREADS
#include <pthread.h>
#endif

#include "runtime/abi.h"

extern const qn_abi_model model_model;
extern int32_t model_invoke(const qn_abi_call *call);
extern int32_t model_supported(void);

enum { MAX_TENSORS = 16, NPY_HEADER = 10 };

typedef struct state {
  const char *folder;
  int calls; /* of the case so far */
  long steps, cuts, spreads, compared, differ;
} state;

static void *fail(const char *what, const char *path) {
  fprintf(stderr, "%s: %s\n", path, what);
  exit(2);
}

static void *memory(uint64_t bytes) {
  void *block = aligned_alloc(QN_ABI_ALIGN, (bytes / QN_ABI_ALIGN + 1) * QN_ABI_ALIGN);
  return block ? block : fail("no memory", "main");
}

/* The payload of in<k>.npy, or of in<k>.<call>.npy; NULL when neither is there. */
static void *load(const state *s, const char *role, uint32_t k, uint64_t bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%u.npy", s->folder, role, (unsigned)k);
  FILE *file = s->calls == 0 ? fopen(path, "rb") : NULL;
  if (!file) {
    snprintf(path, sizeof path, "%s/%s%u.%d.npy", s->folder, role, (unsigned)k, s->calls);
    file = fopen(path, "rb");
  }
  if (!file) return NULL;
  unsigned char header[NPY_HEADER], *payload = memory(bytes);
  if (fread(header, 1, sizeof header, file) != sizeof header ||
      fseek(file, header[8] | header[9] << 8, SEEK_CUR) != 0 ||
      fread(payload, 1, bytes, file) != bytes || fgetc(file) != EOF)
    fail("is not what the model takes", path);
  fclose(file);
  return payload;
}

static void cut(void *pool, qn_abi_kernel *kernel, void *const *args, qn_abi_index count) {
  kernel(args, count / 2, count);
  kernel(args, 0, count / 2);
  ((state *)pool)->cuts++;
}

#ifdef THREADS
typedef struct part {
  qn_abi_kernel *kernel;
  void *const *args;
  qn_abi_index begin, end;
} part;

static void *run_part(void *of) {
  part *p = of;
  p->kernel(p->args, p->begin, p->end);
  return NULL;
}

static void spread(void *pool, qn_abi_kernel *kernel, void *const *args, qn_abi_index count) {
  pthread_t threads[THREADS];
  part parts[THREADS];
  for (int i = 0; i < THREADS; i++) {
    parts[i] = (part){kernel, args, count * i / THREADS, count * (i + 1) / THREADS};
    if (pthread_create(&threads[i], NULL, run_part, &parts[i]) != 0) fail("no thread", "main");
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  ((state *)pool)->spreads++;
}
static void (*const ways[])(void *, qn_abi_kernel *, void *const *, qn_abi_index) = {cut, NULL,
                                                                                     spread};
#else
static void (*const ways[])(void *, qn_abi_kernel *, void *const *, qn_abi_index) = {cut, NULL};
#endif
enum { WAYS = sizeof ways / sizeof *ways };

static void step(void *user, qn_abi_index k) {
  state *s = user;
  if (k > (qn_abi_index)model_model.step_count) fail("an invalid step", s->folder);
  s->steps++;
}

/* false: there is no such call. */
static int call(state *s, void *arena, void *states, const void *prepared, int way) {
  const qn_abi_model *m = &model_model;
  const void *inputs[MAX_TENSORS];
  void *outputs[MAX_TENSORS];
  for (uint32_t i = 0; i < m->input_count; i++)
    if (!(inputs[i] = load(s, "in", i, m->inputs[i].bytes))) return 0;
  for (uint32_t i = 0; i < m->output_count; i++) outputs[i] = memory(m->outputs[i].bytes);
  qn_abi_call c = {
      .inputs = inputs, .outputs = outputs, .arena = arena, .states = states, .prepared = prepared};
  if (ways[way]) c.parallel_for = ways[way], c.pool = s, c.step = step, c.user = s;
  if (model_invoke(&c) != 0) fail("ends early", s->folder);
  for (uint32_t i = 0; i < m->output_count; i++) {
    unsigned char *expected = load(s, "out", i, m->outputs[i].bytes), *got = outputs[i];
    if (!expected) fail("no recorded output", s->folder);
    for (uint64_t b = 0; b < m->outputs[i].bytes; b++) s->differ += got[b] != expected[b];
    s->compared += (long)m->outputs[i].bytes;
    free(expected);
    free(got);
  }
  for (uint32_t i = 0; i < m->input_count; i++) free((void *)inputs[i]);
  s->calls++;
  return 1;
}

int main(int count, char **folders) {
  const qn_abi_model *m = &model_model;
  state s = {0};
  int forced = count > 1 && strcmp(folders[1], "-f") == 0;
  if (!forced && !model_supported()) fail("does not run here", m->target);
  if (!qn_abi_is_known(m) || m->invoke != model_invoke || m->input_count > MAX_TENSORS ||
      m->output_count > MAX_TENSORS)
    fail("is not described as it should be", m->target);
  void *arena = memory(m->arena_bytes), *states = memory(m->state_bytes);
  void *prepared = memory(qn_abi_prepared_bytes(m));
  if (qn_abi_prepared_bytes(m) > 0) m->prepare(prepared);
  for (int i = 1 + forced; i < count; i++)
    for (int way = 0; way < WAYS; way++) {
      s.folder = folders[i];
      s.calls = 0;
      if (m->reset) m->reset(states);
      while (call(&s, arena, states, prepared, way)) continue;
      if (s.calls == 0) fail("has no inputs", s.folder);
    }
  free(arena);
  free(states);
  free(prepared);
  printf("%s: %ld bytes compared, %ld differ; %ld steps told, %ld launches cut, %ld spread over "
         "threads\n",
         m->target, s.compared, s.differ, s.steps, s.cuts, s.spreads);
  return s.differ != 0 || s.compared == 0 || s.steps == 0;
}
