/* Measures convolutions and matrix products on one core: f32 ops against the measured peak of fused
 * multiply-adds, and 8-bit ops with runtime weights against the same ops with constant weights.
 *
 * Peak and op, or the two ops, run alternately in one process, and the fastest run of each counts.
 * Other load on the machine slows both down, so the ratio is more reliable than the times.
 *
 * usage: bench_matrix [level]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>
#include <quern/quern.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURNS = 12, MAX_TENSORS = 4 };
static const double turn_seconds = 0.02;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the peak: sums that do not wait for each other ---- */

#define PEAK(name, features, vector, fma, set, store, lanes)                                       \
  __attribute__((target(features))) static double name(void) {                                     \
    enum { CHAINS = 12, STEPS = 20000 };                                                           \
    vector sums[CHAINS], x = set(0.999F), y = set(0.001F);                                         \
    for (int i = 0; i < CHAINS; i++) sums[i] = set((float)i);                                      \
    double start = now();                                                                          \
    for (int s = 0; s < STEPS; s++)                                                                \
      _Pragma("GCC unroll 12") for (int i = 0; i < CHAINS; i++) sums[i] = fma(sums[i], x, y);      \
    double seconds = now() - start;                                                                \
    float out[lanes];                                                                              \
    volatile float sink = 0;                                                                       \
    for (int i = 0; i < CHAINS; i++) {                                                             \
      store(out, sums[i]);                                                                         \
      sink = sink + out[0];                                                                        \
    }                                                                                              \
    return (double)(CHAINS * STEPS * lanes) / seconds;                                             \
  }
PEAK(peak_256, "avx2,fma", __m256, _mm256_fmadd_ps, _mm256_set1_ps, _mm256_storeu_ps, 8)
PEAK(peak_512, "avx512f", __m512, _mm512_fmadd_ps, _mm512_set1_ps, _mm512_storeu_ps, 16)
#undef PEAK

/* ---- ops ---- */

typedef struct bench_case {
  const char *name;
  int size, kernel, rows, channels, units; /* of the image; rows of a matrix product, kernel 0;
                                              depthwise, units 0 */
} bench_case;

static const bench_case cases[] = {
    {"conv 1x1", 28, 1, 0, 64, 64},   {"conv 1x1", 28, 1, 0, 128, 128},
    {"conv 1x1", 14, 1, 0, 256, 256}, {"conv 3x3", 28, 3, 0, 64, 64},
    {"conv 3x3", 14, 3, 0, 128, 128}, {"linear", 0, 0, 64, 64, 64},
    {"linear", 0, 0, 128, 128, 128},  {"linear", 0, 0, 256, 512, 512},
};

static const bench_case depthwise[] = {
    {"depthwise 3x3", 56, 3, 0, 32, 0},
    {"depthwise 3x3", 28, 3, 0, 128, 0},
    {"depthwise 3x3", 14, 3, 0, 512, 0},
    {"depthwise 5x5", 28, 5, 0, 96, 0},
};

static double macs_of(const bench_case *c) {
  double per_row = (double)c->channels * c->units;
  return c->kernel ? per_row * c->size * c->size * c->kernel * c->kernel : per_row * c->rows;
}

typedef struct tensor_names {
  char x[128], w[128], y[128];
} tensor_names;

static void name_tensors(const bench_case *c, const char *const elements[3], tensor_names *out) {
  if (c->kernel) {
    snprintf(out->x, sizeof out->x, "tensor<1x%dx%dx%dx%s>", c->size, c->size, c->channels,
             elements[0]);
    snprintf(out->w, sizeof out->w, "tensor<%dx%dx%dx%dx%s>", c->units ? c->units : 1, c->kernel,
             c->kernel, c->channels, elements[1]);
    snprintf(out->y, sizeof out->y, "tensor<1x%dx%dx%dx%s>", c->size, c->size,
             c->units ? c->units : c->channels, elements[2]);
    return;
  }
  snprintf(out->x, sizeof out->x, "tensor<%dx%dx%s>", c->rows, c->channels, elements[0]);
  snprintf(out->w, sizeof out->w, "tensor<%dx%dx%s>", c->units, c->channels, elements[1]);
  snprintf(out->y, sizeof out->y, "tensor<%dx%dx%s>", c->rows, c->units, elements[2]);
}

/* Constant weights are given byte by byte: equal ones would be a case of their own. */
static char *module_text(const bench_case *c, bool bytes, bool constant, size_t *out_size) {
  static const char *const f32[3] = {"f32", "f32", "f32"};
  static const char *const i8[3] = {"!quant.uniform<i8:f32, 0.05:3>",
                                    "!quant.uniform<i8:f32, 0.02>",
                                    "!quant.uniform<i8:f32, 1.5:-4>"};
  tensor_names n, plain;
  static const char *const stored[3] = {"i8", "i8", "i8"};
  name_tensors(c, bytes ? i8 : f32, &n);
  name_tensors(c, bytes ? stored : f32, &plain);
  int window = c->kernel ? c->kernel * c->kernel : 1, pad = c->kernel / 2;
  size_t units = c->units ? (size_t)c->units : 1;
  size_t weights = (size_t)window * (size_t)c->channels * units * (bytes ? 1 : 4);
  char *text = malloc(2 * weights + 4096);
  if (!text) abort();
  int at = sprintf(text,
                   "module attributes {quern.numerics = \"litert-ref\"} {\nfunc.func "
                   "@main(%%x: %s%s%s) -> %s {\n",
                   n.x, constant ? "" : ", %w: ", constant ? "" : n.w, n.y);
  if (constant) {
    at += sprintf(text + at, "%%w = \"ml.const\"() {value = dense<\"0x");
    unsigned state = 1;
    for (size_t i = 0; i < weights; i++) {
      state = state * 1664525U + 1013904223U;
      unsigned byte = !bytes && i % 4 == 3 ? 0x3DU : (state >> 16) & 0xFFU;
      at += sprintf(text + at, "%02X", byte);
    }
    at += sprintf(text + at, "\"> : %s} : () -> %s\n", plain.w, n.w);
  }
  at += sprintf(text + at, "%%y = \"ml.%s\"(%%x, %%w) {",
                !c->kernel ? "linear"
                : c->units ? "conv"
                           : "depthwise_conv");
  if (c->kernel)
    at += sprintf(text + at,
                  "strides = array<i64: 1, 1>, pad = array<i64: %d, %d, %d, %d>, dilations = "
                  "array<i64: 1, 1>%s",
                  pad, pad, pad, pad, c->units ? ", groups = 1 : i64" : "");
  at += sprintf(text + at, "} : (%s, %s) -> %s\nreturn %%y : %s\n}\n}\n", n.x, n.w, n.y, n.y);
  *out_size = (size_t)at;
  return text;
}

