/* Rejects modules that code generation does not support, and reports all errors in one run. The
 * emitters, which run afterwards, do not fail. The module has passed qn_verify and qn_verify_stage.
 * Checked here:
 *
 *  1. the back end translates every op, and none is func.call: kernels are reached by
 *     quern.launch
 *  2. values are integers of at most 64 bits, index, f16, bf16, f32, f64; vectors with at most
 *     QN_CODEGEN_MAX_LANES lanes, or one-dimensional memrefs in plain layout, of index, i1, i8,
 *     i16, i32, i64, f16, bf16, f32, f64
 *  3. an index is as wide as the target's pointers. If that is less than 64 bits, constants of
 *     type index are within half of its range, and no index is in memory or cast from or to
 *     other bits
 *  4. ops on floats and 64-bit divisions only if the level has instructions for them, because the
 *     object calls no library
 *  5. math.fma of f64 only if the level has the instruction; otherwise it would be a call of the C
 *     library
 *  6. @main is one block. quern.launch is only in it, or in branches and loops of it, and its
 *     operands are the kernel's. Every other function is a kernel (memrefs, lo: index,
 *     hi: index) of one block
 *  7. globals are constants with a value, and no kernel writes to one
 *  8. loops and branches are nested at most MAX_DEPTH deep. scf.while is only in @main, which can
 *     report that a loop did not end
 *  9. a launch that prepares constants is directly in @main and reads only constants and prepared
 *     memory; no other launch writes to prepared memory
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/context.h"
#include "codegen/emit/emit.h"
#include "ir/ops/forms.h"
#include "ir/walk.h"

enum { MAX_DEPTH = 256 };

typedef struct checker {
  const qn_cg_source *source;
  const qn_op *main;
  bool failed;
  const qn_op *function;    /* the function being checked */
  const qn_op *incapable;   /* the last function that violates rule 4; it is reported once */
  const qn_value **origins; /* [value id] the buffer that a view refers to; NULL if not a view */
  bool *written;            /* [value id of an origin] whether it is written */
} checker;

