/* Launches of SYMBOL_invoke or SYMBOL_prepare as a table that a loop reads. Instructions for each
 * launch would cost LLVM hundreds of microseconds, and quadratic time in one block.
 *
 *   rows[i]     = {kernel, units, size, first word, words, alone}
 *   words[...]  = {constant, list, number, offset}: location of a kernel argument
 *   for each row: args[k] = bind(call, &words[first + k]); launch(call, kernel, args, units, i,
 * alone)
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "codegen/emit/emit.h"
#include "ir/walk.h"

/* Fields of a row and of a word. */
enum { ROW_KERNEL, ROW_UNITS, ROW_SIZE, ROW_FIRST, ROW_WORDS, ROW_ALONE };
enum { WORD_CONSTANT, WORD_LIST, WORD_NUMBER, WORD_OFFSET };

/* The list that a word refers to: arguments of @main by role, or constants of the module. */
enum { LIST_CONSTANT = -1 };

typedef struct word {
  const qn_op *global; /* for LIST_CONSTANT */
  int64_t list, number, offset;
} word;

/* ---- operands of a launch ---- */

static bool read_index(const qn_value *value, int64_t *out_index) {
  const qn_attr *constant = qn_value_constant(value);
  if (!constant || constant->kind != QN_ATTR_INTEGER) return false;
  *out_index = constant->integer;
  return true;
}

static bool read_word(const qn_cg *cg, const qn_value *value, word *out) {
  *out = (word){.list = LIST_CONSTANT};
  const qn_op *op = value->op;
  int64_t offset;
  if (op && op->kind == QN_OP_MEMREF_VIEW) {
    if (!read_index(qn_op_operand(op, 1), &offset)) return false;
    out->offset = offset;
    value = qn_op_operand(op, 0);
    op = value->op;
  }
  if (op) {
    if (op->kind == QN_OP_MEMREF_GET_GLOBAL)
      out->global = qn_cg_named(cg->source, qn_op_global_name(op));
    return out->global != NULL;
  }
  qn_binding binding = cg->source->interface.bindings[value->index];
  out->list = binding.role;
  out->number = binding.number;
  if (binding.role == QN_ROLE_STATE)
    out->offset += (int64_t)cg->source->interface.model.states[binding.number].offset;
  return binding.role != QN_ROLE_SHAPE;
}

/* Reads a dynamic size; false if it is another value. */
static bool read_size(const qn_cg *cg, const qn_value *value, int64_t *out_size) {
  if (value->op) return false;
  qn_binding binding = cg->source->interface.bindings[value->index];
  *out_size = binding.number;
  return binding.role == QN_ROLE_SHAPE;
}

enum { NO_SIZE = -1 };

/* units, or units * size. */
static bool read_units(const qn_cg *cg, const qn_value *value, int64_t *out_units,
                       int64_t *out_size) {
  *out_size = NO_SIZE;
  if (read_index(value, out_units)) return true;
  *out_units = 1;
  if (read_size(cg, value, out_size)) return true;
  const qn_op *op = value->op;
  return op && op->kind == QN_OP_ARITH_MULI && read_size(cg, qn_op_operand(op, 0), out_size) &&
         read_index(qn_op_operand(op, 1), out_units);
}

/* ---- the tables ---- */

static LLVMTypeRef row_type(const qn_cg *cg) {
  LLVMTypeRef fields[] = {cg->ptr, cg->index, cg->index, cg->index, cg->index, cg->index};
  return LLVMStructTypeInContext(cg->llvm, fields, QN_COUNT(fields), 0);
}

static LLVMTypeRef word_type(const qn_cg *cg) {
  LLVMTypeRef fields[] = {cg->ptr, cg->index, cg->index, cg->index};
  return LLVMStructTypeInContext(cg->llvm, fields, QN_COUNT(fields), 0);
}

typedef struct tables {
  LLVMValueRef *rows, *words;
  uint32_t row_count, word_count, most; /* `most`: maximum arguments of a kernel */
} tables;

