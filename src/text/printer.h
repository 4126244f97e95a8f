/* State and shared functions of the files in print/. Printing cannot fail: an op without a custom
 * form, or that does not fit it, is printed in generic form.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEXT_PRINTER_H
#define QN_TEXT_PRINTER_H

#include "base/array.h"
#include "base/map.h"
#include "text/text.h"

/* The name of an SSA value: a text ("c0_i32"), or a number with or without "arg". */
typedef struct qn_value_name {
  const char *name;
  uint32_t number;
  bool argument, known;
} qn_value_name;

/* Counters that the end of a region restores, so that sibling regions reuse numbers. */
typedef struct qn_name_level {
  uint32_t next_number, next_argument, next_conflict;
  size_t used;
} qn_name_level;

typedef struct qn_used_resource {
  qn_str key;
  const qn_attr *attr;
} qn_used_resource;

/* Entities with an alias, numbered in order of first use. */
typedef struct qn_alias_list {
  QN_ARRAY(const void *) items;
  qn_map numbers; /* entity -> index + 1 */
} qn_alias_list;

typedef struct qn_printer {
  qn_text *out;
  qn_print_options options;
  uint32_t indent;
  qn_arena scratch;
  const struct qn_form_plan **plans; /* [op kind] cache, see qn_form_plan_of */
  QN_ARRAY(qn_value_name) names;     /* [value id] */
  qn_map blocks;                     /* block -> index in its region, except for first blocks */
  qn_map predecessors; /* block -> struct qn_predecessor; for regions with several blocks */
  qn_name_level level;
  qn_str_map used_names;
  QN_ARRAY(qn_str) used_order;
  QN_ARRAY(qn_used_resource) resources; /* in order of first use */
  qn_str_map resource_keys;             /* key -> index + 1 */
  qn_map type_texts;                    /* type -> cached text (qn_str) */
  bool aliases;                         /* aliases are printed before the module */
  qn_alias_list maps;                   /* affine maps: #map, #map1 ... */
  qn_alias_list types;                  /* quantized types, if requested: !q, !q1 ... */
} qn_printer;

void qn_printer_init(qn_printer *out, const qn_print_options *options_or_null, qn_text *text);
void qn_printer_deinit(qn_printer *out);

static inline void qn_put(qn_printer *out, qn_str view) { qn_text_put(out->out, view); }
/* Inline, so that the compiler knows the length of a literal. */
static inline void qn_puts(qn_printer *out, const char *string) { qn_put(out, qn_str_of(string)); }
void qn_print_uint(qn_printer *out, uint64_t value);
void qn_print_i64(qn_printer *out, int64_t value);
/* signed or unsigned by its type */
void qn_print_int(qn_printer *out, int64_t value, const qn_type *type);
void qn_print_quoted(qn_printer *out, qn_str text);
void qn_print_symbol(qn_printer *out, qn_str path); /* prints the path "a::@b" as @a::@b */
void qn_newline(qn_printer *out);                   /* also prints the indentation */
/* Prints a comma before item `index` of a list, unless it is item 0. */
void qn_comma(qn_printer *out, size_t index);

/* print/type.c, print/attr.c, print/dense.c, print/affine.c */
void qn_print_type(qn_printer *out, const qn_type *type);
void qn_print_types(qn_printer *out, const qn_type *const *types, size_t count); /* a, b */
/* Prints t, (t, t), or (t) if t is a single function type, which would be ambiguous without
 * parentheses. */
void qn_print_result_types(qn_printer *out, const qn_type *const *types, size_t count);
void qn_print_attr(qn_printer *out, const qn_attr *attr);
void qn_print_attr_untyped(qn_printer *out, const qn_attr *attr); /* elements omit ": type" */
void qn_print_named_attr(qn_printer *out, qn_named_attr named);
/* Prints dense<...> or dense_resource<...>, without the type. */
void qn_print_elements(qn_printer *out, const qn_attr *attr);
/* Prints the alias of an item: the stem, followed by its index unless that is 0. */
void qn_print_alias(qn_printer *out, qn_alias_list *list, const char *stem, const void *item);
/* Print the definitions of used aliases, one per line: #map = affine_map<...>, and !q =
 * !quant.uniform<...>. */
void qn_print_map_aliases(qn_printer *out);
/* Prints a map, or its alias if the module is printed with aliases. */
void qn_print_map(qn_printer *out, const qn_attr *attr);
void qn_print_type_aliases(qn_printer *out);
/* Prints {-# ... #-} with the resources that were used; nothing if there are none. */
void qn_print_resources(qn_printer *out);

/* print/loc.c */
void qn_print_loc(qn_printer *out, const qn_loc *loc); /* loc(...) */
/* prints " loc(...)" if locations are requested */
void qn_print_trailing_loc(qn_printer *out, const qn_loc *loc);

/* print/names.c */
/* Names the arguments and results of a region. The result must be passed to qn_names_leave at its
 * end. */
qn_name_level qn_names_enter(qn_printer *out, const qn_region *region);
void qn_names_leave(qn_printer *out, qn_name_level before);
/* The number of names before "=": one for all results, or one for each. */
uint32_t qn_bound_results(const qn_op *op);
/* Names all values that are visible to an op, when it is printed without its parent. */
void qn_names_enter_ancestors(qn_printer *out, const qn_op *op);
void qn_print_value(qn_printer *out, const qn_value *value);
/* Prints the name of a value without "#0" for a first result. */
void qn_print_value_name(qn_printer *out, const qn_value *value);
void qn_print_block_name(qn_printer *out, const qn_block *block);

/* print/op.c */
void qn_print_op(qn_printer *out, const qn_op *op);
/* Prints `open` (" {"), the attributes that `skip` does not list, and "}". Prints nothing if there
 * are no attributes. */
void qn_print_attr_dict(qn_printer *out, const qn_op *op, const char *open, const char *const *skip,
                        size_t skip_count);
void qn_print_operand_list(qn_printer *out, const qn_op *op, uint32_t first, uint32_t count);
void qn_print_operand_types(qn_printer *out, const qn_op *op, uint32_t first, uint32_t count);
/* Prints (a, b) -> c. */
void qn_print_signature(qn_printer *out, const qn_op *op);
typedef struct qn_region_style {
  /* the entry block's arguments are printed in its label, not in the op's own syntax */
  bool entry_args;
  bool hide_terminator;
} qn_region_style;
/* { blocks } */
void qn_print_region(qn_printer *out, const qn_region *region, qn_region_style style);

#endif
