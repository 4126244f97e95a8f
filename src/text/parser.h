/* State and shared functions of the files in parse/: one recursive-descent parser, split by
 * sub-grammar. Every qn_parse_* function reads from parser->token on. It returns false after it has
 * reported exactly one error; the caller that recovers (the loop over the ops of a block) skips the
 * unread text. Lists that are being built are on the parser's stacks: a function pushes on top, and
 * its caller (or the op) shrinks the stack again, so that no error path frees memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEXT_PARSER_H
#define QN_TEXT_PARSER_H

#include "base/array.h"
#include "ir/module.h"
#include "text/lexer.h"
#include "text/number.h"

/* A use of a value as written: %name#number. */
typedef struct qn_operand_ref {
  qn_str name;
  uint64_t number;
  qn_pos pos;
} qn_operand_ref;

/* A range of parser->blocks: the blocks of a region whose op has not been created yet. */
typedef struct qn_region_draft {
  size_t first, count;
} qn_region_draft;

/* The last token that was read. */
typedef struct qn_consumed {
  qn_token_kind kind;
  uint32_t line;
  const char *end;
} qn_consumed;

/* The value of an alias (NULL after an invalid definition), and the nesting and size that its
 * expansion adds. These are limited, because few lines of nested aliases could expand to a text of
 * exponential size. */
typedef struct qn_alias {
  const void *value;
  uint64_t weight;
  uint32_t height;
} qn_alias;

/* The types that were read last, with their text, because most types occur again a few lines later.
 * Reuse of an entry counts like expansion of an alias. */
enum { QN_MEMO_SIZE = 8 };
typedef struct qn_type_memo {
  struct {
    qn_str text;
    qn_token_kind last; /* kind of the type's last token */
    qn_alias type;
  } entries[QN_MEMO_SIZE];
  size_t oldest;
} qn_type_memo;

typedef struct qn_parser {
  qn_ir_context *cx;
  qn_module *module; /* NULL while parsing a single type or attribute */
  qn_str name;       /* name of the text in locations */
  const char *begin; /* start of the text */
  qn_lexer lexer;
  qn_token token; /* the current token, not yet consumed */
  qn_consumed previous;
  int64_t braces; /* number of open '{' */
  uint32_t depth; /* nesting of regions, types, attributes, locations, expressions */
  /* levels: nesting of regions only; deepest_level: its maximum */
  uint32_t levels, deepest_level;
  uint32_t deepest; /* maximum depth since the last qn_alias_begin */
  /* size of all text read so far, with aliases expanded; and its limit */
  uint64_t weight, weight_limit;
  qn_status status; /* status of the first error */
  /* a limit was reached; the parse ends without further messages */
  bool stopped;
  /* characters searched for the end of dialect bodies without finding it */
  size_t failed_scans;
  qn_arena scratch;                      /* freed at the end of the parse */
  const struct qn_form_plan **plans;     /* [op kind] cache, see qn_form_plan_of */
  qn_str_map keywords;                   /* name of an op with a custom form -> qn_op_info */
  qn_str_map type_aliases, attr_aliases; /* name -> qn_alias */
  qn_type_memo memo;
  qn_str_map loc_aliases, resources; /* name -> struct qn_loc_alias, key -> struct qn_resource */
  struct qn_ssa_scope *values;
  struct qn_label_scope *labels;

  QN_ARRAY(const qn_type *) types;
  QN_ARRAY(const qn_attr *) attrs;
  QN_ARRAY(qn_named_attr) named;
  QN_ARRAY(qn_operand_ref) refs;
  QN_ARRAY(qn_value *) operands;
  QN_ARRAY(qn_block *) blocks;
  QN_ARRAY(qn_block *) successors;
  QN_ARRAY(qn_region_draft) regions;
  QN_ARRAY(const qn_loc *) locs;
  QN_ARRAY(int64_t) ints;
  QN_ARRAY(double) numbers;
  QN_ARRAY(uint8_t) bytes;
} qn_parser;

/* ---- parser.c: tokens and errors ---- */