static void QN_PRINTF(3, 4) reject(checker *c, const qn_op *op, const char *format, ...) {
  char message[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  (void)qn_error(&c->source->cx->diag, op->loc, QN_UNSUPPORTED, "'%.*s' %s", QN_STR_ARG(op->name),
                 message);
  c->failed = true;
}

/* ---- types ---- */

/* Whether memory can hold the type. */
static bool is_element(const qn_type *type) {
  if (type->kind == QN_TYPE_INDEX) return true;
  if (type->kind == QN_TYPE_FLOAT)
    return type->float_kind == QN_F32 || type->float_kind == QN_F64 || e_is_narrow(type);
  if (type->kind != QN_TYPE_INTEGER) return false;
  uint32_t width = type->integer.width;
  return width == 1 || width == 8 || width == 16 || width == 32 || width == 64;
}

static bool is_scalar(const qn_type *type) {
  if (type->kind == QN_TYPE_INTEGER) return type->integer.width >= 1 && type->integer.width <= 64;
  return is_element(type);
}

static bool is_buffer(const qn_type *type) {
  return type->kind == QN_TYPE_MEMREF && type->shaped.ranked && type->shaped.rank == 1 &&
         !type->shaped.encoding && !type->shaped.memory_space && is_element(type->shaped.element);
}

static bool is_representable(const qn_type *type) {
  if (type->kind != QN_TYPE_VECTOR) return is_scalar(type) || is_buffer(type);
  return type->shaped.rank == 1 && type->shaped.dims[0] >= 1 &&
         type->shaped.dims[0] <= QN_CODEGEN_MAX_LANES && is_scalar(type->shaped.element);
}

/* ---- index: rule 3 ---- */

static bool is_index(const qn_type *type) { return qn_type_element(type)->kind == QN_TYPE_INDEX; }

static void check_index_bits(checker *c) {
  const qn_op *module = c->source->module->op;
  int64_t bits = qn_op_index_bits(module);
  if (bits != c->source->level->index_bits)
    reject(c, module, "has loops for an index of %d bits: lower it for the level %s, which has %u",
           (int)bits, c->source->level->name, c->source->level->index_bits);
}

/* Rejects an index in memory, and casts of other bits to an index or back. */
static void check_index_type(checker *c, const qn_op *op, const qn_type *type) {
  if (is_index(type) && (type->kind == QN_TYPE_MEMREF || op->kind == QN_OP_VECTOR_BITCAST))
    reject(c, op, "has an index in memory or as other bits, of which the level %s has %u",
           c->source->level->name, c->source->level->index_bits);
}

/* Rejects constants of type index that a 32-bit index cannot represent. */
static void check_index(checker *c, const qn_op *op) {
  int64_t index;
  for (uint32_t i = 0; i < op->operand_count; i++)
    check_index_type(c, op, qn_op_operand(op, i)->type);
  for (uint32_t i = 0; i < op->result_count; i++)
    check_index_type(c, op, qn_op_result(op, i)->type);
  if (op->kind == QN_OP_ARITH_CONSTANT &&
      !qn_target_holds_index(c->source->level, qn_op_result(op, 0), &index))
    reject(c, op, "is %lld: an index of the level %s goes to %lld", (long long)index,
           c->source->level->name, (long long)qn_target_max_bytes(c->source->level));
}

/* ---- floats and divisions without instructions: rule 4 ---- */

/* Ops that only move values, also floats. */
static const bool moves[QN_OP_COUNT] = {
    [QN_OP_ARITH_CONSTANT] = true,   [QN_OP_ARITH_SELECT] = true,   [QN_OP_ARITH_BITCAST] = true,
    [QN_OP_MEMREF_LOAD] = true,      [QN_OP_MEMREF_STORE] = true,   [QN_OP_VECTOR_LOAD] = true,
    [QN_OP_VECTOR_STORE] = true,     [QN_OP_VECTOR_SHUFFLE] = true, [QN_OP_VECTOR_EXTRACT] = true,
    [QN_OP_VECTOR_BROADCAST] = true, [QN_OP_VECTOR_BITCAST] = true, [QN_OP_SCF_FOR] = true,
    [QN_OP_SCF_IF] = true,           [QN_OP_SCF_YIELD] = true,      [QN_OP_SCF_WHILE] = true,
    [QN_OP_SCF_CONDITION] = true,    [QN_OP_QUERN_RELOAD] = true,
};

/* Name of a float type for which the level has no instructions; NULL for all other types. */
static const char *lacking(const qn_target *level, const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  if (type->kind == QN_TYPE_MEMREF || element->kind != QN_TYPE_FLOAT) return NULL;
  if (element->float_kind == QN_F32) return level->f32 ? NULL : "f32";
  return level->f64 ? NULL : "f64";
}

/* Reports the first op of a kernel only, because the other ops belong to the same layers. */
static void check_instructions(checker *c, const qn_op *op) {
  const qn_target *level = c->source->level;
  const char *type = NULL;
  if (c->function == c->incapable || moves[op->kind]) return;
  for (uint32_t i = 0; i < op->operand_count && !type; i++)
    type = lacking(level, qn_op_operand(op, i)->type);
  for (uint32_t i = 0; i < op->result_count && !type; i++)
    type = lacking(level, qn_op_result(op, i)->type);
  bool divides = qn_op_has(op, QN_DIVIDES) && level->index_bits < 64 && op->result_count == 1 &&
                 qn_type_is_int(qn_type_element(qn_op_result(op, 0)->type), 64);
  if (!type && !divides) return;
  c->incapable = c->function;
  reject(c, op,
         "computes with %s, for which level %s has no instructions, and a library is not called: "
         "quantize this layer, choose another profile (--numerics), or a CPU that has them",
         type ? type : "quotients of 64 bits", level->name);
}

static void check_types(checker *c, const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!is_representable(qn_op_operand(op, i)->type))
      reject(c, op, "operand %u has a type without machine code", i);
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!is_representable(qn_op_result(op, i)->type))
      reject(c, op, "result %u has a type without machine code", i);
  for (uint32_t r = 0; r < op->region_count; r++) QN_FOR_EACH_BLOCK(block, &op->regions[r])
  for (uint32_t i = 0; i < block->arg_count; i++)
    if (!is_representable(block->args[i]->type))
      reject(c, op, "block argument %u has a type without machine code", i);
}

/* ---- rules by op kind ---- */

typedef void rule(checker *c, const qn_op *op);

static void check_fma(checker *c, const qn_op *op) {
  if (!c->source->level->fma &&
      qn_type_is_float(qn_type_element(qn_op_result(op, 0)->type), QN_F64))
    reject(c, op, "needs fused multiply-add, which level %s does not have", c->source->level->name);
}

/* Rejects f64 for elementary functions that are defined for f32 only. */
static void check_not_f64(checker *c, const qn_op *op) {
  if (qn_type_is_float(qn_type_element(qn_op_result(op, 0)->type), QN_F64))
    reject(c, op, "is not defined for f64");
}

static void check_call(checker *c, const qn_op *op) {
  reject(c, op, "has no machine code: kernels are started by quern.launch");
}

static void check_global(checker *c, const qn_op *op) {
  const qn_attr *value = qn_op_find(op, QN_A_INITIAL_VALUE);
  if (!qn_op_find(op, QN_A_CONSTANT) || !value || !qn_attr_is_elements(value))
    reject(c, op, "is not a constant with a value: machine code has no writable globals");
  else if (!is_buffer(qn_op_global_type(op)))
    reject(c, op, "has a type without machine code");
}

