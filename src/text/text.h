/* MLIR text in and out.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEXT_TEXT_H
#define QN_TEXT_TEXT_H

#include "ir/module.h"

/* Parses a module (a list of top-level ops with or without the enclosing module op). Reports every
 * error up to the engine's limit, going on at the next op; `name` is in locations. Nesting
 * beyond QN_TEXT_MAX_DEPTH is QN_LIMIT, never a stack overflow. The text must be kept by the caller
 * only until the function returns. The result is parsed, not verified (qn_verify). */
enum { QN_TEXT_MAX_DEPTH = 256 };
QN_NODISCARD qn_status qn_text_parse(qn_ir_context *cx, qn_str text, qn_str name,
                                     qn_module **out_module);
/* The same for a part of a file that begins at a later line (from 1). */
QN_NODISCARD qn_status qn_text_parse_part(qn_ir_context *cx, qn_str text, qn_str name,
                                          uint32_t first_line, qn_module **out_module);
/* One type or attribute: for tests and options. `name` is in locations. */
QN_NODISCARD qn_status qn_text_parse_type(qn_ir_context *cx, qn_str text, const qn_type **out_type);
QN_NODISCARD qn_status qn_text_parse_attr(qn_ir_context *cx, qn_str text, qn_str name,
                                          const qn_attr **out_attr);

typedef struct qn_print_options {
  bool generic;            /* no custom assembly forms */
  bool locations;          /* loc(...) after every op */
  bool local_scope;        /* no aliases before the module */
  bool type_aliases;       /* quantized types with several scales are aliases too: !q, !q1 ... */
  bool own_forms;          /* custom forms of our own dialects, which mlir-opt does not read */
  bool no_implicit_module; /* a lone op whose text had no module around it is printed alone */
  /* Dense payloads with more elements print as dense_resource<__elided__>; 0: never. */
  int64_t elide_elements_above;
} qn_print_options;

/* Prints what qn_text_parse reads back to an equal module and mlir-opt accepts. Resources go to the
 * {-# dialect_resources #-} section at the end. Options may be NULL. */
void qn_text_print(const qn_module *module, const qn_print_options *options, qn_text *out);
/* Without resources. */
void qn_text_print_op(const qn_op *op, const qn_print_options *options, qn_text *out);
void qn_text_print_type(const qn_type *type, qn_text *out);
void qn_text_print_loc(const qn_loc *loc, qn_text *out); /* loc(...) */
void qn_text_print_attr(const qn_attr *attr, qn_text *out);
/* affine_set<...> of differences that are 0 or, where `equal` is not, at least 0. */
void qn_text_print_affine_set(const qn_affine_map *constraints, const bool *equal, qn_text *out);
/* A double or a float widened to double, as MLIR writes it. */
void qn_text_print_float(double value, qn_float_kind kind, qn_text *out);

#endif
