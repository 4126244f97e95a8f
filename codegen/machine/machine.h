/* Differences between processors as data: LLVM's description of each architecture, and which ops of
 * the quern dialect are one instruction there. No other folder names instructions
 * (tests/checks/check_instructions.sh).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_MACHINE_H
#define QN_CODEGEN_MACHINE_H

#include "codegen/context.h"

/* Forms that emitters may request. Each is exact for all operands that the op is defined for. */
typedef enum qn_cg_form {
  QN_FORM_DOT_U8S8, /* (sum, u8, s8), (sum, s8, s8): quern.dot of four bytes per lane */
  QN_FORM_DOT_S8S8,
  QN_FORM_DOT_PAIR, /* (pair, pair, sum), each 32 bits: sum + two products of 16 bits */
  QN_FORM_DOT_LOW,  /* the same of the first products only, of the second products only */
  QN_FORM_DOT_HIGH,
  QN_FORM_DOT_ACROSS, /* (sum, 16 of s8, 16 of s8): sum + all products, a scalar */
  QN_FORM_EVEN_S8,    /* (four bytes in 32 bits): bytes 0 and 2, extended to a pair of 16 bits */
  QN_FORM_EVEN_U8,
  QN_FORM_BLOCKS_U8S8, /* (sum, u8, s8), (sum, s8, s8): quern.dot_blocks */
  QN_FORM_BLOCKS_S8S8,
  QN_FORM_MADD_U8S8,
  QN_FORM_MADD_S16,
  QN_FORM_ADD_PAIRS, /* (s16): quern.madd_s16 with a constant vector of ones */
  QN_FORM_PACK_S8,   /* quern.pack by element and signedness of the result */
  QN_FORM_PACK_U8,
  QN_FORM_PACK_S16,
  QN_FORM_PACK_U16,
  QN_FORM_ROUND_TO_INT,
  QN_FORM_WIDEN_HALF,    /* (f16): f32, for any number of lanes; an instruction of LLVM itself */
  QN_FORM_MULTIPLY_HIGH, /* (i32, i32): half up of the product / 2^31, saturating */
  QN_FORM_SHIFT_ROUNDED, /* (i32, left shift, negative): half up */
  QN_FORM_PERMUTE,     /* (low, index, high): bytes of two registers by the low bits of the index */
  QN_FORM_TABLE,       /* (64 bytes in four registers, index): 0 beyond the table */
  QN_FORM_TABLE_ELSE,  /* (other, 64 bytes in four registers, index): `other` beyond the table */
  QN_FORM_LOAD,        /* (pointer): consecutive registers from memory without alignment */
  QN_FORM_SHUFFLE,     /* (table, index): within 16 bytes each, by 4 bits; 0 where bit 7 is set */
  QN_FORM_SELECT_BITS, /* (mask, yes, no): bits of `yes` where the mask has ones */
} qn_cg_form;

/* Additional arguments of an instruction. */
typedef enum qn_cg_call {
  QN_CALL_PLAIN,
  QN_CALL_MASKED,     /* with the value of unselected lanes, a mask, and a rounding mode */
  QN_CALL_OVERLOADED, /* overloaded by the types of the result and the last operand */
  QN_CALL_BY_RESULT,  /* overloaded by the type of the result */
  QN_CALL_SWAPPED,    /* as OVERLOADED, with the last two operands exchanged */
  QN_CALL_ACROSS, /* after flags for unsigned, subtracted and exchanged factors; overloaded by them
                   */
  QN_CALL_SHIFT,  /* before flags for saturated, rounded and unsigned; as OVERLOADED */
  QN_CALL_SELECT, /* before the truth table of a selection by the first operand */
  QN_CALL_REGISTERS, /* as OVERLOADED, by a register of 16 bytes; the result is a list of them */
} qn_cg_call;

/* The instruction of a form for operands of `bytes` bytes, on a CPU with the feature. */
typedef struct qn_cg_instruction {
  qn_cg_form form;
  unsigned bytes;
  int feature; /* row of the architecture's feature table, or QN_FEATURE_NONE */
  const char *name;
  qn_cg_call call;
} qn_cg_instruction;

/* A feature: LLVM's name, and the first base CPU that has it, counted from 1; 0 if none has it. */
typedef struct qn_cg_feature {
  const char *name;
  int base;
} qn_cg_feature;

enum { QN_FEATURE_NONE = -1 };

/* Systems with 64-bit pointers: those of ELF; those and Mach-O and COFF. */
extern const char *const qn_cg_elf[], *const qn_cg_hosted[];

/* The format of objects. */
typedef enum qn_cg_format { QN_FORMAT_ELF, QN_FORMAT_MACHO, QN_FORMAT_COFF } qn_cg_format;
/* The part of a normalized triple after architecture and vendor; "" if there is none. */
const char *qn_cg_system_of(const char *triple);
/* The format of objects for a normalized triple. */
qn_cg_format qn_cg_format_of(const char *triple);
/* Whether a triple asks neither for 32-bit pointers on a 64-bit architecture, nor for another file
 * format than its system's. */
