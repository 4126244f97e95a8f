/* Executes one function: converts arguments from text or arrays, and results to text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "api/arguments.h"
#include "api/call.h"
#include "api/call_compiled.h"
#include "base/checked.h"
#include "eval/eval.h"
#include "ir/verify/check.h"
#include "ir/types/float_format.h"
#include "text/text.h"

typedef struct call {
  qn_ir_context *cx;
  const qn_op *func;
  qn_arena arena;
} call;

static qn_status reject(const call *c, uint32_t i, const char *what) {
  return qn_error(&c->cx->diag, c->func->loc, QN_INVALID, "argument #%u %s", i, what);
}

/* ---- elements of an argument ---- */

typedef struct source {
  bool shaped, real; /* shaped: a tensor; real: elements are floats */
  uint32_t rank;
  const int64_t *dims;
  int64_t count;
  const qn_attr *attr; /* a scalar or dense constant; NULL: `array` is the source */
  const qn_argument *array;
} source;

static int64_t array_int(const qn_argument *array, int64_t i) {
  const uint8_t *data = array->data;
  int16_t i16;
  int32_t i32;
  int64_t i64;
  uint16_t u16;
  uint32_t u32;
  switch (array->dtype) {
  case QN_DTYPE_I8:
    return (int8_t)data[i];
  case QN_DTYPE_I16:
    memcpy(&i16, data + i * 2, sizeof i16);
    return i16;
  case QN_DTYPE_I32:
    memcpy(&i32, data + i * 4, sizeof i32);
    return i32;
  case QN_DTYPE_U16:
    memcpy(&u16, data + i * 2, sizeof u16);
    return u16;
  case QN_DTYPE_U32:
    memcpy(&u32, data + i * 4, sizeof u32);
    return u32;
  case QN_DTYPE_I64:
  case QN_DTYPE_U64:
    memcpy(&i64, data + i * 8, sizeof i64);
    return i64;
  default:
    return data[i];
  }
}

static int64_t source_int(const source *s, int64_t i) {
  if (s->array) return array_int(s->array, i);
  if (s->shaped) return qn_dense_int(s->attr, i);
  return s->attr->kind == QN_ATTR_BOOL ? s->attr->boolean : s->attr->integer;
}

static const struct {
  qn_dtype dtype;
  qn_float_kind kind;
  uint32_t bytes;
} reals[] = {{QN_DTYPE_F32, QN_F32, 4}, {QN_DTYPE_F16, QN_F16, 2}, {QN_DTYPE_F64, QN_F64, 8}};

static bool is_real(qn_dtype dtype) {
  for (size_t k = 0; k < QN_COUNT(reals); k++)
    if (reals[k].dtype == dtype) return true;
  return false;
}

static double array_float(const qn_argument *array, int64_t i) {
  for (size_t k = 0; k < QN_COUNT(reals); k++)
    if (reals[k].dtype == array->dtype)
      return qn_float_load(reals[k].kind, (const uint8_t *)array->data + i * reals[k].bytes);
  QN_ASSERT(false);
  return 0;
}

static double source_float(const source *s, int64_t i) {
  if (s->array) return array_float(s->array, i);
  return s->shaped ? qn_dense_float(s->attr, i) : s->attr->number;
}

static qn_status source_of_text(call *c, uint32_t i, const char *text, source *out) {
  const qn_attr *attr;
  qn_str name = qn_arena_format(&c->arena, "argument #%u, '%.40s'", i, text);
  QN_TRY(qn_text_parse_attr(c->cx, qn_str_of(text), name, &attr));
  bool scalar =
      attr->kind == QN_ATTR_BOOL || attr->kind == QN_ATTR_INTEGER || attr->kind == QN_ATTR_FLOAT;
  if (!scalar && !qn_attr_is_elements(attr))
    return reject(c, i, "is not a number and no dense constant");
  *out = (source){.shaped = !scalar, .count = 1, .attr = attr};
  out->real = attr->kind == QN_ATTR_FLOAT || (!scalar && qn_is_float(qn_type_element(attr->type)));
  if (scalar) return QN_OK;
  out->rank = attr->type->shaped.rank;
  out->dims = attr->type->shaped.dims;
  out->count = qn_type_elements(attr->type);
  return QN_OK;
}

static qn_status source_of_array(const call *c, uint32_t i, const qn_argument *array, source *out) {
  *out = (source){.shaped = array->rank > 0,
                  .real = is_real(array->dtype),
                  .count = 1,
                  .rank = array->rank,
                  .dims = array->dims,
                  .array = array};
  for (uint32_t d = 0; d < array->rank; d++)
    if (array->dims[d] < 0 || !qn_checked_mul(out->count, array->dims[d], &out->count))
      return reject(c, i, "has an impossible shape");
  return QN_OK;
}

/* ---- the value ---- */

/* The valid range of an integer type. A signless integer accepts values that fit either as signed
 * or as unsigned. */
