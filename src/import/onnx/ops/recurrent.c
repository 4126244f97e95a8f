/* LSTM, GRU and RNN, step by step. A cell is one formula of several operators, so its states stay
 * f64 from step to step, and only results are rounded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/parts.h"
#include "ir/ops/forms.h"

enum { X, WEIGHTS, RECURRENT, BIAS, LENGTHS, INITIAL_H, INITIAL_C, PEEPHOLES };
enum { MOST_GATES = 4, MOST_ROLES = 3, MOST_STEPS = 4096 };

/* ---- activations ---- */

typedef struct function function;
typedef qn_value *apply_fn(qn_graph_op *op, const function *f, qn_value *x);
struct function {
  const char *name;
  apply_fn *apply;
  qn_op_kind kind;  /* the op, if there is one */
  bool takes[2];    /* it has a number alpha, and a number beta */
  float numbers[2]; /* defaults of both */
};

static qn_value *by_op(qn_graph_op *op, const function *f, qn_value *x) {
  return qn_onnx_unary(op, f->kind, x);
}
static qn_value *scaled(qn_graph_op *op, const function *f, uint32_t i, qn_value *x) {
  return qn_onnx_with(op, QN_OP_ML_MUL, x, (double)f->numbers[i]);
}
static qn_value *affine(qn_graph_op *op, const function *f, qn_value *x) {
  return qn_onnx_with(op, QN_OP_ML_ADD, scaled(op, f, 0, x), (double)f->numbers[1]);
}
static qn_value *hard_sigmoid(qn_graph_op *op, const function *f, qn_value *x) {
  x = qn_onnx_with(op, QN_OP_ML_MAXIMUM, affine(op, f, x), 0);
  return qn_onnx_with(op, QN_OP_ML_MINIMUM, x, 1);
}
static qn_value *scaled_tanh(qn_graph_op *op, const function *f, qn_value *x) {
  return scaled(op, f, 0, qn_onnx_unary(op, QN_OP_ML_TANH, scaled(op, f, 1, x)));
}
static qn_value *above(qn_graph_op *op, qn_value *x, double number) {
  return x ? qn_onnx_compare(op, QN_OP_ML_GREATER, x, qn_onnx_double(op, number)) : NULL;
}
static qn_value *relu(qn_graph_op *op, const function *f, qn_value *x) {
  (void)f;
  return qn_onnx_with(op, QN_OP_ML_MAXIMUM, x, 0);
}
static qn_value *leaky(qn_graph_op *op, const function *f, qn_value *x) {
  qn_value *positive = above(op, x, 0), *below = scaled(op, f, 0, x);
  return qn_onnx_choose(op, positive, x, below);
}
static qn_value *thresholded(qn_graph_op *op, const function *f, qn_value *x) {
  qn_value *is = above(op, x, (double)f->numbers[0]), *zero = qn_onnx_double(op, 0);
  return qn_onnx_choose(op, is, x, zero);
}
static qn_value *elu(qn_graph_op *op, const function *f, qn_value *x) {
  qn_value *positive = above(op, x, 0);
  qn_value *e = qn_onnx_unary(op, QN_OP_ML_EXP, qn_onnx_with(op, QN_OP_ML_MINIMUM, x, 0));
  qn_value *below = scaled(op, f, 0, qn_onnx_with(op, QN_OP_ML_SUB, e, 1));
  return qn_onnx_choose(op, positive, x, below);
}

static const function functions[] = {
    {"Sigmoid", by_op, QN_OP_ML_SIGMOID, {false, false}, {0, 0}},
    {"Tanh", by_op, QN_OP_ML_TANH, {false, false}, {0, 0}},
    {"Relu", relu, QN_OP_ML_RELU, {false, false}, {0, 0}},
    {"Softplus", by_op, QN_OP_ML_SOFTPLUS, {false, false}, {0, 0}},
    {"Softsign", by_op, QN_OP_ML_SOFTSIGN, {false, false}, {0, 0}},
    {"Affine", affine, QN_OP_ML_MUL, {true, true}, {1, 0}},
    {"HardSigmoid", hard_sigmoid, QN_OP_ML_MUL, {true, true}, {0.2F, 0.5F}},
    {"ScaledTanh", scaled_tanh, QN_OP_ML_MUL, {true, true}, {1, 1}},
    {"LeakyRelu", leaky, QN_OP_ML_MUL, {true, false}, {0.01F, 0}},
    {"ThresholdedRelu", thresholded, QN_OP_ML_MUL, {true, false}, {1, 0}},
    {"Elu", elu, QN_OP_ML_MUL, {true, false}, {1, 0}},
};