void qn_parser_init(qn_parser *p, qn_ir_context *cx, qn_str text, qn_str name);
/* Sets the line number of the first line of the text. Must be called at the start. */
void qn_parser_set_line(qn_parser *p, uint32_t line);
void qn_parser_deinit(qn_parser *p);
void qn_advance(qn_parser *p);
/* Continues lexing at a character within or after the current token. */
void qn_relex(qn_parser *p, const char *from);
/* A position to which the parser can return. It does not contain braces and nesting, so the parser
 * must return at the same level. */
typedef struct qn_parse_mark {
  qn_lexer lexer;
  qn_token token;
  qn_consumed previous;
} qn_parse_mark;
qn_parse_mark qn_parse_get_mark(const qn_parser *p);
void qn_parse_rewind(qn_parser *p, qn_parse_mark mark);

/* Report an error and return false. At an invalid token, the lexer's reason replaces the
 * message. */
bool qn_fail(qn_parser *p, const char *format, ...) QN_PRINTF(2, 3); /* at the current token */
bool qn_fail_at(qn_parser *p, qn_pos pos, const char *format, ...) QN_PRINTF(3, 4);
/* Reports something missing after the previous token, which can be on an earlier line. */
bool qn_fail_behind(qn_parser *p, const char *format, ...) QN_PRINTF(2, 3);
/* Reports an error with a note at note_pos. */
bool qn_fail_note(qn_parser *p, qn_pos pos, qn_pos note_pos, qn_str note, const char *format, ...)
    QN_PRINTF(5, 6);
const qn_loc *qn_loc_of_pos(qn_parser *p, qn_pos pos);
/* Text of a type for messages, in the scratch arena. */
qn_str qn_type_text(qn_parser *p, const qn_type *type);

/* Called at the start and end of every recursive production. Nesting beyond the limit ends the
 * parse with QN_LIMIT. */
bool qn_enter(qn_parser *p);
void qn_leave(qn_parser *p);
bool qn_enter_region(qn_parser *p);
void qn_leave_region(qn_parser *p);

qn_alias qn_alias_begin(qn_parser *p);
void qn_alias_end(qn_parser *p, qn_alias *alias, const void *value);
bool qn_alias_use(qn_parser *p, const qn_alias *alias);
void qn_alias_define(qn_parser *p, qn_str_map *map, qn_str name, const qn_alias *alias);
/* Adds to the size of the text read, for payload without nested parts: about 1 per number or
 * word. */
void qn_weigh(qn_parser *p, size_t weight);

static inline bool qn_at(const qn_parser *p, qn_token_kind kind) { return p->token.kind == kind; }
bool qn_at_word(const qn_parser *p, const char *word);
/* Consumes the token if it has the kind, or is the word. Returns whether it did. */
bool qn_accept(qn_parser *p, qn_token_kind kind);
bool qn_accept_word(qn_parser *p, const char *word);
/* Consumes the token or reports "expected ','"; `where` is appended, such as " in tensor type". */
bool qn_expect(qn_parser *p, qn_token_kind kind);
bool qn_expect_in(qn_parser *p, qn_token_kind kind, const char *where);
bool qn_expect_word(qn_parser *p, const char *word);
/* Parses a comma-separated list between two tokens, which can be empty. */
typedef bool qn_parse_item(qn_parser *p, void *user);
bool qn_parse_list(qn_parser *p, qn_token_kind open, qn_token_kind close, qn_parse_item *item,
                   void *user);
/* Returns a view of the balanced text from the '<' at the current token to its '>', and continues
 * after it. For the bodies of dialect types and attributes that are kept as text. */
bool qn_parse_balanced(qn_parser *p, qn_str *out_body);
/* Whether the brackets of a body, which starts with '<', match and close at its end. */
bool qn_is_balanced(qn_parser *p, qn_str body);
/* After '<': checks that the brackets up to its '>' match; reports an error otherwise. Consumes
 * nothing. */
bool qn_check_balanced(qn_parser *p);
/* Skips tokens until an op may begin at the given brace depth, or the region or the text ends. */
void qn_recover(qn_parser *p, int64_t braces);

/* Parses a string token, or unquotes a token from its opening quote on: escapes are resolved and
 * the result is interned. */
