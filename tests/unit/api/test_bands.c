/* Random networks of windows, additions and pads in bands of rows: the same bytes as as a whole, on
 * every engine; a limit of the arena holds or is rejected.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "every_engine.h"

/* ---- random networks ---- */

enum { MOST_OPS = 9, MOST_BYTES = 1 << 16 };

typedef struct tensor {
  int rows, columns, channels;
  int scale, zero_point; /* real = (stored - zero_point) * scale / 64 */
} tensor;

typedef struct network {
  char text[1 << 16];
  size_t used;
  uint32_t state;
  tensor values[MOST_OPS + 1]; /* %0 is the input */
  int count;
} network;

static int below(network *n, int limit) {
  n->state = n->state * 1664525u + 1013904223u;
  return (int)(n->state >> 16) % limit;
}

static void __attribute__((format(printf, 2, 3))) put(network *n, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int size = vsnprintf(n->text + n->used, sizeof n->text - n->used, format, args);
  va_end(args);
  assert_true(size >= 0 && (size_t)size < sizeof n->text - n->used);
  n->used += (size_t)size;
}

static void put_type(network *n, const tensor *t) {
  put(n, "tensor<1x%dx%dx%dx!quant.uniform<i8:f32, %d.0e-2:%d>>", t->rows, t->columns, t->channels,
      t->scale, t->zero_point);
}

static tensor any_tensor(network *n, int rows, int columns, int channels) {
  return (tensor){rows, columns, channels, 1 + below(n, 9), below(n, 21) - 10};
}

static int extent(int size, int kernel, int stride, int before, int after) {
  return (size + before + after - kernel) / stride + 1;
}

typedef struct window {
  int rows, columns, stride, top, bottom, left, right;
} window;

/* A window that fits, with less padding than taps. */
static window any_window(network *n, const tensor *x) {
  window w = {.rows = 1 + below(n, 3), .columns = 1 + below(n, 3), .stride = 1 + below(n, 2)};
  if (w.rows > x->rows) w.rows = 1;
  if (w.columns > x->columns) w.columns = 1;
  w.top = below(n, w.rows), w.bottom = below(n, w.rows);
  w.left = below(n, w.columns), w.right = below(n, w.columns);
  return w;
}

static void put_window(network *n, const window *w) {
  put(n, "strides = array<i64: %d, %d>, pad = array<i64: %d, %d, %d, %d>", w->stride, w->stride,
      w->top, w->bottom, w->left, w->right);
}

static tensor windowed(network *n, const tensor *x, const window *w, int channels) {
  return any_tensor(n, extent(x->rows, w->rows, w->stride, w->top, w->bottom),
                    extent(x->columns, w->columns, w->stride, w->left, w->right), channels);
}

static void put_signature(network *n, const tensor *x, const char *more, const tensor *y) {
  put(n, " : (");
  put_type(n, x);
  put(n, "%s) -> ", more);
  put_type(n, y);
  put(n, "\n");
  n->values[++n->count] = *y;
}

static void put_conv(network *n, bool depthwise) {
  int at = n->count;
  const tensor x = n->values[at];
  window w = any_window(n, &x);
  int channels = depthwise ? x.channels : 1 + below(n, 6);
  const tensor y = windowed(n, &x, &w, channels);
  char shape[64], types[192];
  int first = depthwise ? 1 : channels, last = x.channels;
  snprintf(shape, sizeof shape, "%dx%dx%dx%d", first, w.rows, w.columns, last);
  put(n, "  %%w%d = \"ml.const\"() {value = dense<\"0x", at);
  for (int i = 0; i < first * w.rows * w.columns * last; i++) put(n, "%02X", below(n, 256));
  put(n, "\"> : tensor<%sxi8>} : () -> tensor<%sx!w>\n", shape, shape);
  put(n, "  %%b%d = \"ml.const\"() {value = dense<%d> : tensor<%dxi32>} : () -> tensor<%dxi32>\n",
      at, below(n, 401) - 200, channels, channels);
  put(n, "  %%%d = \"ml.%s\"(%%%d, %%w%d, %%b%d) {activation = \"%s\", ", at + 1,
      depthwise ? "depthwise_conv" : "conv", at, at, at, below(n, 2) ? "relu" : "none");
  put_window(n, &w);
  put(n, ", dilations = array<i64: 1, 1>%s}", depthwise ? "" : ", groups = 1 : i64");
  snprintf(types, sizeof types, ", tensor<%sx!w>, tensor<%dxi32>", shape, channels);
  put_signature(n, &x, types, &y);
}

