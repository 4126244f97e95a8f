/* The layout shared by generated code, the runtime and the header of an ahead-of-time object.
 * Includes nothing but the C library. A change here bumps QN_ABI_VERSION.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_ABI_H
#define QN_RUNTIME_ABI_H

#include <stddef.h>
#include <stdint.h>

#define QN_ABI_VERSION 5u
enum { QN_ABI_MAX_RANK = 16, QN_ABI_ALIGN = 64 };

/* An index of generated code: as wide as a pointer. */
typedef intptr_t qn_abi_index;

/* Element types of inputs, outputs and states: the numbers of qn_dtype (quern/base.h), which the
 * runtime asserts. */
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
  int64_t dims[QN_ABI_MAX_RANK];  /* the largest */
  int32_t sizes[QN_ABI_MAX_RANK]; /* dimension i is size sizes[i] - 1; 0: always dims[i] */
  uint64_t bytes;                 /* with the largest dimensions */
  double scale;                   /* 0: not quantized */
  int64_t zero_point;
  int64_t index;   /* in the model file; -1 unknown */
  uint64_t offset; /* of a state: in the block of states */
} qn_abi_tensor;

/* The dimension that has a size; 0 when none has. */
static inline uint32_t qn_abi_size_dimension(const qn_abi_tensor *tensor) {
  uint32_t i = 0;
  while (i < QN_ABI_MAX_RANK && tensor->sizes[i] == 0) i++;
  return i < QN_ABI_MAX_RANK ? i : 0;
}

/* A size that each call specifies: the outermost dimension of some inputs and outputs, that is the
 * first, or one with only dimensions of 1 ahead. */
typedef struct qn_abi_size {
  const char *name;
  int64_t bound; /* from 1 to this */
} qn_abi_size;

/* A kernel covers [lo, hi) of its units of work. Units are independent. */
typedef void qn_abi_kernel(void *const *args, qn_abi_index lo, qn_abi_index hi);

/* One call of a model. Inputs, outputs and arena are needed, states and sizes by models that have
 * some; the rest may be NULL. Arena and states are aligned to QN_ABI_ALIGN, or
 * to what the header of the object asks for. The arena holds nothing
 * between calls; the states hold what the next call reads, so a copy of them is a copy of the
 * model's memory. A tensor of fewer than the largest number of entries is so much shorter. */
typedef struct qn_abi_call {
  const void *const *inputs;
  void *const *outputs;
  void *arena;
  void *states;
  const qn_abi_index *sizes;
  /* Runs kernel over [0, count) in chunks and returns when all is done. NULL: in this thread. */
  void (*parallel_for)(void *pool, qn_abi_kernel *kernel, void *const *args, qn_abi_index count);
  void *pool;
  /* Told before step k starts, as often as it does, and once with k = step_count at the end. */
  void (*step)(void *user, qn_abi_index k);
  void *user;
} qn_abi_call;

/* A tensor that an operator wrote, kept in the arena by a module compiled with keep_tensors. */
typedef struct qn_abi_probe {
  int64_t index;   /* tensor number in the model file */
  uint64_t offset; /* in the arena; UINT64_MAX: it is output number `output` */
  uint64_t bytes;
  int64_t output;
  int64_t size; /* its entries are size `size` - 1, `bytes` with the largest; 0: always so */
} qn_abi_probe;

typedef struct qn_abi_step {
  const char *name; /* the operator of the model, for tables of times */
  int64_t macs;     /* multiply-accumulates, 0 where none */
  int64_t bytes;    /* of the buffers and constants that it is given */
} qn_abi_step;

/* A loop that nothing bounds but this: how often all of them together may go on in a call. */
typedef struct qn_abi_loop {
  const char *name;
  int64_t limit;
} qn_abi_loop;

/* The symbol NAME_model of an object points to this. In another version, only `version` may
 * be read. */
typedef struct qn_abi_model {
  uint32_t version; /* QN_ABI_VERSION */
  uint32_t input_count, output_count, state_count, size_count, probe_count, step_count, loop_count;
  const qn_abi_tensor *inputs, *outputs, *states;
  const qn_abi_size *sizes;
  const qn_abi_probe *probes;
  const qn_abi_step *steps;
  const qn_abi_loop *loops;
  uint64_t arena_bytes, state_bytes;
  /* 0; or n, when loop n - 1 would go on beyond the limit: what outputs and states hold is then
   * unspecified. */
  int32_t (*invoke)(const qn_abi_call *call);
  void (*reset)(void *states); /* the states before the first call; NULL when there are none */
  int32_t (*supported)(void);  /* whether this CPU and system run the code, 1 or 0; or NULL. Called
                                  before the first invoke: Linux wants to be asked for tiles */
  const char *target;          /* CPU and features it was compiled for */
  const char *numerics;        /* profile */
} qn_abi_model;

#endif