/* ---- what the node says ---- */

typedef struct cell cell;
typedef struct state {
  qn_value *h, *c; /* [batch, hidden]; c of LSTM */
} state;
typedef state step_fn(qn_graph_op *op, const cell *r, qn_value *x, state s);

typedef struct kind {
  const char *name;
  uint32_t gates, roles; /* roles: activations of a direction */
  const char *usual[MOST_ROLES];
  step_fn *step;
} kind;

/* One direction of the layer, as f64. */
struct cell {
  const kind *kind;
  function roles[MOST_ROLES];
  float clip; /* 0: none */
  bool has_linear_reset, couples_forget;
  int64_t hidden;
  qn_value *recurrent;             /* [hidden, gates * hidden] */
  qn_value *bias;                  /* [gates * hidden] added to h * recurrent; NULL: none */
  qn_value *peepholes[MOST_ROLES]; /* [hidden] of input, output and forget gate; NULL: none */
};

typedef struct layer {
  const kind *kind;
  cell cells[2];
  bool batch_first, is_reverse[2];
  uint32_t directions;
  int64_t steps, batch, hidden;
  qn_value *lengths; /* i64 [batch, 1]; NULL: all steps */
} layer;

/* Activations take numbers from the lists in their order; those without one take none. */
static bool find_function(qn_graph_op *op, qn_str name, function *out) {
  for (size_t i = 0; i < QN_COUNT(functions); i++)
    if (qn_str_is(name, functions[i].name)) {
      *out = functions[i];
      return true;
    }
  name = qn_graph_printable(&op->graph->arena, name, 40);
  return qn_graph_error(op, NULL, QN_INVALID, "unknown activation '%.*s'", QN_STR_ARG(name));
}

static bool read_activations(qn_graph_op *op, layer *l) {
  enum { MOST = 2 * MOST_ROLES };
  static const char *const lists[] = {"activation_alpha", "activation_beta"};
  const uint32_t roles = l->kind->roles, all = roles * l->directions;
  float numbers[2][MOST];
  uint32_t counts[2], used[2] = {0, 0};
  const qn_pb_message *names = qn_onnx_attribute(op, "activations", QN_ONNX_ATTR_STRINGS);
  for (uint32_t k = 0; k < 2; k++)
    if (!qn_onnx_floats(op, lists[k], MOST, numbers[k], &counts[k])) return false;
  const size_t stated = names ? qn_pb_count(names, QN_PB_ATTRIBUTE_STRINGS) : 0;
  if (stated != 0 && stated != all)
    return qn_graph_error(op, NULL, QN_INVALID, "%zu activations where %u are expected", stated,
                          all);
  qn_pb_walk walk = qn_pb_begin(names, QN_PB_ATTRIBUTE_STRINGS);
  for (uint32_t i = 0; i < all; i++) {
    qn_str name = qn_str_of(l->kind->usual[i % roles]);
    function *f = &l->cells[i / roles].roles[i % roles];
    if (stated && !qn_pb_next_string(&walk, &name)) return false;
    if (!find_function(op, name, f)) return false;
    for (uint32_t k = 0; k < 2; k++) {
      if (f->takes[k] && used[k] < counts[k]) f->numbers[k] = numbers[k][used[k]];
      used[k] += f->takes[k];
    }
  }
  return true;
}

/* ---- operands ---- */

