/* Symbolic sizes of operands: of existing operands from their tags, and of ops from their forms.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/prove/state.h"

static bool is(const qn_rule_node *node, qn_rule_function_id id) {
  return node->function && qn_rule_is(node, id);
}

/* Writes a text that identifies a node. Tags are written by index, because another rule may use the
 * same name. */
void qn_prover_words(const qn_prover *p, const qn_rule_node *node, qn_text *out) {
  if (node->kind == QN_RULE_STRING && (node->tag == QN_RULE_ROOT || node->tag < p->rule->tag_count))
    qn_text_format(out, "\"%.*s\"", QN_STR_ARG(node->text));
  else if (node->kind == QN_RULE_INT)
    qn_text_format(out, "%lld", (long long)node->integer);
  else if (node->kind == QN_RULE_FLOAT)
    qn_text_format(out, "%.17g", node->real);
  else
    qn_text_format(out, "%.*s", QN_STR_ARG(node->text));
  for (uint32_t i = 0; i < node->arg_count; i++) {
    qn_text_putc(out, i ? ',' : '(');
    qn_prover_words(p, node->args[i], out);
  }
  if (node->arg_count > 0) qn_text_putc(out, ')');
}

qn_known qn_prover_fresh(qn_prover *p, const char *words) {
  qn_known known = {.sized = true, .words = qn_arena_str(p->arena, qn_str_of(words))};
  for (uint32_t i = 0; i < QN_PROVER_RANK; i++) {
    qn_str atom = qn_arena_format(p->arena, "%s.%u", words, i);
    known.sizes[i] = qn_linear_atom(&p->space, atom);
  }
  known.encoding = qn_prover_new_encoding(p, QN_PROVER_UNKNOWN);
  return known;
}

qn_known qn_prover_reference(qn_prover *p, const qn_rule_node *node) {
  if (node->kind == QN_RULE_STRING) {
    if (node->tag == QN_RULE_ROOT) return p->root;
    if (node->tag < QN_RULE_MAX_TAGS && p->bound[node->tag]) return p->tags[node->tag];
  }
  qn_text words = {0};
  qn_prover_words(p, node, &words);
  qn_known known = qn_prover_fresh(p, words.data ? words.data : "");
  qn_text_deinit(&words);
  /* a new encoding for each use would make equal operands differ */
  known.encoding = QN_PROVER_UNKNOWN;
  return known;
}

/* ---- scalars ---- */

static qn_linear opaque(qn_prover *p, const qn_rule_node *node) {
  qn_text words = {0};
  qn_prover_words(p, node, &words);
  qn_linear atom = qn_linear_atom(&p->space, qn_text_view(&words));
  qn_text_deinit(&words);
  return atom;
}

static qn_linear sum_of(qn_prover *p, const qn_rule_node *node, int64_t factor) {
  qn_linear sum = qn_prover_scalar(p, node->args[0]);
  for (uint32_t i = 1; i < node->arg_count; i++) {
    qn_linear next = qn_prover_scalar(p, node->args[i]);
    if (!qn_linear_add(&p->space, &sum, factor, &next, &sum)) return opaque(p, node);
  }
  return sum;
}

/* A product with at most one factor that is not constant is linear; any other is an atom,
 * identified by its factors in order. */
static qn_linear product_of(qn_prover *p, const qn_rule_node *node) {
  const qn_linear zero = qn_linear_constant(0);
  qn_linear rest = qn_linear_constant(1), product;
  int64_t constant = 1;
  qn_text words = {0};
  uint32_t open = 0;
  for (uint32_t i = 0; i < node->arg_count; i++) {
    qn_linear size = qn_prover_scalar(p, node->args[i]);
    size = qn_linear_reduce(&p->space, &size);
    if (size.count == 0 && size.constant > -4096 && size.constant < 4096 && constant < 1 << 20 &&
        constant > -(1 << 20)) {
      constant *= size.constant;
      continue;
    }
    rest = size;
    open++;
    qn_text_puts(&words, "*");
    qn_linear_put(&p->space, &size, &words);
  }
  if (open > 1) rest = qn_linear_atom(&p->space, qn_text_view(&words));
  qn_text_deinit(&words);
  return qn_linear_add(&p->space, &zero, constant, &rest, &product) ? product : opaque(p, node);
}

qn_linear qn_prover_scalar(qn_prover *p, const qn_rule_node *node) {
  if (node->kind == QN_RULE_INT) return qn_linear_constant(node->integer);
  if (is(node, QN_RULE_FN_DIM_OF) && node->args[1]->kind == QN_RULE_INT &&
      node->args[1]->integer >= 0 && node->args[1]->integer < QN_PROVER_RANK) {
    qn_known of = qn_prover_reference(p, node->args[0]);
    if (of.sized) return of.sizes[node->args[1]->integer];
  }
  if (is(node, QN_RULE_FN_ADD)) return sum_of(p, node, 1);
  if (is(node, QN_RULE_FN_SUB)) return sum_of(p, node, -1);
  if (is(node, QN_RULE_FN_MUL)) return product_of(p, node);
  return opaque(p, node);
}

/* ---- ops ---- */

static void put_sizes(qn_prover *p, const qn_known *k, qn_text *out) {
  if (!k->sized) {
    qn_text_format(out, "{%.*s}", QN_STR_ARG(k->words));
    return;
  }
  for (uint32_t i = 0; i < QN_PROVER_RANK; i++) qn_linear_put(&p->space, &k->sizes[i], out);
}