typedef struct runner {
  qn_model *model;
  qn_executable *executable;
  void *inputs[MAX_TENSORS], *outputs[MAX_TENSORS];
} runner;

static void *buffer(size_t bytes) {
  unsigned char *data = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (!data) abort();
  for (size_t i = 0; i < bytes; i++) data[i] = i % 4 == 3 ? 0x3D : (unsigned char)(i * 37 + i / 64);
  return data;
}

static void open_runner(qn_context *context, const bench_case *c, bool bytes, bool constant,
                        const char *level, runner *out) {
  *out = (runner){0};
  size_t size;
  char *text = module_text(c, bytes, constant, &size);
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.cpu = level;
  const qn_bytes all = {(const unsigned char *)text, size};
  if (qn_model_load_memory(context, all, "case.mlir", NULL, &out->model) != QN_OK ||
      qn_compile(out->model, &options, &out->executable) != QN_OK) {
    fprintf(stderr, "%s\n", c->name);
    exit(1);
  }
  free(text);
  for (uint32_t i = 0; i < qn_executable_input_count(out->executable); i++)
    out->inputs[i] = buffer(qn_executable_input(out->executable, i).bytes);
  for (uint32_t i = 0; i < qn_executable_output_count(out->executable); i++)
    out->outputs[i] = buffer(qn_executable_output(out->executable, i).bytes);
}

static void close_runner(runner *r) {
  for (int i = 0; i < MAX_TENSORS; i++) free(r->inputs[i]), free(r->outputs[i]);
  qn_executable_destroy(r->executable);
  qn_model_destroy(r->model);
}

/* Seconds of one run, the least of a turn's. */
static double run_turn(runner *r) {
  double best = 1e9, end = now() + turn_seconds;
  for (double start = now(); start < end;) {
    if (qn_executable_invoke(r->executable, (const void *const *)r->inputs, r->outputs) != QN_OK)
      exit(1);
    double stop = now();
    if (stop - start < best) best = stop - start;
    start = stop;
  }
  return best;
}

static void floats(qn_context *context, const char *level, double (*peak)(void)) {
  printf("%s, f32: GMAC/s, share of the peak of one core\n", level);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const bench_case *c = &cases[i];
    runner r;
    open_runner(context, c, false, true, level, &r);
    double most = 0, best = 1e9;
    for (int t = 0; t < TURNS; t++) {
      for (int k = 0; k < 40; k++) {
        double rate = peak();
        if (rate > most) most = rate;
      }
      double seconds = run_turn(&r);
      if (seconds < best) best = seconds;
    }
    double rate = macs_of(c) / best;
    printf("  %s, %d to %d: %.1f of %.1f, %.0f %%\n", c->name, c->channels, c->units, rate * 1e-9,
           most * 1e-9, 100 * rate / most);
    close_runner(&r);
  }
}

static void variable_weights(qn_context *context, const char *level, const bench_case *rows,
                             size_t count) {
  printf("%s, 8 bits: microseconds with constant and with variable weights, ratio\n", level);
  for (size_t i = 0; i < count; i++) {
    const bench_case *c = &rows[i];
    runner r[2];
    double best[2] = {1e9, 1e9};
    for (int k = 0; k < 2; k++) open_runner(context, c, true, k == 0, level, &r[k]);
    for (int t = 0; t < 2 * TURNS; t++) {
      double seconds = run_turn(&r[t % 2]);
      if (seconds < best[t % 2]) best[t % 2] = seconds;
    }
    printf("  %s, %d to %d: %.2f, %.2f, %.0f %%\n", c->name, c->channels,
           c->units ? c->units : c->channels, best[0] * 1e6, best[1] * 1e6,
           100 * best[0] / best[1]);
    for (int k = 0; k < 2; k++) close_runner(&r[k]);
  }
}

int main(int argc, char **argv) {
  qn_context *context = qn_context_create();
  if (!context) return 1;
  static const char *const levels[] = {"x86-64-v3", "avx512vbmi"};
  for (int i = 0; i < 2; i++) {
    const char *level = levels[i];
    if (argc > 1 && strcmp(argv[1], level) != 0) continue;
    if (!qn_host_runs(level)) continue;
    floats(context, level, i == 0 ? peak_256 : peak_512);
    variable_weights(context, level, cases, sizeof cases / sizeof *cases);
    variable_weights(context, level, depthwise, sizeof depthwise / sizeof *depthwise);
  }
  qn_context_destroy(context);
  return 0;
}