bool qn_cg_system_is_usual(const char *triple);

struct qn_cg_architecture {
  const char *name;     /* first part of a triple, and of a level's row */
  const char *baseline; /* level that all CPUs of the architecture support */
  const char *usual;    /* system and environment of its usual triple */
  /* Systems for which objects are supported, as their triples begin after the vendor, ended by
   * NULL. Other systems may need support routines of the platform, or have pointers of another
   * width. */
  const char *const *systems;
  const char *cpu, *features,
      *abi; /* LLVM's names for all CPUs of the architecture; abi NULL: from the triple */
  uint32_t pointer_bits; /* equals index_bits of its levels */
  uint32_t stack_align;  /* stack alignment of the calling convention, in bytes */
  uint32_t call_bytes;   /* stack bytes of a return address; 0: it is in a register */
  uint32_t red_zone;     /* bytes below the stack pointer that a function without calls may use */
  LLVMRelocMode relocation; /* relocation model of objects */
  LLVMCodeModel code_model;
  /* Integer routines of compiler libraries that code may call, ended by NULL. Any other undefined
   * symbol of an object is an error. */
  const char *const *library;
  /* LLVM's feature of vector registers, without which vectors become scalars before instruction
   * selection; NULL: that splits them correctly. On RISC-V (LLVM 22) it does not sign-extend the
   * operands of a minimum or maximum of one lane if another basic block uses the result. */
  const char *vectors;
  bool nests_registers;            /* the low part of a vector register is a register of its own */
  bool unwinds_by_library;         /* unwind tables refer to a library routine */
  const char *const *module_flags; /* module flags set to 1, ended by NULL */
  const char *const
      *width_attributes;    /* function attributes with the level's vector width in bits */
  const char *const *bases; /* base CPUs of levels, in ascending order */
  uint32_t base_count;
  const qn_cg_feature *feature_rows; /* one row per bit of a feature set */
  uint32_t feature_count;
  const qn_cg_instruction *instructions; /* instructions of its levels */
  uint32_t instruction_count;
  const struct qn_cg_tile_unit *tiles; /* matrix unit (emit/tiles.h); NULL if none */
  void (*start)(void);                 /* registers LLVM's back end */
  /* Returns the features that the operating system lets this process use, of a host of the
   * architecture whose CPU has `features` according to LLVM. NULL: all. */
  uint64_t (*grant)(uint64_t features);
  /* Returns the features for which no instruction asks the CPU in programs of the triple's system,
   * so that `supports` cannot. NULL: none. */
  uint64_t (*untold)(const char *triple);
  /* Emits an i1: whether a CPU runs the target's code. NULL: every CPU of the architecture does. */
  LLVMValueRef (*supports)(qn_cg *cg, const qn_codegen_target *target);
};

/* The architecture of a normalized triple, or of a level's architecture name; NULL if none. */
const qn_cg_architecture *qn_cg_architecture_of(const char *triple);
/* The i-th architecture; NULL after the last. */
const qn_cg_architecture *qn_cg_architecture_at(uint32_t i);

bool qn_cg_has(const qn_cg *cg, qn_cg_form form, unsigned bytes);
/* Emits the form as one instruction of the level; NULL if there is none for operands as wide as
 * `result`, and then the emitter uses generic IR. */
LLVMValueRef qn_cg_instruct(const qn_cg *cg, qn_cg_form form, LLVMTypeRef result,
                            LLVMValueRef *args, unsigned count);

/* The feature set (bit set of rows of the architecture's table) of a level; empty for levels of
 * other architectures. */
uint64_t qn_cg_features_of(const qn_target *level);
/* Applies "+a,-b" to the set. Unknown names are skipped and, if requested, returned in
 * *out_unknown; the text is not copied. */
uint64_t qn_cg_features_apply(const qn_cg_architecture *a, uint64_t set, qn_str list,
                              qn_str *out_unknown);

extern const qn_cg_architecture qn_cg_x86, qn_cg_aarch64, qn_cg_riscv64, qn_cg_riscv32;
/* Arm microcontrollers: one architecture per instruction set. */
extern const qn_cg_architecture qn_cg_thumbv6m, qn_cg_thumbv7m, qn_cg_thumbv7em, qn_cg_thumbv81m;
extern const struct qn_cg_tile_unit qn_cg_x86_tiles;
LLVMValueRef qn_cg_x86_supports(qn_cg *cg, const qn_codegen_target *target);
uint64_t qn_cg_aarch64_untold(const char *triple);
LLVMValueRef qn_cg_aarch64_supports(qn_cg *cg, const qn_codegen_target *target);
LLVMValueRef qn_cg_riscv_supports(qn_cg *cg, const qn_codegen_target *target);

#endif
