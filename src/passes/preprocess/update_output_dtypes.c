/* update-output-dtypes: converts results of the model to the element types of an option.
 *
 *   func.func @main(...) -> tensor<4xf32>      with types=f16
 *     return %0
 *   ->
 *   func.func @main(...) -> tensor<4xf16>
 *     %1 = "ml.cast"(%0) : (tensor<4xf32>) -> tensor<4xf16>
 *     return %1
 *
 * types: a type per result, in order; "-" or a missing entry keeps the type. A result that is an
 * argument stays, with a warning. Model files do not declare other types for results, so they are
 * an option. Errors: more types than results, a result that is quantized or a state, a function
 * that is called by others.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: approximate, by the precision of the types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/entry/dtype.h"
#include "ir/ops/forms.h"
#include "passes/support/border.h"

static const qn_type *element_of(qn_ir_context *cx, qn_str word) {
  static const struct {
    const char *word;
    uint32_t width; /* width of an integer; 0 for floats */
    qn_float_kind kind;
  } words[] = {{"f16", 0, QN_F16},  {"bf16", 0, QN_BF16}, {"f32", 0, QN_F32},
               {"f64", 0, QN_F64},  {"i1", 1, QN_F32},    {"i8", 8, QN_F32},
               {"i16", 16, QN_F32}, {"i32", 32, QN_F32},  {"i64", 64, QN_F32}};
  for (size_t i = 0; i < QN_COUNT(words); i++)
    if (qn_str_is(word, words[i].word))
      return words[i].width ? qn_type_i(cx, words[i].width) : qn_type_float(cx, words[i].kind);
  return NULL;
}

static qn_status reject(qn_pass_context *pc, const qn_border *border, uint32_t i, const char *why) {
  return qn_error(&pc->cx->diag, border->func->loc, QN_UNSUPPORTED,
                  "result %u can't get another element type: %s", i, why);
}

static qn_status update(qn_pass_context *pc, const qn_border *border, uint32_t i, qn_str word,
                        bool *changed) {
  if (i >= border->count[QN_SIDE_RESULTS])
    return qn_error(&pc->cx->diag, border->func->loc, QN_INVALID,
                    "there is no result %u that could be '%.*s'", i, QN_STR_ARG(word));
  if (qn_str_is(word, "-")) return QN_OK;
  const qn_type *element = element_of(pc->cx, word);
  if (!element)
    return qn_error(&pc->cx->diag, border->func->loc, QN_INVALID, "'%.*s' is no element type",
                    QN_STR_ARG(word));
  qn_value *value = qn_op_operand(border->end, i);
  if (value->type->kind == QN_TYPE_TENSOR && qn_type_element(value->type) == element) return QN_OK;
  if (border->is_called) return reject(pc, border, i, "the function is called");
  if (border->ports[QN_SIDE_RESULTS][i].role == QN_ROLE_STATE)
    return reject(pc, border, i, "it is a state");
  if (!qn_ml_holds(value->type) || qn_type_quant(value->type))
    return reject(pc, border, i, "it is no tensor of numbers");
  if (!value->op) {
    qn_warning(&pc->cx->diag, border->func->loc, "result %u is an argument and keeps its type", i);
    return QN_OK;
  }
  qn_builder b = qn_builder_before(pc->module, border->end);
  const qn_type *type = qn_type_with_element(pc->cx, value->type, element);
  qn_op_set_operand(border->end, i, qn_build_unary(&b, QN_OP_ML_CAST, value, type));
  *changed = true;
  return QN_OK;
}

static qn_status run(qn_pass_context *pc) {
  qn_border border;
  qn_str list = qn_str_of(qn_pass_string(pc, "types")), word;
  QN_TRY(qn_border_read(pc, &border));
  if (!border.end) return QN_OK;
  qn_status status = QN_OK;
  bool changed = false;
  for (uint32_t i = 0; status == QN_OK && qn_str_next(&list, &word); i++)
    status = update(pc, &border, i, word, &changed);
  if (changed) qn_border_write(pc, &border);
  return status;
}

static const qn_option_spec options[] = {
    {"types", QN_OPTION_STRING, "", "element types of the results, in their order; '-' stays"},
    {NULL, 0, NULL, NULL},
};

const qn_pass qn_pass_update_output_dtypes = {
    .name = "update-output-dtypes",
    .summary = "give results of the model other element types",
    .anchor = QN_ON_MODULE,
    .numerics = QN_APPROXIMATE,
    .keeps = "the stage",
    .options = options,
    .bare = "types",
    .run = run,
};
