/* Built-in external functions that compute constants from other constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "eval/eval.h"
#include "eval/fold.h"
#include "ir/clone.h"
#include "rules/rewrite/external.h"

static bool reject(qn_rule_call *call, const char *problem) {
  call->problem = problem;
  return false;
}

static bool give(qn_rule_call *call, qn_value *value, qn_rule_layout layout) {
  call->result = qn_rule_operand_of(call->graph, value, layout);
  return true;
}

/* Computes the codes of a quantized constant. Rejects operands with more elements than the folder
 * computes at compile time. */
bool qn_rule_fold_quantize_const(qn_rule_call *call, void *user) {
  qn_value *value = qn_rule_value_of(call->root);
  qn_rule_staging *s = call->staging;
  const qn_attr *folded;
  (void)user;
  if (!value || !value->op || !s->folder || !qn_fold(s->folder, value->op, &folded))
    return reject(call, "it is not a constant of a few thousand elements");
  return give(call, qn_rule_stage_constant(s, value->type, folded->dense.bytes), QN_RULE_NATURAL);
}

/* ---- tables ---- */

enum { CODES = 256 };

/* A function that applies the elementwise op to a tensor of 256 codes. */
static qn_op *function_of(qn_module *module, const qn_op *op) {
  qn_ir_context *cx = module->cx;
  const qn_loc *loc = cx->diag.unknown;
  const int64_t dims[] = {CODES};
  const qn_type *x = qn_type_tensor(cx, qn_type_element(qn_op_operand(op, 0)->type), 1, dims);
  const qn_type *y = qn_type_tensor(cx, qn_type_element(op->results[0].type), 1, dims);
  qn_builder b = qn_builder_at_end(module, qn_op_body(module->op), loc);
  qn_op *function = qn_build_func(&b, qn_str_of("table"), qn_type_function(cx, &x, 1, &y, 1), NULL);
  qn_block *block = qn_op_body(function);
  qn_map values = {0};
  qn_map_set(&values, qn_op_operand(op, 0), block->args[0]);
  qn_op *copy = qn_op_clone(module, op, &values);
  qn_value_set_type(&copy->results[0], y);
  qn_op_append(copy, block);
  b = qn_builder_at_end(module, block, loc);
  (void)qn_build_0(&b, QN_OP_FUNC_RETURN, QN_VALUES(&copy->results[0]), NULL);
  qn_map_deinit(&values);
  return function;
}

static bool compute(qn_module *module, const qn_op *function, qn_arena *arena,
                    qn_rt_value *out_result) {
  uint8_t *codes = qn_arena_alloc(arena, CODES);
  for (int i = 0; i < CODES; i++) codes[i] = (uint8_t)i;
  qn_rt_value x = {.type = qn_op_body(function)->args[0]->type, .data = codes, .size = CODES};
  return qn_eval_call(module, function, &x, 1, out_result, arena, NULL) == QN_OK;
}

/* Operands of the call: x, and the result of an elementwise op on x, both with 8-bit codes. The
 * result is a table of 256 codes, indexed by the bits of the code of x. */
bool qn_rule_build_lut(qn_rule_call *call, void *user) {
  const qn_value *x = qn_rule_value_of(call->operands[0]), *y = qn_rule_value_of(call->operands[1]);
  qn_rule_staging *s = call->staging;
  (void)user;
  bool unary = x && y && y->op && y->op->operand_count == 1 && qn_op_operand(y->op, 0) == x &&
               qn_op_has(y->op, QN_ELEMENTWISE);
  const qn_quant_uniform *p = unary ? qn_type_quant(x->type) : NULL;
  const qn_quant_uniform *q = unary ? qn_type_quant(y->type) : NULL;
  if (!p || !q || p->storage->integer.width != 8 || q->storage->integer.width != 8)
    return reject(call, "a table is of an elementwise op from 8-bit codes to 8-bit codes");
  qn_module *module = qn_module_create(s->builder.cx, s->builder.cx->diag.unknown);
  const qn_attr *numerics = qn_op_find(s->builder.module->op, QN_A_NUMERICS);
  if (numerics) qn_op_set_attr(module, module->op, qn_attr_decls[QN_A_NUMERICS].name, numerics);
  qn_rt_value result;
  const qn_op *function = function_of(module, y->op);
  bool good = compute(module, function, &s->graph->arena, &result);
  qn_module_destroy(module);
  if (!good) return reject(call, "the op can't be computed");
  const qn_type *type =
      qn_type_tensor(s->builder.cx, qn_type_element(y->type), 1, (const int64_t[]){CODES});
  qn_bytes bytes = {qn_arena_copy(&s->graph->arena, result.data, CODES), CODES};
  return give(call, qn_rule_stage_constant(s, type, bytes), QN_RULE_NATURAL);
}