bool qn_parse_string(qn_parser *p, qn_str *out_text);
bool qn_unquote(qn_parser *p, qn_token token, qn_str *out_text);
/* Parses [-]integer that fits in 64 bits. */
bool qn_parse_int(qn_parser *p, int64_t *out_value);

/* ---- the sub-grammars ---- */

/* parse/type.c, parse/quant.c */
bool qn_parse_type(qn_parser *p, const qn_type **out_type);
bool qn_parse_quant_type(qn_parser *p, const qn_type **out_type); /* at !quant.x or !quant */
bool qn_parse_types(qn_parser *p); /* comma-separated, at least one; pushes on p->types */
/* Parses (t, t) -> t or (t, t) -> (t, t). Pushes inputs, then results, on p->types; returns their
 * numbers. */
bool qn_parse_signature(qn_parser *p, uint32_t *out_inputs, uint32_t *out_results);
/* Parses t or (t, t); pushes the types on p->types. */
bool qn_parse_result_types(qn_parser *p);
bool qn_parse_type_alias(qn_parser *p); /* !name = type */
/* Parses "4x?x" up to the element type; pushes the dimensions on p->ints. */
bool qn_parse_dims(qn_parser *p, bool allow_dynamic);

/* parse/attr.c, parse/dense.c, parse/affine.c */
bool qn_parse_attr(qn_parser *p, const qn_attr **out_attr);
/* With a type that is known from the context, so that the text has no ": type". */
bool qn_parse_attr_of_type(qn_parser *p, const qn_type *type, const qn_attr **out_attr);
/* Parses {name = value, ...} and pushes the attributes on p->named. Reports a name that occurs
 * twice among those from index `first` on, which can include attributes that the surrounding syntax
 * has pushed. */
bool qn_parse_named_attrs(qn_parser *p, size_t first);
/* Parses @a or @a::@b; returns the path without the first @. */
bool qn_parse_symbol(qn_parser *p, qn_str *out_path);
bool qn_parse_attr_alias(qn_parser *p); /* #name = attribute */
/* After `start`: with the balanced body at the current '<', if there is one. */
bool qn_parse_opaque_attr(qn_parser *p, qn_str start, const qn_attr **out_attr);
/* parse/carried.c: returns `start` and the balanced body at the current '<', if it follows without
 * a blank, as one text with aliases expanded. */
bool qn_parse_carried(qn_parser *p, qn_str start, qn_str *out_text);
/* At `dense` and `dense_resource`. If type_or_null is given, the text has no type. */
bool qn_parse_dense(qn_parser *p, const qn_type *type_or_null, const qn_attr **out_attr);
bool qn_parse_dense_resource(qn_parser *p, const qn_type *type_or_null, const qn_attr **out_attr);
bool qn_parse_dense_array(qn_parser *p, const qn_attr **out_attr); /* at array */
bool qn_parse_affine_map(qn_parser *p, const qn_attr **out_attr);  /* at affine_map */
/* Kept as text in a canonical spelling. */
bool qn_parse_affine_set(qn_parser *p, const qn_attr **out_attr); /* at affine_set */
bool qn_parse_strided(qn_parser *p, const qn_attr **out_attr);    /* at strided */
/* parse/literal.c: converts an integer literal to the bits of a type: checks its range, and sign-
 * or zero-extends it to 64 bits. */
bool qn_int_in_type(qn_parser *p, const qn_token *literal, bool negative, const qn_type *type,
                    int64_t *out_value);
/* Rounds a float literal, or an integer literal as bit pattern, to the type. */
bool qn_float_in_type(qn_parser *p, const qn_token *literal, bool negative, const qn_type *type,
                      double *out_value);
/* Returns the digits of the string token "0x..." without consuming it. */
bool qn_parse_hex_digits(qn_parser *p, qn_str *out_digits);

/* parse/loc.c: parses loc(...) at the current token. Without one, *out_loc is NULL and the result
 * true. */
bool qn_parse_optional_loc(qn_parser *p, const qn_loc **out_loc);
bool qn_parse_location(qn_parser *p, const qn_loc **out_loc); /* the part in the parentheses */
bool qn_at_loc_alias(const qn_parser *p);                     /* at #name = loc */
/* records the definition's position; false if there is none here */
bool qn_note_loc_alias(qn_parser *p);
bool qn_parse_loc_alias(qn_parser *p); /* parses and checks the definition */

