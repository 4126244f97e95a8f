/* The layout shared by generated code, the runtime, and the C header of an object. This file
 * includes only the C library. A change of the layout requires a new QN_ABI_VERSION.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_ABI_H
#define QN_RUNTIME_ABI_H

#include <stddef.h>
#include <stdint.h>

#define QN_ABI_VERSION 5u
/* The version of models with prepared constants. Older callers reject it, because they cannot
 * prepare constants. All other models have QN_ABI_VERSION. */
#define QN_ABI_VERSION_PREPARED 6u
enum { QN_ABI_MAX_RANK = 16, QN_ABI_ALIGN = 64 };

/* An index in generated code; as wide as a pointer. */
typedef intptr_t qn_abi_index;

/* Element types of inputs, outputs and states. The values are those of qn_dtype (quern/base.h),
 * which the runtime asserts. */
typedef enum qn_abi_dtype {
  QN_ABI_I8 = 1,
  QN_ABI_U8,
  QN_ABI_I16,
  QN_ABI_I32,
  QN_ABI_I64,
  QN_ABI_F32,
  QN_ABI_BOOL,
  QN_ABI_U16,
  QN_ABI_U32,
  QN_ABI_U64,
  QN_ABI_F16,
  QN_ABI_F64,
} qn_abi_dtype;

/* An input, an output or a state. */
typedef struct qn_abi_tensor {
  const char *name;
  uint32_t dtype; /* qn_abi_dtype */
  uint32_t rank;
  int64_t dims[QN_ABI_MAX_RANK];  /* dimensions; the maximum if the dimension is dynamic */
  int32_t sizes[QN_ABI_MAX_RANK]; /* dimension i has the dynamic size with index sizes[i] - 1; 0: it
                                     is static */
  uint64_t bytes;                 /* bytes with the maximum dimensions */
  double scale;                   /* 0: not quantized */
  int64_t zero_point;
  int64_t index;   /* tensor index in the model file; -1 if unknown */
  uint64_t offset; /* states: byte offset in the block of states */
} qn_abi_tensor;

/* The dynamic dimension of a tensor; 0 if it has none. */
static inline uint32_t qn_abi_size_dimension(const qn_abi_tensor *tensor) {
  uint32_t i = 0;
  while (i < QN_ABI_MAX_RANK && tensor->sizes[i] == 0) i++;
  return i < QN_ABI_MAX_RANK ? i : 0;
}

/* A dynamic size, which each call specifies. It is the size of the outermost dimension of some
 * inputs and outputs that is not 1, or of their first dimension. */
typedef struct qn_abi_size {
  const char *name;
  int64_t bound; /* maximum; sizes are from 1 to this */
} qn_abi_size;

/* A kernel computes the work items [lo, hi). Work items are independent. */
typedef void qn_abi_kernel(void *const *args, qn_abi_index lo, qn_abi_index hi);

/* The arguments of one call of a model. inputs, outputs and arena are required; states and sizes
 * only if the model has some; all others may be NULL. Arena and states are aligned to QN_ABI_ALIGN,
 * or as the header of the object requires. The arena holds nothing between calls. The states hold
 * values for the next call, so a copy of the block is a copy of the model's memory. Tensors whose
 * size is below the maximum are shorter accordingly. */
typedef struct qn_abi_call {
  const void *const *inputs;
  void *const *outputs;
  void *arena;
  void *states;
  const qn_abi_index *sizes;
  /* Runs the kernel over [0, count) in chunks, in any order, and returns when all are done. NULL:
   * the kernel runs in the caller's thread. */
  void (*parallel_for)(void *pool, qn_abi_kernel *kernel, void *const *args, qn_abi_index count);
  void *pool;
  /* Called before step k starts, once per execution of the step, and with k = step_count at the
   * end. NULL: not called. */
  void (*step)(void *user, qn_abi_index k);
  void *user;
  /* Prepared constants: memory that qn_abi_model.prepare has filled, aligned as the arena, or an
   * aligned copy of it. Used only if the model has some. Calls only read it, so any number of them
   * may share it. */
  const void *prepared;
} qn_abi_call;

/* A tensor that an operator wrote. A module compiled with keep_tensors keeps it in the arena. */
typedef struct qn_abi_probe {
  int64_t index;   /* tensor index in the model file */
  uint64_t offset; /* byte offset in the arena; UINT64_MAX: the tensor is output `output` */
  uint64_t bytes;
  int64_t output;
  int64_t size; /* its outermost size is the dynamic size with index `size` - 1, and `bytes` is the
                   maximum; 0: static */
} qn_abi_probe;

typedef struct qn_abi_step {
  const char *name; /* operator of the model, for tables of times */
  int64_t macs;     /* multiply-accumulates; 0 if none */
  int64_t bytes;    /* bytes of the buffers and constants that the kernel accesses */
} qn_abi_step;

/* A loop without a known bound. `limit`: maximum number of iterations of all such loops together in
 * one call. */
typedef struct qn_abi_loop {
  const char *name;
  int64_t limit;
} qn_abi_loop;

/* The descriptor of a compiled model; the symbol NAME_model of an object. If the version differs,
 * only `version` may be read. */
typedef struct qn_abi_model {
  uint32_t version; /* QN_ABI_VERSION or QN_ABI_VERSION_PREPARED */
  uint32_t input_count, output_count, state_count, size_count, probe_count, step_count, loop_count;
  const qn_abi_tensor *inputs, *outputs, *states;
  const qn_abi_size *sizes;
  const qn_abi_probe *probes;
  const qn_abi_step *steps;
  const qn_abi_loop *loops;
  uint64_t arena_bytes, state_bytes;
  /* Runs the model. Returns 0; or n > 0 if loop n - 1 exceeds its limit, and outputs and states are
   * then unspecified; or -1 if call->prepared is NULL, misaligned or not filled, and nothing was
   * done. */
  int32_t (*invoke)(const qn_abi_call *call);
  void (*reset)(void *states); /* sets the initial states; NULL if there are none */
  /* Returns 1 if this CPU and system can run the code, else 0. NULL if no check is needed. It is
   * called before the first invoke and before prepare, because it requests AMX tiles from Linux. */
  int32_t (*supported)(void);
  const char *target;   /* CPU and features for which it was compiled */
  const char *numerics; /* numerics profile */
  /* The following fields exist only in QN_ABI_VERSION_PREPARED. */
  uint64_t prepared_bytes;
  /* Fills memory of that size, aligned as the arena, before the first invoke. Another call writes
   * the same bytes, but the memory must not be in use. Misaligned memory is not touched. */
  void (*prepare)(void *prepared);
} qn_abi_model;

static inline int qn_abi_is_known(const qn_abi_model *model) {
  return model->version == QN_ABI_VERSION || model->version == QN_ABI_VERSION_PREPARED;
}
/* 0: the model has no prepared constants. */
static inline uint64_t qn_abi_prepared_bytes(const qn_abi_model *model) {
  return model->version == QN_ABI_VERSION_PREPARED ? model->prepared_bytes : 0;
}

#endif