static void add_word(qn_cg *cg, tables *t, const word *w) {
  LLVMValueRef constant = w->global ? qn_cg_symbol(cg, w->global) : LLVMConstNull(cg->ptr);
  LLVMValueRef fields[] = {constant, e_index(cg, w->list), e_index(cg, w->number),
                           e_index(cg, w->offset)};
  t->words[t->word_count++] = LLVMConstStructInContext(cg->llvm, fields, QN_COUNT(fields), 0);
}

static bool add_row(qn_cg *cg, tables *t, const qn_op *launch) {
  uint32_t count = launch->operand_count - 1, first = t->word_count;
  int64_t units, size;
  if (!read_units(cg, qn_op_operand(launch, count), &units, &size)) return false;
  for (uint32_t i = 0; i < count; i++) {
    word w;
    if (!read_word(cg, qn_op_operand(launch, i), &w)) return false;
    add_word(cg, t, &w);
  }
  LLVMValueRef fields[] = {qn_cg_symbol(cg, qn_cg_named(cg->source, qn_op_kernel(launch))),
                           e_index(cg, units),
                           e_index(cg, size),
                           e_index(cg, first),
                           e_index(cg, count),
                           e_index(cg, qn_op_find(launch, QN_A_ALONE) != NULL)};
  t->rows[t->row_count++] = LLVMConstStructInContext(cg->llvm, fields, QN_COUNT(fields), 0);
  if (count > t->most) t->most = count;
  return true;
}

/* Which launches of @main a table has. */
typedef bool launch_filter(const qn_op *op);

static bool fill_tables(qn_cg *cg, const qn_block *body, launch_filter *belongs, tables *t) {
  uint32_t rows = 0, words = 0;
  QN_FOR_EACH_OP(op, body) {
    if (!belongs(op)) continue;
    rows++;
    words += op->operand_count;
  }
  *t = (tables){.rows = QN_NEW_ARRAY(&cg->arena, rows + 1, LLVMValueRef),
                .words = QN_NEW_ARRAY(&cg->arena, words + 1, LLVMValueRef),
                .most = 1};
  QN_FOR_EACH_OP(op, body) {
    if (belongs(op) && !add_row(cg, t, op)) return false;
  }
  return true;
}

/* ---- the code ---- */

static LLVMValueRef load_field(const qn_cg *cg, LLVMTypeRef record, LLVMValueRef at,
                               unsigned field) {
  LLVMTypeRef type = field == 0 ? cg->ptr : cg->index;
  return e_load(cg, type, LLVMBuildStructGEP2(cg->b, record, at, field, ""), cg->index_bytes);
}

/* ptr bind(call, word) */
static LLVMValueRef define_bind(qn_cg *cg) {
  static const struct {
    int64_t list;
    unsigned field;
    bool indirect; /* a list of pointers; if not, one block of memory */
  } kinds[] = {{QN_ROLE_INPUT, QN_CALL_INPUTS, true},
               {QN_ROLE_OUTPUT, QN_CALL_OUTPUTS, true},
               {QN_ROLE_STATE, QN_CALL_STATES, false},
               {QN_ROLE_ARENA, QN_CALL_ARENA, false},
               {QN_ROLE_PREPARED, QN_CALL_PREPARED, false}};
  const unsigned count =
      (unsigned)QN_COUNT(kinds) - (cg->prepare ? 0 : 1); /* prepared memory is the last */
  LLVMTypeRef type = LLVMFunctionType(cg->ptr, (LLVMTypeRef[]){cg->ptr, cg->ptr}, 2, 0);
  LLVMTypeRef record = word_type(cg);
  LLVMValueRef bind = qn_cg_add_function(cg, "bind", type, LLVMInternalLinkage);
  qn_cg_enter(cg, bind);
  LLVMValueRef call = LLVMGetParam(bind, 0), at = LLVMGetParam(bind, 1);
  LLVMValueRef constant = load_field(cg, record, at, WORD_CONSTANT);
  LLVMValueRef number = load_field(cg, record, at, WORD_NUMBER);
  LLVMBasicBlockRef entry = LLVMGetInsertBlock(cg->b), done = e_block(cg, "done");
  LLVMValueRef choose = LLVMBuildSwitch(cg->b, load_field(cg, record, at, WORD_LIST), done, count);
  LLVMValueRef bases[QN_COUNT(kinds) + 1];
  LLVMBasicBlockRef from[QN_COUNT(kinds) + 1];
  for (size_t i = 0; i < count; i++) {
    from[i] = e_block(cg, "list");
    LLVMAddCase(choose, e_index(cg, kinds[i].list), from[i]);
    LLVMPositionBuilderAtEnd(cg->b, from[i]);
    bases[i] = e_call_field(cg, call, kinds[i].field);
    if (kinds[i].indirect)
      bases[i] = e_load(cg, cg->ptr, e_at(cg, cg->ptr, bases[i], number), cg->index_bytes);
    LLVMBuildBr(cg->b, done);
  }
  bases[count] = constant;
  from[count] = entry;
  LLVMPositionBuilderAtEnd(cg->b, done);
  LLVMValueRef base = LLVMBuildPhi(cg->b, cg->ptr, "");
  LLVMAddIncoming(base, bases, from, count + 1);
  LLVMValueRef offset = load_field(cg, record, at, WORD_OFFSET);
  LLVMBuildRet(cg->b, e_at(cg, cg->i8, base, offset));
  return bind;
}

