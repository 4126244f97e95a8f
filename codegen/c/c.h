/* State of one translation to C, and what its files share. Private to codegen/c.
 *
 * A vector has no C type: it is its lanes, so a shuffle is a choice of names. Integers are unsigned
 * in C, where arithmetic wraps; signed operations convert and convert back. A lane is an expression
 * whose value is that of the lane, and of type uint32_t, uint64_t, bool, float or double; lanes of
 * 8 and 16 bits may have type int instead. At levels with Helium a vector also has registers: one
 * variable for each 128 bits (registers.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_C_C_H
#define QN_CODEGEN_C_C_H

#include "base/array.h"
#include "base/map.h"
#include "codegen/source.h"

typedef struct qn_c_lane {
  const char *text; /* in the arena */
  bool atom;        /* a name, a number, a call or a cast: an operand without parentheses */
  bool constant;    /* an integer of value `number`, sign-extended */
  int64_t number;
  const struct qn_c_lane *parts; /* names of the narrower lanes from which vector.bitcast made it,
                                    lowest first; NULL: none */
  unsigned part_bits;
  const char *word; /* variable of 32 bits whose byte `byte` the lane is; NULL: none */
  unsigned byte;
} qn_c_lane;

typedef struct qn_c_value {
  uint32_t count;               /* of lanes; 0: not translated yet */
  qn_c_lane *lanes;             /* NULL: those of its registers */
  const char *const *registers; /* an expression for each 128 bits; NULL: it is lanes only */
  const char *const *widened;   /* the same of a loaded value whose lanes are extended by their sign
                                   to `widened_bits`; NULL: it is not */
  unsigned widened_bits;
} qn_c_value;

/* A line of a function. */
typedef struct qn_c_line {
  const char *text;
  uint32_t indent;
  uint32_t declares; /* number of the variable that it declares and whose initializer has no effect,
                        counted from 1, so that the line may be removed; 0: none */
} qn_c_line;

typedef struct qn_c {
  const qn_cg_source *source;
  const char *symbol;
  unsigned index_bits;
  qn_arena arena;
  qn_str_map taken;   /* names at file level */
  qn_map used;        /* kernels that are launched, and constants that are read -> themselves */
  qn_map names;       /* func.func and memref.global ops -> their names */
  qn_c_value *values; /* [qn_value id] */
  qn_text code;       /* kernels and entry points */

  /* The function that is being written. */
  QN_ARRAY(qn_c_line) lines;
  uint32_t indent, variables;
  int64_t step, loop; /* quern.launch and scf.while ops so far, in SYMBOL_invoke */
  bool in_invoke;
} qn_c;

/* The back end that translates to C (table.c). */
extern const qn_cg_backend qn_cg_c;

/* ---- names and strings: names.c ---- */

/* The first occurrence of an identifier in C code; NULL if there is none. */
const char *qn_c_find_name(const char *text, const char *name);
/* Gives kernels and constants their names, which are C identifiers, unique in the file. */
void qn_c_name_symbols(qn_c *c);
/* The name of a kernel or constant. */
const char *qn_c_name(const qn_c *c, const qn_op *op);
/* Appends text in which "$" is the symbol of the model. */
void qn_c_put_template(const qn_c *c, const char *text, qn_text *out);
/* Appends a string as a C literal. */
void qn_c_put_string(qn_text *out, const char *string);

/* ---- types: types.c ---- */

typedef struct qn_c_type {
  const char *name, *of_signed; /* of integers and floats; NULL: a pointer */
  const char *suffix;           /* of numbers */
  unsigned bits;                /* 1: bool */
  bool is_float;
} qn_c_type;

/* The C type of a scalar, of a vector's lanes or of a buffer's elements. */
const qn_c_type *qn_c_type_of(const qn_c *c, const qn_type *type);
/* The unsigned type of 1, 8, 16, 32 or 64 bits. */
const qn_c_type *qn_c_integer(unsigned bits);
/* Why a type has no C type; NULL if it has. */
const char *qn_c_type_lacks(const qn_type *type);

/* ---- values and lines: lines.c ---- */