/* ---- control flow ---- */

static void check_depth(checker *c, const qn_op *op) {
  uint32_t depth = 0;
  for (const qn_op *parent = op; parent; parent = qn_op_parent(parent)) depth++;
  if (depth > MAX_DEPTH) reject(c, op, "is nested deeper than %d levels", MAX_DEPTH);
}

/* The function that contains the op, outside of loops and branches. */
static const qn_op *function_of(const qn_op *op) {
  do {
    op = qn_op_parent(op);
  } while (qn_op_has(op, QN_CONTROL));
  return op;
}

static void check_while(checker *c, const qn_op *op) {
  check_depth(c, op);
  if (function_of(op) != c->main) reject(c, op, "is outside of the body of @main");
}

static bool is_one_block(const qn_region *region) {
  return region->first && region->first == region->last && region->first->last;
}

static void check_launch(checker *c, const qn_op *op) {
  const qn_op *kernel = qn_cg_named(c->source, qn_op_kernel(op));
  if (function_of(op) != c->main) reject(c, op, "is outside of the body of @main");
  if (!kernel || kernel->kind != QN_OP_FUNC || kernel == c->main || !qn_op_body(kernel)) {
    reject(c, op, "names no kernel");
    return;
  }
  const qn_block *body = qn_op_body(kernel);
  uint32_t count = op->operand_count;
  bool match = count >= 1 && body->arg_count == count + 1 &&
               qn_op_operand(op, count - 1)->type->kind == QN_TYPE_INDEX;
  for (uint32_t i = 0; match && i + 1 < count; i++)
    match = qn_op_operand(op, i)->type == body->args[i]->type;
  if (!match) reject(c, op, "does not pass the buffers that the kernel takes, and a count");
}

/* Whether argument i of @main has a supported type: memory, or an index for a size. */
static bool is_main_argument(const checker *c, const qn_block *body, uint32_t i) {
  const qn_type *type = body->args[i]->type;
  bool size = c->source->interface.bindings[i].role == QN_ROLE_SHAPE;
  return size ? type->kind == QN_TYPE_INDEX : is_buffer(type);
}

static void check_func(checker *c, const qn_op *op) {
  const qn_type *type = qn_op_function_type(op);
  if (!is_one_block(&op->regions[0]) || type->function.result_count != 0) {
    reject(c, op, "is not one block without results");
    return;
  }
  const qn_block *body = qn_op_body(op);
  uint32_t buffers = op == c->main ? body->arg_count : body->arg_count - 2;
  bool match = op == c->main || body->arg_count >= 2;
  for (uint32_t i = 0; match && i < body->arg_count; i++)
    match = op == c->main ? is_main_argument(c, body, i)
            : i < buffers ? is_buffer(body->args[i]->type)
                          : body->args[i]->type->kind == QN_TYPE_INDEX;
  if (!match)
    reject(c, op, "takes something else than linear buffers and, for a kernel, lo and hi");
}

#define RULE_0 check_not_f64
#define RULE_1 NULL

