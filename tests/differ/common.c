/* Interpretation, comparison, text and passes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/clone.h"
#include "passes/passes.h"
#include "tests/differ/differ.h"
#include "text/text.h"

enum { MAX_STEPS = 50000000 };

/* ---- inputs ---- */

static const qn_type *run_time_type(differ *d, const qn_type *type) {
  if (type->kind != QN_TYPE_TENSOR || qn_type_is_static(type)) return type;
  return qn_type_tensor(&d->m.cx, type->shaped.element, d->m.rank, d->m.dims);
}

static qn_rt_value random_value(differ *d, const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  uint32_t bytes = qn_type_bytes(element);
  qn_rt_value value = {.type = type};
  if (!qn_type_is_shaped(type)) {
    uint8_t data[16] = {0};
    qn_random_element(&d->m, element, data);
    qn_rt_value scalar = {
        .type = qn_type_tensor(&d->m.cx, element, 0, NULL), .data = data, .size = bytes};
    if (element->kind == QN_TYPE_FLOAT)
      value.f = qn_rt_float(&scalar, 0);
    else
      value.i = qn_rt_int(&scalar, 0);
    return value;
  }
  int64_t count = qn_type_elements(type);
  value.size = count * bytes;
  value.data = qn_arena_alloc(&d->inputs.arena, (size_t)value.size + 1);
  for (int64_t i = 0; i < count; i++) qn_random_element(&d->m, element, value.data + i * bytes);
  return value;
}

void differ_make_inputs(differ *d) {
  qn_choices decisions = d->m.choices;
  d->m.choices = qn_choices_of_seed(qn_choose(&decisions, 65536)); /* many, from one decision */
  d->inputs = (qn_random_run){0};
  qn_arena_init(&d->inputs.arena);
  const qn_block *body = qn_op_body(d->m.func);
  d->inputs.arg_count = body->arg_count;
  d->inputs.result_count = qn_op_function_type(d->m.func)->function.result_count;
  for (uint32_t i = 0; i < body->arg_count; i++)
    d->inputs.args[i] = random_value(d, run_time_type(d, body->args[i]->type));
  d->m.choices = decisions;
}

void differ_end(differ *d) {
  qn_arena_deinit(&d->inputs.arena);
  qn_arena_deinit(&d->expected.arena);
  qn_random_free(&d->m);
}

/* ---- comparison ---- */

/* The bits that count: storage read as unsigned and the integer that it becomes are one. */
static int64_t int_bits(const qn_rt_value *v, int64_t i) {
  const qn_quant_uniform *q = qn_type_quant(v->type);
  const qn_type *element = q ? q->storage : qn_type_element(v->type);
  uint32_t width = element->kind == QN_TYPE_INTEGER ? element->integer.width : 64;
  return qn_low_bits(qn_rt_int(v, i), width, true);
}

/* A pass may have made storage of what was quantized: then its integers are signed. */
static qn_rt_value input_as(differ *d, qn_rt_value was, const qn_type *declared, qn_arena *arena) {
  qn_rt_value is = was;
  bool shaped = qn_type_is_shaped(was.type);
  is.type = shaped ? qn_type_with_element(&d->m.cx, was.type, qn_type_element(declared)) : declared;
  if (is.type == was.type || qn_type_quant(is.type)) return is;
  if (!shaped) {
    is.i = int_bits(&was, 0);
    return is;
  }
  uint32_t bytes = qn_type_bytes(qn_type_element(is.type));
  is.data = qn_arena_alloc(arena, (size_t)was.size + 1);
  for (int64_t i = 0, count = qn_rt_count(&was); i < count; i++) {
    int64_t x = int_bits(&was, i);
    memcpy(is.data + i * bytes, &x, bytes);
  }
  return is;
}

qn_status differ_interpret(differ *d, const qn_module *module, qn_random_run *out_run) {
  *out_run = d->inputs;
  qn_arena_init(&out_run->arena);
  const qn_op *func = qn_module_main(module);
  const qn_block *body = qn_op_body(func);
  for (uint32_t i = 0; i < out_run->arg_count; i++)
    out_run->args[i] = input_as(d, d->inputs.args[i], body->args[i]->type, &out_run->arena);
  qn_eval_options options = {.max_steps = MAX_STEPS};
  return qn_eval_call(module, func, out_run->args, out_run->arg_count, out_run->results,
                      &out_run->arena, &options);
}

