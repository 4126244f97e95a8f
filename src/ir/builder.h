/* Builds ops at an insertion point, with a location that applies to all of them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_BUILDER_H
#define QN_IR_BUILDER_H

#include "ir/module.h"

typedef struct qn_builder {
  qn_module *module;
  qn_ir_context *cx;
  qn_block *block;
  qn_op *before; /* insert before this op; NULL: at the end of the block */
  const qn_loc *loc;
} qn_builder;

qn_builder qn_builder_at_end(qn_module *module, qn_block *block, const qn_loc *loc);
qn_builder qn_builder_before(qn_module *module, qn_op *op); /* location: that of `op` */
qn_builder qn_builder_after(qn_module *module, qn_op *op);

/* Creates and inserts an op. If state.loc is NULL, the builder's location is used. */
qn_op *qn_build(qn_builder *b, qn_op_state state);

/* Creates and inserts an op of the same kind with the same attributes, on other operands and with
 * other result types, as many as `op` has; without its regions. */
qn_op *qn_build_copy(qn_builder *b, const qn_op *op, qn_value *const *operands,
                     const qn_type *const *result_types);

/* Helpers for common cases. `attrs` is a list ended by a NULL name, or NULL. */
typedef struct qn_attr_arg {
  const char *name;
  const qn_attr *value;
} qn_attr_arg;
qn_value *qn_build_1(qn_builder *b, qn_op_kind kind, const qn_type *result,
                     qn_value *const *operands, uint32_t operand_count, const qn_attr_arg *attrs);
qn_op *qn_build_0(qn_builder *b, qn_op_kind kind, qn_value *const *operands, uint32_t operand_count,
                  const qn_attr_arg *attrs);
/* Arrays in place: QN_VALUES(a, b) gives "pointer, count". */
#define QN_VALUES(...)                                                                             \
  (qn_value *const[]){__VA_ARGS__},                                                                \
      (uint32_t)(sizeof((qn_value *const[]){__VA_ARGS__}) / sizeof(qn_value *))
#define QN_ATTRS(...)                                                                              \
  (const qn_attr_arg[]) {                                                                          \
    __VA_ARGS__, { NULL, NULL }                                                                    \
  }

/* A func.func with one entry block whose arguments have the types of the inputs. `visibility`: NULL
 * = public. */
qn_op *qn_build_func(qn_builder *b, qn_str name, const qn_type *function_type,
                     const char *visibility);

/* Ops of arith and similar dialects. Result types follow from the operands. */
qn_value *qn_build_index(qn_builder *b, int64_t value);
qn_value *qn_build_int(qn_builder *b, int64_t value,
                       const qn_type *int_or_vector_of_int); /* splat */
qn_value *qn_build_float(qn_builder *b, double value, const qn_type *float_or_vector_of_float);
qn_value *qn_build_binary(qn_builder *b, qn_op_kind kind, qn_value *lhs, qn_value *rhs);
/* The same with a number on the right, of the type of `lhs`; in all lanes of a vector. */
qn_value *qn_build_binary_int(qn_builder *b, qn_op_kind kind, qn_value *lhs, int64_t rhs);
qn_value *qn_build_unary(qn_builder *b, qn_op_kind kind, qn_value *operand, const qn_type *result);

/* arith.cmpi predicates, in MLIR's numbering. */
typedef enum qn_cmpi {
  QN_CMP_EQ,
  QN_CMP_NE,
  QN_CMP_SLT,
  QN_CMP_SLE,
  QN_CMP_SGT,
  QN_CMP_SGE,
  QN_CMP_ULT,
  QN_CMP_ULE,
  QN_CMP_UGT,
  QN_CMP_UGE
} qn_cmpi;
qn_value *qn_build_cmpi(qn_builder *b, qn_cmpi predicate, qn_value *lhs, qn_value *rhs);
/* arith.cmpf predicates that code is built with, in MLIR's numbering. */
typedef enum qn_cmpf {
  QN_CMP_OEQ = 1,
  QN_CMP_OGT = 2,
  QN_CMP_OGE = 3,
  QN_CMP_OLT = 4,
  QN_CMP_OLE = 5,
  QN_CMP_UNE = 13,
  QN_CMP_UNO = 14
} qn_cmpf;
qn_value *qn_build_cmpf(qn_builder *b, qn_cmpf predicate, qn_value *lhs, qn_value *rhs);
/* x clamped to [low, high]; an infinite bound is omitted. NaN stays NaN. A zero x stays if the
 * bound is a zero of the other sign. This is what runtimes compute, and one x86 instruction per
 * bound. */
qn_value *qn_build_float_clamp(qn_builder *b, qn_value *x, float low, float high);
qn_value *qn_build_select(qn_builder *b, qn_value *condition, qn_value *if_true,
                          qn_value *if_false);

/* scf.for with iteration arguments. Returns the op; the builder is moved into the body (block
 * arguments: induction variable, then the iteration arguments). End it with qn_build_yield, which
 * builds scf.yield and moves the builder after the loop. */
qn_op *qn_build_for(qn_builder *b, qn_value *lower, qn_value *upper, qn_value *step,
                    qn_value *const *init, uint32_t init_count);
void qn_build_yield(qn_builder *b, qn_value *const *values, uint32_t count);

#endif
