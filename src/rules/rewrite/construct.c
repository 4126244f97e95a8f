/* Construction of one op from the rule's operands, as the slots of its form specify.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ir/ops/infer/infer.h"
#include "rules/rewrite/making.h"

typedef qn_rule_making making;

/* ---- values ---- */

static bool add_value(making *m, qn_rule_operand operand, qn_rule_layout layout) {
  if (m->values.count == 0 && layout == QN_RULE_NATURAL && qn_rule_form_keeps_layout(m->form))
    m->layout = qn_rule_layout_of(operand);
  if (layout == QN_RULE_NATURAL) layout = m->layout;
  qn_value *value = qn_rule_stage_value(m->s, operand, layout);
  if (!value) return false;
  qn_array_push(&m->values, value);
  return true;
}

/* Adds a storage cast of the operand's codes to their storage type, as operand of the storage cast
 * that gives them another encoding. */
static bool add_stored(making *m, qn_rule_operand operand) {
  if (!add_value(m, operand, QN_RULE_NATURAL)) return false;
  qn_value *codes = m->values.data[0];
  const qn_quant_uniform *q = qn_type_quant(codes->type);
  if (!q) return qn_rule_making_fail(m, "its operand has no codes");
  const qn_type *type = qn_type_with_element(m->s->builder.cx, codes->type, q->storage);
  qn_value *stored = qn_build_1(&m->s->builder, m->form->kind, type, QN_VALUES(codes), NULL);
  qn_array_push(&m->s->made, stored->op);
  m->values.data[0] = stored;
  return true;
}

static bool add_values(making *m) {
  uint32_t i = 0;
  for (const qn_rule_slot *slot = m->form->slots; slot->kind != QN_RULE_SLOT_NONE; slot++) {
    if (slot->kind >= QN_RULE_SLOT_INPUTS) continue;
    uint32_t last = slot->kind == QN_RULE_SLOT_REST ? m->input_count : i + 1;
    for (; i < last; i++) {
      if (slot->kind == QN_RULE_SLOT_THROUGH && !add_stored(m, m->inputs[i])) return false;
      if ((slot->kind == QN_RULE_SLOT_VALUE || slot->kind == QN_RULE_SLOT_REST) &&
          !add_value(m, m->inputs[i], slot->layout))
        return false;
    }
  }
  if (m->values.count == 0) return qn_rule_making_fail(m, "it has no operand");
  if (m->form->needs & QN_RULE_SQUARED) qn_array_push(&m->values, m->values.data[0]);
  m->rank = m->values.data[0]->type->shaped.rank;
  return qn_rule_layout_dims(m->layout, m->rank, &m->dims);
}

/* ---- the result ---- */

/* The element type of a slice: for a per-axis encoding along the sliced dimension, the encodings of
 * the channels that it keeps. */
static const qn_type *sliced_element(making *m, const qn_type *element) {
  const qn_quant_uniform *q = qn_type_quant(element);
  if (!q || q->scheme != QN_PER_AXIS || !m->slices) return element;
  qn_quant_uniform part = *q;
  for (uint32_t i = 0; i < m->dims.rank; i++)
    if (m->dims.of[i] == q->axis) part.count = (uint32_t)m->wanted->sizes[i];
  if (m->begin[q->axis] + part.count > q->count) return element;
  part.scales += m->begin[q->axis];
  part.zero_points += m->begin[q->axis];
  return qn_type_uniform(m->s->builder.cx, &part);
}

/* The element type of a result with channels added: for a per-axis encoding, the last channel's
 * encoding is repeated for the added channels. */
static const qn_type *filled_element(making *m, const qn_type *element) {
  enum { MOST = 1 << 16 };
  const qn_quant_uniform *q = qn_type_quant(element);
  bool along = q && q->scheme == QN_PER_AXIS && m->fills > 0 &&
               q->axis == m->dims.of[m->dims.rank - 1] && m->fills < MOST;
  if (!along) return element;
  qn_quant_uniform whole = *q;
  whole.count += (uint32_t)m->fills;
  double *scales = QN_NEW_ARRAY(&m->s->graph->arena, whole.count, double);
  int64_t *zeros = QN_NEW_ARRAY(&m->s->graph->arena, whole.count, int64_t);
  for (uint32_t i = 0; i < whole.count; i++) {
    uint32_t from = i < q->count ? i : q->count - 1;
    scales[i] = q->scales[from];
    zeros[i] = q->zero_points[from];
  }
  whole.scales = scales;
  whole.zero_points = zeros;
  return qn_type_uniform(m->s->builder.cx, &whole);
}