static void put_pool(network *n, const char *name) {
  int at = n->count;
  const tensor x = n->values[at];
  window w = any_window(n, &x);
  tensor y = windowed(n, &x, &w, x.channels);
  y.scale = x.scale, y.zero_point = x.zero_point;
  put(n, "  %%%d = \"ml.%s\"(%%%d) {kernel_sizes = array<i64: %d, %d>, ", at + 1, name, at, w.rows,
      w.columns);
  put_window(n, &w);
  put(n, "}");
  put_signature(n, &x, "", &y);
}

static void put_pad(network *n) {
  int at = n->count, top = below(n, 3), bottom = below(n, 3), left = below(n, 2);
  const tensor x = n->values[at];
  tensor y = x;
  y.rows += top + bottom, y.columns += left;
  put(n, "  %%%d = \"ml.pad\"(%%%d) {pad = array<i64: 0, 0, %d, %d, %d, 0, 0, 0>}", at + 1, at, top,
      bottom, left);
  put_signature(n, &x, "", &y);
}

/* Adds the last value and the earliest one of its shape. */
static void put_add(network *n) {
  int at = n->count, other = 0;
  const tensor x = n->values[at];
  for (;; other++) {
    const tensor *t = &n->values[other];
    if (t->rows == x.rows && t->columns == x.columns && t->channels == x.channels) break;
  }
  const tensor y = any_tensor(n, x.rows, x.columns, x.channels);
  size_t begin = n->used;
  put_type(n, &n->values[other]);
  char type[128];
  snprintf(type, sizeof type, ", %s", n->text + begin);
  n->used = begin;
  put(n, "  %%%d = \"ml.add\"(%%%d, %%%d) {activation = \"none\"}", at + 1, at, other);
  put_signature(n, &x, type, &y);
}

static void write_network(network *n, uint32_t seed) {
  memset(n, 0, sizeof *n);
  n->state = seed * 2654435761u + 17;
  n->values[0] = any_tensor(n, 8 + below(n, 8), 3 + below(n, 3), 1 + below(n, 4));
  put(n, "!w = !quant.uniform<i8:f32, 0.03125>\nmodule attributes {quern.numerics = "
         "\"litert-ref\"} {\n"
         "func.func @main(%%0: ");
  put_type(n, &n->values[0]);
  put(n, ") -> ");
  size_t result = n->used; /* the type of the result is put here at the end */
  int ops = 2 + below(n, MOST_OPS - 2);
  while (n->count < ops) {
    int kind = below(n, 9);
    if (kind < 5)
      put_conv(n, kind >= 3);
    else if (kind < 7)
      put_pool(n, kind == 5 ? "max_pool" : "avg_pool");
    else if (kind == 7)
      put_pad(n);
    else
      put_add(n);
  }
  char *body = strdup(n->text + result);
  assert_non_null(body);
  n->used = result;
  put_type(n, &n->values[ops]);
  put(n, " {\n%s  return %%%d : ", body, ops);
  put_type(n, &n->values[ops]);
  put(n, "\n}\n}\n");
  free(body);
}

/* ---- comparison ---- */

static uint8_t in[MOST_BYTES], whole[MOST_BYTES], got[MOST_BYTES];

static void invoke(qn_executable *x, uint8_t *y) {
  const void *inputs[] = {in};
  void *outputs[] = {y};
  assert_true(qn_executable_input(x, 0).bytes <= MOST_BYTES);
  assert_true(qn_executable_output(x, 0).bytes <= MOST_BYTES);
  assert_int_equal(qn_executable_invoke(x, inputs, outputs), QN_OK);
}

static void compare(engines *e, const network *n, const qn_model *model, size_t engine,
                    const char *what) {
  qn_executable *x = compile_for(e, model, engine);
  memset(got, 0x55, sizeof got);
  invoke(x, got);
  if (memcmp(whole, got, qn_executable_output(x, 0).bytes) != 0)
    fail_msg("%s at %s: other bytes\n%s", what, e->names[engine], n->text);
  qn_executable_destroy(x);
}

