/* The state and the shared functions of the files of print/. Printing cannot fail; what has no
 * custom form, or does not fit it, is printed in the generic form.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEXT_PRINTER_H
#define QN_TEXT_PRINTER_H

#include "base/array.h"
#include "base/map.h"
#include "text/text.h"

/* How an SSA value is called: a name ("c0_i32"), or a number with or without "arg". */
typedef struct qn_value_name {
  const char *name;
  uint32_t number;
  bool argument, known;
} qn_value_name;

/* What a region's end takes back, so that sibling regions reuse numbers. */
typedef struct qn_name_level {
  uint32_t next_number, next_argument, next_conflict;
  size_t used;
} qn_name_level;

typedef struct qn_used_resource {
  qn_str key;
  const qn_attr *attr;
} qn_used_resource;

/* What has an alias, numbered in the order of first use. */
typedef struct qn_alias_list {
  QN_ARRAY(const void *) items;
  qn_map numbers; /* to index + 1 */
} qn_alias_list;

typedef struct qn_printer {
  qn_text *out;
  qn_print_options options;
  uint32_t indent;
  qn_arena scratch;
  const struct qn_form_plan **plans; /* by op kind, see form.h */
  QN_ARRAY(qn_value_name) names;     /* by value id */
  qn_map blocks;                     /* to their position in the region, the first ones excepted */
  qn_map predecessors; /* block -> struct qn_predecessor, of regions with several blocks */
  qn_name_level level;
  qn_str_map used_names;
  QN_ARRAY(qn_str) used_order;
  QN_ARRAY(qn_used_resource) resources; /* in order of first use */
  qn_str_map resource_keys;             /* to index + 1 */
  qn_map type_texts;                    /* qn_str of those that are kept */
  bool aliases;                         /* precede the module */
  qn_alias_list maps;                   /* affine maps, #map, #map1 ... */
  qn_alias_list types;                  /* quantized types, !q, !q1 ..., if that is wanted */
} qn_printer;

void qn_printer_init(qn_printer *out, const qn_print_options *options_or_null, qn_text *text);
void qn_printer_deinit(qn_printer *out);

static inline void qn_put(qn_printer *out, qn_str view) { qn_text_put(out->out, view); }
/* Inline, so that the length of a literal is known. */
static inline void qn_puts(qn_printer *out, const char *string) { qn_put(out, qn_str_of(string)); }
void qn_print_uint(qn_printer *out, uint64_t value);
void qn_print_i64(qn_printer *out, int64_t value);
void qn_print_int(qn_printer *out, int64_t value, const qn_type *type); /* by its signedness */
void qn_print_quoted(qn_printer *out, qn_str text);
void qn_print_symbol(qn_printer *out, qn_str path); /* "a::@b" is @a::@b */
void qn_newline(qn_printer *out);                   /* and the indentation */
/* Between the items of a list: a comma, except before item 0. */
void qn_comma(qn_printer *out, size_t index);

/* print/type.c, print/attr.c, print/dense.c, print/affine.c */
void qn_print_type(qn_printer *out, const qn_type *type);
void qn_print_types(qn_printer *out, const qn_type *const *types, size_t count); /* a, b */
/* t, (t, t) or (t) where a lone function type would be misread. */
void qn_print_result_types(qn_printer *out, const qn_type *const *types, size_t count);
void qn_print_attr(qn_printer *out, const qn_attr *attr);
void qn_print_attr_untyped(qn_printer *out, const qn_attr *attr); /* elements without ": type" */
void qn_print_named_attr(qn_printer *out, qn_named_attr named);
/* dense<...> or dense_resource<...>, without the type */
void qn_print_elements(qn_printer *out, const qn_attr *attr);
/* The alias of an item: the stem, and a number unless it is the first. */
void qn_print_alias(qn_printer *out, qn_alias_list *list, const char *stem, const void *item);
/* #map = affine_map<...> and !q = !quant.uniform<...>, a line for each that was used */
void qn_print_map_aliases(qn_printer *out);
/* A map, or its alias where the module is printed with aliases. */
void qn_print_map(qn_printer *out, const qn_attr *attr);
void qn_print_type_aliases(qn_printer *out);
/* {-# ... #-} with the resources that were printed; nothing without any. */
void qn_print_resources(qn_printer *out);

/* print/loc.c */
void qn_print_loc(qn_printer *out, const qn_loc *loc);          /* loc(...) */
void qn_print_trailing_loc(qn_printer *out, const qn_loc *loc); /* " loc(...)" if wanted */

/* print/names.c */
/* Names the arguments and results of a region; what it returns goes to qn_names_leave after it. */
qn_name_level qn_names_enter(qn_printer *out, const qn_region *region);
void qn_names_leave(qn_printer *out, qn_name_level before);
/* The number of names that precede "=": one for all results, or one each. */
uint32_t qn_bound_results(const qn_op *op);
/* Names all that is visible to an op that is printed alone. */
void qn_names_enter_ancestors(qn_printer *out, const qn_op *op);
void qn_print_value(qn_printer *out, const qn_value *value);
/* Prints the name; a first result or an argument has no "#0". */
void qn_print_value_name(qn_printer *out, const qn_value *value);
void qn_print_block_name(qn_printer *out, const qn_block *block);

/* print/op.c */
void qn_print_op(qn_printer *out, const qn_op *op);
/* `open` (" {"), the attributes that `skip` does not list, and "}"; nothing without any. */
void qn_print_attr_dict(qn_printer *out, const qn_op *op, const char *open, const char *const *skip,
                        size_t skip_count);
void qn_print_operand_list(qn_printer *out, const qn_op *op, uint32_t first, uint32_t count);
void qn_print_operand_types(qn_printer *out, const qn_op *op, uint32_t first, uint32_t count);
/* (a, b) -> c */
void qn_print_signature(qn_printer *out, const qn_op *op);
typedef struct qn_region_style {
  bool entry_args; /* the entry block's arguments are in its label, not in the op's own syntax */
  bool hide_terminator;
} qn_region_style;
/* { blocks } */
void qn_print_region(qn_printer *out, const qn_region *region, qn_region_style style);

#endif