/* The type of the matched output, if rules see it with the required sizes; then its rank is used as
 * well, so that its consumers need no reshape. NULL if it has other sizes. */
static const qn_type *root_of_sizes(const making *m) {
  const qn_rule_binding *binding = m->s->evaluation.binding;
  const qn_value *root = binding && binding->root.node ? qn_rule_value_of(binding->root) : NULL;
  qn_rule_dims dims;
  if (!root || m->wanted->any_size || root->type->kind != QN_TYPE_TENSOR ||
      !qn_rule_layout_dims(QN_RULE_NATURAL, root->type->shaped.rank, &dims) ||
      dims.rank != m->wanted->rank)
    return NULL;
  for (uint32_t i = 0; i < dims.rank; i++)
    if (m->wanted->sizes[i] != (dims.of[i] < 0 ? 1 : root->type->shaped.dims[dims.of[i]]))
      return NULL;
  return root->type;
}

/* The type of a result whose shape can't be inferred from the operands. */
static const qn_type *stated_type(making *m, const qn_type *element) {
  qn_ir_context *cx = m->s->builder.cx;
  const qn_type *x = m->values.data[0]->type;
  bool like_operand =
      (qn_op_infos[m->form->kind].traits & QN_ELEMENTWISE) || (m->form->needs & QN_RULE_UNCHANGED);
  if (like_operand) return qn_type_with_element(cx, x, element);
  const qn_type *root = root_of_sizes(m);
  if (root) return qn_type_with_element(cx, root, element);
  return qn_type_tensor(cx, element, m->wanted->rank, m->wanted->sizes);
}

static qn_op *build_several(making *m, const qn_type *element) {
  const qn_type *types[QN_RULE_MAX_SLOTS];
  if (m->wanted->outputs > QN_COUNT(types)) {
    (void)qn_rule_making_fail(m, "it has too many outputs");
    return NULL;
  }
  const qn_type *x = m->values.data[0]->type;
  int64_t dims[QN_RULE_MAX_RANK];
  if (m->wanted->any_size) {
    memcpy(dims, x->shaped.dims, x->shaped.rank * sizeof *dims);
    dims[m->axis] /= m->wanted->outputs;
  } else if (!qn_rule_making_own_dims(m, m->wanted->sizes, 1, dims)) {
    return NULL;
  }
  const qn_type *type = qn_type_tensor(m->s->builder.cx, element, x->shaped.rank, dims);
  for (uint32_t i = 0; i < m->wanted->outputs; i++) types[i] = type;
  qn_named_attr attrs[QN_RULE_MAX_SLOTS];
  for (uint32_t i = 0; i < m->attr_count; i++)
    attrs[i] = (qn_named_attr){qn_str_of(m->attrs[i].name), m->attrs[i].value};
  qn_op_state state = {.kind = m->form->kind,
                       .operands = m->values.data,
                       .operand_count = (uint32_t)m->values.count,
                       .result_types = types,
                       .result_count = m->wanted->outputs,
                       .attrs = attrs,
                       .attr_count = m->attr_count};
  return qn_build(&m->s->builder, state);
}

static qn_op *build(making *m) {
  qn_rule_staging *s = m->s;
  uint32_t rank = m->rank, count = (uint32_t)m->values.count;
  const qn_type *element =
      qn_rule_element_in(s, m->wanted->element, m->wanted->axis, m->layout, rank);
  if (!element) return NULL;
  element = filled_element(m, sliced_element(m, element));
  if (m->form->needs & QN_RULE_EVEN) return build_several(m, element);
  qn_value *made;
  if (qn_inference_of(m->form->kind)->shape)
    made = qn_build_inferred(&s->builder, m->form->kind, element, m->values.data, count, m->attrs);
  else
    made = qn_build_1(&s->builder, m->form->kind, stated_type(m, element), m->values.data, count,
                      m->attrs);
  return made ? made->op : NULL;
}

/* Whether rules see the type with the required sizes. */
static bool has_sizes(const making *m, const qn_type *type) {
  qn_rule_dims dims;
  if (m->wanted->any_size) return true;
  if (!qn_rule_layout_dims(m->layout, type->shaped.rank, &dims) || dims.rank != m->wanted->rank)
    return false;
  for (uint32_t i = 0; i < dims.rank; i++)
    if (m->wanted->sizes[i] != (dims.of[i] < 0 ? 1 : type->shaped.dims[dims.of[i]])) return false;
  return true;
}

static void put_sizes(qn_text *out, uint32_t rank, const int64_t *sizes) {
  for (uint32_t i = 0; i < rank; i++)
    qn_text_format(out, "%s%lld", i ? "x" : "", (long long)sizes[i]);
}