static void compute_whole(engines *e, const qn_model *model) {
  qn_executable *x = compile_for(e, model, 0);
  invoke(x, whole);
  qn_executable_destroy(x);
}

/* Random lists of chains, of which most are rejected. */
static int try_chains(engines *e, network *n) {
  int done = 0;
  for (int i = 0; i < 8; i++) {
    int first = below(n, n->count), last = first + below(n, n->count - first);
    char pass[96];
    snprintf(pass, sizeof pass, "compute-in-bands{chains=%d-%d:%d}", first, last, 2 + below(n, 9));
    qn_model *model = load_text(e, n->text);
    if (qn_model_run_pipeline(model, pass, NULL) == QN_OK) {
      compare(e, n, model, 0, pass);
      if (done++ == 0) compare(e, n, model, e->count - 1, pass);
    }
    qn_model_destroy(model);
    e->messages[0] = '\0';
  }
  return done;
}

/* Limits that the arena of this engine exceeds. Returns how many were kept. */
static int try_limits(engines *e, const network *n, const qn_model *model, size_t engine) {
  int kept = 0;
  qn_executable *x = compile_for(e, model, engine);
  size_t bytes = qn_executable_get_stats(x).arena_bytes;
  qn_executable_destroy(x);
  for (size_t part = 7; part >= 4; part -= 3) {
    qn_compile_options options = e->options[engine];
    options.arena_limit = bytes * part / 8;
    if (options.arena_limit == 0) continue;
    qn_status status = qn_compile(model, &options, &x);
    e->messages[0] = '\0';
    if (status == QN_LIMIT) continue;
    assert_int_equal(status, QN_OK);
    assert_true(qn_executable_get_stats(x).arena_bytes <= options.arena_limit);
    invoke(x, got);
    if (memcmp(whole, got, qn_executable_output(x, 0).bytes) != 0)
      fail_msg("limit %zu at %s: other bytes\n%s", options.arena_limit, e->names[engine], n->text);
    qn_executable_destroy(x);
    kept++;
  }
  return kept;
}

static network n;

static void same_bytes(void **unused) {
  enum { NETWORKS = 6 };
  engines e;
  int chains = 0, limits = 0;
  (void)unused;
  engines_open(&e);
  fill_bytes(in, sizeof in, 7);
  for (uint32_t seed = 0; seed < NETWORKS; seed++) {
    write_network(&n, seed);
    qn_model *model = load_text(&e, n.text);
    compute_whole(&e, model);
    chains += try_chains(&e, &n);
    for (size_t k = 2; k < e.count; k++) /* the interpreter of loops, two levels */
      if (k == 3 || (k == 2 && seed % 3 == 1) || (k == e.count - 1 && seed % 3 == 0))
        limits += try_limits(&e, &n, model, k);
    qn_model_destroy(model);
  }
  print_message("%d lists of chains, %d limits kept\n", chains, limits);
  assert_true(chains >= NETWORKS && limits >= NETWORKS / 2);
  engines_close(&e);
}

/* ---- what is rejected ---- */

static void hostile_lists(void **unused) {
  static const char *const lists[] = {"0",
                                      "0-",
                                      "0-0",
                                      "0-0:",
                                      "0-0:2,",
                                      ",0-0:2",
                                      "0-0:0",
                                      "0-0:1",
                                      "0-0:65",
                                      "0-0:99999999",
                                      "1-0:2",
                                      "0-40:2",
                                      "0-0:-2",
                                      "-1-0:2",
                                      "0-0:2,0-0:2",
                                      "4294967296-4294967296:2",
                                      "0-0:2x",
                                      "99999999999999999999-1:2",
                                      "0-4294967295:2"};
  engines e;
  (void)unused;
  engines_open(&e);
  write_network(&n, 3);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    char pass[128];
    snprintf(pass, sizeof pass, "compute-in-bands{chains=%s}", lists[i]);
    qn_model *model = load_text(&e, n.text);
    qn_status status = qn_model_run_pipeline(model, pass, NULL);
    if (status == QN_OK || status == QN_INTERNAL)
      fail_msg("chains=%s: %d %s", lists[i], status, e.messages);
    qn_model_destroy(model);
  }
  engines_close(&e);
}

