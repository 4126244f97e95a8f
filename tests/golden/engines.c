/* Runs every function of the golden files in the interpreter and, compiled, at two CPU levels: the
 * results must be the same bits (a NaN is a NaN). A function that has no machine code is counted by
 * its reason:
 *   golden_engines FOLDER REASONS DRAWS [-v]
 * A function with arguments is called with DRAWS sets of them. REASONS has a line "NUMBER reason"
 * for each; a reason that is not there, or more functions than its number, is a failure, and so is
 * a function that fails in any other way. Files are found by walking the folder, their functions by
 * reading them: nothing has to be listed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api/api.h"
#include "ir/attrs/attr.h"
#include "ir/walk.h"
#include "tests/support/choices.h"
#include "text/text.h"

enum { MAX_REASONS = 128, MAX_ARGS = 16, MAX_RANK = 8, MAX_STEPS = 1000000 };

typedef struct reason {
  char text[256];
  long allowed, found;
} reason;

typedef struct walk {
  reason reasons[MAX_REASONS];
  uint32_t reason_count;
  uint32_t files, functions, executed, compiled, failures;
  uint64_t draws;
  bool verbose;
  const char *file;
  char message[256]; /* the first error of a call */
  const char *levels[2];
} walk;

static void fail(walk *w, const qn_model *model, const char *function, const char *what) {
  printf("%s: @%s: %s\n", w->file, function, what);
  char *text;
  size_t size;
  if (w->verbose && qn_model_print(model, NULL, &text, &size) == QN_OK) {
    fputs(text, stdout);
    qn_free(text);
  }
  w->failures++;
}

static void keep_error(void *user, const qn_message *message) {
  walk *w = user;
  if (message->severity == QN_MESSAGE_ERROR && !w->message[0])
    snprintf(w->message, sizeof w->message, "%s", message->text);
}

/* ---- arguments ---- */

typedef struct arguments {
  qn_argument list[MAX_ARGS];
  uint32_t count;
  qn_arena arena;
} arguments;

static int64_t between(qn_choices *c, int64_t lo, int64_t hi) {
  return lo + (int64_t)qn_choose(c, (uint64_t)(hi - lo) + 1);
}

static float some_float(qn_choices *c) {
  static const float odd[] = {0.0F,      -0.0F, 0.5F, -2.5F,  INFINITY,
                              -INFINITY, NAN,   3e9F, -1e30F, 1e-40F};
  if (qn_choose(c, 4) == 0) return odd[qn_choose(c, QN_COUNT(odd))];
  return (float)between(c, -4000, 4000) / 32.0F;
}

static int64_t some_int(qn_choices *c, const qn_type *element) {
  const qn_quant_uniform *q = qn_type_quant(element);
  if (q) return between(c, q->min, q->max);
  if (element->kind != QN_TYPE_INTEGER) return between(c, 0, 3); /* an index */
  uint32_t width = element->integer.width;
  if (width >= 63) return between(c, -1000000, 1000000);
  bool is_unsigned = qn_type_is_unsigned(element);
  int64_t half = INT64_C(1) << (width - 1), lo = is_unsigned ? 0 : -half;
  if (qn_choose(c, 4) == 0) return qn_choose(c, 2) ? lo : lo + 2 * half - 1;
  if (qn_choose(c, 2) || half < 8) return between(c, lo, lo + 2 * half - 1);
  return between(c, is_unsigned ? 0 : -7, 7);
}

