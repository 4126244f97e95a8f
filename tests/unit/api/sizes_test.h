/* Tests of models with a run-time size, on every engine. For a size n, the results are those of the
 * same model with n written in its types, and no byte after entry n is accessed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEST_SIZES_H
#define QN_TEST_SIZES_H

#include "every_engine.h"

#define HEAD                                                                                       \
  "!q = !quant.uniform<i8:f32, 0.5:-3>\n!w = !quant.uniform<i8:f32, 0.25:0>\n"                     \
  "module attributes {quern.numerics = \"litert-ref\", quern.fall_back} {\n"

enum { BOUND = 7 };

/* A model text in which N stands for the size. N is the first dimension of the argument, or follows
 * dimensions of 1. */
typedef struct size_case {
  const char *name, *in, *out, *body;
} size_case;

/* Replaces every N that is a dimension or an integer by `size`. */
static inline void replace_size(const char *from, int size, char *to, size_t room) {
  size_t n = 0;
  for (const char *p = from; *p && n + 8 < room; p++) {
    bool alone = *p == 'N' && (p == from || strchr("< x", p[-1]));
    if (alone)
      n += (size_t)snprintf(to + n, room - n, "%d", size);
    else
      to[n++] = *p;
  }
  to[n] = '\0';
}

static inline qn_model *load_case(engines *e, const size_case *c, int size, const char *attrs) {
  char text[8192], bound[8192];
  snprintf(text, sizeof text,
           HEAD "func.func @main(%%x: tensor<%sx!q>%s) -> tensor<%sx!q> {\n%s"
                "  return %%y : tensor<%sx!q>\n}\n}\n",
           c->in, attrs, c->out, c->body, c->out);
  replace_size(text, size, bound, sizeof bound);
  return load_text(e, bound);
}

/* The attribute for an argument 1xNx5, for example: ["", "n"]. */
static inline qn_model *load_sized(engines *e, const size_case *c) {
  char attrs[64] = " {quern.sizes = [";
  for (const char *p = c->in; *p == '1'; p += 2) strcat(attrs, "\"\", ");
  strcat(attrs, "\"n\"]}");
  return load_case(e, c, BOUND, attrs);
}

static inline void run_guarded(engines *e, const char *what, qn_executable *x, const uint8_t *in,
                               uint8_t *out) {
  size_t in_bytes = qn_executable_input(x, 0).bytes, out_bytes = qn_executable_output(x, 0).bytes;
  guarded from = guarded_create(in_bytes), to = guarded_create(out_bytes);
  memcpy(from.data, in, in_bytes);
  if (qn_executable_invoke(x, (const void *[]){from.data}, (void *[]){to.data}) != QN_OK)
    fail_msg("%s: %s", what, e->messages);
  memcpy(out, to.data, out_bytes);
  guarded_destroy(&from);
  guarded_destroy(&to);
}

static inline void check_size_case(const size_case *c, size_t seed) {
  static const int sizes[] = {BOUND, 1, 2, BOUND - 1, 3, BOUND};
  static uint8_t in[1 << 17], want[1 << 17], got[1 << 17];
  engines e;
  engines_open(&e);
  qn_model *model = load_sized(&e, c);
  for (size_t k = 0; k < e.count; k++) {
    char what[128];
    qn_executable *x = compile_for(&e, model, k);
    assert_int_equal(qn_executable_size_count(x), 1);
    assert_string_equal(qn_executable_size(x, 0).name, "n");
    assert_int_equal(qn_executable_size(x, 0).bound, BOUND);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
      snprintf(what, sizeof what, "%s, %s, n = %d", c->name, e.names[k], sizes[s]);
      qn_model *fixed = load_case(&e, c, sizes[s], "");
      qn_executable *reference = compile_for(&e, fixed, 0);
      assert_int_equal(qn_executable_set_size(x, 0, sizes[s]), QN_OK);
      qn_tensor_info out = qn_executable_output(x, 0), same = qn_executable_output(reference, 0);
      assert_int_equal(out.bytes, same.bytes);
      assert_int_equal(out.dims[out.size_dimension], sizes[s]);
      assert_int_equal(out.size, 0);
      /* inputs differ per size, and the arena holds values of the previous size */
      fill_bytes(in, qn_executable_input(x, 0).bytes, (uint32_t)(seed * 64 + s) + 1);
      run_guarded(&e, what, reference, in, want);
      run_guarded(&e, what, x, in, got);
      if (memcmp(want, got, out.bytes) != 0) fail_msg("%s: other results", what);
      qn_executable_destroy(reference);
      qn_model_destroy(fixed);
    }
    qn_executable_destroy(x);
  }
  qn_model_destroy(model);
  engines_close(&e);
}

#endif