static bool has_shape(qn_graph_op *op, uint32_t i, uint32_t rank, const int64_t *dims) {
  const qn_graph_tensor *x = qn_graph_input(op, i);
  bool fits = x && x->shape.rank == rank;
  for (uint32_t d = 0; fits && d < rank; d++) fits = x->shape.dims[d] == dims[d];
  return fits ||
         (x && qn_graph_error(op, x, QN_INVALID,
                              "operand %u does not have the shape that the others imply", i));
}

/* Slice i of the first dimension, without it. */
static qn_value *slice(qn_graph_op *op, qn_value *x, int64_t i) {
  qn_value *part = qn_onnx_cut(op, x, 0, i, i + 1);
  return part ? qn_onnx_viewed(op, part, qn_onnx_rank(x) - 1, part->type->shaped.dims + 1) : NULL;
}

static bool read_sizes(qn_graph_op *op, layer *l) {
  static const char *const words[] = {"forward", "reverse", "bidirectional", NULL};
  const qn_graph_tensor *x = qn_graph_input(op, X), *r = qn_graph_input(op, RECURRENT);
  uint32_t direction;
  if (op->failed || !qn_onnx_word(op, "direction", "forward", words, &direction)) return false;
  if (x->shape.rank != 3 || r->shape.rank != 3)
    return qn_graph_error(op, x, QN_INVALID, "its input and its weights must have rank 3");
  l->batch_first = qn_onnx_int(op, "layout", 0) != 0;
  l->directions = direction == 2 ? 2 : 1;
  l->is_reverse[0] = direction == 1, l->is_reverse[1] = true;
  l->steps = x->shape.dims[l->batch_first], l->batch = x->shape.dims[!l->batch_first];
  l->hidden = r->shape.dims[2];
  const int64_t stated = qn_onnx_int(op, "hidden_size", l->hidden);
  if (op->failed) return false;
  if (stated != l->hidden)
    return qn_graph_error(op, r, QN_INVALID, "weights of %lld units where hidden_size is %lld",
                          (long long)l->hidden, (long long)stated);
  if (l->steps > MOST_STEPS)
    return qn_graph_error(op, x, QN_LIMIT, "more than %d steps", MOST_STEPS);
  if (!qn_graph_has_elements(op, x) || !qn_graph_has_elements(op, r)) return false;
  const int64_t rows = l->kind->gates * l->hidden, d = l->directions, h = l->hidden;
  const qn_graph_shape gates = {3, {l->steps, l->batch, rows}};
  if (!qn_graph_check_size(op, x, &gates)) return false;
  const int64_t shapes[2][3] = {{d, l->batch, h}, {l->batch, d, h}};
  static const uint32_t states[] = {INITIAL_H, INITIAL_C};
  for (uint32_t i = 0; i < QN_COUNT(states); i++)
    if (qn_graph_has_input(op, states[i]) && !has_shape(op, states[i], 3, shapes[l->batch_first]))
      return false;
  return has_shape(op, WEIGHTS, 3, (int64_t[]){d, rows, x->shape.dims[2]}) &&
         has_shape(op, RECURRENT, 3, (int64_t[]){d, rows, h}) &&
         (!qn_graph_has_input(op, BIAS) || has_shape(op, BIAS, 2, (int64_t[]){d, 2 * rows})) &&
         (!qn_graph_has_input(op, LENGTHS) || has_shape(op, LENGTHS, 1, &l->batch)) &&
         (!qn_graph_has_input(op, PEEPHOLES) || has_shape(op, PEEPHOLES, 2, (int64_t[]){d, 3 * h}));
}

static bool read_layer(qn_graph_op *op, layer *l) {
  if (!read_sizes(op, l) || !read_activations(op, l)) return false;
  const float clip = qn_onnx_float(op, "clip", 0);
  const bool resets = qn_onnx_int(op, "linear_before_reset", 0) != 0,
             couples = qn_onnx_int(op, "input_forget", 0) != 0;
  if (op->failed) return false;
  if (!(clip >= 0)) return qn_graph_error(op, NULL, QN_INVALID, "'clip' is %g", (double)clip);
  for (uint32_t i = 0; i < l->directions; i++) {
    cell *c = &l->cells[i];
    c->kind = l->kind, c->hidden = l->hidden, c->clip = clip;
    c->has_linear_reset = resets, c->couples_forget = couples;
  }
  if (!qn_graph_has_input(op, LENGTHS)) return true;
  qn_graph_tensor *lengths = qn_graph_input(op, LENGTHS);
  if (!lengths || !qn_graph_is_index(lengths->dtype))
    return lengths && qn_graph_error(op, lengths, QN_INVALID, "lengths of type %s",
                                     qn_graph_dtype_name(lengths->dtype));
  qn_value *v = qn_onnx_as(op, qn_onnx_value(op, lengths), qn_onnx_i64(op));
  l->lengths = qn_onnx_viewed(op, v, 2, (int64_t[]){l->batch, 1});
  return l->lengths != NULL;
}