/* index units_of(call, units, size) */
static LLVMValueRef define_units(qn_cg *cg) {
  LLVMTypeRef params[] = {cg->ptr, cg->index, cg->index};
  LLVMTypeRef type = LLVMFunctionType(cg->index, params, QN_COUNT(params), 0);
  LLVMValueRef function = qn_cg_add_function(cg, "units", type, LLVMInternalLinkage), p[3];
  qn_cg_enter(cg, function);
  LLVMGetParams(function, p);
  LLVMBasicBlockRef fixed = e_block(cg, "fixed"), given = e_block(cg, "given");
  LLVMValueRef is_fixed = LLVMBuildICmp(cg->b, LLVMIntEQ, p[2], e_index(cg, NO_SIZE), "");
  LLVMBuildCondBr(cg->b, is_fixed, fixed, given);
  LLVMPositionBuilderAtEnd(cg->b, fixed);
  LLVMBuildRet(cg->b, p[1]);
  LLVMPositionBuilderAtEnd(cg->b, given);
  LLVMValueRef sizes = e_call_field(cg, p[0], QN_CALL_SIZES);
  LLVMValueRef size = e_load(cg, cg->index, e_at(cg, cg->index, sizes, p[2]), cg->index_bytes);
  LLVMBuildRet(cg->b, LLVMBuildMul(cg->b, p[1], size, ""));
  return function;
}

static LLVMValueRef call_function(const qn_cg *cg, LLVMValueRef function, LLVMValueRef *args,
                                  unsigned count) {
  return LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(function), function, args, count, "");
}

/* A loop of `count` iterations around the code between begin and end. */
typedef struct loop {
  LLVMBasicBlockRef head, done;
  LLVMValueRef i;
} loop;

static loop loop_begin(const qn_cg *cg, LLVMValueRef count) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(cg->b), body;
  loop l = {.head = e_block(cg, "head")};
  body = e_block(cg, "body");
  l.done = e_block(cg, "done");
  LLVMBuildBr(cg->b, l.head);
  LLVMPositionBuilderAtEnd(cg->b, l.head);
  l.i = LLVMBuildPhi(cg->b, cg->index, "");
  LLVMValueRef zero = e_index(cg, 0);
  LLVMAddIncoming(l.i, &zero, &before, 1);
  LLVMBuildCondBr(cg->b, LLVMBuildICmp(cg->b, LLVMIntSLT, l.i, count, ""), body, l.done);
  LLVMPositionBuilderAtEnd(cg->b, body);
  return l;
}

static void loop_end(const qn_cg *cg, const loop *l) {
  LLVMBasicBlockRef last = LLVMGetInsertBlock(cg->b);
  LLVMValueRef next = LLVMBuildAdd(cg->b, l->i, e_index(cg, 1), "");
  LLVMAddIncoming(l->i, &next, &last, 1);
  LLVMBuildBr(cg->b, l->head);
  LLVMPositionBuilderAtEnd(cg->b, l->done);
}

