/* Parsing and printing of MLIR text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEXT_TEXT_H
#define QN_TEXT_TEXT_H

#include "ir/module.h"

/* Parses a module: a list of top-level ops with or without the enclosing module op. Reports every
 * error up to the diagnostic engine's limit, and continues at the next op. `name` is the file name
 * in locations. Nesting beyond QN_TEXT_MAX_DEPTH gives QN_LIMIT. `text` need not outlive the call.
 * The module is not verified (see qn_verify); the caller destroys it. */
enum { QN_TEXT_MAX_DEPTH = 256 };
QN_NODISCARD qn_status qn_text_parse(qn_ir_context *cx, qn_str text, qn_str name,
                                     qn_module **out_module);
/* Parses a part of a file that starts at line `first_line`, from 1. */
QN_NODISCARD qn_status qn_text_parse_part(qn_ir_context *cx, qn_str text, qn_str name,
                                          uint32_t first_line, qn_module **out_module);
/* Parse a single type or attribute, for tests and options. `name` is the file name in locations. */
QN_NODISCARD qn_status qn_text_parse_type(qn_ir_context *cx, qn_str text, const qn_type **out_type);
QN_NODISCARD qn_status qn_text_parse_attr(qn_ir_context *cx, qn_str text, qn_str name,
                                          const qn_attr **out_attr);

typedef struct qn_print_options {
  bool generic;      /* without custom assembly forms */
  bool locations;    /* print loc(...) after every op */
  bool local_scope;  /* without aliases before the module */
  bool type_aliases; /* print aliases for quantized types with several scales: !q, !q1 ... */
  /* use custom forms for this project's dialects, which mlir-opt does not read */
  bool own_forms;
  bool no_implicit_module; /* print a single op without a module if its text had none */
  /* Print dense payloads with more elements as dense_resource<__elided__>; 0: never. */
  int64_t elide_elements_above;
} qn_print_options;

/* Prints a module to text that qn_text_parse reads back to an equal module and that mlir-opt
 * accepts. Resources are in the {-# dialect_resources #-} section at the end. Options can be NULL
 * for defaults. */
void qn_text_print(const qn_module *module, const qn_print_options *options, qn_text *out);
/* Prints an op, type, location or attribute. The text of an op has no resource section. */
void qn_text_print_op(const qn_op *op, const qn_print_options *options, qn_text *out);
void qn_text_print_type(const qn_type *type, qn_text *out);
void qn_text_print_loc(const qn_loc *loc, qn_text *out); /* loc(...) */
void qn_text_print_attr(const qn_attr *attr, qn_text *out);
/* Prints affine_set<...>: each constraint is a difference that must be 0 if equal[i], else at least
 * 0. */
void qn_text_print_affine_set(const qn_affine_map *constraints, const bool *equal, qn_text *out);
/* Prints a double, or a float widened to double, in MLIR's spelling. */
void qn_text_print_float(double value, qn_float_kind kind, qn_text *out);

#endif