/* ---- cells ---- */

static qn_value *gate(qn_graph_op *op, const cell *r, qn_value *x, uint32_t i) {
  return qn_onnx_cut(op, x, 1, i * r->hidden, (i + 1) * r->hidden);
}

static qn_value *activated(qn_graph_op *op, const cell *r, uint32_t role, qn_value *x) {
  const function *f = &r->roles[role];
  if (r->clip > 0) {
    x = qn_onnx_with(op, QN_OP_ML_MINIMUM, x, (double)r->clip);
    x = qn_onnx_with(op, QN_OP_ML_MAXIMUM, x, -(double)r->clip);
  }
  return f->apply(op, f, x);
}

static qn_value *sum(qn_graph_op *op, qn_value *x, qn_value *y) {
  return qn_onnx_binary(op, QN_OP_ML_ADD, x, y);
}
static qn_value *times(qn_graph_op *op, qn_value *x, qn_value *y) {
  return qn_onnx_binary(op, QN_OP_ML_MUL, x, y);
}
static qn_value *one_minus(qn_graph_op *op, qn_value *x) {
  return x ? qn_onnx_binary(op, QN_OP_ML_SUB, qn_onnx_double(op, 1), x) : NULL;
}

/* h times the recurrent weights of gates [from, to), and their bias. */
static qn_value *recurred(qn_graph_op *op, const cell *r, qn_value *h, uint32_t from, uint32_t to) {
  const int64_t begin = from * r->hidden, end = to * r->hidden;
  qn_value *y = qn_onnx_product(op, h, qn_onnx_cut(op, r->recurrent, 1, begin, end));
  return r->bias ? sum(op, y, qn_onnx_cut(op, r->bias, 0, begin, end)) : y;
}

static state step_rnn(qn_graph_op *op, const cell *r, qn_value *x, state s) {
  x = sum(op, x, recurred(op, r, s.h, 0, 1));
  return (state){activated(op, r, 0, x), NULL};
}

/* Gates: update, reset, hidden. */
static state step_gru(qn_graph_op *op, const cell *r, qn_value *x, state s) {
  qn_value *both = recurred(op, r, s.h, 0, 2);
  both = sum(op, qn_onnx_cut(op, x, 1, 0, 2 * r->hidden), both);
  qn_value *update = activated(op, r, 0, gate(op, r, both, 0));
  qn_value *reset = activated(op, r, 0, gate(op, r, both, 1));
  qn_value *hidden;
  if (r->has_linear_reset)
    hidden = times(op, reset, recurred(op, r, s.h, 2, 3));
  else
    hidden = recurred(op, r, times(op, reset, s.h), 2, 3);
  hidden = activated(op, r, 1, sum(op, gate(op, r, x, 2), hidden));
  qn_value *fresh = times(op, one_minus(op, update), hidden), *kept = times(op, update, s.h);
  return (state){sum(op, fresh, kept), NULL};
}

static qn_value *peeped(qn_graph_op *op, const cell *r, uint32_t i, qn_value *x, qn_value *c) {
  return r->peepholes[i] ? sum(op, x, times(op, c, r->peepholes[i])) : x;
}