static LLVMValueRef table(qn_cg *cg, const char *name, LLVMTypeRef type, LLVMValueRef *rows,
                          uint32_t count) {
  return qn_cg_private_constant(cg, name, LLVMConstArray2(type, rows, count));
}

/* Both tables share the helpers. */
static void define_table_helpers(qn_cg *cg) {
  if (cg->bind) return;
  cg->bind = define_bind(cg);
  cg->units = define_units(cg);
}

static LLVMValueRef new_args(qn_cg *cg, const tables *t) {
  return LLVMBuildAlloca(cg->b, LLVMArrayType2(cg->ptr, t->most), "args");
}

/* The loop over the rows; `args` holds the arguments of one launch. */
static void emit_loop(qn_cg *cg, tables *t, LLVMValueRef args) {
  LLVMTypeRef row = row_type(cg), of_word = word_type(cg);
  LLVMValueRef rows = table(cg, "launches", row, t->rows, t->row_count);
  LLVMValueRef words = table(cg, "arguments", of_word, t->words, t->word_count);
  loop each = loop_begin(cg, e_index(cg, t->row_count));
  LLVMValueRef at = e_at(cg, row, rows, each.i);
  LLVMValueRef first = load_field(cg, row, at, ROW_FIRST);
  loop inner = loop_begin(cg, load_field(cg, row, at, ROW_WORDS));
  LLVMValueRef from = e_at(cg, of_word, words, LLVMBuildAdd(cg->b, first, inner.i, ""));
  LLVMValueRef bound = call_function(cg, cg->bind, (LLVMValueRef[]){cg->call, from}, 2);
  e_store(cg, bound, e_at(cg, cg->ptr, args, inner.i), cg->index_bytes);
  loop_end(cg, &inner);
  LLVMValueRef asked[] = {cg->call, load_field(cg, row, at, ROW_UNITS),
                          load_field(cg, row, at, ROW_SIZE)};
  LLVMValueRef alone = load_field(cg, row, at, ROW_ALONE);
  LLVMValueRef launched[] = {cg->call, load_field(cg, row, at, ROW_KERNEL),
                             args,     call_function(cg, cg->units, asked, QN_COUNT(asked)),
                             each.i,   LLVMBuildTrunc(cg->b, alone, cg->i1, "")};
  call_function(cg, cg->launch, launched, QN_COUNT(launched));
  loop_end(cg, &each);
}

bool qn_cg_fill_from_table(qn_cg *cg, const qn_block *body) {
  tables t;
  if (!fill_tables(cg, body, qn_op_is_step, &t)) return false;
  define_table_helpers(cg);
  qn_cg_enter(cg, cg->invoke);
  cg->call = LLVMGetParam(cg->invoke, 0);
  LLVMValueRef args = new_args(cg, &t);
  qn_cg_check_prepared(cg);
  emit_loop(cg, &t, args);
  cg->step = t.row_count;
  e_end_invoke(cg);
  return true;
}

/* ---- prepared constants ---- */

static bool prepares(const qn_op *op) {
  return op->kind == QN_OP_QUERN_LAUNCH && qn_op_prepares(op);
}

static uint64_t hash_text(uint64_t hash, qn_str text) {
  return qn_hash_bytes(hash, text.data, text.size);
}

/* The constants that a launch reads, and its kernel. */
static uint64_t hash_launch(const qn_cg *cg, uint64_t hash, const qn_op *launch) {
  hash = hash_text(hash, qn_op_kernel(launch));
  for (uint32_t i = 0; i + 1 < launch->operand_count; i++) {
    const qn_op *from = qn_op_operand(launch, i)->op;
    if (from && from->kind == QN_OP_MEMREF_VIEW) from = qn_op_operand(from, 0)->op;
    if (!from || from->kind != QN_OP_MEMREF_GET_GLOBAL) continue;
    const qn_op *global = qn_cg_named(cg->source, qn_op_global_name(from));
    qn_bytes bytes = qn_op_find(global, QN_A_INITIAL_VALUE)->dense.bytes;
    hash = qn_hash_bytes(hash, bytes.data, bytes.size);
  }
  return hash;
}

/* The word that completes prepared memory, after the constants. It identifies model, weights and
 * target, so that memory of another model, or memory that was never filled, is rejected. */