static bool same_value(const qn_rt_value *a, const qn_rt_value *b) {
  bool real = qn_type_element(a->type)->kind == QN_TYPE_FLOAT;
  bool bytes = !real && qn_type_is_shaped(a->type) && !qn_type_quant(a->type);
  if (a->size != b->size) return false;
  if (bytes) return a->size == 0 || memcmp(a->data, b->data, (size_t)a->size) == 0;
  for (int64_t i = 0, count = qn_rt_count(a); i < count; i++) {
    if (!real && int_bits(a, i) != int_bits(b, i)) return false;
    if (!real) continue;
    double x = qn_rt_float(a, i), y = qn_rt_float(b, i);
    if (isnan(x) ? !isnan(y) : x != y || signbit(x) != signbit(y)) return false;
  }
  return true;
}

bool differ_same(const differ *d, const qn_random_run *run) {
  d->counts->compared++;
  for (uint32_t i = 0; i < d->expected.result_count; i++)
    if (!same_value(&d->expected.results[i], &run->results[i])) return false;
  return true;
}

bool differ_problem(differ *d, const qn_module *module, const char *what) {
  if (d->problem) return false;
  d->problem = what;
  fprintf(stderr, "---- %s\n", what);
  qn_random_dump(&d->m);
  if (module && module != d->m.module) {
    qn_text text = {0};
    qn_text_print(module, NULL, &text);
    fprintf(stderr, "---- which became\n%.*s\n", (int)text.size, text.data);
    qn_text_deinit(&text);
  }
  return false;
}

bool differ_refuse(differ *d) {
  d->counts->unsupported++;
  if (d->options->verbose) fprintf(stderr, "unsupported: %s", d->m.diagnostics);
  return true;
}

bool differ_check(differ *d, const qn_module *module, const char *what) {
  qn_random_run run;
  qn_status status = differ_interpret(d, module, &run);
  bool same = status == QN_OK && differ_same(d, &run);
  qn_arena_deinit(&run.arena);
  return same || differ_problem(d, module, what);
}

/* ---- text ---- */

bool differ_check_text(differ *d, qn_module *module) {
  static const qn_print_options forms[] = {
      {.generic = false}, {.generic = true, .locations = true}, {.type_aliases = true}};
  const qn_print_options *form = &forms[qn_choose(&d->m.choices, QN_COUNT(forms))];
  qn_text text = {0};
  qn_module *again = NULL;
  qn_text_print(module, form, &text);
  qn_status status = qn_text_parse(&d->m.cx, qn_text_view(&text), qn_str_of("printed"), &again);
  bool ok = status == QN_OK && qn_op_equal(module->op, again->op);
  if (ok && qn_choose(&d->m.choices, 8) == 0) ok = qn_verify(again) == QN_OK;
  d->counts->texts++;
  qn_module_destroy(again);
  qn_text_deinit(&text);
  return ok || differ_problem(d, module, "its text reads back as something else");
}

/* ---- passes ---- */

qn_module *differ_run_passes(differ *d, const qn_module *module) {
  const qn_pass *exact[64];
  uint32_t count = 0;
  for (const qn_pass *const *p = qn_passes; *p; p++)
    if ((*p)->numerics == QN_EXACT && (*p)->run && !(*p)->observes) exact[count++] = *p;
  qn_module *copy = qn_module_clone(module);
  uint64_t runs = qn_choose(&d->m.choices, 4);
  char what[128] = "after";
  for (uint64_t i = 0; i < runs; i++) {
    const qn_pass *pass = exact[qn_choose(&d->m.choices, count)];
    const qn_pipeline_options options = {.verify_each = true};
    size_t used = strlen(what);
    snprintf(what + used, sizeof what - used, " %s", pass->name);
    qn_status status = qn_pipeline_run(copy, &pass, 1, &options);
    d->counts->passes++;
    bool ok = status == QN_OK ? differ_check(d, copy, what) : differ_problem(d, copy, what);
    if (ok) continue;
    qn_module_destroy(copy);
    return NULL;
  }
  return copy;
}
