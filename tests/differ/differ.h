/* One generated case, computed in every way that there is: the results must be the same bytes (a
 * NaN is a NaN). What decides is a string of bytes or a seed (tests/support/choices.h), so the same
 * cases serve short tests, long runs and fuzzers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_DIFFER_H
#define QN_TESTS_DIFFER_H

#include "tests/support/recipes.h"
#include "ir/ops/forms.h"

/* How far an op came, by what its operands are (operands.c). */
enum {
  DIFFER_BYTES,
  DIFFER_UNSIGNED,
  DIFFER_WORDS,
  DIFFER_REALS,
  DIFFER_WHOLES,
  DIFFER_BOOLEANS,
  DIFFER_CLASSES,
  DIFFER_KERNELS = 4,  /* profiles of kernels, which come first */
  DIFFER_PROFILES = 7, /* and of exact units, and cmsis-nn-single: models are drawn of all */
  DIFFER_COPIES = 1    /* profiles after them, with the rules of one of them: cmsis-nn */
};
enum { DIFFER_ALONE, DIFFER_CONSTANT, DIFFER_VARIABLE, DIFFER_MODES };
enum { DIFFER_NOT_MADE, DIFFER_REFUSED, DIFFER_COMPILED };
typedef enum differ_control_kind {
  DIFFER_BRANCH,
  DIFFER_FOR,
  DIFFER_WHILE,
  DIFFER_CONTROL_KINDS
} differ_control_kind;
typedef struct differ_coverage {
  uint8_t enclosed[QN_OP_COUNT]; /* of control: bits of kinds in which it was compiled */
  uint8_t cells[QN_OP_COUNT][DIFFER_CLASSES][DIFFER_KERNELS][DIFFER_MODES];
} differ_coverage;
/* Prints it. false: something was not reached, and the file of reasons does not say why. */
bool differ_coverage_print(const differ_coverage *coverage, const char *reasons);
/* The same of branches and loops, in which every row is. */
bool differ_control_print(const differ_coverage *coverage);

typedef struct differ_counts {
  uint64_t cases;
  uint64_t undefined;   /* skipped: the interpreter says that the function has no result */
  uint64_t unsupported; /* graphs compared without machine code, because an op is unsupported */
  uint64_t fallbacks;   /* an op went through float with a warning, and its bytes changed */
  uint64_t compared;    /* executions whose results were compared with those of the first */
  uint64_t texts, passes, plans, jits, aots;
  uint64_t sized, unsized; /* models with a size that each call says: compared, rejected */
  uint64_t controls; /* of modules: those with branches and loops that have loops-stage code */
  differ_coverage *coverage; /* of operands */
} differ_counts;

typedef struct differ_options {
  uint32_t jit_every, aot_every; /* 1: each case; 0: none */
  bool verbose;                  /* say why a case is rejected */
  bool round;                    /* of control: rows in turn, not random models */
} differ_options;

typedef struct differ {
  qn_random_model m;
  const differ_options *options;
  differ_counts *counts;
  qn_random_run inputs, expected;
  bool compiles;       /* whatever the share of the options is */
  const char *problem; /* the first; the case is then printed to standard error */
} differ;

/* Each makes and checks one case. false: something differs, and is printed. */
typedef bool differ_case(qn_choices choices, const differ_options *options, differ_counts *counts);
differ_case differ_model, differ_module, differ_operands, differ_control;
/* Cases of operands until every row has met all elements, profiles and kinds of operands. */
uint64_t differ_operands_round(void);
/* Cases of control until every row was in a branch and in a loop, with all elements. */
uint64_t differ_control_round(void);

/* Puts ops of a finished @main, all or some in a row, into a branch or a loop (enclose.c). false:
 * there are none that could be. */
bool differ_enclose(qn_random_model *m, differ_control_kind kind, bool all);

/* ---- common.c ---- */

/* Interprets a module at any stage above loops on the inputs. */
QN_NODISCARD qn_status differ_interpret(differ *d, const qn_module *module, qn_random_run *out_run);
/* Interprets and compares; `what` names the module. false: there is a problem. */
bool differ_check(differ *d, const qn_module *module, const char *what);
bool differ_same(const differ *d, const qn_random_run *run);
bool differ_problem(differ *d, const qn_module *module, const char *what);
/* Something is not supported, and was reported so: no problem. */
bool differ_refuse(differ *d);
/* Prints and reads back, in both forms. */
bool differ_check_text(differ *d, qn_module *module);
/* Some exact passes in random order on a copy, compared after each; the copy is returned or, after
 * a problem, NULL. */
qn_module *differ_run_passes(differ *d, const qn_module *module);
/* A finished model, from the interpreter at the model stage down. */
bool differ_check_model(differ *d, bool floats_as_numbers);
/* A module at the model stage through the stages below, against d->expected; it is lowered. */
bool differ_check_stages(differ *d, qn_module *module);
/* A finished model with a size that each call says, where all of its ops can do with one (sizes.c).
 * The inputs and what is expected are those of the largest then. */
bool differ_check_sizes(differ *d);
/* Makes inputs for the current signature of @main. */
void differ_make_inputs(differ *d);
void differ_end(differ *d);

/* ---- loops.c ---- */

/* A module at the loops stage for that level: memory plan, interpreter, and in the share of the
 * options the JIT, in chunks and on threads, and an object. */
bool differ_check_loops(differ *d, qn_module *loops, const qn_target *target);
/* Whether the case is one of those that become machine code. */
bool differ_is_compiled(const differ *d);
/* A random level; where machine code is wanted, one that this machine runs. */
const qn_target *differ_target(differ *d);

#endif
