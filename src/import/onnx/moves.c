/* Where onnxruntime's transpose optimizer leaves each Transpose, for the profile "ort". It visits
 * the nodes in order, and moves a Transpose from before a node to after it if that costs less than
 * nothing: each operand that loses a Transpose counts -1, each that gains one 1, and a result that
 * gains one 1 unless its only reader leads to another Transpose. Two that meet become one, or
 * vanish. The optimizer counts the dimensions other than 1 of each tensor instead, which are not
 * known here.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/simplify.h"

/* ---- operators ---- */

typedef enum effect {
  KEEPS,   /* the result has the dimensions of the operand */
  REDUCES, /* its Transpose costs nothing: fewer of its dimensions are not 1 */
  RESIZES, /* it has another number of dimensions */
  STOPS    /* a Transpose does not move over it, but over other readers of the same tensor */
} effect;

/* Names are separated by spaces. */
static const struct group {
  const char *names;
  bool all; /* all operands are transposed, not only the first */
  effect effect;
} groups[] = {
    {"Add Sub Mul Div Mod Max Min Mean Sum Pow PRelu Where And Or Xor BitShift Equal Greater Less "
     "GreaterOrEqual LessOrEqual Concat QLinearAdd QLinearMul QLinearConcat",
     true, KEEPS},
    {"QuantizeLinear DequantizeLinear Cast CastLike Identity Clip Relu LeakyRelu ThresholdedRelu "
     "Selu Celu Shrink Sigmoid HardSigmoid HardSwish Gelu Erf Exp Log Sqrt Reciprocal Abs Neg Sign "
     "Not Floor Ceil Round Softplus Softsign IsInf IsNaN Sin Cos Tan Sinh Cosh Tanh Asin Acos Atan "
     "Asinh Acosh Atanh Split Pad Slice Tile Softmax LogSoftmax Hardmax QLinearLeakyRelu "
     "QLinearSigmoid QLinearSoftmax",
     false, KEEPS},
    {"ReduceMax ReduceMin ReduceMean ReduceSum ReduceProd ReduceL1 ReduceL2 ReduceLogSum "
     "ReduceLogSumExp ReduceSumSquare QLinearReduceMean ArgMax ArgMin",
     false, REDUCES},
    {"Squeeze Unsqueeze", false, RESIZES},
    {"Transpose Reshape Shape MaxPool Resize QLinearAveragePool QLinearGlobalAveragePool", false,
     STOPS},
};

static bool has_name(const char *names, const char *name) {
  const size_t size = strlen(name);
  for (const char *at = names; *at; at += strspn(at, " ")) {
    const size_t length = strcspn(at, " ");
    if (length == size && memcmp(at, name, size) == 0) return true;
    at += length;
  }
  return false;
}

static const struct group *group_of(const qn_onnx_node *node) {
  for (size_t i = 0; i < QN_COUNT(groups) && node->row; i++)
    if (has_name(groups[i].names, node->row->row.name)) return &groups[i];
  return NULL;
}

/* ---- permutations ---- */

/* rank 0: one that is not computed, after an operator with another number of dimensions. */
typedef struct order {
  uint32_t rank;
  int64_t axes[QN_GRAPH_MAX_RANK];
} order;

static bool are_equal(const order *a, const order *b) {
  if (a->rank == 0 || b->rank == 0) return a == b;
  return a->rank == b->rank && memcmp(a->axes, b->axes, a->rank * sizeof *a->axes) == 0;
}

static bool is_identity(const order *o) {
  for (uint32_t i = 0; i < o->rank; i++)
    if (o->axes[i] != i) return false;
  return o->rank > 0;
}

/* Reads the attribute "perm", without which the optimizer does nothing. */
static bool read_order(qn_onnx *im, const qn_onnx_node *transpose, order *out) {
  qn_onnx_op op = qn_onnx_open_op(im, transpose);
  uint64_t seen = 0;
  if (!qn_onnx_ints(&op.op, "perm", QN_GRAPH_MAX_RANK, out->axes, &out->rank)) return false;
  for (uint32_t i = 0; i < out->rank; i++) {
    if (out->axes[i] < 0 || out->axes[i] >= out->rank) return false;
    seen |= UINT64_C(1) << out->axes[i];
  }
  return out->rank > 0 && seen == (UINT64_C(1) << out->rank) - 1;
}

/* ---- the state of the optimizer ---- */

typedef struct optimizer {
  qn_onnx *im;
  /* by node */
  const struct group **groups; /* NULL: the optimizer does not know it */
  /* by tensor */
  bool *leads;          /* operators lead from it to a Transpose */
  bool *fixed;          /* a reader is not known, or is no node: a Transpose stays before it */
  uint32_t *readers;    /* nodes, after each reader has a DequantizeLinear of its own */
  const order **orders; /* of the Transpose that writes it now; NULL if none does */
  qn_onnx_move *moves;
} optimizer;

