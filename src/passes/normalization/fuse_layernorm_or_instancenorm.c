/* fuse-layernorm-or-instancenorm: replaces the ops that compute a normalization from mean and
 * variance by one op.
 *
 *   m = mean(x), d = x - m, v = mean(d * d), r = 1 / sqrt(v + epsilon)
 *   d * r                                     ->   ml.layer_norm or ml.instance_norm of x
 *   d * r * gamma + beta                           the same with gamma and beta
 *   (d * r + beta) * gamma                         with beta * gamma
 *   d / sqrt(v + epsilon) * gamma + beta
 *   x * (r * gamma) + (beta - m * (r * gamma))
 *   x * r + m * r * -1
 *   s = sum(x) / n, v = sum(x * x) / n - s * s     the form before, with s for m
 *
 * A square is an ml.square or a product, a root an ml.sqrt or a power of 0.5. Operands of products
 * and sums can be in any order. Both reductions have the same axes and keep dimensions; sums are
 * multiplied by 1 / n, where n is the number of terms. No other op reads an intermediate result; x
 * may have other uses. Parameters are constants with one element, or with an element per channel if
 * the means are over rows and columns (channels first or last), or with the shape of the reduced
 * dimensions. A d * r that only a sum or product with a constant reads is left to the forms with
 * parameters. Applies to floats only.
 *
 * This file is long, because there is a rule for each of the eight forms.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: approximate: a variance from sums of squares loses
 * digits, which the op does not.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/normalization/norm.h"
#include "ir/ops/forms.h"

#define ANY                                                                                        \
  { .flags = QN_ANY_VALUE }
#define LITERAL                                                                                    \
  { .flags = QN_ANY_VALUE | QN_LITERAL }
#define OP(kind, ...)                                                                              \
  {                                                                                                \
    .kinds = {kind}, .operands = { __VA_ARGS__ }                                                   \
  }
#define PAIR(kind, ...)                                                                            \
  {                                                                                                \
    .kinds = {kind}, .flags = QN_PLAIN | QN_EITHER_SIDE, .operands = { __VA_ARGS__ }               \
  }
#define DIFFERENCE(...)                                                                            \
  {                                                                                                \
    .kinds = {QN_OP_ML_SUB}, .flags = QN_PLAIN, .operands = { __VA_ARGS__ }                        \
  }
#define SQUARE(x)                                                                                  \
  {                                                                                                \
    .kinds = {QN_OP_ML_SQUARE, QN_OP_ML_MUL}, .flags = QN_PLAIN, .operands = { x }                 \
  }

/* Whether an op that matched the row SQUARE is a square: it has one operand, or twice the same. */
static bool is_square(const qn_op *op) {
  return op->operand_count == 1 || qn_op_operand(op, 0) == qn_op_operand(op, 1);
}

/* The last rows of most forms, from row r: r, v + epsilon, v, the square, d and m; then x, epsilon,
 * and gamma and beta in forms that have them. */
#define ROOT_ROWS(r)                                                                               \
  OP(QN_OP_ML_RSQRT, r + 1), PAIR(QN_OP_ML_ADD, r + 2, r + 7), OP(QN_OP_ML_REDUCE_MEAN, r + 3),    \
      SQUARE(r + 4), DIFFERENCE(r + 6, r + 5), OP(QN_OP_ML_REDUCE_MEAN, r + 6), ANY, LITERAL
enum { SUM, VARIANCE, SQUARED, D, M, X, EPSILON, GAMMA, BETA }; /* indices relative to row r + 1 */

static qn_value *from_root(qn_rewriter *rw, const qn_matched *m, uint32_t r, bool beta_first) {
  const uint32_t at = r + 1;
  if (!is_square(m->op[at + SQUARED]) || !qn_matched_alone(m, at + M)) return NULL;
  return qn_build_norm(rw, m,
                       &(qn_spelled_norm){.x = m->value[at + X],
                                          .mean = m->op[at + M],
                                          .variance = m->op[at + VARIANCE],
                                          .gamma = m->value[at + GAMMA],
                                          .beta = m->value[at + BETA],
                                          .epsilon = m->value[at + EPSILON],
                                          .beta_first = beta_first});
}
#define AT(r, row) ((r) + 1 + (row))

/* ---- d * r ---- */

enum { PLAIN_R = 1 };

/* Whether the only reader of y is a sum or product with a constant, so that a form with parameters
 * can match. */
static bool goes_on(const qn_value *y) {
  if (!qn_value_has_one_use(y)) return false;
  const qn_op *reader = y->first_use->owner;
  if (!qn_op_has(reader, QN_COMMUTATIVE)) return false; /* not a sum or product */
  const qn_value *a = qn_op_operand(reader, 0), *b = qn_op_operand(reader, 1);
  return qn_value_constant(a == y ? b : a) != NULL;
}
static qn_value *without(qn_rewriter *rw, const qn_matched *m) {
  return goes_on(m->value[0]) ? NULL : from_root(rw, m, PLAIN_R, false);
}
static const qn_graph_rule plain = {
    .rows = {PAIR(QN_OP_ML_MUL, PLAIN_R, AT(PLAIN_R, D)), ROOT_ROWS(PLAIN_R)}, .rewrite = without};