const char *qn_c_format(qn_c *c, const char *format, ...) QN_PRINTF(2, 3);
void qn_c_line_put(qn_c *c, const char *format, ...) QN_PRINTF(2, 3);
/* Begins a block: a line and more indentation; and ends it. */
void qn_c_begin(qn_c *c, const char *format, ...) QN_PRINTF(2, 3);
void qn_c_end(qn_c *c, const char *text);
/* A new variable "<letter><number>". `initial` is NULL if it has none; then the declaration stays.
 */
qn_c_lane qn_c_declare(qn_c *c, char letter, const char *type, const char *initial);
/* Adds a comment to the last line. */
void qn_c_remark(qn_c *c, const char *format, ...) QN_PRINTF(2, 3);
/* A value with its lanes. Those of registers are expressions, such as get_32(v5, 1). */
qn_c_value *qn_c_value_of(qn_c *c, const qn_value *value);
static inline qn_c_value *qn_c_operand(qn_c *c, const qn_op *op, uint32_t i) {
  return qn_c_value_of(c, qn_op_operand(op, i));
}
/* The lane as an operand: in parentheses, unless it is an atom. */
const char *qn_c_in(qn_c *c, const qn_c_lane *lane);
static inline uint32_t qn_c_lanes_of(const qn_type *type) {
  return type->kind == QN_TYPE_VECTOR ? (uint32_t)type->shaped.dims[0] : 1;
}
/* Whether an op writes a value to a buffer, its operand 1. */
bool qn_c_is_store(const qn_op *op);
/* An integer constant of a type. */
qn_c_lane qn_c_number(qn_c *c, const qn_c_type *type, int64_t number);
/* A float constant of a type, exact for every bit pattern. */
qn_c_lane qn_c_real(qn_c *c, const qn_c_type *type, double value);
/* Sets the lanes of a value to expressions, which become variables, unless they are constants or
 * the only use of the value can hold them. Evaluating an expression never, or once for equal ones,
 * makes no difference, nor does evaluating it later while memory is the same. */
void qn_c_set(qn_c *c, const qn_value *value, const qn_c_lane *lanes);
/* Sets the lanes of a value without code. */
void qn_c_bind(qn_c *c, const qn_value *value, const qn_c_lane *lanes, uint32_t count);
qn_c_lane *qn_c_new_lanes(qn_c *c, uint32_t count);
/* Whether an expression is the name of a variable. */
bool qn_c_is_name(const char *text);
/* Writes the function: `head`, then the lines in braces, without variables that nothing reads. */
void qn_c_flush(qn_c *c, const char *head);
static inline qn_c_lane qn_c_atom(const char *text) {
  return (qn_c_lane){.text = text, .atom = true};
}
static inline qn_c_lane qn_c_compound(const char *text) { return (qn_c_lane){.text = text}; }

/* ---- ops ---- */

/* Translates one op. */
typedef void qn_c_emit_fn(qn_c *c, const qn_op *op);
/* [op kind] NULL: there is no C for it (table.c). */
extern qn_c_emit_fn *const qn_c_emitters[];
qn_c_emit_fn qn_c_emit_expression, qn_c_emit_constant, qn_c_emit_addi, qn_c_emit_for, qn_c_emit_if,
    qn_c_emit_while, qn_c_emit_nothing, qn_c_emit_load, qn_c_emit_store, qn_c_emit_view,
    qn_c_emit_get_global, qn_c_emit_scratch, qn_c_emit_lookup, qn_c_emit_broadcast,
    qn_c_emit_bitcast, qn_c_emit_shuffle, qn_c_emit_extract, qn_c_emit_reduction, qn_c_emit_dot,
    qn_c_emit_dot_blocks, qn_c_emit_dot_joined, qn_c_emit_byte_shuffle, qn_c_emit_madd,
    qn_c_emit_pack, qn_c_emit_launch, qn_c_emit_return;
/* The expression of an elementwise op with C (expressions.c); NULL: none, for operands of `bits`.
 */