static bool integer_range(const qn_type *element, int64_t *out_min, int64_t *out_max) {
  const qn_quant_uniform *q = qn_type_quant(element);
  const qn_type *storage = q ? q->storage : element;
  *out_min = INT64_MIN;
  *out_max = INT64_MAX;
  if (storage->kind == QN_TYPE_INDEX) return true;
  if (storage->kind != QN_TYPE_INTEGER || storage->integer.width > 64) return false;
  uint32_t width = storage->integer.width;
  bool is_signed = q ? q->is_signed : storage->integer.sign != QN_UNSIGNED;
  bool either = !q && storage->integer.sign == QN_SIGNLESS;
  if (width < 64) {
    *out_min = is_signed ? -(INT64_C(1) << (width - 1)) : 0;
    *out_max = (INT64_C(1) << (is_signed && !either ? width - 1 : width)) - 1;
  }
  return true;
}

/* The value in the type's canonical form: sign-extended, i1 as 0 or 1. */
static int64_t canonical(const qn_type *element, int64_t x) {
  uint32_t width = element->kind == QN_TYPE_INTEGER ? element->integer.width : 64;
  if (width == 1) return x & 1;
  if (width >= 64 || element->integer.sign == QN_UNSIGNED) return x;
  return (int64_t)((uint64_t)x << (64 - width)) >> (64 - width);
}

/* Element `at` of the value from element `from` of the source. */
static qn_status set_element(const call *c, uint32_t i, const source *s, int64_t from,
                             qn_rt_value *value, int64_t at) {
  const qn_type *element = qn_type_element(value->type);
  uint8_t *data = value->data ? value->data + at * qn_type_bytes(element) : NULL;
  int64_t min, max;
  if (element->kind == QN_TYPE_FLOAT) {
    if (!s->real) return reject(c, i, "must have floats");
    double x = source_float(s, from);
    if (data)
      qn_float_store(element->float_kind, x, data);
    else
      value->f = qn_float_round(element->float_kind, x);
    return QN_OK;
  }
  if (!integer_range(element, &min, &max)) return reject(c, i, "has a type that no number fits");
  if (s->real) return reject(c, i, "must have integers");
  int64_t x = source_int(s, from);
  if (x < min || x > max) return reject(c, i, "has a number out of the range of its type");
  x = canonical(element, x);
  if (data)
    memcpy(data, &x, qn_type_bytes(element)); /* little-endian */
  else
    value->i = x;
  return QN_OK;
}

/* The static type of a parameter in this call; NULL if the argument's shape does not match the
 * parameter. */
static const qn_type *concrete_type(const call *c, const qn_type *declared, const source *s) {
  if (!s->shaped && qn_type_is_static(declared)) return declared;
  if (declared->kind == QN_TYPE_MEMREF)
    return qn_type_is_static(declared) && qn_type_elements(declared) == s->count ? declared : NULL;
  const qn_type *type = qn_type_shaped(c->cx, declared->kind, declared->shaped.element, true,
                                       s->rank, s->dims, declared->shaped.encoding, NULL);
  return qn_type_may_be(type, declared) ? type : NULL;
}

static qn_status make_argument(call *c, uint32_t i, const qn_argument *argument, qn_rt_value *out) {
  const qn_type *declared = qn_op_body(c->func)->args[i]->type;
  source s = {.count = 0};
  if (argument->constant)
    QN_TRY(source_of_text(c, i, argument->constant, &s));
  else
    QN_TRY(source_of_array(c, i, argument, &s));
  const qn_type *type = qn_type_is_shaped(declared) ? concrete_type(c, declared, &s)
                        : s.count == 1              ? declared
                                                    : NULL;
  if (!type)
    return qn_error(&c->cx->diag, c->func->loc, QN_INVALID, "argument #%u has no shape of %s", i,
                    qn_type_quoted(c->cx, declared));
  *out = (qn_rt_value){.type = type};
  int64_t count = 1;
  if (qn_type_is_shaped(type)) {
    count = qn_type_elements(type);
    if (count < 0 || !qn_checked_mul(count, qn_type_bytes(type->shaped.element), &out->size) ||
        out->size > INT32_MAX)
      return reject(c, i, "is larger than 2 GiB");
    out->data = qn_arena_alloc(&c->arena, (size_t)out->size + 1);
  }
  for (int64_t k = 0; k < count; k++) QN_TRY(set_element(c, i, &s, s.count == 1 ? 0 : k, out, k));
  return QN_OK;
}

/* ---- results ---- */

static void print_element(const qn_rt_value *value, int64_t i, qn_text *out) {
  const qn_type *element = qn_type_element(value->type);
  if (element->kind == QN_TYPE_FLOAT) {
    qn_text_print_float(qn_rt_float(value, i), element->float_kind, out);
  } else if (qn_type_is_int(element, 1)) {
    qn_text_puts(out, qn_rt_int(value, i) ? "true" : "false");
  } else if (qn_type_is_unsigned(element)) {
    qn_text_put_u64(out, (uint64_t)qn_rt_int(value, i));
  } else {
    qn_text_put_i64(out, qn_rt_int(value, i));
  }
}