static bool complain_of_sizes(making *m, const qn_type *type) {
  qn_text text = {0};
  put_sizes(&text, type->shaped.rank, type->shaped.dims);
  qn_text_puts(&text, ", but the rule says ");
  put_sizes(&text, m->wanted->rank, m->wanted->sizes);
  (void)qn_rule_making_fail(m, "its operands give %s", text.data);
  qn_text_deinit(&text);
  return false;
}

static bool check(making *m, qn_op *op) {
  qn_op_verify *verify = qn_op_info_of(op)->verify;
  if (verify && !verify(m->s->builder.cx, op)) return qn_rule_making_fail(m, "the op is not valid");
  return has_sizes(m, op->results[0].type) ? true : complain_of_sizes(m, op->results[0].type);
}

static bool make(making *m, qn_rule_operand *out_operand) {
  if (m->s->made.count >= m->s->most)
    return qn_rule_stage_fail(m->s, "RR0907", "the replacement would have more than %u ops",
                              m->s->most);
  if (!add_values(m) || !qn_rule_making_attrs(m)) return false;
  qn_op *op = build(m);
  if (!op) return qn_rule_making_fail(m, "its operands don't go together");
  if (!check(m, op)) {
    qn_op_erase(m->s->builder.module, op);
    return false;
  }
  QN_ASSERT(op->kind == m->form->kind && op->result_count > 0);
  qn_value *value = &op->results[0];
  if (op->result_count > 1)
    qn_array_push(&m->s->made, op);
  else
    value = qn_rule_stage_made(m->s, value);
  if (value->op->kind == m->form->kind) qn_rule_graph_name(m->s->graph, value->op, m->form);
  *out_operand = qn_rule_operand_of(m->s->graph, value, m->layout);
  return true;
}

/* ---- by name ---- */

static bool takes(const qn_rule_form *form, uint32_t count) {
  uint32_t inputs = qn_rule_form_inputs(form);
  bool more = qn_rule_form_input(form, inputs - 1)->kind == QN_RULE_SLOT_REST;
  return more ? count >= inputs : count == inputs;
}

/* "$Out": selects an output of an op with several outputs. No op is built. */
static bool choose_output(qn_rule_staging *s, const qn_rule_operand *inputs, uint32_t count,
                          qn_rule_operand *out_operand) {
  qn_rule_wanted sizes;
  qn_value *value = count == 2 ? qn_rule_value_of(inputs[0]) : NULL;
  if (!value || !value->op || !qn_rule_sizes_of(s, inputs[1], &sizes) || sizes.rank != 4 ||
      sizes.sizes[3] < 0 ||
      sizes.sizes[3] >= (value == s->parts[0] ? s->part_count : value->op->result_count))
    return qn_rule_stage_fail(s, "RR0903", "\"$Out\": there is no such output");
  value = value == s->parts[0] ? s->parts[sizes.sizes[3]] : &value->op->results[sizes.sizes[3]];
  *out_operand = qn_rule_operand_of(s->graph, value, QN_RULE_NATURAL);
  return true;
}

bool qn_rule_stage_op(qn_rule_staging *s, qn_str name, const qn_rule_operand *inputs,
                      uint32_t count, const qn_rule_wanted *wanted, qn_rule_operand *out_operand) {
  QN_ASSERT(wanted->rank <= QN_RULE_MAX_RANK);
  const qn_rule_form *form = qn_rule_form_find(name);
  if (form && (form->needs & QN_RULE_OUTPUT)) return choose_output(s, inputs, count, out_operand);
  if (form && (form->needs & QN_RULE_COMPOSED))
    return qn_rule_compose(s, name, inputs, count, wanted, out_operand);
  if (!form || form->kind == QN_OP_UNREGISTERED)
    return qn_rule_stage_fail(s, "RR0904", "this build has no op \"%.*s\"", QN_STR_ARG(name));
  const char *same = form->name;
  for (; form->name && strcmp(form->name, same) == 0; form++) {
    size_t before = s->made.count;
    making m = {.s = s, .form = form, .wanted = {*wanted}, .inputs = inputs, .input_count = count};
    if (!takes(form, count)) {
      (void)qn_rule_making_fail(&m, "it takes other operands than these %u", count);
      continue;
    }
    bool made = make(&m, out_operand);
    qn_array_free(&m.values);
    if (made) {
      qn_text_clear(&s->failure);
      return true;
    }
    while (s->made.count > before) {
      qn_op *op = s->made.data[--s->made.count];
      qn_rule_graph_forget(s->graph, op);
      qn_op_erase(s->builder.module, op);
    }
  }
  return false;
}