/* Gates: input, output, forget, cell. */
static state step_lstm(qn_graph_op *op, const cell *r, qn_value *x, state s) {
  qn_value *all = sum(op, x, recurred(op, r, s.h, 0, 4));
  qn_value *in = activated(op, r, 0, peeped(op, r, 0, gate(op, r, all, 0), s.c));
  qn_value *forget = r->couples_forget
                         ? one_minus(op, in)
                         : activated(op, r, 0, peeped(op, r, 2, gate(op, r, all, 2), s.c));
  qn_value *fresh = times(op, in, activated(op, r, 1, gate(op, r, all, 3)));
  qn_value *c = sum(op, times(op, forget, s.c), fresh);
  qn_value *out = activated(op, r, 0, peeped(op, r, 1, gate(op, r, all, 1), c));
  const function *f = &r->roles[2];
  return (state){times(op, out, f->apply(op, f, c)), c};
}

static const kind kinds[] = {
    {"RNN", 1, 1, {"Tanh"}, step_rnn},
    {"GRU", 3, 2, {"Sigmoid", "Tanh"}, step_gru},
    {"LSTM", 4, 3, {"Sigmoid", "Tanh", "Tanh"}, step_lstm},
};

/* ---- directions ---- */

/* Operand i of a direction: [hidden] or [batch, hidden]; zeros if it is absent. */
static qn_value *initial(qn_graph_op *op, const layer *l, uint32_t i, uint32_t direction) {
  const qn_graph_shape shape = {2, {l->batch, l->hidden}};
  if (!qn_graph_has_input(op, i)) return qn_onnx_filled(op, qn_onnx_double(op, 0), &shape);
  qn_value *x = qn_onnx_real(op, i);
  if (x && l->batch_first) x = qn_onnx_permuted(op, x, (int64_t[]){1, 0, 2});
  return slice(op, x, direction);
}

/* Adds the biases of both products, except that one is multiplied by the reset gate. */
static bool open_bias(qn_graph_op *op, cell *c, qn_value **x, uint32_t direction) {
  if (!qn_graph_has_input(op, BIAS)) return true;
  const int64_t rows = c->kind->gates * c->hidden;
  qn_value *both = slice(op, qn_onnx_real(op, BIAS), direction);
  c->bias = qn_onnx_cut(op, both, 0, rows, 2 * rows);
  *x = sum(op, *x, qn_onnx_cut(op, both, 0, 0, rows));
  return *x && c->bias;
}

/* The weights of a direction, transposed. */
static qn_value *weights_of(qn_graph_op *op, uint32_t i, uint32_t direction) {
  qn_value *w = slice(op, qn_onnx_real(op, i), direction);
  return qn_onnx_permuted(op, w, (int64_t[]){1, 0});
}

/* x [steps, batch, size] times the weights, with the bias: [steps, batch, gates * hidden]. */
static qn_value *open_direction(qn_graph_op *op, const layer *l, qn_value *x, cell *c,
                                uint32_t direction) {
  qn_value *w = weights_of(op, WEIGHTS, direction);
  const int64_t rows = c->kind->gates * c->hidden;
  if (!x || !w) return NULL;
  qn_value *flat = qn_onnx_viewed(op, x, 2, (int64_t[]){l->steps * l->batch, qn_onnx_dim(x, 2)});
  qn_value *y = qn_onnx_product(op, flat, w);
  y = qn_onnx_viewed(op, y, 3, (int64_t[]){l->steps, l->batch, rows});
  c->recurrent = weights_of(op, RECURRENT, direction);
  if (!y || !c->recurrent || !open_bias(op, c, &y, direction)) return NULL;
  if (!qn_graph_has_input(op, PEEPHOLES)) return y;
  qn_value *all = slice(op, qn_onnx_real(op, PEEPHOLES), direction);
  for (uint32_t i = 0; i < MOST_ROLES; i++)
    c->peepholes[i] = qn_onnx_cut(op, all, 0, i * c->hidden, (i + 1) * c->hidden);
  return all ? y : NULL;
}

/* Keeps the state of batch elements that have ended. */
static state masked(qn_graph_op *op, qn_value *runs, state now, state before) {
  if (!runs) return now;
  now.h = qn_onnx_choose(op, runs, now.h, before.h);
  if (now.c) now.c = qn_onnx_choose(op, runs, now.c, before.c);
  return now;
}