/* false: of a type that no array is for. */
static bool make_argument(arguments *a, qn_choices *c, const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  bool real = element->kind == QN_TYPE_FLOAT, shaped = qn_type_is_shaped(type);
  if (a->count == MAX_ARGS || (!real && element->kind != QN_TYPE_INTEGER &&
                               element->kind != QN_TYPE_INDEX && !qn_type_quant(element)))
    return false;
  int64_t *dims = QN_NEW_ARRAY(&a->arena, MAX_RANK, int64_t), size = 1;
  uint32_t rank = !shaped ? 0 : type->shaped.ranked ? type->shaped.rank : 2;
  if (rank > MAX_RANK) return false;
  for (uint32_t d = 0; d < rank; d++) {
    bool known = type->shaped.ranked && type->shaped.dims[d] >= 0;
    dims[d] = known ? type->shaped.dims[d] : 2;
    size *= dims[d];
  }
  if (size > 1 << 20) return false;
  qn_argument *out = &a->list[a->count++];
  *out = (qn_argument){.dtype = real ? QN_DTYPE_F32 : QN_DTYPE_I64, .rank = rank, .dims = dims};
  float *floats = QN_NEW_ARRAY(&a->arena, (size_t)size + 1, float);
  int64_t *ints = QN_NEW_ARRAY(&a->arena, (size_t)size + 1, int64_t);
  for (int64_t i = 0; i < size; i++) {
    if (real)
      floats[i] = some_float(c);
    else
      ints[i] = some_int(c, element);
  }
  out->data = real ? (const void *)floats : ints;
  return true;
}

static bool make_arguments(arguments *a, const qn_op *func, uint64_t seed) {
  qn_choices c = qn_choices_of_seed(seed);
  const qn_block *body = qn_op_body(func);
  *a = (arguments){.count = 0};
  qn_arena_init(&a->arena);
  bool ok = true;
  for (uint32_t i = 0; ok && i < body->arg_count; i++)
    ok = make_argument(a, &c, body->args[i]->type);
  return ok;
}

/* ---- results ---- */