/* Prints a bracket for every dimension in which element i is the first. With i + 1, the dimensions
 * in which element i is the last. */
static void print_brackets(const qn_type *type, int64_t i, char bracket, qn_text *out) {
  int64_t inner = 1;
  for (uint32_t d = type->shaped.rank; d-- > 0;) {
    inner *= type->shaped.dims[d];
    if (i % inner == 0) qn_text_putc(out, bracket);
  }
}

static void print_value(const qn_rt_value *value, qn_text *out) {
  const qn_type *type = value->type;
  if (type->kind == QN_TYPE_FUNCTION) {
    qn_text_puts(out, "a function");
  } else if (!qn_type_is_shaped(type)) {
    print_element(value, 0, out);
  } else {
    int64_t count = qn_rt_count(value);
    qn_text_puts(out, "dense<");
    for (int64_t i = 0; i < count; i++) {
      if (i) qn_text_puts(out, ", ");
      print_brackets(type, i, '[', out);
      print_element(value, i, out);
      print_brackets(type, i + 1, ']', out);
    }
    qn_text_puts(out, ">");
  }
  qn_text_puts(out, " : ");
  qn_text_print_type(type, out);
  qn_text_puts(out, "\n");
}

/* ---- the call ---- */

static qn_status find_function(const qn_model *model, const char *name, const qn_op **out_func) {
  qn_diag_engine *diag = &model->context->ir.diag;
  *out_func =
      name ? qn_module_lookup(model->module, qn_str_of(name)) : qn_module_main(model->module);
  if (*out_func && (*out_func)->kind == QN_OP_FUNC) return QN_OK;
  if (name)
    return qn_error(diag, model->module->op->loc, QN_NOT_FOUND, "there is no function @%s", name);
  return qn_error(diag, model->module->op->loc, QN_NOT_FOUND,
                  "there is neither a function @main nor a single public one: name a function");
}

static qn_status execute(call *c, const qn_model *model, const qn_interpret_options *all,
                         const qn_rt_value *values, uint32_t count, qn_rt_value *results) {
  if (all->engine == QN_ENGINE_JIT)
    return qn_call_compiled(model, c->func, all, values, count, results, &c->arena);
  qn_eval_options options = {.max_steps = all->max_steps};
  return qn_eval_call(model->module, c->func, values, count, results, &c->arena, &options);
}

static qn_status run(call *c, const qn_model *model, const qn_interpret_options *all,
                     const qn_argument *arguments, uint32_t count, qn_text *out) {
  const qn_type *type = qn_op_function_type(c->func);
  if (!qn_op_body(c->func))
    return qn_error(&c->cx->diag, c->func->loc, QN_INVALID, "the function has no body to execute");
  const qn_argument **ordered;
  QN_TRY(qn_arguments_order(model, c->func, arguments, count, &c->arena, &ordered));
  qn_rt_value *values = QN_NEW_ARRAY(&c->arena, count + 1, qn_rt_value);
  qn_rt_value *results = QN_NEW_ARRAY(&c->arena, type->function.result_count + 1, qn_rt_value);
  for (uint32_t i = 0; i < count; i++) QN_TRY(make_argument(c, i, ordered[i], &values[i]));
  QN_TRY(execute(c, model, all, values, count, results));
  for (uint32_t i = 0; i < type->function.result_count; i++) print_value(&results[i], out);
  for (uint32_t i = 0; i < count; i++) {
    if (values[i].type->kind != QN_TYPE_MEMREF) continue;
    qn_text_format(out, "%%arg%u = ", i);
    print_value(&values[i], out);
  }
  return QN_OK;
}

static qn_status interpret(const qn_model *model, const qn_interpret_options *options,
                           const qn_argument *arguments, uint32_t count, char **out_text,
                           size_t *out_size) {
  QN_TRY(qn_model_check(model));
  qn_interpret_options all = QN_INTERPRET_OPTIONS_INIT;
  if (options) memcpy(&all, options, options->size < sizeof all ? options->size : sizeof all);
  call c = {.cx = &model->context->ir};
  QN_TRY(find_function(model, all.function, &c.func));
  qn_bytes bytes = qn_file_bytes(model->file);
  model->context->source = (qn_str){(const char *)bytes.data, bytes.size};
  model->context->source_name = model->name;
  qn_arena_init(&c.arena);
  qn_text text = {0};
  qn_status status = run(&c, model, &all, arguments, count, &text);
  if (status == QN_OK)
    status = qn_give_text(text.data ? text.data : "", text.size, out_text, out_size);
  qn_text_deinit(&text);
  qn_arena_deinit(&c.arena);
  model->context->source = (qn_str){0};
  return status;
}

qn_status qn_model_interpret(const qn_model *model, const qn_interpret_options *options,
                             const qn_argument *arguments, uint32_t count, char **out_text,
                             size_t *out_size) {
  qn_status status;
  QN_CALL(&status, model->context, model->name.data, NULL,
          interpret(model, options, arguments, count, out_text, out_size));
  return status;
}