static optimizer begin(qn_onnx *im) {
  qn_arena *arena = &im->graph.arena;
  const size_t tensors = (size_t)im->graph.tensor_count + 1;
  return (optimizer){.im = im,
                     .groups =
                         QN_NEW_ARRAY(arena, (size_t)im->node_count + 1, const struct group *),
                     .leads = QN_NEW_ARRAY(arena, tensors, bool),
                     .fixed = QN_NEW_ARRAY(arena, tensors, bool),
                     .readers = QN_NEW_ARRAY(arena, tensors, uint32_t),
                     .orders = QN_NEW_ARRAY(arena, tensors, const order *),
                     .moves = QN_NEW_ARRAY(arena, tensors, qn_onnx_move)};
}

/* How many nodes onnxruntime makes of it: readers of a DequantizeLinear have one each. */
static uint32_t copies_of(const qn_onnx *im, const qn_onnx_node *node) {
  const int32_t y = qn_onnx_first_result(node);
  if (y < 0 || !qn_onnx_is(node, "DequantizeLinear")) return 1;
  const uint32_t readers = im->extras[y].readers + im->extras[y].is_result;
  return readers > 1 ? readers : 1;
}

static void count_readers(optimizer *o) {
  const qn_onnx_node **last = QN_NEW_ARRAY(
      &o->im->graph.arena, (size_t)o->im->graph.tensor_count + 1, const qn_onnx_node *);
  for (uint32_t i = 0; i < o->im->node_count; i++) {
    const qn_onnx_node *node = &o->im->nodes[i];
    o->groups[i] = group_of(node);
    for (uint32_t k = 0; k < node->input_count && !node->removed; k++) {
      const int32_t x = node->inputs[k];
      if (x < 0) continue;
      if (last[x] != node) o->readers[x] += copies_of(o->im, node);
      last[x] = node;
      o->fixed[x] |= k >= node->operand_count || !o->groups[i];
    }
  }
  for (uint32_t i = 0; i < o->im->graph.tensor_count; i++)
    o->fixed[i] |= o->im->extras[i].is_result;
}

static uint32_t operands_of(const optimizer *o, const qn_onnx_node *node) {
  const struct group *group = o->groups[node->index];
  if (!group) return 0;
  return group->all || node->operand_count == 0 ? node->operand_count : 1;
}

static void find_leads(optimizer *o) {
  for (uint32_t i = o->im->order_count; i-- > 0;) {
    const qn_onnx_node *node = o->im->order[i];
    bool leads = qn_onnx_is(node, "Transpose");
    const struct group *group = o->groups[node->index];
    for (uint32_t k = 0; k < node->output_count && group && group->effect != STOPS; k++)
      leads |= node->outputs[k] >= 0 && o->leads[node->outputs[k]];
    for (uint32_t k = 0; k < operands_of(o, node) && leads; k++)
      if (node->inputs[k] >= 0) o->leads[node->inputs[k]] = true;
  }
}

/* ---- costs ---- */

/* The tensor written by the Transpose before operand k, perhaps before a DequantizeLinear; -1 if
 * there is none. */
static int32_t transposed_before(const optimizer *o, const qn_onnx_node *node, uint32_t k) {
  int32_t x = node->inputs[k];
  if (o->orders[x]) return x;
  const qn_onnx_node *writer = qn_onnx_writer(o->im, x);
  if (!writer || !qn_onnx_is(writer, "DequantizeLinear") || writer->operand_count == 0) return -1;
  x = writer->inputs[0];
  return x >= 0 && o->orders[x] ? x : -1;
}

static bool is_constant(const optimizer *o, int32_t number) {
  const qn_onnx_node *writer = qn_onnx_writer(o->im, number);
  if (writer && qn_onnx_is(writer, "DequantizeLinear") && writer->operand_count > 0 &&
      writer->inputs[0] >= 0) {
    number = writer->inputs[0];
    writer = qn_onnx_writer(o->im, number);
  }
  if (writer) return qn_onnx_is(writer, "Constant");
  return !o->im->graph.tensors[number].is_input;
}

static int32_t cost_of_operand(const optimizer *o, const qn_onnx_node *node, uint32_t k,
                               const order *by) {
  const int32_t x = node->inputs[k];
  if (x < 0 || is_constant(o, x)) return 0;
  const int32_t before = transposed_before(o, node, k);
  if (before < 0) return 1;
  return are_equal(o->orders[before], by) && !o->fixed[before] ? -1 : 0;
}

static bool leads_alone(const optimizer *o, const qn_onnx_node *node) {
  for (uint32_t k = 0; k < node->output_count; k++) {
    const int32_t y = node->outputs[k];
    if (y >= 0 && o->leads[y] && o->readers[y] == 1 && !o->im->extras[y].is_result) return true;
  }
  return false;
}

static bool pays(const optimizer *o, const qn_onnx_node *node, const order *by) {
  int32_t cost = 0;
  for (uint32_t k = 0; k < operands_of(o, node); k++) cost += cost_of_operand(o, node, k, by);
  if (o->groups[node->index]->effect != REDUCES && !leads_alone(o, node)) cost++;
  return cost < 0;
}