/* A size that only the op itself determines: an atom, identified by the kind of op and its
 * operands, so that equal ops have equal sizes. */
static qn_linear of_all(qn_prover *p, const qn_rule_form *form, const qn_known *inputs,
                        uint32_t count, uint32_t dim) {
  qn_text words = {0};
  qn_text_format(&words, "%s@%u", qn_op_infos[form->kind].name, dim);
  for (uint32_t i = 0; i < count; i++) {
    const qn_rule_slot *slot = qn_rule_form_input(form, i);
    if (qn_rule_slot_is_value(slot) || slot->kind <= QN_RULE_SLOT_NEW_SHAPE)
      put_sizes(p, &inputs[i], &words);
    else
      qn_text_format(&words, "{%.*s}", QN_STR_ARG(inputs[i].words));
  }
  qn_linear size = qn_linear_atom(&p->space, qn_text_view(&words));
  qn_text_deinit(&words);
  return size;
}

/* The result's size along a pooling or convolution window: an atom, identified by the operand's
 * size, the window's size, and all shapes of the op. */
static qn_linear of_window(qn_prover *p, const qn_rule_form *form, const qn_known *inputs,
                           uint32_t count, uint32_t operand, uint32_t dim) {
  qn_text words = {0};
  qn_text_format(&words, "%s@%u", qn_op_infos[form->kind].name, dim);
  qn_linear_put(&p->space, &inputs[operand].sizes[dim], &words);
  for (uint32_t i = 0; i < count; i++) {
    const qn_rule_slot *slot = qn_rule_form_input(form, i);
    bool filter = slot->kind == QN_RULE_SLOT_VALUE &&
                  (slot->layout == QN_RULE_FILTER || slot->layout == QN_RULE_DEPTHWISE);
    if (filter && inputs[i].sized) qn_linear_put(&p->space, &inputs[i].sizes[dim - 1], &words);
    if (slot->kind == QN_RULE_SLOT_PAIR || slot->kind == QN_RULE_SLOT_LIST)
      put_sizes(p, &inputs[i], &words);
  }
  for (const qn_rule_slot *slot = form->slots; slot->kind != QN_RULE_SLOT_NONE; slot++)
    if (slot->kind == QN_RULE_SLOT_ALL) qn_text_format(&words, "/%d=%g", slot->attr, slot->number);
  qn_linear size = qn_linear_atom(&p->space, qn_text_view(&words));
  qn_text_deinit(&words);
  return size;
}

/* Whether the op broadcasts its operands: several have the natural layout. */
static bool is_broadcast(const qn_rule_form *form) {
  uint32_t count = 0;
  for (const qn_rule_slot *slot = form->slots; slot->kind != QN_RULE_SLOT_NONE; slot++)
    count += slot->kind == QN_RULE_SLOT_VALUE && slot->layout == QN_RULE_NATURAL;
  return count > 1;
}

/* The broadcast size of two: the one that is not 1. If that is not known, an atom that does not
 * depend on the order of a and b. */
static qn_linear join(qn_prover *p, const qn_linear *a, const qn_linear *b) {
  const qn_linear one = qn_linear_constant(1);
  if (qn_linear_compare(&p->space, a, b) == QN_PROOF_HOLDS ||
      qn_linear_compare(&p->space, b, &one) == QN_PROOF_HOLDS)
    return *a;
  if (qn_linear_compare(&p->space, a, &one) == QN_PROOF_HOLDS) return *b;
  qn_text x = {0}, y = {0}, words = {0};
  qn_linear_put(&p->space, a, &x);
  qn_linear_put(&p->space, b, &y);
  bool turned = strcmp(x.data, y.data) > 0;
  qn_text_format(&words, "join %s %s", turned ? y.data : x.data, turned ? x.data : y.data);
  qn_linear size = qn_linear_atom(&p->space, qn_text_view(&words));
  qn_text_deinit(&x);
  qn_text_deinit(&y);
  qn_text_deinit(&words);
  return size;
}

static qn_linear infer_one(qn_prover *p, const qn_rule_form *form, const qn_known *inputs,
                           uint32_t count, uint32_t dim) {
  bool broadcast = is_broadcast(form), any = false;
  qn_linear size = {0};
  for (uint32_t i = 0; i < count; i++) {
    const qn_rule_slot *slot = qn_rule_form_input(form, i);
    bool shape = slot->kind == QN_RULE_SLOT_SIZE || slot->kind == QN_RULE_SLOT_NEW_SHAPE;
    if (shape && inputs[i].sized) return inputs[i].sizes[dim];
    if (!qn_rule_slot_is_value(slot)) continue;
    if (!inputs[i].sized) return of_all(p, form, inputs, count, dim);
    char need = slot->along[dim];
    if (need == 'w') return of_window(p, form, inputs, count, i, dim);
    if (need < '0' || need > '9') continue;
    const qn_linear *next = &inputs[i].sizes[need - '0'];
    if (!any)
      size = *next;
    else if (broadcast)
      size = join(p, &size, next);
    any = true;
  }
  return any ? size : of_all(p, form, inputs, count, dim);
}

void qn_prover_infer(qn_prover *p, const qn_rule_form *form, const qn_known *inputs, uint32_t count,
                     qn_linear *out_sizes) {
  for (uint32_t i = 0; i < QN_PROVER_RANK; i++) out_sizes[i] = infer_one(p, form, inputs, count, i);
}