/* ---- batch normalization ---- */

/* Operands of a float convolution and of the BatchNorm after it, as rules see them. */
typedef struct normalized {
  qn_rule_operand conv[5]; /* x, w, b, stride, pad */
  qn_rule_operand scale, offset;
  int64_t channels, weights;
} normalized;

static bool find_operands(qn_rule_call *call, normalized *n) {
  const qn_rule_view *v = call->view;
  void *norm = qn_rule_as(v, call->root, qn_str_of("BatchNorm"));
  void *conv = norm ? qn_rule_as(v, v->input(v->graph, norm, 0), qn_str_of("Conv2d")) : NULL;
  if (!conv) return false;
  for (uint32_t i = 0; i < QN_COUNT(n->conv); i++) n->conv[i] = v->input(v->graph, conv, i);
  n->scale = v->input(v->graph, norm, 1);
  n->offset = v->input(v->graph, norm, 2);
  n->weights = v->constant_size(v->graph, n->conv[1]);
  n->channels = v->constant_size(v->graph, n->conv[2]);
  return n->channels > 0 && n->weights > 0 && n->weights % n->channels == 0 &&
         v->constant_size(v->graph, n->scale) == n->channels &&
         v->constant_size(v->graph, n->offset) == n->channels;
}

static bool is_single(qn_rule_operand operand) {
  const qn_value *value = qn_rule_value_of(operand);
  return value && qn_type_is_float(qn_type_element(value->type), QN_F32);
}

/* Stages a constant with the type and layout of `like` and these elements, in the order in which
 * `like` stores them. */
static qn_rule_operand stage_floats(qn_rule_call *call, qn_rule_operand like, const float *data) {
  const qn_type *type = qn_rule_value_of(like)->type;
  size_t size = (size_t)qn_type_elements(type) * sizeof *data;
  qn_value *value =
      qn_rule_stage_constant(call->staging, type, (qn_bytes){(const uint8_t *)data, size});
  return qn_rule_operand_of(call->graph, value, qn_rule_layout_of(like));
}

/* Scales weights and bias by channel. Weights are stored with the output channel as outermost
 * dimension. */
static void scale_weights(const qn_rule_call *call, const normalized *n, float *weights,
                          float *bias) {
  const qn_rule_view *v = call->view;
  const qn_attr *stored = qn_value_constant(qn_rule_value_of(n->conv[1]));
  int64_t each = n->weights / n->channels;
  for (int64_t i = 0; i < n->channels; i++) {
    double scale = v->constant_at(v->graph, n->scale, i);
    double old = v->constant_at(v->graph, n->conv[2], i);
    bias[i] = (float)(old * scale + v->constant_at(v->graph, n->offset, i));
    for (int64_t k = 0; k < each; k++) {
      int64_t at = stored->dense.splat ? 0 : i * each + k;
      weights[i * each + k] = (float)(qn_dense_float(stored, at) * scale);
    }
  }
}

/* Builds the convolution that computes Conv2d and BatchNorm in one: each channel's weights and bias
 * are scaled, and the offset is added to the bias. */
bool qn_rule_fold_batchnorm(qn_rule_call *call, void *user) {
  normalized n;
  qn_rule_wanted wanted;
  qn_rule_staging *s = call->staging;
  (void)user;
  if (!find_operands(call, &n) || !is_single(n.conv[1]) || !is_single(n.conv[2]))
    return reject(call, "it folds into convolutions of floats with constant weights and bias only");
  float *weights = QN_NEW_ARRAY(&call->graph->arena, (size_t)n.weights, float);
  float *bias = QN_NEW_ARRAY(&call->graph->arena, (size_t)n.channels, float);
  scale_weights(call, &n, weights, bias);
  n.conv[1] = stage_floats(call, n.conv[1], weights);
  n.conv[2] = stage_floats(call, n.conv[2], bias);
  return qn_rule_wanted_of(s, call->root, &wanted) &&
         qn_rule_stage_op(s, qn_str_of("Conv2d"), n.conv, QN_COUNT(n.conv), &wanted, &call->result);
}