static rule *const rules[QN_OP_COUNT] = {
    [QN_OP_FUNC] = check_func,           [QN_OP_FUNC_CALL] = check_call,
    [QN_OP_MATH_FMA] = check_fma,        [QN_OP_SCF_FOR] = check_depth,
    [QN_OP_SCF_IF] = check_depth,        [QN_OP_MEMREF_GLOBAL] = check_global,
    [QN_OP_QUERN_LAUNCH] = check_launch, [QN_OP_SCF_WHILE] = check_while,
#define FUNCTION(dialect, DIALECT, name, NAME, arguments, has_f64, ...)                            \
  [QN_OP_##DIALECT##_##NAME] = RULE_##has_f64,
#include "quant/elementary.def"
#undef FUNCTION
};

static bool check_op(qn_op *op, void *user) {
  checker *c = user;
  const char *lack = c->source->backend->lacks(c->source, op);
  if (lack) {
    reject(c, op, "%s", lack);
    return true;
  }
  bool before = c->failed;
  c->failed = false;
  check_types(c, op);
  if (op->kind == QN_OP_FUNC) c->function = op;
  if (!c->failed && rules[op->kind]) rules[op->kind](c, op);
  if (!c->failed && c->source->level->index_bits < 64) check_index(c, op);
  if (!c->failed) check_instructions(c, op);
  c->failed = c->failed || before;
  return true;
}

/* ---- rule 7: constants stay constant ---- */

/* The buffer that a value is a view of, through any number of views. */
static const qn_value *origin(const checker *c, const qn_value *buffer) {
  const qn_value *from = c->origins[buffer->id];
  return from ? from : buffer;
}

static const qn_value *stored_to(const checker *c, const qn_op *op) {
  bool store = op->kind == QN_OP_MEMREF_STORE || op->kind == QN_OP_VECTOR_STORE ||
               op->kind == QN_OP_QUERN_TILE_STORE;
  return store ? origin(c, qn_op_operand(op, 1)) : NULL;
}

static bool is_constant(const qn_value *buffer) {
  return buffer->op && buffer->op->kind == QN_OP_MEMREF_GET_GLOBAL;
}

/* Whether the buffer is the prepared memory of @main. */
static bool is_prepared(const checker *c, const qn_value *buffer) {
  const qn_binding *bindings = c->source->interface.bindings;
  bool argument = buffer->block == qn_op_body(c->main);
  return argument && bindings[buffer->index].role == QN_ROLE_PREPARED;
}

/* Records which buffers are written. The walk is in pre-order, so that a view is visited before its
 * uses, without recursion along views. */
static bool note_writes(qn_op *op, void *user) {
  checker *c = user;
  if (op->kind == QN_OP_MEMREF_VIEW)
    c->origins[qn_op_result(op, 0)->id] = origin(c, qn_op_operand(op, 0));
  const qn_value *target = stored_to(c, op);
  if (!target) return true;
  c->written[target->id] = true;
  if (is_constant(target)) reject(c, op, "writes to a constant");
  if (is_prepared(c, target)) reject(c, op, "writes to prepared memory");
  return true;
}

static void check_constants(checker *c) {
  QN_FOR_EACH_NESTED_OP(op, c->main) {
    if (op->kind != QN_OP_QUERN_LAUNCH) continue;
    const qn_op *kernel = qn_cg_named(c->source, qn_op_kernel(op));
    for (uint32_t i = 0; i + 1 < op->operand_count; i++) {
      const qn_value *from = origin(c, qn_op_operand(op, i));
      if (!c->written[qn_op_body(kernel)->args[i]->id]) continue;
      if (is_constant(from))
        reject(c, op, "passes a constant as operand %u, which the kernel writes to", i);
      if (is_prepared(c, from) && !qn_op_prepares(op))
        reject(c, op, "passes prepared memory as operand %u, which the kernel writes to", i);
    }
  }
}

/* ---- rule 9: what prepares depends on constants only ---- */

static bool has_constant_value(const qn_value *value) {
  const qn_attr *constant = qn_value_constant(value);
  return constant && constant->kind == QN_ATTR_INTEGER;
}

/* Whether SYMBOL_prepare can form the address: launches.c. */
static bool is_known_buffer(const checker *c, const qn_value *buffer) {
  if (buffer->op && buffer->op->kind == QN_OP_MEMREF_VIEW) {
    if (!has_constant_value(qn_op_operand(buffer->op, 1))) return false;
    buffer = qn_op_operand(buffer->op, 0);
  }
  return is_constant(buffer) || is_prepared(c, buffer);
}

static void check_preparing(checker *c) {
  QN_FOR_EACH_NESTED_OP(op, c->main) {
    if (op->kind != QN_OP_QUERN_LAUNCH || !qn_op_prepares(op)) continue;
    uint32_t count = op->operand_count - 1;
    bool known = has_constant_value(qn_op_operand(op, count));
    for (uint32_t i = 0; i < count; i++) known &= is_known_buffer(c, qn_op_operand(op, i));
    if (!known) reject(c, op, "prepares constants from what is not constant");
    if (qn_op_parent(op) != c->main) reject(c, op, "prepares constants in a branch or loop");
    if (c->source->interface.model.prepared_bytes == 0)
      reject(c, op, "prepares constants, but @main has no prepared memory");
  }
}

qn_status qn_cg_check(qn_cg_source *source) {
  checker c = {.source = source, .main = source->interface.main};
  c.origins = QN_NEW_ARRAY(&source->arena, source->module->value_count + 1, const qn_value *);
  c.written = QN_NEW_ARRAY(&source->arena, source->module->value_count + 1, bool);
  check_index_bits(&c);
  QN_FOR_EACH_OP(op, qn_op_body(source->module->op))
  if (op->kind != QN_OP_FUNC && op->kind != QN_OP_MEMREF_GLOBAL)
    reject(&c, op, "is outside of any function");
  qn_walk_pre(source->module->op, check_op, &c);
  if (!c.failed) qn_walk_pre(source->module->op, note_writes, &c);
  if (!c.failed) check_constants(&c);
  if (!c.failed) check_preparing(&c);
  return c.failed ? QN_UNSUPPORTED : QN_OK;
}
