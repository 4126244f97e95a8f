/* The peak of a CPU level: a loops-stage module whose kernel does nothing but the level's dot
 * products on independent accumulators, compiled and run like any model.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/call.h"
#include "api/executable.h"
#include "base/clock.h"
#include "ir/builder.h"

enum {
  CHAINS = 12, /* accumulators: enough to hide the latency, few enough for 16 registers */
  ROUNDS = 20000,
  TRIES = 7,
};

typedef struct peak {
  qn_module *module;
  qn_ir_context *cx;
  const qn_target *target;
  int64_t bytes; /* of a vector */
  const qn_type *factors, *widened, *sums;
  const qn_type *input, *output; /* buffers */
} peak;

static peak peak_of(qn_ir_context *cx, const qn_target *target) {
  int64_t bytes = target->vector_bytes;
  bool words = target->dot == QN_DOT_S16;
  const qn_type *i8 = qn_type_i(cx, 8), *i16 = qn_type_i(cx, 16);
  return (peak){.module = qn_module_create(cx, NULL),
                .cx = cx,
                .target = target,
                .bytes = bytes,
                .factors = words ? qn_type_vec(cx, i16, bytes / 2) : qn_type_vec(cx, i8, bytes),
                .widened = qn_type_vec(cx, i16, bytes / 2),
                .sums = qn_type_vec(cx, qn_type_i(cx, 32), bytes / 4),
                .input = qn_type_buf(cx, i8, (CHAINS + 1) * bytes),
                .output = qn_type_buf(cx, i8, bytes)};
}

/* One step of a chain: `bytes` products, or half of that in 16 bits. */
static qn_value *dot(const peak *p, qn_builder *b, qn_value *sum, qn_value *x, qn_value *y,
                     qn_value *ones) {
  if (p->target->dot == QN_DOT_U8S8) {
    return qn_build_1(b, QN_OP_QUERN_DOT_U8S8, p->sums, QN_VALUES(sum, x, y), NULL);
  }
  qn_value *pairs = x;
  if (p->target->dot == QN_DOT_MADD) {
    pairs = qn_build_1(b, QN_OP_QUERN_MADD_U8S8, p->widened, QN_VALUES(x, y), NULL);
    y = ones;
  }
  qn_value *products = qn_build_1(b, QN_OP_QUERN_MADD_S16, p->sums, QN_VALUES(pairs, y), NULL);
  return qn_build_binary(b, QN_OP_ARITH_ADDI, sum, products);
}

/* The factor comes from memory at an address that changes, or its products would be hoisted. */
static qn_value *load_factor(const peak *p, qn_builder *b, qn_value *buffer, qn_value *base,
                             int64_t chain) {
  qn_value *at = qn_build_binary(b, QN_OP_ARITH_ADDI, base, qn_build_index(b, chain * p->bytes));
  const qn_type *bytes = qn_type_vec(p->cx, qn_type_i(p->cx, 8), p->bytes);
  qn_value *loaded = qn_build_1(b, QN_OP_VECTOR_LOAD, bytes, QN_VALUES(buffer, at), NULL);
  if (bytes == p->factors) return loaded;
  return qn_build_1(b, QN_OP_VECTOR_BITCAST, p->factors, QN_VALUES(loaded), NULL);
}

/* kernel(input, output, lo, hi): hi - lo rounds of all chains, the sum of all to the output. */
static void build_kernel(const peak *p, qn_builder b) {
  const qn_type *index = qn_type_index(p->cx);
  const qn_type *inputs[] = {p->input, p->output, index, index};
  qn_op *func =
      qn_build_func(&b, qn_str_of("dots"), qn_type_function(p->cx, inputs, 4, NULL, 0), "private");
  qn_value **args = qn_op_body(func)->args;
  b = qn_builder_at_end(p->module, qn_op_body(func), func->loc);
  qn_value *zero = qn_build_int(&b, 0, p->sums), *ones = qn_build_int(&b, 1, p->widened);
  qn_value *y = load_factor(p, &b, args[0], qn_build_index(&b, 0), CHAINS);
  qn_value *sums[CHAINS];
  for (int i = 0; i < CHAINS; i++) sums[i] = zero;
  qn_op *loop = qn_build_for(&b, args[2], args[3], qn_build_index(&b, 1), sums, CHAINS);
  qn_value **carried = qn_op_body(loop)->args;
  qn_value *odd = qn_build_binary(&b, QN_OP_ARITH_ANDI, carried[0], qn_build_index(&b, 1));
  qn_value *base = qn_build_binary(&b, QN_OP_ARITH_MULI, odd, qn_build_index(&b, p->bytes));
  for (int i = 0; i < CHAINS; i++) {
    sums[i] = dot(p, &b, carried[1 + i], load_factor(p, &b, args[0], base, i), y, ones);
  }
  qn_build_yield(&b, sums, CHAINS);
  qn_value *total = qn_op_result(loop, 0);
  for (uint32_t i = 1; i < CHAINS; i++) {
    total = qn_build_binary(&b, QN_OP_ARITH_ADDI, total, qn_op_result(loop, i));
  }
  const qn_type *bytes = qn_type_vec(p->cx, qn_type_i(p->cx, 8), p->bytes);
  qn_value *stored = qn_build_1(&b, QN_OP_VECTOR_BITCAST, bytes, QN_VALUES(total), NULL);
  qn_build_0(&b, QN_OP_VECTOR_STORE, QN_VALUES(stored, args[1], qn_build_index(&b, 0)), NULL);
  qn_build_0(&b, QN_OP_FUNC_RETURN, NULL, 0, NULL);
}