static LLVMValueRef mark_of(const qn_cg *cg) {
  const qn_codegen_options *options = cg->source->options;
  uint64_t mark = hash_text(cg->source->interface.model.prepared_bytes, options->symbol);
  mark = hash_text(hash_text(mark, options->target.cpu), options->target.features);
  QN_FOR_EACH_OP(op, qn_op_body(cg->source->interface.main))
  if (prepares(op)) mark = hash_launch(cg, mark, op);
  return LLVMConstInt(cg->i64, mark | 1, 0);
}

static LLVMValueRef mark_address(qn_cg *cg, LLVMValueRef prepared) {
  uint64_t bytes = cg->source->interface.model.prepared_bytes;
  return e_at(cg, cg->i8, prepared, e_index(cg, (int64_t)(bytes - cg->level->line_bytes)));
}

/* Whether prepared memory has an address at which code can use it. NULL has none. */
static LLVMValueRef is_placed(qn_cg *cg, LLVMValueRef prepared) {
  LLVMValueRef address = LLVMBuildPtrToInt(cg->b, prepared, cg->index, "");
  LLVMValueRef low = LLVMBuildAnd(cg->b, address, e_index(cg, cg->level->line_bytes - 1), "");
  LLVMValueRef aligned = LLVMBuildICmp(cg->b, LLVMIntEQ, low, e_index(cg, 0), "");
  return LLVMBuildAnd(cg->b, LLVMBuildIsNotNull(cg->b, prepared, ""), aligned, "");
}

void qn_cg_define_prepare(qn_cg *cg) {
  tables t;
  bool filled = fill_tables(cg, qn_op_body(cg->source->interface.main), prepares, &t);
  QN_ASSERT(filled); /* by check.c */
  define_table_helpers(cg);
  qn_cg_enter(cg, cg->prepare);
  LLVMValueRef prepared = LLVMGetParam(cg->prepare, 0);
  LLVMValueRef args = new_args(cg, &t);
  cg->call = LLVMBuildAlloca(cg->b, cg->abi.call, "call");
  LLVMBasicBlockRef placed = e_block(cg, "placed"), misplaced = e_block(cg, "misplaced");
  LLVMBuildCondBr(cg->b, is_placed(cg, prepared), placed, misplaced);
  LLVMPositionBuilderAtEnd(cg->b, misplaced);
  LLVMBuildRetVoid(cg->b); /* SYMBOL_invoke reports it */
  LLVMPositionBuilderAtEnd(cg->b, placed);
  e_store(cg, LLVMConstNull(cg->abi.call), cg->call, cg->index_bytes);
  LLVMValueRef field = LLVMBuildStructGEP2(cg->b, cg->abi.call, cg->call, QN_CALL_PREPARED, "");
  e_store(cg, prepared, field, cg->index_bytes);
  emit_loop(cg, &t, args);
  cg->mark = mark_of(cg);
  e_store(cg, cg->mark, mark_address(cg, prepared), sizeof(uint64_t));
  LLVMBuildRetVoid(cg->b);
  cg->call = NULL;
}

void qn_cg_check_prepared(qn_cg *cg) {
  if (!cg->prepare) return;
  LLVMBasicBlockRef placed = e_block(cg, "placed"), unprepared = e_block(cg, "unprepared"),
                    prepared = e_block(cg, "prepared");
  LLVMValueRef memory = e_call_field(cg, cg->call, QN_CALL_PREPARED);
  LLVMBuildCondBr(cg->b, is_placed(cg, memory), placed, unprepared);
  LLVMPositionBuilderAtEnd(cg->b, unprepared);
  LLVMBuildRet(cg->b, e_i32(cg, -1));
  LLVMPositionBuilderAtEnd(cg->b, placed);
  LLVMValueRef mark = e_load(cg, cg->i64, mark_address(cg, memory), sizeof(uint64_t));
  LLVMValueRef complete = LLVMBuildICmp(cg->b, LLVMIntEQ, mark, cg->mark, "");
  LLVMBuildCondBr(cg->b, complete, prepared, unprepared);
  LLVMPositionBuilderAtEnd(cg->b, prepared);
}
