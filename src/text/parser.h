/* The state and the shared functions of the files of parse/: one recursive-descent parser, split by
 * sub-grammar. Every qn_parse_* function reads from parser->token on, and returns false after it
 * has reported exactly one error; what it leaves unread is skipped by the caller that recovers (the
 * loop over the ops of a block). Lists under construction live on the parser's stacks: a function
 * pushes above the height that it found and its caller (or the op) takes the stack back down, so
 * that no error path frees anything.
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

/* Some of parser->blocks: the blocks of a region that wait for their op. */
typedef struct qn_region_draft {
  size_t first, count;
} qn_region_draft;

/* The last token that was read. */
typedef struct qn_consumed {
  qn_token_kind kind;
  uint32_t line;
  const char *end;
} qn_consumed;

/* What an alias stands for (NULL: its definition was wrong), and what its expansion adds to nesting
 * and size: a few lines of aliases of aliases must not become text without end when the module is
 * printed. */
typedef struct qn_alias {
  const void *value;
  uint64_t weight;
  uint32_t height;
} qn_alias;

/* The types read last, with their text: most are written again a few lines further. To read one of
 * these is to expand an alias. */
enum { QN_MEMO_SIZE = 8 };
typedef struct qn_type_memo {
  struct {
    qn_str text;
    qn_token_kind last; /* its last token */
    qn_alias type;
  } entries[QN_MEMO_SIZE];
  size_t oldest;
} qn_type_memo;

