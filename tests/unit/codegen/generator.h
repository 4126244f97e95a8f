/* A generator of modules of many ops, each of which reads a region of the input and writes a region
 * of the output, for tests that compare machine code at each level with the interpreter.
 *
 * Input: 1 KiB of random bytes that begin with extreme integers, 1 KiB of f32, 1 KiB of f64.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEST_CODEGEN_GENERATOR_H
#define QN_TEST_CODEGEN_GENERATOR_H

#include "fixture.h"

#include <math.h>

enum { REGION = 1024, IN_BYTES = 3 * REGION, OUT_BYTES = 32768 };

typedef struct generator {
  qn_text body;
  int next;      /* number of the next value */
  size_t offset; /* in the output */
} generator;

static inline int constant_index(generator *g, size_t value) {
  qn_text_format(&g->body, "%%x%d = \"arith.constant\"() <{value = %zu : index}> : () -> index\n",
                 g->next, value);
  return g->next++;
}

/* "i32", or "vector<4xi32>"; lanes 0 is a scalar. */
static inline const char *type_name(char *buffer, const char *element, int lanes) {
  if (lanes == 0) return element;
  snprintf(buffer, 64, "vector<%dx%s>", lanes, element);
  return buffer;
}

static inline size_t element_bytes(const char *element) {
  if (strcmp(element, "index") == 0) return 8;
  return strcmp(element, "i1") == 0 ? 1 : (size_t)(atoi(element + 1) / 8);
}

static inline int view(generator *g, const char *blob, size_t blob_bytes, const char *element,
                       size_t offset, int count) {
  int at = constant_index(g, offset);
  qn_text_format(
      &g->body, "%%x%d = \"memref.view\"(%%%s, %%x%d) : (memref<%zuxi8>, index) -> memref<%dx%s>\n",
      g->next, blob, at, blob_bytes, count, element);
  return g->next++;
}

static inline int load(generator *g, const char *element, int lanes, size_t offset) {
  char name[64];
  int count = lanes ? lanes : 1;
  int source = view(g, "in", IN_BYTES, element, offset, count);
  qn_text_format(&g->body, "%%x%d = \"%s.load\"(%%x%d, %%c0) : (memref<%dx%s>, index) -> %s\n",
                 g->next, lanes ? "vector" : "memref", source, count, element,
                 type_name(name, element, lanes));
  return g->next++;
}

static inline void store(generator *g, int value, const char *element, int lanes) {
  char name[64];
  int count = lanes ? lanes : 1;
  int target = view(g, "out", OUT_BYTES, element, g->offset, count);
  qn_text_format(&g->body, "\"%s.store\"(%%x%d, %%x%d, %%c0) : (%s, memref<%dx%s>, index) -> ()\n",
                 lanes ? "vector" : "memref", value, target, type_name(name, element, lanes), count,
                 element);
  g->offset += (size_t)count * element_bytes(element);
  assert_true(g->offset <= OUT_BYTES);
}

/* %x<result> = op(%x<a>, ...) on one type. */
static inline int apply(generator *g, const char *op, const char *attrs, const int *operands,
                        int count, const char *from, const char *to) {
  qn_text_format(&g->body, "%%x%d = \"%s\"(", g->next, op);
  for (int i = 0; i < count; i++) qn_text_format(&g->body, "%s%%x%d", i ? ", " : "", operands[i]);
  qn_text_format(&g->body, ") %s : (", attrs);
  for (int i = 0; i < count; i++) qn_text_format(&g->body, "%s%s", i ? ", " : "", from);
  qn_text_format(&g->body, ") -> %s\n", to);
  return g->next++;
}

static inline int splat(generator *g, const char *type, int lanes, int value) {
  if (lanes == 0)
    qn_text_format(&g->body, "%%x%d = \"arith.constant\"() <{value = %d : %s}> : () -> %s\n",
                   g->next, value, type, type);
  else
    qn_text_format(&g->body, "%%x%d = \"arith.constant\"() <{value = dense<%d> : %s}> : () -> %s\n",
                   g->next, value, type, type);
  return g->next++;
}

static inline void put_floats(uint8_t *in) {
  static const float special[] = {0,      -0.0f,       0.5f,       -0.5f,    1.5f,  2.5f,
                                  -2.5f,  0.49999997f, 8388607.5f, -8388609, 1e20f, -1e20f,
                                  1e-40f, INFINITY,    -INFINITY,  16777216};
  uint32_t seed = 7;
  for (int i = 0; i < REGION / 4; i++) {
    seed = seed * 1664525u + 1013904223u;
    float x = i % 3 == 0 ? special[(unsigned)i / 3 % QN_COUNT(special)]
                         : (float)((int32_t)seed >> 8) / 4096.0f;
    memcpy(in + REGION + 4 * i, &x, 4);
  }
  for (int i = 0; i < REGION / 8; i++) {
    double x =
        i % 4 == 0 ? (double)special[(unsigned)i / 4 % QN_COUNT(special)] : (i - 60) * 1234.25 / 7;
    memcpy(in + 2 * REGION + 8 * i, &x, 8);
  }
}

static inline void make_input(uint8_t *in) {
  static const int64_t extremes[] = {INT64_MIN, INT64_MAX, -1, 0, 1, INT32_MIN, 0x80, 0x8000};
  fixture_random(in, REGION, 1);
  memcpy(in, extremes, sizeof extremes);
  put_floats(in);
}

/* Compares and resets the generated module. */
static inline void check(generator *g) {
  fixture f;
  uint8_t in[IN_BYTES];
  make_input(in);
  fixture_init(&f);
  qn_module *module = fixture_kernel(&f, IN_BYTES, OUT_BYTES, 1, "", g->body.data);
  fixture_check_levels(&f, module, in, OUT_BYTES, NULL);
  qn_module_destroy(module);
  fixture_deinit(&f);
  qn_text_deinit(&g->body);
}

#endif
