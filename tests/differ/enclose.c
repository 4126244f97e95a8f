/* Branches and loops around ops of generated models.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "ir/walk.h"
#include "tests/differ/differ.h"

/* Ops of @main's body in a row, and what of their results is read after them. */
typedef struct piece {
  qn_op *first, *last, *behind;
  qn_value *given[QN_RANDOM_MAX_VALUES];
  uint32_t count;
} piece;

/* What could be in one piece: constants stay outside, or some do. */
static uint32_t count_ops(const qn_block *body) {
  uint32_t count = 0;
  QN_FOR_EACH_OP(op, body) count++;
  return count - 1;
}

static qn_op *op_at(const qn_block *body, uint32_t i) {
  qn_op *op = body->first;
  while (i-- > 0) op = op->next;
  return op;
}

static bool is_inside(const piece *p, const qn_op *op) {
  const qn_block *body = p->behind->block;
  while (op->block != body) op = qn_op_parent(op);
  for (const qn_op *in = p->first; in != p->behind; in = in->next)
    if (in == op) return true;
  return false;
}

static bool is_read_behind(const piece *p, const qn_value *v) {
  for (const qn_use *use = v->first_use; use; use = use->next)
    if (!is_inside(p, use->owner)) return true;
  return false;
}

/* false: nothing is given, too much, or a scalar, whose users may ask for more than any number. */
static bool find_given(piece *p) {
  for (qn_op *op = p->first; op != p->behind; op = op->next)
    for (uint32_t i = 0; i < op->result_count; i++) {
      if (!is_read_behind(p, &op->results[i])) continue;
      bool tensor = qn_type_is_shaped(op->results[i].type);
      if (p->count == QN_RANDOM_MAX_VALUES || !tensor) return false;
      p->given[p->count++] = &op->results[i];
    }
  return p->count > 0;
}

static void move_into(qn_random_model *m, const piece *p, qn_block *block) {
  for (qn_op *op = p->first, *next = NULL; op; op = next) {
    next = op == p->last ? NULL : op->next;
    qn_op_unlink(op);
    qn_op_append(op, block);
  }
  m->b = qn_builder_at_end(m->module, block, m->cx.diag.unknown);
  qn_build_0(&m->b, QN_OP_SCF_YIELD, p->given, p->count, NULL);
}

static void read_results(const piece *p, qn_op *control) {
  for (uint32_t i = 0; i < p->count; i++) {
    for (qn_use *use = p->given[i]->first_use, *next; use; use = next) {
      next = use->next;
      const qn_op *owner = use->owner;
      while (owner->block != control->block && qn_op_parent(owner)) owner = qn_op_parent(owner);
      if (owner == control) continue;
      qn_op_set_operand(use->owner, (uint32_t)(use - use->owner->operands), &control->results[i]);
    }
  }
}

/* Another value of a type: an argument that there is, a new one, a constant. */
static qn_value *another(qn_random_model *m, const qn_type *type) {
  const qn_block *body = qn_op_body(m->func);
  uint32_t start = (uint32_t)qn_choose(&m->choices, QN_RANDOM_MAX_ARGS);
  for (uint32_t i = 0; i < body->arg_count; i++) {
    qn_value *v = body->args[(start + i) % body->arg_count];
    if (v->type == type && qn_random_between(m, 0, 3)) return v;
  }
  if (body->arg_count < QN_RANDOM_MAX_ARGS) return qn_random_input(m, type);
  if (qn_type_quant(type)) return qn_random_bytes(m, type);
  return qn_random_constant(m, type);
}

static const qn_type **types_of(qn_random_model *m, const piece *p) {
  const qn_type **types = QN_NEW_ARRAY(&m->cx.arena, p->count, const qn_type *);
  for (uint32_t i = 0; i < p->count; i++) types[i] = p->given[i]->type;
  return types;
}

static qn_value *scalar(qn_random_model *m, const qn_type *element) {
  const int64_t one = 1;
  qn_value *tensor = another(m, qn_type_tensor(&m->cx, element, 1, &one));
  return qn_build_1(&m->b, QN_OP_TENSOR_EXTRACT, element, QN_VALUES(tensor, qn_random_index(m, 0)),
                    NULL);
}

