/* Runs a model text on every engine: the interpreter at each stage, and the JIT at every level that
 * this machine supports. Each buffer ends at a page without access, so an access after the last
 * byte of a tensor ends the test.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEST_EVERY_ENGINE_H
#define QN_TEST_EVERY_ENGINE_H

#include <jansson.h>
#include <quern/quern.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_ENGINES = 16 };

typedef struct engines {
  qn_context *context;
  char messages[4096];
  qn_compile_options options[MAX_ENGINES];
  char names[MAX_ENGINES][32];
  size_t count;
} engines;

static void note_message(void *user, int severity, const char *message) {
  engines *e = user;
  size_t used = strlen(e->messages);
  (void)severity;
  snprintf(e->messages + used, sizeof e->messages - used, "%s\n", message);
}

static inline void engines_write(engines *e, const char *folder, const char *name, const void *data,
                                 size_t size) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_int_equal(qn_context_write_file(e->context, path, (qn_bytes){data, size}), QN_OK);
}

static void add_engine(engines *e, qn_compile_options options, const char *name) {
  assert_true(e->count < MAX_ENGINES);
  snprintf(e->names[e->count], sizeof e->names[0], "%s", name);
  options.cpu = options.engine == QN_ENGINE_JIT ? e->names[e->count] : NULL;
  e->options[e->count++] = options;
}

static void engines_open(engines *e) {
  static const char *const stages[] = {"model", "integer", "loops"};
  memset(e, 0, sizeof *e);
  e->context = qn_context_create();
  qn_context_set_handler(e->context, note_message, e);
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.engine = QN_ENGINE_INTERPRETER;
  for (int k = QN_FORM_MODEL; k <= QN_FORM_LOOPS; k++) {
    options.stage = (qn_form)k;
    add_engine(e, options, stages[k]);
  }
  options.engine = QN_ENGINE_JIT;
  char *text;
  size_t size;
  assert_int_equal(qn_list("targets", &text, &size), QN_OK);
  json_t *list = json_loads(text, 0, NULL), *row;
  size_t i;
  assert_non_null(list);
  json_array_foreach(json_is_array(list) ? list : json_object_get(list, "targets"), i, row) {
    const char *name = json_string_value(json_object_get(row, "name"));
    if (name && qn_host_runs(name)) add_engine(e, options, name);
  }
  assert_true(e->count >= 5); /* at least two levels */
  json_decref(list);
  qn_free(text);
}

static void engines_close(engines *e) { qn_context_destroy(e->context); }

static inline qn_model *load_text(engines *e, const char *text) {
  qn_model *model = NULL;
  qn_bytes bytes = {(const uint8_t *)text, strlen(text)};
  if (qn_model_load_memory(e->context, bytes, "test.mlir", NULL, &model) != QN_OK)
    fail_msg("%s\n%s", e->messages, text);
  return model;
}

static inline qn_executable *compile_for(engines *e, const qn_model *model, size_t engine) {
  qn_executable *executable = NULL;
  if (qn_compile(model, &e->options[engine], &executable) != QN_OK)
    fail_msg("%s: %s", e->names[engine], e->messages);
  return executable;
}

/* Memory of `bytes` bytes that ends at a page without access. */
typedef struct guarded {
  uint8_t *data;
  void *map;
  size_t mapped;
} guarded;

static inline guarded guarded_create(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), used = (bytes + page - 1) / page * page;
  guarded g = {.mapped = used + page};
  g.map = mmap(NULL, g.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(g.map != MAP_FAILED);
  assert_int_equal(mprotect((uint8_t *)g.map + used, page, PROT_NONE), 0);
  g.data = (uint8_t *)g.map + used - bytes;
  return g;
}

static inline void guarded_destroy(guarded *g) { munmap(g->map, g->mapped); }

static inline void fill_bytes(uint8_t *data, size_t bytes, uint32_t seed) {
  for (size_t i = 0; i < bytes; i++) {
    seed = seed * 1664525u + 1013904223u;
    data[i] = (uint8_t)(seed >> 24);
  }
}

#endif
