/* What of LiteRT's delegate interface this delegate touches: layouts of the full runtime (not of
 * tflite-micro), as its public C header of delegates documents them; members are only added at the
 * end. Own declarations; only members in use have a type, and offsets are asserted. 64-bit targets.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_LITERT_ABI_H
#define QUERN_LITERT_ABI_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LT_CONSTANT = 1 };      /* an allocation: of the file */
enum { LT_DELEGATE = 51 };     /* a builtin code */
enum { LT_ALLOW_DYNAMIC = 1 }; /* a flag of delegates */

typedef struct lt_ints {
  int size;
  int data[];
} lt_ints;
typedef struct lt_context lt_context;
typedef struct lt_delegate lt_delegate;

typedef struct lt_tensor {
  int type;
  void *data;
  lt_ints *dims;
  struct {
    float scale;
    int32_t zero_point;
  } legacy;
  int allocation; /* 1: constant of the model file */
  size_t bytes;
  const void *mapping;
  const char *name;
  lt_delegate *delegate;
  int buffer_handle;
  bool stale, variable;
  struct {
    int type;
    void *params;
  } quantization;
  void *sparsity;
  const lt_ints *signature;
} lt_tensor;

typedef struct lt_node {
  lt_ints *inputs, *outputs, *intermediates, *temporaries;
  void *user_data, *builtin_data;
  const void *custom_data;
  int custom_bytes;
  lt_delegate *delegate;
  bool side_effect;
} lt_node;

typedef struct lt_registration {
  void *(*init)(lt_context *, const char *buffer, size_t bytes);
  void (*release)(lt_context *, void *kernel);
  int (*prepare)(lt_context *, lt_node *);
  int (*invoke)(lt_context *, lt_node *);
  const char *(*profiling_string)(const lt_context *, const lt_node *);
  int32_t builtin_code;
  const char *custom_name;
  int version;
  void *external, *async_kernel;
  uint64_t in_place;
} lt_registration;

typedef struct lt_partition {
  lt_delegate *delegate;
  lt_ints *nodes, *inputs, *outputs;
} lt_partition;

struct lt_context {
  size_t tensor_count;
  int (*execution_plan)(lt_context *, lt_ints **);
  lt_tensor *tensors;
  void *impl;
  int (*resize_tensor)(lt_context *, lt_tensor *, lt_ints *dims); /* takes the dims over */
  void (*report)(lt_context *, const char *format, ...);
  void *add_tensors;
  int (*node)(lt_context *, int index, lt_node **, lt_registration **);
  int (*replace)(lt_context *, lt_registration, const lt_ints *nodes, lt_delegate *);
  int threads; /* that are recommended; <= 0: unknown */
  /* further members are not touched */
};

struct lt_delegate {
  void *data;
  int (*prepare)(lt_context *, lt_delegate *);
  void *copy_from, *copy_to, *free_handle;
  int64_t flags;
  void *opaque_builder;
};

_Static_assert(offsetof(lt_tensor, data) == 8 && offsetof(lt_tensor, allocation) == 32 &&
                   offsetof(lt_tensor, bytes) == 40 && sizeof(lt_tensor) == 112,
               "tensor");
_Static_assert(sizeof(lt_registration) == 88 && offsetof(lt_registration, builtin_code) == 40,
               "registration");
_Static_assert(offsetof(lt_context, node) == 56 && offsetof(lt_context, replace) == 64 &&
                   offsetof(lt_context, threads) == 72,
               "context");
_Static_assert(offsetof(lt_delegate, flags) == 40 && sizeof(lt_delegate) == 56, "delegate");
#endif