/* parse/prescan.c: one scan over the tokens that collects definitions which can follow their uses:
 * location aliases and the resource section. Reports errors in the resource section. */
void qn_prescan(qn_parser *p, qn_str text);
/* parse/resource.c: parses {-# ... #-} at the current token. */
bool qn_parse_resources(qn_parser *p);
void qn_skip_resources(qn_parser *p);
/* The payload of a key. Returns false if there is none. */
bool qn_resource_bytes(qn_parser *p, qn_str key, qn_bytes *out_bytes);

/* parse/value.c: SSA names and block labels. An op whose regions are isolated from above has a
 * scope of its own. */
typedef struct qn_ssa_scope qn_ssa_scope;
void qn_scope_push(qn_parser *p);
void qn_scope_pop(qn_parser *p); /* reports names without definition */
size_t qn_scope_height(const qn_parser *p);
/* removes names defined after `height`, at the end of their region */
void qn_scope_forget(qn_parser *p, size_t height);
bool qn_parse_operand(qn_parser *p, qn_operand_ref *out_ref);
bool qn_parse_operands(qn_parser *p); /* comma-separated, possibly none; pushes on p->refs */
/* Returns the value of a use, or a placeholder if it is not defined yet. NULL after an error. */
qn_value *qn_resolve(qn_parser *p, const qn_operand_ref *ref, const qn_type *type);
/* Defines a name for values[0..count): consecutive results of an op, or one block argument. */
bool qn_define(qn_parser *p, qn_str name, qn_pos pos, qn_value *values, uint32_t count);
/* Marks a name whose op was invalid, so that its uses are not errors. */
void qn_poison(qn_parser *p, qn_str name);
typedef struct qn_label_scope qn_label_scope;
void qn_labels_push(qn_parser *p);
bool qn_labels_pop(qn_parser *p); /* reports labels without definition */
qn_block *qn_label_use(qn_parser *p, qn_str name, qn_pos pos);
qn_block *qn_label_define(qn_parser *p, qn_str name, qn_pos pos); /* NULL after an error */

/* parse/op.c: an op that is being parsed. Its parts are on the parser's stacks above these
 * heights. */
typedef struct qn_op_draft {
  qn_op_kind kind;
  qn_str name;
  qn_pos pos;
  const qn_loc *loc;
  /* sizes of the stacks at the start */
  size_t refs, operands, types, named, blocks, regions, successors;
} qn_op_draft;
bool qn_parse_op(qn_parser *p, qn_block *block);
bool qn_parse_successor(qn_parser *p); /* parses ^label; pushes on p->successors */
/* parse/draft.c */
/* Resolves the draft's refs from index `first` on with the types [count]; pushes the values on
 * p->operands. */
bool qn_draft_resolve(qn_parser *p, const qn_op_draft *draft, size_t first,
                      const qn_type *const *types, size_t count);
/* Parses (%a, %b : t, u) from after its bracket. Resolves the values and returns their number. */
bool qn_draft_typed_operands(qn_parser *p, const qn_op_draft *draft, uint32_t *out_count);
void qn_draft_attr(qn_parser *p, const char *name, const qn_attr *value);
/* Sets the attribute operandSegmentSizes. */
void qn_draft_segments(qn_parser *p, const int64_t *sizes, uint32_t count);
/* An argument of an entry block that a custom form declares. */
typedef struct qn_entry_arg {
  qn_operand_ref name; /* name.name.size is 0 if it has no name */
  const qn_type *type;
  const qn_loc *loc; /* NULL if none */
} qn_entry_arg;
typedef struct qn_region_options {
  const qn_entry_arg *args; /* arguments of an entry block without a label */
  size_t arg_count;
  bool unnamed_args; /* a label of the entry block names the arguments */
  bool isolated;
  bool entry_block;              /* create an entry block even if the region is empty */
  qn_op_kind implied_terminator; /* terminator to add if missing; QN_OP_UNREGISTERED: none */
} qn_region_options;
/* Parses { ops, blocks }; pushes one qn_region_draft on p->regions. */
bool qn_parse_region(qn_parser *p, const qn_region_options *options);

#endif