/* A band of one row must not become a product of equal shapes, which cmsis-nn-single rounds
 * otherwise than a broadcast. */
static void bands_stay_broadcasts(void **unused) {
  static const char text[] =
      "!q = !quant.uniform<i8:f32, 0.5:-3>\nmodule attributes {quern.numerics = "
      "\"cmsis-nn-single\"} {\n"
      "func.func @main(%%x: tensor<1x4x3x2x!q>, %%k: tensor<%s>) -> tensor<1x4x3x2x!q> {\n"
      "  %%y = \"ml.%s\"(%%x, %%k) : (tensor<1x4x3x2x!q>, tensor<%s>) -> tensor<1x4x3x2x!q>\n"
      "  return %%y : tensor<1x4x3x2x!q>\n}\n}\n";
  static const struct {
    const char *op, *type;
    qn_status status;
  } cases[] = {{"mul", "1x1x3x2x!q", QN_INVALID},
               {"add", "3x2x!q", QN_INVALID},
               {"mul", "1x1x1x2x!q", QN_OK},
               {"add", "1x4x3x2x!q", QN_OK},
               {"maximum", "1x1x3x2x!q", QN_OK}};
  engines e;
  (void)unused;
  engines_open(&e);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char filled[1024];
    snprintf(filled, sizeof filled, text, cases[i].type, cases[i].op, cases[i].type);
    qn_model *model = load_text(&e, filled);
    assert_int_equal(qn_model_run_pipeline(model, "compute-in-bands{chains=0-0:4}", NULL),
                     cases[i].status);
    qn_model_destroy(model);
  }
  engines_close(&e);
}

/* Limits that nothing exceeds or nothing keeps. */
static void hostile_limits(void **unused) {
  engines e;
  (void)unused;
  engines_open(&e);
  write_network(&n, 3);
  qn_model *model = load_text(&e, n.text);
  qn_compile_options options = e.options[3];
  qn_executable *x;
  options.arena_limit = 1;
  assert_int_equal(qn_compile(model, &options, &x), QN_LIMIT);
  assert_non_null(strstr(e.messages, "the best bands of rows"));
  options.arena_limit = SIZE_MAX;
  assert_int_equal(qn_compile(model, &options, &x), QN_OK);
  qn_executable_destroy(x);
  /* all tensors are kept, so that there are no bands and no limit */
  options.arena_limit = 1;
  options.keep_tensors = 1;
  assert_int_equal(qn_compile(model, &options, &x), QN_OK);
  qn_executable_destroy(x);
  qn_model_destroy(model);
  engines_close(&e);
}

static char *emit_loops(engines *e, size_t limit) {
  char *text = NULL;
  size_t size;
  qn_model *model = load_text(e, n.text);
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.cpu = "generic";
  options.arena_limit = limit;
  assert_int_equal(qn_emit_form(model, &options, QN_FORM_LOOPS, &text, &size), QN_OK);
  qn_model_destroy(model);
  return text;
}

/* The same model and limit give the same loops. */
static void same_choice(void **unused) {
  engines e;
  int banded = 0;
  (void)unused;
  engines_open(&e);
  for (uint32_t seed = 0; seed < 8; seed++) {
    write_network(&n, seed);
    char *whole_text = emit_loops(&e, 0);
    const char *bytes = strstr(whole_text, "quern.arena_bytes = ");
    assert_non_null(bytes);
    size_t limit = strtoul(bytes + strlen("quern.arena_bytes = "), NULL, 10) * 7 / 8;
    char *first = emit_loops(&e, limit), *second = emit_loops(&e, limit);
    assert_string_equal(first, second);
    banded += strstr(first, "quern.bands") != NULL;
    qn_free(whole_text);
    qn_free(first);
    qn_free(second);
  }
  assert_true(banded > 0);
  engines_close(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_bytes),
      cmocka_unit_test(hostile_lists),
      cmocka_unit_test(bands_stay_broadcasts),
      cmocka_unit_test(hostile_limits),
      cmocka_unit_test(same_choice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