bool qn_c_has_expression(const qn_op *op);
void qn_c_emit_block(qn_c *c, const qn_block *block);
/* Joins lanes of `bits` to one of `wide` bits; the first is the lowest (vector.c). */
qn_c_lane qn_c_join(qn_c *c, const qn_c_lane *parts, uint32_t count, unsigned bits, unsigned wide);
/* Element `lane` of an access whose index is an operand (memory.c). */
const char *qn_c_index(qn_c *c, const qn_c_lane *index, uint32_t lane);
void qn_c_emit_kernel(qn_c *c, const qn_op *op);

/* ---- registers: registers.c ---- */

enum { QN_C_REGISTER_BITS = 128 };

/* Registers that hold a vector at the level; 0 if it is lanes only. */
uint32_t qn_c_registers_of(const qn_c *c, const qn_type *type);
/* Width of an integer, or of a vector's integers. */
unsigned qn_c_lane_bits(const qn_type *type);
/* "32x4", as in the names of helpers, and "int32x4", for lanes of a width. */
const char *qn_c_register_suffix(unsigned bits);
const char *qn_c_register_type(unsigned bits);
const char **qn_c_new_texts(qn_c *c, uint32_t count);
/* The registers of a value as expressions, made of its lanes if need be. */
const char *const *qn_c_registers(qn_c *c, const qn_value *value);
/* Variables for registers with lanes of a width. `texts`: [count] their values; NULL: none yet. */
const char *const *qn_c_name_registers(qn_c *c, unsigned bits, const char *const *texts,
                                       uint32_t count);
/* Sets the registers of a value to expressions, which become variables. */
void qn_c_set_registers(qn_c *c, const qn_value *value, const char *const *texts);
/* Makes registers of the results of an op that are lanes only, if they have any. */
void qn_c_join_results(qn_c *c, const qn_op *op);
/* Translates an op on registers (helium.c). False if it is on lanes; nothing is translated then. */
bool qn_c_emit_in_registers(qn_c *c, const qn_op *op);

/* ---- products of pairs: pairs.c ---- */

/* Whether an op loads bytes as words, which only products of pairs read. */
bool qn_c_loads_words(const qn_c *c, const qn_op *load);
/* Byte k of a variable of 32 bits. */
qn_c_lane qn_c_byte_of(qn_c *c, const char *word, unsigned k);
/* The word whose bytes the four lanes are, lowest first; NULL if there is none. */
const char *qn_c_word_of(const qn_c_lane *lanes);
/* Translates quern.dot of four bytes per lane, or quern.dot_joined, by pairs. False if a
 * factor is in no word; nothing is translated then. */
bool qn_c_emit_pairs(qn_c *c, const qn_op *op);

/* ---- parts of the file ---- */

/* Constants as arrays (constants.c). */
void qn_c_put_constants(qn_c *c, qn_text *out);
/* The entry points and the descriptor (invoke.c, descriptor.c). */
void qn_c_emit_entry_points(qn_c *c);
void qn_c_put_descriptor(qn_c *c, qn_text *out);
/* A helper function. In its text "$U" is the unsigned type, "$S" the signed one, "$F" a float type,
 * "$w" the width, "$b" its bytes, "$a" the alignment to assume. A register with such lanes has type
 * "$V", "$n" lanes and helpers with suffix "$r". A register with half as many lanes of twice the
 * width "$W" has "$X", "$h" and "$R"; "$T" is their unsigned type. */
typedef struct qn_c_helper {
  const char *name; /* with the width appended, or "32x4" of a register; not if ONCE */
  unsigned kinds;
  const char *text;
} qn_c_helper;
enum {
  QN_C_ONCE = 1,
  QN_C_INTEGERS = 2,
  QN_C_FLOATS = 4,
  QN_C_WIDE = 8,       /* integers of more than a byte */
  QN_C_REGISTERS = 16, /* of lanes of 8, 16 and 32 bits */
  QN_C_NARROW = 32,    /* registers of lanes of 8 and 16 bits */
};
/* Those on registers, and what they need first (helium_helpers.c). */
extern const qn_c_helper qn_c_helium_helpers[];
extern const size_t qn_c_helium_helper_count;
extern const char qn_c_helium_types[];
/* The checks of the compiler, and the helper functions that the code calls (helpers.c). */
void qn_c_put_checks(const qn_c *c, qn_text *out);
void qn_c_put_helpers(const qn_c *c, qn_text *out);

#endif