static const qn_attr *describe(const peak *p, const char *role, const char *name, int64_t bytes) {
  const qn_named_attr attrs[] = {
      {qn_str_of("quern.role"), qn_attr_string(p->cx, qn_str_of(role))},
      {qn_str_of("quern.name"), qn_attr_string(p->cx, qn_str_of(name))},
      {qn_str_of("quern.dtype"), qn_attr_string(p->cx, qn_str_of("i8"))},
      {qn_str_of("quern.shape"), qn_attr_i64s(p->cx, &bytes, 1)},
  };
  return qn_attr_dict(p->cx, attrs, bytes ? QN_COUNT(attrs) : 1);
}

static void build_main(const peak *p, qn_builder b) {
  const qn_type *arena = qn_type_buf(p->cx, qn_type_i(p->cx, 8), QN_ABI_ALIGN);
  const qn_type *inputs[] = {p->input, p->output, arena};
  const qn_attr *attrs[] = {describe(p, "input", "x", (CHAINS + 1) * p->bytes),
                            describe(p, "output", "y", p->bytes), describe(p, "arena", "", 0)};
  qn_op *func =
      qn_build_func(&b, qn_str_of("main"), qn_type_function(p->cx, inputs, 3, NULL, 0), NULL);
  qn_op_set_attr(p->module, func, "arg_attrs", qn_attr_array(p->cx, attrs, 3));
  qn_value **args = qn_op_body(func)->args;
  b = qn_builder_at_end(p->module, qn_op_body(func), func->loc);
  qn_value *rounds = qn_build_index(&b, ROUNDS);
  qn_build_0(&b, QN_OP_QUERN_LAUNCH, QN_VALUES(args[0], args[1], rounds),
             QN_ATTRS({"kernel", qn_attr_symbol(p->cx, qn_str_of("dots"))}));
  qn_build_0(&b, QN_OP_FUNC_RETURN, NULL, 0, NULL);
  qn_op_set_attr(p->module, p->module->op, "quern.arena_bytes", qn_attr_i64(p->cx, QN_ABI_ALIGN));
}

/* Seconds of the fastest try. */
static qn_status time_rounds(const qn_model *model, const char *level, double *out_seconds) {
  enum { MAX_INPUT = (CHAINS + 1) * 64 };
  _Alignas(QN_ABI_ALIGN) static const uint8_t input[MAX_INPUT] = {0};
  _Alignas(QN_ABI_ALIGN) uint8_t output[QN_ABI_ALIGN];
  const void *inputs[] = {input};
  void *outputs[] = {output};
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.cpu = level;
  qn_executable *executable;
  QN_TRY(qn_compile(model, &options, &executable));
  qn_status status = QN_OK;
  double best = 1e9;
  for (int i = 0; i < TRIES && status == QN_OK; i++) {
    double start = qn_clock_now();
    status = qn_executable_invoke(executable, inputs, outputs);
    double seconds = qn_clock_now() - start;
    if (seconds < best) best = seconds;
  }
  qn_executable_destroy(executable);
  *out_seconds = best;
  return status;
}

static qn_status measure_peak(qn_context *context, const char *level, double *out_macs_per_second) {
  const qn_target *target = qn_target_find(qn_str_of(level));
  qn_diag_engine *diag = &context->ir.diag;
  if (!target) {
    return qn_error(diag, diag->unknown, QN_NOT_FOUND, "there is no CPU level '%s'", level);
  }
  peak p = peak_of(&context->ir, target);
  qn_builder top = qn_builder_at_end(p.module, qn_op_body(p.module->op), NULL);
  build_kernel(&p, top);
  build_main(&p, top);
  qn_model model = {.context = context,
                    .module = p.module,
                    .stage = QN_STAGE_LOOPS,
                    .trusted = true,
                    .name = qn_str_of("peak")};
  double seconds = 0;
  qn_status status = qn_verify(p.module);
  if (status == QN_OK) status = time_rounds(&model, level, &seconds);
  qn_module_destroy(p.module);
  QN_TRY(status);
  double products = (double)(target->dot == QN_DOT_S16 ? p.bytes / 2 : p.bytes);
  *out_macs_per_second = (double)CHAINS * (double)ROUNDS * products / seconds;
  return QN_OK;
}

qn_status qn_measure_peak(qn_context *context, const char *level, double *out_macs_per_second) {
  qn_status status;
  QN_CALL(&status, context, NULL, NULL, measure_peak(context, level, out_macs_per_second));
  return status;
}
