/* Creates, moves and erases IR. No other file changes def-use lists.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_MODULE_H
#define QN_IR_MODULE_H

#include "base/file.h"
#include "ir/op_attrs.h"

/* A module: the top-level builtin.module op and the arena that owns all of its IR. */
typedef struct qn_module {
  qn_ir_context *cx;
  qn_arena arena;
  qn_op *op;              /* builtin.module: one region, one block */
  uint32_t value_count;   /* value ids allocated so far */
  bool made[QN_OP_LIMIT]; /* [op kind] false if the module never had an op of the kind */
  bool implicit;          /* the text that it was parsed from had no explicit module op */
  qn_file **files;        /* retained files, whose bytes constants borrow */
  uint32_t file_count;
} qn_module;

qn_module *qn_module_create(qn_ir_context *cx, const qn_loc *loc);
void qn_module_destroy(qn_module *module); /* NULL has no effect */
/* Keeps a file alive as long as the module. */
void qn_module_retain_file(qn_module *module, qn_file *file);
/* The retained file whose content is exactly `bytes`; NULL if none. */
qn_file *qn_module_file_of(const qn_module *module, qn_bytes bytes);

/* Everything needed to create an op. Arrays are copied. */
typedef struct qn_op_state {
  qn_op_kind kind;
  qn_str name; /* only for QN_OP_UNREGISTERED */
  const qn_loc *loc;
  qn_value *const *operands;
  uint32_t operand_count;
  const qn_type *const *result_types;
  uint32_t result_count;
  const qn_named_attr *attrs; /* any order; names are interned here */
  uint32_t attr_count;
  uint32_t region_count;
  qn_block *const *successors;
  const uint32_t *successor_operand_counts;
  uint32_t successor_count;
} qn_op_state;

/* Creates a detached op with empty regions. */
qn_op *qn_op_create(qn_module *module, const qn_op_state *state);
/* Erases an op, which must have no uses: unlinks it from its block, drops its operands, and erases
 * its regions. */
void qn_op_erase(qn_module *module, qn_op *op);
void qn_op_unlink(qn_op *op);
void qn_op_insert_before(qn_op *op, qn_op *before);
void qn_op_insert_after(qn_op *op, qn_op *after);
void qn_op_append(qn_op *op, qn_block *block);
void qn_op_set_operand(qn_op *op, uint32_t index, qn_value *value);
void qn_op_set_operands(qn_module *module, qn_op *op, qn_value *const *values, uint32_t count);
/* Sets, replaces or (NULL) removes an attribute. */
void qn_op_set_attr(qn_module *module, qn_op *op, const char *name, const qn_attr *value_or_null);
/* Replaces all attributes, given in any order. In one step, so that many attributes take linear
 * memory and time. */
void qn_op_set_attrs(qn_module *module, qn_op *op, const qn_named_attr *attrs, uint32_t count);
void qn_value_replace_all_uses(qn_value *value, qn_value *with);

qn_block *qn_block_create(qn_module *module);
void qn_block_append(qn_block *block, qn_region *region);
qn_value *qn_block_add_arg(qn_module *module, qn_block *block, const qn_type *type,
                           const qn_loc *loc);
/* Removes arguments without uses; the others are renumbered. */
void qn_block_drop_unused_args(qn_block *block);
void qn_value_set_type(qn_value *value, const qn_type *type);

/* Symbols. */
/* Whether a symbol is public, which is the default without "sym_visibility". */
static inline bool qn_symbol_is_public(const qn_op *op) {
  return !qn_op_find(op, QN_A_SYM_VISIBILITY) || qn_str_is(qn_op_sym_visibility(op), "public");
}
qn_op *qn_module_lookup(const qn_module *module,
                        qn_str symbol); /* top level only; NULL if absent */
/* The function of the model: @main, else the only public function, else NULL. */
qn_op *qn_module_main(const qn_module *module);

#endif