/* Runs a direction. Outputs are [batch, hidden] for each step. */
static bool run_direction(qn_graph_op *op, layer *l, qn_value *x, uint32_t direction,
                          qn_value **outputs, state *out_last) {
  cell *c = &l->cells[direction];
  state s = {initial(op, l, INITIAL_H, direction), NULL};
  if (l->kind->step == step_lstm) s.c = initial(op, l, INITIAL_C, direction);
  x = open_direction(op, l, x, c, direction);
  for (int64_t i = 0; x && s.h && i < l->steps; i++) {
    const int64_t at = l->is_reverse[direction] ? l->steps - 1 - i : i;
    qn_value *number = qn_onnx_whole(op, qn_onnx_i64(op), at), *runs = NULL;
    if (l->lengths) runs = qn_onnx_compare(op, QN_OP_ML_LESS, number, l->lengths);
    const state before = s;
    s = masked(op, runs, l->kind->step(op, c, slice(op, x, at), s), before);
    outputs[at] = runs ? qn_onnx_choose(op, runs, s.h, qn_onnx_double(op, 0)) : s.h;
  }
  *out_last = s;
  return x && s.h;
}

/* ---- results ---- */

/* A state of both directions, as [directions, batch, hidden] or [batch, directions, hidden]. */
static void give_state(qn_graph_op *op, const layer *l, uint32_t i, qn_value *const *parts) {
  qn_value *shaped[2] = {NULL, NULL};
  if (!qn_onnx_wants(op, i)) return;
  const int64_t dims[2][3] = {{1, l->batch, l->hidden}, {l->batch, 1, l->hidden}};
  for (uint32_t k = 0; k < l->directions; k++)
    shaped[k] = qn_onnx_viewed(op, parts[k], 3, dims[l->batch_first]);
  qn_onnx_give_real(op, i, qn_onnx_joined(op, shaped, l->directions, l->batch_first));
}

/* All outputs, as [steps, directions, batch, hidden] or [batch, steps, directions, hidden]. */
static void give_outputs(qn_graph_op *op, const layer *l, qn_value *const *outputs) {
  const uint32_t count = (uint32_t)l->steps;
  qn_value *directions[2], **parts = QN_NEW_ARRAY(&op->graph->arena, count, qn_value *);
  if (!qn_onnx_wants(op, 0)) return;
  for (uint32_t k = 0; k < l->directions; k++) {
    for (uint32_t i = 0; i < count; i++)
      parts[i] =
          qn_onnx_viewed(op, outputs[k * count + i], 4, (int64_t[]){1, 1, l->batch, l->hidden});
    directions[k] = qn_onnx_joined(op, parts, count, 0);
  }
  qn_value *y = qn_onnx_joined(op, directions, l->directions, 1);
  if (l->batch_first) y = qn_onnx_permuted(op, y, (int64_t[]){2, 0, 1, 3});
  qn_onnx_give_real(op, 0, y);
}

static void build(qn_graph_op *op, layer *l) {
  qn_value *x = qn_onnx_real(op, X), *h[2], *c[2];
  qn_value **outputs =
      QN_NEW_ARRAY(&op->graph->arena, (size_t)(l->steps * l->directions), qn_value *);
  if (x && l->batch_first) x = qn_onnx_permuted(op, x, (int64_t[]){1, 0, 2});
  for (uint32_t k = 0; k < l->directions; k++) {
    state last;
    if (!run_direction(op, l, x, k, outputs + k * l->steps, &last)) {
      op->failed = true;
      return;
    }
    h[k] = last.h, c[k] = last.c;
  }
  give_outputs(op, l, outputs);
  give_state(op, l, 1, h);
  give_state(op, l, 2, c);
}

void qn_onnx_import_recurrent(qn_graph_op *op) {
  layer l = {0};
  for (size_t i = 0; i < QN_COUNT(kinds); i++)
    if (strcmp(kinds[i].name, op->row->name) == 0) l.kind = &kinds[i];
  QN_ASSERT(l.kind);
  if (read_layer(op, &l)) build(op, &l);
}