/* Whether a Softmax that flattens its operand to a matrix has other rows after the Transpose, which
 * then stays. */
static bool mixes_rows(qn_onnx *im, const qn_onnx_node *node, const order *by) {
  const bool is_softmax =
      qn_onnx_is(node, "Softmax") || qn_onnx_is(node, "LogSoftmax") || qn_onnx_is(node, "Hardmax");
  if (!is_softmax || node->opset >= 13) return false;
  qn_onnx_op op = qn_onnx_open_op(im, node);
  int64_t axis = qn_onnx_int(&op.op, "axis", 1);
  if (axis < 0) axis += by->rank;
  for (uint32_t i = 0; i < by->rank; i++)
    if ((i < axis) != (by->axes[i] < axis)) return true;
  return false;
}

/* Reports a QLinearSoftmax that flattens its operand to a matrix and has other rows after the
 * Transpose: the optimizer moves that nevertheless, so that results are not those of the file. */
static void check_rows(qn_onnx *im, const qn_onnx_node *node, const order *by) {
  if (!qn_onnx_is(node, "QLinearSoftmax") || by->rank == 0) return;
  qn_onnx_op op = qn_onnx_open_op(im, node);
  if (qn_onnx_int(&op.op, "opset", 1) >= 13) return;
  int64_t axis = qn_onnx_int(&op.op, "axis", 1);
  if (axis < 0) axis += by->rank;
  if (axis < 0 || axis >= by->rank) return; /* reported when the node is imported */
  uint32_t i = 0;
  while (i < by->rank && (i < axis) == (by->axes[i] < by->axes[axis])) i++;
  if (i < by->rank)
    (void)qn_graph_error(&op.op, &im->graph.tensors[node->inputs[0]], QN_UNSUPPORTED,
                         "onnxruntime moves the Transpose before it to after it, and then computes "
                         "other rows than those of the file; with the attribute opset = 13 it "
                         "computes the same");
}

/* ---- moves ---- */

/* Notes that the Transpose that writes `x` is moved over a reader or, if that leaves nothing of it,
 * vanishes. */
static void note_move(optimizer *o, int32_t x, qn_onnx_move move) {
  if (o->moves[x] != QN_ONNX_VANISHES) o->moves[x] = move;
}

static void move_over(optimizer *o, const qn_onnx_node *node, const order *by) {
  const order *after = by;
  if (o->groups[node->index]->effect != KEEPS) after = QN_NEW(&o->im->graph.arena, order);
  if (is_identity(by)) after = NULL;
  for (uint32_t k = 0; k < operands_of(o, node); k++) {
    const int32_t x = node->inputs[k];
    if (x >= 0 && o->orders[x]) note_move(o, x, after ? QN_ONNX_MOVES : QN_ONNX_VANISHES);
  }
  for (uint32_t k = 0; k < node->output_count; k++)
    if (node->outputs[k] >= 0) o->orders[node->outputs[k]] = after;
}

/* A Transpose takes over the one that writes its operand. */
static void join(optimizer *o, const qn_onnx_node *transpose) {
  if (transpose->operand_count == 0 || transpose->inputs[0] < 0) return;
  const int32_t x = transpose->inputs[0], y = qn_onnx_first_result(transpose);
  order *own = QN_NEW(&o->im->graph.arena, order);
  if (y < 0 || !read_order(o->im, transpose, own)) return;
  o->orders[y] = own;
  const order *before = o->orders[x];
  if (!before || (before->rank > 0 && before->rank != own->rank)) return;
  note_move(o, x, is_identity(before) ? QN_ONNX_VANISHES : QN_ONNX_MOVES);
  if (is_identity(before)) return;
  if (before->rank == 0) own->rank = 0;
  for (uint32_t i = 0; i < own->rank; i++) own->axes[i] = before->axes[own->axes[i]];
  if (!is_identity(own)) return;
  note_move(o, y, QN_ONNX_VANISHES);
  o->orders[y] = NULL;
}

/* Operators with many operands are tried with the first few of them only. */
static void visit(optimizer *o, const qn_onnx_node *node) {
  enum { MOST_TRIES = 8 };
  if (qn_onnx_is(node, "Transpose")) {
    join(o, node);
    return;
  }
  const struct group *group = o->groups[node->index];
  if (!group || group->effect == STOPS) return;
  uint32_t tries = 0;
  for (uint32_t k = 0; k < operands_of(o, node) && tries < MOST_TRIES; k++) {
    const order *by = node->inputs[k] < 0 ? NULL : o->orders[node->inputs[k]];
    if (!by) continue;
    tries++;
    if (!pays(o, node, by) || mixes_rows(o->im, node, by)) continue;
    check_rows(o->im, node, by);
    move_over(o, node, by);
    return;
  }
}

const qn_onnx_move *qn_onnx_find_moves(qn_onnx *im) {
  optimizer o = begin(im);
  count_readers(&o);
  find_leads(&o);
  for (uint32_t i = 0; i < im->order_count; i++)
    if (!im->order[i]->removed) visit(&o, im->order[i]);
  return o.moves;
}