static bool same_float(double a, double b) {
  return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

static double element(const qn_attr *dense, int64_t i) {
  return qn_dense_float(dense, dense->dense.splat ? 0 : i);
}

/* Whether lines that differ do so in the bits of NaNs only. */
static bool same_line(qn_ir_context *cx, qn_str a, qn_str b) {
  const qn_attr *x, *y;
  if (qn_str_equal(a, b)) return true;
  if (qn_text_parse_attr(cx, a, qn_str_of("result"), &x) != QN_OK ||
      qn_text_parse_attr(cx, b, qn_str_of("result"), &y) != QN_OK)
    return false;
  if (x->kind == QN_ATTR_FLOAT && y->kind == QN_ATTR_FLOAT) return same_float(x->number, y->number);
  if (!qn_attr_is_elements(x) || !qn_attr_is_elements(y) || x->type != y->type ||
      qn_type_element(x->type)->kind != QN_TYPE_FLOAT)
    return false;
  for (int64_t i = 0; i < qn_type_elements(x->type); i++)
    if (!same_float(element(x, i), element(y, i))) return false;
  return true;
}

static qn_str next_line(const char **at) {
  const char *end = strchr(*at, '\n');
  qn_str line = {*at, end ? (size_t)(end - *at) : strlen(*at)};
  *at += line.size + (end != NULL);
  return line;
}

static bool same_results(qn_ir_context *cx, const char *a, const char *b) {
  while (*a && *b)
    if (!same_line(cx, next_line(&a), next_line(&b))) return false;
  return *a == *b;
}

/* ---- functions ---- */

static qn_status call(walk *w, const qn_model *model, const char *function, const char *level,
                      const arguments *a, char **out_text) {
  qn_interpret_options options = QN_INTERPRET_OPTIONS_INIT;
  size_t size;
  options.function = function;
  options.max_steps = MAX_STEPS;
  options.engine = level ? QN_ENGINE_JIT : QN_ENGINE_INTERPRETER;
  options.cpu = level;
  w->message[0] = 0;
  *out_text = NULL;
  return qn_model_interpret(model, &options, a->list, a->count, out_text, &size);
}

/* Removes the name of a level, which depends on the machine. */
static void drop_level(char *message) {
  char *level = strstr(message, "the level ");
  if (!level) return;
  level += strlen("the level ");
  const char *end = level + strcspn(level, " ");
  if (*end) end++;
  memmove(level, end, strlen(end) + 1);
}

/* The reason without what is particular to a function: types, and numbers. */
static void count_reason(walk *w) {
  char text[256];
  size_t size = 0;
  bool quoted = false;
  uint32_t quotes = 0;
  drop_level(w->message);
  for (const char *c = w->message; *c && size + 1 < sizeof text; c++) {
    bool digit = *c >= '0' && *c <= '9';
    if (*c == '\'') quoted = !quoted, quotes++;
    if (quoted && quotes > 1 && *c != '\'') continue; /* the first is the op */
    if (digit && !quoted && size && text[size - 1] == '#') continue;
    if (digit && !quoted)
      text[size++] = '#';
    else
      text[size++] = *c;
  }
  text[size] = 0;
  for (uint32_t i = 0; i < w->reason_count; i++) {
    if (strcmp(w->reasons[i].text, text) != 0) continue;
    w->reasons[i].found++;
    return;
  }
  if (w->reason_count == MAX_REASONS) return;
  reason *r = &w->reasons[w->reason_count++];
  *r = (reason){.found = 1};
  memcpy(r->text, text, size + 1);
}

typedef enum outcome { NOT_EXECUTABLE, SAME, NOT_COMPILED, DIFFERENT } outcome;

/* One set of arguments through all engines. `was`: a result to compare with, instead of that of the
 * model, or NULL. */
static outcome try_arguments(walk *w, const qn_model *model, const char *function,
                             const arguments *a, const char *was) {
  char *expected, *got;
  if (call(w, model, function, NULL, a, &expected) != QN_OK) {
    if (was) fail(w, model, function, w->message);
    return was ? DIFFERENT : NOT_EXECUTABLE;
  }
  outcome result = SAME;
  if (was && !same_results(&model->context->ir, was, expected)) {
    fail(w, model, function, "its casts lowered, the interpreter gives something else");
    result = DIFFERENT;
  }
  for (size_t i = 0; result == SAME && i < QN_COUNT(w->levels); i++) {
    qn_status status = call(w, model, function, w->levels[i], a, &got);
    if (status == QN_UNSUPPORTED) {
      result = NOT_COMPILED;
    } else if (status != QN_OK) {
      fail(w, model, function, w->message[0] ? w->message : "has no machine code, and no message");
      result = DIFFERENT;
    } else if (!same_results(&model->context->ir, expected, got)) {
      printf("%s: interpreter\n%s%s\n%s", w->file, expected, w->levels[i], got);
      fail(w, model, function, "machine code gives something else");
      result = DIFFERENT;
    }
    qn_free(got);
  }
  qn_free(expected);
  return result;
}

static bool has_casts(qn_op *op, void *user) {
  if (op->kind == QN_OP_QUANT_QCAST || op->kind == QN_OP_QUANT_DCAST ||
      op->kind == QN_OP_QUANT_SCAST)
    *(bool *)user = true;
  return true;
}

/* Outside of models, casts have machine code when they are lowered. */
static outcome try_lowered(walk *w, qn_bytes part, const qn_load_options *options,
                           const char *function, const arguments *a, const char *was,
                           qn_context *context) {
  qn_model *lowered;
  if (qn_model_load_memory(context, part, w->file, options, &lowered) != QN_OK) return NOT_COMPILED;
  outcome result = NOT_COMPILED;
  if (qn_model_run_pipeline(lowered, "lower-quant-ops", NULL) == QN_OK)
    result = try_arguments(w, lowered, function, a, was);
  qn_model_destroy(lowered);
  return result;
}

static void run_function(walk *w, const qn_model *model, qn_bytes part,
                         const qn_load_options *options, qn_op *func) {
  char function[128];
  snprintf(function, sizeof function, "%.*s", QN_STR_ARG(qn_op_sym_name(func)));
  bool casts = false;
  outcome best = NOT_EXECUTABLE;
  qn_walk_pre(func, has_casts, &casts);
  for (uint64_t seed = 1; seed <= w->draws && best != DIFFERENT && best != NOT_COMPILED; seed++) {
    arguments a;
    outcome is = NOT_EXECUTABLE;
    char *was = NULL;
    if (make_arguments(&a, func, seed)) is = try_arguments(w, model, function, &a, NULL);
    if (is == NOT_COMPILED && casts && call(w, model, function, NULL, &a, &was) == QN_OK)
      is = try_lowered(w, part, options, function, &a, was, model->context);
    qn_free(was);
    qn_arena_deinit(&a.arena);
    if (is != NOT_EXECUTABLE) best = is;
    if (qn_op_body(func)->arg_count == 0) break;
  }
  w->functions++;
  w->executed += best != NOT_EXECUTABLE;
  w->compiled += best == SAME;
  if (best == NOT_COMPILED) count_reason(w);
  if (best == NOT_COMPILED && w->verbose) printf("%s: @%s: %s\n", w->file, function, w->message);
}

/* ---- files ---- */

/* Parts that are errors on purpose have nothing to execute. */
static void run_part(walk *w, qn_bytes part) {
  qn_context *context = qn_context_create();
  qn_load_options options = QN_LOAD_OPTIONS_INIT;
  qn_model *model;
  options.allow_unregistered = 1;
  qn_context_set_parts_handler(context, keep_error, w);
  if (qn_model_load_memory(context, part, w->file, &options, &model) == QN_OK) {
    QN_FOR_EACH_OP(op, qn_op_body(model->module->op)) {
      if (op->kind == QN_OP_FUNC && qn_op_body(op)) run_function(w, model, part, &options, op);
    }
    qn_model_destroy(model);
  }
  qn_context_destroy(context);
}

static void run_file(walk *w, const char *path) {
  qn_file *file;
  const char *why;
  if (qn_file_open(path, &file, &why) != QN_OK) {
    printf("%s: %s\n", path, why);
    w->failures++;
    return;
  }
  qn_bytes bytes = qn_file_bytes(file);
  w->file = path;
  w->files++;
  const char *at = (const char *)bytes.data, *end = at + bytes.size;
  while (at < end) {
    const char *cut = memmem(at, (size_t)(end - at), "\n// -----", 9);
    const char *stop = cut ? cut + 1 : end;
    run_part(w, (qn_bytes){(const uint8_t *)at, (size_t)(stop - at)});
    at = cut ? stop + 8 : end;
  }
  qn_file_release(file);
}

static void run_folder(walk *w, const char *path) {
  struct dirent **entries;
  int count = scandir(path, &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    char inner[4096];
    struct stat status;
    const char *name = entries[i]->d_name;
    snprintf(inner, sizeof inner, "%s/%s", path, name);
    if (name[0] != '.' && stat(inner, &status) == 0) {
      if (S_ISDIR(status.st_mode))
        run_folder(w, inner);
      else if (strlen(name) > 5 && strcmp(name + strlen(name) - 5, ".mlir") == 0)
        run_file(w, inner);
    }
    free(entries[i]);
  }
  if (count >= 0) free(entries);
}

/* ---- what is expected ---- */

static bool read_reasons(walk *w, const char *path) {
  FILE *file = fopen(path, "r");
  char line[512];
  if (!file) return false;
  while (fgets(line, sizeof line, file) && w->reason_count < MAX_REASONS) {
    reason *r = &w->reasons[w->reason_count];
    int at = 0;
    line[strcspn(line, "\n")] = 0;
    if (line[0] == '#' || sscanf(line, "%ld %n", &r->allowed, &at) != 1) continue;
    snprintf(r->text, sizeof r->text, "%s", line + at);
    w->reason_count++;
  }
  return fclose(file) == 0;
}

static void check_reasons(walk *w) {
  for (uint32_t i = 0; i < w->reason_count; i++) {
    const reason *r = &w->reasons[i];
    printf("%ld %s%s\n", r->found, r->text,
           r->found > r->allowed ? "   <- more than expected" : "");
    if (r->found > r->allowed) w->failures++;
  }
}

int main(int argc, char **argv) {
  enum { FEWEST_COMPILED = 250 };
  static walk w;
  w.draws = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
  if (w.draws == 0 || !read_reasons(&w, argv[2])) {
    fprintf(stderr, "usage: %s FOLDER REASONS DRAWS [-v]\n", argv[0]);
    return 2;
  }
  w.verbose = argc > 4;
  w.levels[0] = "baseline";
  w.levels[1] = qn_host_level();
  run_folder(&w, argv[1]);
  check_reasons(&w);
  printf("%u files, %u functions, %u with a result, %u of them compiled at 2 levels; %u failures\n",
         w.files, w.functions, w.executed, w.compiled, w.failures);
  return w.failures || w.compiled < FEWEST_COMPILED;
}