/* One branch has the ops, the other gives what comes from elsewhere. */
static qn_op *put_in_branch(qn_random_model *m, const piece *p) {
  m->b = qn_builder_before(m->module, p->behind);
  qn_value *condition = scalar(m, qn_type_i(&m->cx, 1));
  qn_value *others[QN_RANDOM_MAX_VALUES];
  for (uint32_t i = 0; i < p->count; i++) others[i] = another(m, p->given[i]->type);
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = QN_OP_SCF_IF,
                                            .operands = &condition,
                                            .operand_count = 1,
                                            .result_types = types_of(m, p),
                                            .result_count = p->count,
                                            .region_count = 2});
  uint32_t side = (uint32_t)qn_choose(&m->choices, 2);
  for (uint32_t i = 0; i < 2; i++) {
    qn_block *block = qn_block_create(m->module);
    qn_block_append(block, &op->regions[i]);
    m->b = qn_builder_at_end(m->module, block, m->cx.diag.unknown);
    if (i == side)
      move_into(m, p, block);
    else
      qn_build_0(&m->b, QN_OP_SCF_YIELD, others, p->count, NULL);
  }
  return op;
}

/* An operand that comes from outside is, in the next round, what this one has made of its type. */
static void feed_back(qn_random_model *m, const piece *p, const qn_block *body,
                      qn_value *const *carried) {
  QN_FOR_EACH_OP(op, body)
  for (uint32_t i = 0; i < op->operand_count && op != body->last; i++) {
    const qn_value *v = qn_op_operand(op, i);
    bool outside = !v->op || v->op->block != body;
    if (!outside || (v->op && qn_op_has(v->op, QN_CONSTANT))) continue;
    for (uint32_t k = 0; k < p->count; k++)
      if (p->given[k]->type == v->type && qn_random_between(m, 0, 3)) {
        qn_op_set_operand(op, i, carried[k]);
        break;
      }
  }
}

/* Some values trade places from round to round. */
static void trade(qn_random_model *m, qn_op *yield) {
  for (uint32_t i = 1; i < yield->operand_count; i++) {
    qn_value *a = qn_op_operand(yield, i - 1), *b = qn_op_operand(yield, i);
    if (a->type != b->type || qn_random_between(m, 0, 1)) continue;
    qn_op_set_operand(yield, i - 1, b);
    qn_op_set_operand(yield, i, a);
  }
}

static qn_op *put_in_loop(qn_random_model *m, const piece *p) {
  const qn_type *index = qn_type_index(&m->cx);
  qn_value *operands[3 + QN_RANDOM_MAX_VALUES];
  m->b = qn_builder_before(m->module, p->behind);
  operands[0] = qn_random_index(m, 0);
  operands[1] = qn_random_index(m, qn_random_between(m, 0, 3));
  operands[2] = qn_random_index(m, 1);
  for (uint32_t i = 0; i < p->count; i++) operands[3 + i] = another(m, p->given[i]->type);
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = QN_OP_SCF_FOR,
                                            .operands = operands,
                                            .operand_count = 3 + p->count,
                                            .result_types = types_of(m, p),
                                            .result_count = p->count,
                                            .region_count = 1});
  qn_block *body = qn_block_create(m->module);
  qn_block_append(body, &op->regions[0]);
  qn_block_add_arg(m->module, body, index, m->cx.diag.unknown);
  for (uint32_t i = 0; i < p->count; i++)
    qn_block_add_arg(m->module, body, p->given[i]->type, m->cx.diag.unknown);
  move_into(m, p, body);
  feed_back(m, p, body, body->args + 1);
  if (qn_random_chance(m, 3)) trade(m, body->last);
  return op;
}

