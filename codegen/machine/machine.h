/* What differs between processors, as data: how each architecture is said to LLVM, and which ops of
 * the quern dialect are one instruction there. The only folder that knows names of instructions
 * (tests/checks/check_instructions.sh).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_MACHINE_H
#define QN_CODEGEN_MACHINE_H

#include "codegen/context.h"

/* What emitters may ask for; each is exact for every operand that the op is defined for. */
typedef enum qn_cg_form {
  QN_FORM_DOT_U8S8, /* (sum, u8, s8), (sum, s8, s8): quern.dot of four bytes per lane */
  QN_FORM_DOT_S8S8,
  QN_FORM_BLOCKS_U8S8, /* (sum, u8, s8), (sum, s8, s8): quern.dot_blocks */
  QN_FORM_BLOCKS_S8S8,
  QN_FORM_MADD_U8S8,
  QN_FORM_MADD_S16,
  QN_FORM_ADD_PAIRS, /* (s16): quern.madd_s16 with ones */
  QN_FORM_PACK_S8,   /* quern.pack by element and sign of the result */
  QN_FORM_PACK_U8,
  QN_FORM_PACK_S16,
  QN_FORM_PACK_U16,
  QN_FORM_ROUND_TO_INT,
  QN_FORM_PERMUTE, /* (low, index, high): bytes of two registers by the low bits of the index */
  QN_FORM_SHUFFLE, /* (table, index): within 16 bytes each, by 4 bits; 0 where bit 7 is set */
} qn_cg_form;

/* How an instruction is called besides its operands. */
typedef enum qn_cg_call {
  QN_CALL_PLAIN,
  QN_CALL_MASKED,     /* with what unselected lanes are, a mask, and a rounding mode */
  QN_CALL_OVERLOADED, /* by the types of the result and the last operand */
  QN_CALL_SWAPPED,    /* likewise, the last two operands in the other order */
} qn_cg_call;

/* A form for operands of so many bytes, on a CPU with the feature. */
typedef struct qn_cg_instruction {
  qn_cg_form form;
  unsigned bytes;
  int feature; /* row of the architecture's features, or QN_FEATURE_NONE */
  const char *name;
  qn_cg_call call;
} qn_cg_instruction;

/* What an architecture's CPUs may have, by LLVM's name; and which of its base CPUs brought it,
 * counted from 1, or 0: none of them. */
typedef struct qn_cg_feature {
  const char *name;
  int base;
} qn_cg_feature;

enum { QN_FEATURE_NONE = -1 };

struct qn_cg_architecture {
  const char *name;                    /* first part of a triple, and of a level's row */
  const char *baseline;                /* the level for all its CPUs */
  const char *cpu, *features, *abi;    /* LLVM's, for all its CPUs; abi NULL: by the triple */
  const char *const *module_flags;     /* set to 1; ends with NULL */
  const char *const *width_attributes; /* of functions: bits of the level's vectors */
  const char *const *bases; /* CPUs that levels are based on, from the least to the best */
  uint32_t base_count;
  const qn_cg_feature *feature_rows; /* bit by bit of a set of features */
  uint32_t feature_count;
  const qn_cg_instruction *instructions; /* that levels of its own may use */
  uint32_t instruction_count;
  const struct qn_cg_tile_unit *tiles; /* emit/tiles.h; NULL: levels have none */
  void (*start)(void);                 /* registers LLVM's back end */
  /* The features that the operating system lets this process use, of those that the CPU has. NULL:
   * all of them. */
  uint64_t (*grant)(uint64_t features);
  /* i1 at the builder: whether a CPU runs the target's code. NULL: all of the architecture do. */
  LLVMValueRef (*supports)(qn_cg *cg, const qn_codegen_target *target);
};

/* The architecture of a normalized triple, or with a level's name for it; NULL: none. */
const qn_cg_architecture *qn_cg_architecture_of(const char *triple);
/* The i-th; NULL after the last. */
const qn_cg_architecture *qn_cg_architecture_at(uint32_t i);

bool qn_cg_has(const qn_cg *cg, qn_cg_form form, unsigned bytes);
/* The form as one instruction of the level, or NULL where it has none for operands as wide as
 * `result`: then the emitter spells it out. */
LLVMValueRef qn_cg_instruct(const qn_cg *cg, qn_cg_form form, LLVMTypeRef result,
                            LLVMValueRef *args, unsigned count);

/* Sets of features: rows of the architecture's table, bit by bit. What a CPU of the level has; no
 * level but its own architecture's has any. */
uint64_t qn_cg_features_of(const qn_target *level);
/* Applies "+a,-b" to the set. Names that are not in the table are skipped and, when asked, returned
 * in *out_unknown; the text is copied nowhere. */
uint64_t qn_cg_features_apply(const qn_cg_architecture *a, uint64_t set, qn_str list,
                              qn_str *out_unknown);

/* The rows of x86-64 and AArch64. */
extern const qn_cg_architecture qn_cg_x86, qn_cg_aarch64;
extern const struct qn_cg_tile_unit qn_cg_x86_tiles;
LLVMValueRef qn_cg_x86_supports(qn_cg *cg, const qn_codegen_target *target);
LLVMValueRef qn_cg_aarch64_supports(qn_cg *cg, const qn_codegen_target *target);

#endif