/* ---- d * r * gamma + beta, (d * r + beta) * gamma ---- */

enum { AFFINE_R = 3 };
static qn_value *gamma_first(qn_rewriter *rw, const qn_matched *m) {
  return from_root(rw, m, AFFINE_R, false);
}
static qn_value *beta_first(qn_rewriter *rw, const qn_matched *m) {
  return from_root(rw, m, AFFINE_R, true);
}
static const qn_graph_rule affine = {
    .rows = {PAIR(QN_OP_ML_ADD, 1, AT(AFFINE_R, BETA)), PAIR(QN_OP_ML_MUL, 2, AT(AFFINE_R, GAMMA)),
             PAIR(QN_OP_ML_MUL, AFFINE_R, AT(AFFINE_R, D)), ROOT_ROWS(AFFINE_R), LITERAL, LITERAL},
    .rewrite = gamma_first};
static const qn_graph_rule shifted = {
    .rows = {PAIR(QN_OP_ML_MUL, 1, AT(AFFINE_R, GAMMA)), PAIR(QN_OP_ML_ADD, 2, AT(AFFINE_R, BETA)),
             PAIR(QN_OP_ML_MUL, AFFINE_R, AT(AFFINE_R, D)), ROOT_ROWS(AFFINE_R), LITERAL, LITERAL},
    .rewrite = beta_first};

/* ---- x * (r * gamma) + (beta - m * (r * gamma)) ---- */

enum { SPREAD_R = 5 };
static qn_value *spread_of(qn_rewriter *rw, const qn_matched *m) {
  return from_root(rw, m, SPREAD_R, false);
}
static const qn_graph_rule spread = {
    .rows = {PAIR(QN_OP_ML_ADD, 1, 2), PAIR(QN_OP_ML_MUL, 4, AT(SPREAD_R, X)),
             DIFFERENCE(AT(SPREAD_R, BETA), 3), PAIR(QN_OP_ML_MUL, 4, AT(SPREAD_R, M)),
             PAIR(QN_OP_ML_MUL, SPREAD_R, AT(SPREAD_R, GAMMA)), ROOT_ROWS(SPREAD_R), LITERAL,
             LITERAL},
    .rewrite = spread_of};

/* ---- x * r + m * r * -1 ---- */

enum { NEGATED_R = 4, MINUS_ONE = 14 };
static qn_value *negated_of(qn_rewriter *rw, const qn_matched *m) {
  if (!qn_matched_floats(m) || !qn_literal_is(m->value[MINUS_ONE], -1)) return NULL;
  return from_root(rw, m, NEGATED_R, false);
}
static const qn_graph_rule negated = {
    .rows = {PAIR(QN_OP_ML_ADD, 1, 2), PAIR(QN_OP_ML_MUL, NEGATED_R, AT(NEGATED_R, X)),
             PAIR(QN_OP_ML_MUL, 3, MINUS_ONE), PAIR(QN_OP_ML_MUL, NEGATED_R, AT(NEGATED_R, M)),
             ROOT_ROWS(NEGATED_R), ANY, ANY, LITERAL},
    .rewrite = negated_of};

/* ---- d / root of (v + epsilon) * gamma + beta ---- */

enum { Q_SCALED = 1, Q_QUOTIENT, Q_D, Q_ROOT, Q_SUM, Q_VARIANCE, Q_SQUARE, Q_OTHER_D, Q_M, Q_X };
enum { Q_EPSILON = Q_X + 1, Q_GAMMA, Q_BETA, Q_HALF };
static qn_value *quotient_of(qn_rewriter *rw, const qn_matched *m) {
  if (!qn_matched_floats(m) || !is_square(m->op[Q_SQUARE]) || !qn_matched_alone(m, Q_M) ||
      (m->value[Q_HALF] && !qn_literal_is(m->value[Q_HALF], 0.5)))
    return NULL;
  return qn_build_norm(rw, m,
                       &(qn_spelled_norm){.x = m->value[Q_X],
                                          .mean = m->op[Q_M],
                                          .variance = m->op[Q_VARIANCE],
                                          .gamma = m->value[Q_GAMMA],
                                          .beta = m->value[Q_BETA],
                                          .epsilon = m->value[Q_EPSILON]});
}
#define QUOTIENT_ROWS(...)                                                                         \
  {                                                                                                \
    PAIR(QN_OP_ML_ADD, Q_SCALED, Q_BETA), PAIR(QN_OP_ML_MUL, Q_QUOTIENT, Q_GAMMA),                 \
        {.kinds = {QN_OP_ML_REAL_DIV}, .flags = QN_PLAIN, .operands = {Q_D, Q_ROOT}},              \
        DIFFERENCE(Q_X, Q_M), __VA_ARGS__, PAIR(QN_OP_ML_ADD, Q_VARIANCE, Q_EPSILON),              \
        OP(QN_OP_ML_REDUCE_MEAN, Q_SQUARE), SQUARE(Q_OTHER_D), DIFFERENCE(Q_X, Q_M),               \
        OP(QN_OP_ML_REDUCE_MEAN, Q_X), ANY, LITERAL, LITERAL, LITERAL, LITERAL                     \
  }