/* The same, counted by hand: what goes on to the second block and out has another order. */
static qn_op *put_in_while(qn_random_model *m, const piece *p) {
  const qn_type *index = qn_type_index(&m->cx), *types[1 + QN_RANDOM_MAX_VALUES];
  qn_value *operands[1 + QN_RANDOM_MAX_VALUES], *handed[2 + QN_RANDOM_MAX_VALUES];
  uint32_t last = p->count; /* of the values, first and count */
  m->b = qn_builder_before(m->module, p->behind);
  for (uint32_t i = 0; i < last; i++) types[i] = p->given[i]->type;
  types[last] = index;
  for (uint32_t i = 0; i < last; i++) operands[i] = another(m, types[i]);
  operands[last] = qn_random_index(m, 0);
  qn_value *rounds = qn_random_index(m, qn_random_between(m, 0, 3));
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = QN_OP_SCF_WHILE,
                                            .operands = operands,
                                            .operand_count = last + 1,
                                            .result_types = types,
                                            .result_count = last + 1,
                                            .region_count = 2});
  qn_block *blocks[2];
  for (uint32_t k = 0; k < 2; k++) {
    qn_block_append(blocks[k] = qn_block_create(m->module), &op->regions[k]);
    for (uint32_t i = 0; i <= last; i++)
      qn_block_add_arg(m->module, blocks[k], types[i], m->cx.diag.unknown);
  }
  m->b = qn_builder_at_end(m->module, blocks[0], m->cx.diag.unknown);
  handed[0] = qn_build_cmpi(&m->b, QN_CMP_SLT, blocks[0]->args[last], rounds);
  for (uint32_t i = 0; i <= last; i++) handed[1 + i] = blocks[0]->args[i];
  for (uint32_t i = 1; i < last; i++)
    if (types[i] == types[i - 1] && qn_random_chance(m, 2)) handed[i] = handed[i + 1];
  qn_build_0(&m->b, QN_OP_SCF_CONDITION, handed, last + 2, NULL);
  move_into(m, p, blocks[1]);
  feed_back(m, p, blocks[1], blocks[1]->args);
  qn_op *yield = blocks[1]->last;
  if (qn_random_chance(m, 3)) trade(m, yield);
  for (uint32_t i = 0; i < last; i++) handed[i] = qn_op_operand(yield, i);
  m->b = qn_builder_before(m->module, yield);
  handed[last] =
      qn_build_binary(&m->b, QN_OP_ARITH_ADDI, blocks[1]->args[last], qn_build_index(&m->b, 1));
  qn_build_0(&m->b, QN_OP_SCF_YIELD, handed, last + 1, NULL);
  qn_op_erase(m->module, yield);
  return op;
}

static void set_type(qn_random_model *m) {
  const qn_type *type = qn_op_function_type(m->func), *inputs[QN_RANDOM_MAX_ARGS];
  const qn_block *body = qn_op_body(m->func);
  for (uint32_t i = 0; i < body->arg_count; i++) inputs[i] = body->args[i]->type;
  type = qn_type_function(&m->cx, inputs, body->arg_count, type->function.results,
                          type->function.result_count);
  qn_op_set_attr(m->module, m->func, "function_type", qn_attr_type(&m->cx, type));
}

bool differ_enclose(qn_random_model *m, differ_control_kind kind, bool all) {
  static qn_op *(*const put[])(qn_random_model * m, const piece *p) = {
      [DIFFER_BRANCH] = put_in_branch, [DIFFER_FOR] = put_in_loop, [DIFFER_WHILE] = put_in_while};
  const qn_block *body = qn_op_body(m->func);
  uint32_t count = count_ops(body), first = 0, end = count;
  if (count == 0 || body->arg_count == QN_RANDOM_MAX_ARGS) return false;
  if (!all) {
    first = (uint32_t)qn_choose(&m->choices, count);
    end = first + 1 + (uint32_t)qn_choose(&m->choices, count - first);
  }
  piece p = {.first = op_at(body, first), .behind = op_at(body, end)};
  p.last = p.behind->prev;
  if (!find_given(&p)) return false;
  read_results(&p, put[kind](m, &p));
  set_type(m);
  return true;
}

/* ---- cases ---- */