typedef struct qn_parser {
  qn_ir_context *cx;
  qn_module *module; /* NULL while a lone type or attribute is read */
  qn_str name;       /* of the text, for locations */
  const char *begin; /* of the text */
  qn_lexer lexer;
  qn_token token; /* the next one */
  qn_consumed previous;
  int64_t braces; /* open '{' */
  uint32_t depth; /* nesting of regions, types, attributes, locations, expressions */
  uint32_t levels, deepest_level;    /* of regions alone; the deepest of all */
  uint32_t deepest;                  /* reached since the last qn_alias_begin */
  uint64_t weight, weight_limit;     /* size of all that was read with aliases expanded */
  qn_status status;                  /* of the first error */
  bool stopped;                      /* a limit was reached: everything unwinds in silence */
  size_t failed_scans;               /* characters searched in vain for the end of dialect bodies */
  qn_arena scratch;                  /* until the end of the parse */
  const struct qn_form_plan **plans; /* by op kind, see form.h */
  qn_str_map keywords;               /* of ops in custom form, to qn_op_info */
  qn_str_map type_aliases, attr_aliases; /* to qn_alias */
  qn_type_memo memo;
  qn_str_map loc_aliases, resources; /* to struct qn_loc_alias, struct qn_resource */
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
/* At the start: the text's first line has this number. */
void qn_parser_set_line(qn_parser *p, uint32_t line);
void qn_parser_deinit(qn_parser *p);
void qn_advance(qn_parser *p);
/* Reads on from a character in or after the current token. */
void qn_relex(qn_parser *p, const char *from);
/* A place to come back to. Braces and nesting are not part of it: come back at the same level. */
typedef struct qn_parse_mark {
  qn_lexer lexer;
  qn_token token;
  qn_consumed previous;
} qn_parse_mark;
qn_parse_mark qn_parse_get_mark(const qn_parser *p);
void qn_parse_rewind(qn_parser *p, qn_parse_mark mark);

/* Report, and return false. At an invalid token, the lexer's reason replaces the message. */
bool qn_fail(qn_parser *p, const char *format, ...) QN_PRINTF(2, 3); /* at the current token */
bool qn_fail_at(qn_parser *p, qn_pos pos, const char *format, ...) QN_PRINTF(3, 4);
/* Something is missing after the token before, which may end an earlier line. */
bool qn_fail_behind(qn_parser *p, const char *format, ...) QN_PRINTF(2, 3);
/* With one note. */
bool qn_fail_note(qn_parser *p, qn_pos pos, qn_pos note_pos, qn_str note, const char *format, ...)
    QN_PRINTF(5, 6);
const qn_loc *qn_loc_of_pos(qn_parser *p, qn_pos pos);
/* A type as text, in the scratch arena, for messages. */
qn_str qn_type_text(qn_parser *p, const qn_type *type);

/* Every recursion enters and leaves; too deep ends the whole parse with QN_LIMIT. */
bool qn_enter(qn_parser *p);
void qn_leave(qn_parser *p);
bool qn_enter_region(qn_parser *p);
void qn_leave_region(qn_parser *p);

qn_alias qn_alias_begin(qn_parser *p);
void qn_alias_end(qn_parser *p, qn_alias *alias, const void *value);
bool qn_alias_use(qn_parser *p, const qn_alias *alias);
void qn_alias_define(qn_parser *p, qn_str_map *map, qn_str name, const qn_alias *alias);
/* Counts payload that is not made of nested parts: about one per number or word. */
void qn_weigh(qn_parser *p, size_t weight);

static inline bool qn_at(const qn_parser *p, qn_token_kind kind) { return p->token.kind == kind; }
bool qn_at_word(const qn_parser *p, const char *word);
/* Consumes the token if it is one. */
bool qn_accept(qn_parser *p, qn_token_kind kind);
bool qn_accept_word(qn_parser *p, const char *word);
/* Consumes the token or reports "expected ','"; with `where` also " in tensor type". */
bool qn_expect(qn_parser *p, qn_token_kind kind);
bool qn_expect_in(qn_parser *p, qn_token_kind kind, const char *where);
bool qn_expect_word(qn_parser *p, const char *word);
/* A comma-separated list between two tokens, maybe empty. */
typedef bool qn_parse_item(qn_parser *p, void *user);
bool qn_parse_list(qn_parser *p, qn_token_kind open, qn_token_kind close, qn_parse_item *item,
                   void *user);
/* A view of characters with balanced brackets, from '<' of the current token on; the current token
 * becomes the one behind. For the bodies of dialect types and attributes that we only carry. */
bool qn_parse_balanced(qn_parser *p, qn_str *out_body);
/* Whether the brackets of a body, from its '<' on, end with it. */
bool qn_is_balanced(qn_parser *p, qn_str body);
/* Behind '<': whether the brackets up to its '>' balance, else an error. Consumes nothing. */
bool qn_check_balanced(qn_parser *p);
/* Consumes tokens until an op may begin at the given brace depth, or the region or text ends. */
void qn_recover(qn_parser *p, int64_t braces);

/* A string token's or quoted symbol's contents (from the opening quote on) with escapes resolved,
 * interned. */
bool qn_parse_string(qn_parser *p, qn_str *out_text);
bool qn_unquote(qn_parser *p, qn_token token, qn_str *out_text);
/* [-]integer that fits in 64 bits. */
bool qn_parse_int(qn_parser *p, int64_t *out_value);

/* ---- the sub-grammars ---- */

/* parse/type.c, parse/quant.c */
bool qn_parse_type(qn_parser *p, const qn_type **out_type);
bool qn_parse_quant_type(qn_parser *p, const qn_type **out_type); /* at !quant.x or !quant */
bool qn_parse_types(qn_parser *p); /* comma-separated, at least one, pushed on p->types */
/* (t, t) -> t or (t, t) -> (t, t): pushes inputs, then results; counts out. */
bool qn_parse_signature(qn_parser *p, uint32_t *out_inputs, uint32_t *out_results);
/* t or (t, t): pushed. */
bool qn_parse_result_types(qn_parser *p);
bool qn_parse_type_alias(qn_parser *p); /* !name = type */
/* "4x?x" up to and without the element; pushes on p->ints. */
bool qn_parse_dims(qn_parser *p, bool allow_dynamic);

/* parse/attr.c, parse/dense.c, parse/affine.c */
bool qn_parse_attr(qn_parser *p, const qn_attr **out_attr);
/* With a known type: no ": type" is written behind. */
bool qn_parse_attr_of_type(qn_parser *p, const qn_type *type, const qn_attr **out_attr);
/* {name = value, ...} pushed on p->named; no name may occur twice among those from height `first`
 * on, which includes what the syntax around gave already. */
bool qn_parse_named_attrs(qn_parser *p, size_t first);
/* @a or @a::@b, as one path without the first @ */
bool qn_parse_symbol(qn_parser *p, qn_str *out_path);
bool qn_parse_attr_alias(qn_parser *p); /* #name = attribute */
/* Behind `start`: with the balanced body at the current '<', if any. */
bool qn_parse_opaque_attr(qn_parser *p, qn_str start, const qn_attr **out_attr);
/* parse/carried.c: `start` and the balanced body at the current '<', if it is adjacent, as one
 * text. */
bool qn_parse_carried(qn_parser *p, qn_str start, qn_str *out_text);
/* At `dense` and `dense_resource`. With a known type, none is written behind. */
bool qn_parse_dense(qn_parser *p, const qn_type *type_or_null, const qn_attr **out_attr);
bool qn_parse_dense_resource(qn_parser *p, const qn_type *type_or_null, const qn_attr **out_attr);
bool qn_parse_dense_array(qn_parser *p, const qn_attr **out_attr); /* at array */
bool qn_parse_affine_map(qn_parser *p, const qn_attr **out_attr);  /* at affine_map */
/* Carried as text, in one spelling. */
bool qn_parse_affine_set(qn_parser *p, const qn_attr **out_attr); /* at affine_set */
bool qn_parse_strided(qn_parser *p, const qn_attr **out_attr);    /* at strided */
/* parse/literal.c: an integer literal as the bits of a type: range-checked, sign- or zero-extended.
 */
bool qn_int_in_type(qn_parser *p, const qn_token *literal, bool negative, const qn_type *type,
                    int64_t *out_value);
/* A float literal, or an integer one as a bit pattern, rounded to the type. */
bool qn_float_in_type(qn_parser *p, const qn_token *literal, bool negative, const qn_type *type,
                      double *out_value);
/* The digits of the string token "0x..."; does not consume it. */
bool qn_parse_hex_digits(qn_parser *p, qn_str *out_digits);

/* parse/loc.c: loc(...) at the current token; NULL and true when there is none. */
bool qn_parse_optional_loc(qn_parser *p, const qn_loc **out_loc);
bool qn_parse_location(qn_parser *p, const qn_loc **out_loc); /* what is in the parentheses */
bool qn_at_loc_alias(const qn_parser *p);                     /* at #name = loc */
bool qn_note_loc_alias(qn_parser *p);  /* remembers where it is; false: it is none */
bool qn_parse_loc_alias(qn_parser *p); /* checks it */

/* parse/prescan.c: one scan over the tokens that collects what may be used before it is written:
 * location aliases and the resource section. Reports what is wrong in the latter. */
void qn_prescan(qn_parser *p, qn_str text);
/* parse/resource.c: {-# ... #-} at the current token */
bool qn_parse_resources(qn_parser *p);
void qn_skip_resources(qn_parser *p);
/* The payload under a key; false: there is none. */
bool qn_resource_bytes(qn_parser *p, qn_str key, qn_bytes *out_bytes);

/* parse/value.c: SSA names and block labels. A scope is entered for every op whose regions see no
 * value from outside. */
typedef struct qn_ssa_scope qn_ssa_scope;
void qn_scope_push(qn_parser *p);
void qn_scope_pop(qn_parser *p); /* reports what was used and never defined */
size_t qn_scope_height(const qn_parser *p);
void qn_scope_forget(qn_parser *p, size_t height); /* names defined since end with their region */
bool qn_parse_operand(qn_parser *p, qn_operand_ref *out_ref);
bool qn_parse_operands(qn_parser *p); /* comma-separated, maybe none, pushed on p->refs */
/* The value, or a placeholder until it is defined; NULL after an error. */
qn_value *qn_resolve(qn_parser *p, const qn_operand_ref *ref, const qn_type *type);
/* values[0..count): consecutive results of an op, or one block argument. */
bool qn_define(qn_parser *p, qn_str name, qn_pos pos, qn_value *values, uint32_t count);
/* The name's op was wrong: no use of it is an error. */
void qn_poison(qn_parser *p, qn_str name);
typedef struct qn_label_scope qn_label_scope;
void qn_labels_push(qn_parser *p);
bool qn_labels_pop(qn_parser *p); /* reports undefined labels */
qn_block *qn_label_use(qn_parser *p, qn_str name, qn_pos pos);
qn_block *qn_label_define(qn_parser *p, qn_str name, qn_pos pos); /* NULL after an error */

/* parse/op.c: an op under construction. Its parts are on the stacks above these heights. */
typedef struct qn_op_draft {
  qn_op_kind kind;
  qn_str name;
  qn_pos pos;
  const qn_loc *loc;
  size_t refs, operands, types, named, blocks, regions, successors; /* heights at the start */
} qn_op_draft;
bool qn_parse_op(qn_parser *p, qn_block *block);
bool qn_parse_successor(qn_parser *p); /* ^label, pushed on p->successors */
/* parse/draft.c */
/* Resolves the draft's refs from `first` on with types[0..]; pushes on p->operands. */
bool qn_draft_resolve(qn_parser *p, const qn_op_draft *draft, size_t first,
                      const qn_type *const *types, size_t count);
/* The rest of (%a, %b : t, u) after its bracket: resolves and counts the values. */
bool qn_draft_typed_operands(qn_parser *p, const qn_op_draft *draft, uint32_t *out_count);
void qn_draft_attr(qn_parser *p, const char *name, const qn_attr *value);
/* The attribute operandSegmentSizes. */
void qn_draft_segments(qn_parser *p, const int64_t *sizes, uint32_t count);
/* One argument of an entry block that a custom form declares. */
typedef struct qn_entry_arg {
  qn_operand_ref name; /* name.name.size 0: none */
  const qn_type *type;
  const qn_loc *loc; /* may be NULL */
} qn_entry_arg;
typedef struct qn_region_options {
  const qn_entry_arg *args; /* of an unlabelled entry block */
  size_t arg_count;
  bool unnamed_args; /* a label of the entry block names them */
  bool isolated;
  bool entry_block;              /* there is one even if empty */
  qn_op_kind implied_terminator; /* added when missing; QN_OP_UNREGISTERED: none */
} qn_region_options;
/* { ops, blocks }; pushes one qn_region_draft. */
bool qn_parse_region(qn_parser *p, const qn_region_options *options);

#endif