static const qn_graph_rule by_power = {.rows = QUOTIENT_ROWS(OP(QN_OP_ML_POW, Q_SUM, Q_HALF)),
                                       .rewrite = quotient_of};
static const qn_graph_rule by_root = {.rows = QUOTIENT_ROWS(OP(QN_OP_ML_SQRT, Q_SUM)),
                                      .rewrite = quotient_of};

/* ---- sums ---- */

enum { S_LEFT = 1, S_RIGHT, S_SHIFT, S_SCALE, S_R, S_SUM, S_VARIANCE, S_MEAN_SQUARE, S_SUM_SQUARE };
enum { S_SQUARE = S_SUM_SQUARE + 1, S_MEAN_SQUARED, S_MEAN, S_TOTAL, S_X, S_EPSILON, S_GAMMA };
enum { S_BETA = S_GAMMA + 1, S_PART, S_OTHER_PART };
static qn_value *sums_of(qn_rewriter *rw, const qn_matched *m) {
  if (!qn_matched_floats(m) || !is_square(m->op[S_SQUARE]) || !is_square(m->op[S_MEAN_SQUARED]) ||
      !qn_matched_alone(m, S_TOTAL))
    return NULL;
  int64_t terms = qn_type_elements(m->value[S_X]->type) / qn_type_elements(m->value[S_TOTAL]->type);
  if (!qn_literal_near(m->value[S_PART], 1 / (double)terms, 1e-6) ||
      !qn_literal_near(m->value[S_OTHER_PART], 1 / (double)terms, 1e-6))
    return NULL;
  return qn_build_norm(rw, m,
                       &(qn_spelled_norm){.x = m->value[S_X],
                                          .mean = m->op[S_TOTAL],
                                          .variance = m->op[S_SUM_SQUARE],
                                          .gamma = m->value[S_GAMMA],
                                          .beta = m->value[S_BETA],
                                          .epsilon = m->value[S_EPSILON]});
}
static const qn_graph_rule sums = {.rows = {PAIR(QN_OP_ML_ADD, S_LEFT, S_RIGHT),
                                            PAIR(QN_OP_ML_MUL, S_SCALE, S_X),
                                            DIFFERENCE(S_BETA, S_SHIFT),
                                            PAIR(QN_OP_ML_MUL, S_SCALE, S_MEAN),
                                            PAIR(QN_OP_ML_MUL, S_R, S_GAMMA),
                                            OP(QN_OP_ML_RSQRT, S_SUM),
                                            PAIR(QN_OP_ML_ADD, S_VARIANCE, S_EPSILON),
                                            DIFFERENCE(S_MEAN_SQUARE, S_MEAN_SQUARED),
                                            PAIR(QN_OP_ML_MUL, S_SUM_SQUARE, S_OTHER_PART),
                                            OP(QN_OP_ML_REDUCE_SUM, S_SQUARE),
                                            SQUARE(S_X),
                                            SQUARE(S_MEAN),
                                            PAIR(QN_OP_ML_MUL, S_TOTAL, S_PART),
                                            OP(QN_OP_ML_REDUCE_SUM, S_X),
                                            ANY,
                                            LITERAL,
                                            LITERAL,
                                            LITERAL,
                                            LITERAL,
                                            LITERAL},
                                   .rewrite = sums_of};

static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("spread", QN_OP_ML_ADD, spread),
    QN_GRAPH_RULE("by-power", QN_OP_ML_ADD, by_power),
    QN_GRAPH_RULE("by-root", QN_OP_ML_ADD, by_root),
    QN_GRAPH_RULE("without-parameters", QN_OP_ML_ADD, negated),
    QN_GRAPH_RULE("by-sums", QN_OP_ML_ADD, sums),
    QN_GRAPH_RULE("scaled-and-shifted", QN_OP_ML_ADD, affine),
    QN_GRAPH_RULE("shifted-and-scaled", QN_OP_ML_MUL, shifted),
    QN_GRAPH_RULE("plain", QN_OP_ML_MUL, plain),
};

const qn_pass qn_pass_fuse_layernorm_or_instancenorm = {
    .name = "fuse-layernorm-or-instancenorm",
    .summary = "make one op of a normalization that is spelled with its mean",
    .anchor = QN_ON_FUNC,
    .numerics = QN_APPROXIMATE,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