enum { CONTROL_ELEMENTS = 5, CONTROL_WAYS = DIFFER_CONTROL_KINDS, CONTROL_MODES = 2 };

uint64_t differ_control_round(void) {
  qn_op_kind kinds[QN_OP_COUNT];
  return qn_random_kinds(kinds) * CONTROL_ELEMENTS * CONTROL_WAYS * CONTROL_MODES;
}

typedef struct seek {
  qn_op_kind kind;
  bool found;
} seek;

static bool find_kind(qn_op *op, void *user) {
  seek *s = user;
  const qn_op *parent = qn_op_parent(op);
  s->found |= op->kind == s->kind && parent && qn_op_has(parent, QN_CONTROL);
  return true;
}

/* Case `number` says the row, its elements, constant or variable operands, branch or loop, in
 * a round; else models of several ops have several of both. */
bool differ_control(qn_choices choices, const differ_options *options, differ_counts *counts) {
  static const qn_random_elements elements[CONTROL_ELEMENTS] = {
      QN_RANDOM_QUANTIZED, QN_RANDOM_QUANTIZED, QN_RANDOM_QUANTIZED, QN_RANDOM_REAL,
      QN_RANDOM_WHOLE};
  qn_op_kind kinds[QN_OP_COUNT];
  uint64_t number = counts->cases++, rows = qn_random_kinds(kinds);
  bool round = options->round;
  differ_control_kind kind = (differ_control_kind)(number % CONTROL_WAYS);
  uint64_t rest = number / CONTROL_WAYS;
  uint32_t class = (uint32_t)(rest / CONTROL_MODES % CONTROL_ELEMENTS);
  differ d = {.options = options, .counts = counts, .compiles = true};
  qn_random_begin_with(&d.m, choices, qn_profile_at((uint32_t)(rest % DIFFER_KERNELS))->name);
  seek s = {.kind = kinds[rest / CONTROL_MODES / CONTROL_ELEMENTS % rows]};
  if (round) {
    d.m.is_unsigned = class == DIFFER_UNSIGNED;
    if (class == DIFFER_WORDS) qn_random_use_words(&d.m);
    d.m.elements = elements[class];
    d.m.variable = rest % CONTROL_MODES ? 100 : 0;
    qn_random_fill_kind(&d.m, s.kind);
    (void)differ_enclose(&d.m, kind, true);
  } else {
    enum { MOST_OPS = 8, MOST_ENCLOSED = 4 };
    d.compiles = false;
    if (qn_choose(&d.m.choices, 4) == 3) qn_random_use_words(&d.m);
    qn_random_fill_model(&d.m, 1 + (uint32_t)qn_choose(&d.m.choices, MOST_OPS));
    for (uint64_t n = 1 + qn_choose(&d.m.choices, MOST_ENCLOSED); n > 0; n--)
      (void)differ_enclose(&d.m, (differ_control_kind)qn_choose(&d.m.choices, DIFFER_CONTROL_KINDS),
                           false);
  }
  qn_walk_pre(d.m.module->op, find_kind, &s);
  uint64_t unsupported = counts->unsupported, jits = counts->jits;
  bool ok = differ_check_model(&d, number % 4 != 3);
  if (counts->coverage && round && s.found && counts->unsupported == unsupported &&
      counts->jits > jits)
    counts->coverage->enclosed[s.kind] |= (uint8_t)(1 << kind);
  differ_end(&d);
  return ok;
}

bool differ_control_print(const differ_coverage *coverage) {
  qn_op_kind kinds[QN_OP_COUNT];
  uint32_t rows = (uint32_t)qn_random_kinds(kinds), missing = 0;
  for (uint32_t i = 0; i < rows; i++) {
    uint8_t has = coverage->enclosed[kinds[i]];
    if (has == (1 << DIFFER_CONTROL_KINDS) - 1) continue;
    fprintf(stderr, "%s was not compiled in all branches and loops (%x)\n",
            qn_op_infos[kinds[i]].name, has);
    missing++;
  }
  printf("%u rows, %u compiled in branches and loops\n", rows, rows - missing);
  return missing == 0;
}
