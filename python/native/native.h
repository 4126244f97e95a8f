/* The Python module quern._quern: Model and Executable over the public C API, in the limited API of
 * Python 3.11. The package beside it (python/quern) is what people see.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_PYTHON_NATIVE_H
#define QUERN_PYTHON_NATIVE_H

#ifndef Py_LIMITED_API /* the build says it, too */
#define Py_LIMITED_API 0x030B0000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdatomic.h>
#include <stdbool.h>

#include <quern/quern.h>

/* ---- the module ---- */

typedef struct qp_state {
  PyTypeObject *model_type, *executable_type;
  PyObject *make_error, *warn;      /* quern._errors */
  PyObject *current_limits;         /* quern._limits */
  PyObject *adapt;                  /* quern._arrays: what has no buffer protocol, as an array */
  PyObject *empty, *ndarray;        /* numpy */
  PyObject *dtype_name;             /* "dtype" */
  PyObject *dtypes[QN_DTYPE_COUNT]; /* numpy's, by qn_dtype */
  _Atomic long limits;              /* blocks of quern.limits that are open, in any thread */
} qp_state;

extern struct PyModuleDef qp_module;
qp_state *qp_state_of(PyObject *module);

/* Raises the exception of quern._errors for a status; `text` may be NULL. Returns NULL. */
PyObject *qp_raise(qp_state *state, qn_status status, PyObject *diagnostics_or_null,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* ---- contexts: one thread at a time ---- */

typedef struct qp_message {
  struct qp_message *next;
  int severity;
  uint32_t line, column;
  char *file, *code, *text, *where; /* in the same allocation */
} qp_message;

typedef struct qp_dead {
  struct qp_dead *next;
  qn_executable *executable;
  qn_model *model;
} qp_dead;

/* A context, what it said, and who works with it. Shared by a model and its executables. */
typedef struct qp_context {
  qn_context *context;
  size_t references; /* this and what follows: with the GIL */
  atomic_flag busy;
  bool limited;
  uint32_t message_count;
  qp_message *first, **last;
  qp_dead
      *dead; /* objects without references, which are destroyed when the running call has ended */
} qp_context;

qp_context *qp_context_create(qp_state *state);
qp_context *qp_context_share(qp_context *context);
void qp_context_release(qp_context *context);
/* Destroys both now, or as soon as the call of another thread is over. NULL is allowed. */
void qp_context_bury(qp_context *context, qn_executable *executable, qn_model *model);

/* A call of the library is between these two. Enter: false, with an exception, while another thread
 * is in one. Leave: false, with an exception, unless the status is QN_OK; warnings are warned of.
 */
bool qp_enter(qp_state *state, qp_context *context);
bool qp_leave(qp_state *state, qp_context *context, qn_status status);
/* Ends a call of which there is nothing to say: an exception is set, or it could not fail. */
void qp_abandon(qp_context *context);

/* ---- buffers ---- */

/* The buffers of a tensor for one or many entries. */
typedef struct qp_port {
  const char *role; /* "input" or "output", for messages */
  uint32_t index;
  qn_tensor_info info;
} qp_port;

/* The buffer of an object that holds exactly the tensor, or, with `count` not 0, that many entries
 * along the outermost dimension, with *out_stride bytes from one to the next. false: with an
 * exception that says what was wanted and what came. */
bool qp_take(qp_state *state, const qp_port *port, PyObject *object, bool writable, size_t count,
             ptrdiff_t *out_stride, Py_buffer *out);
/* Whether no output shares memory with another buffer; else with an exception. Inputs come first.
 */
bool qp_apart(qp_state *state, const Py_buffer *buffers, uint32_t input_count, uint32_t count);

PyObject *qp_shape(const qn_tensor_info *info);
/* (name, dtype, shape, bytes, scale, zero_point, index, size, size_dimension) */
PyObject *qp_info(const qn_tensor_info *info);

/* ---- types ---- */

extern PyType_Spec qp_model_spec, qp_executable_spec;

/* An object of a type that derives from `base`, zeroed; or NULL with an exception. */
void *qp_new(PyObject *type, PyTypeObject *base);

/* load(type, path, data, name, **options): a Model. */
PyObject *qp_load(PyObject *module, PyObject *args, PyObject *kwargs);

/* Compile options out of keyword arguments, to which the strings belong. */
bool qp_compile_options(PyObject *kwargs_or_null, qn_compile_options *out_options);

/* An Executable of that type. It takes the executable over, and a reference to the context, also on
 * failure. `origin`: whose code it runs, or NULL. */
PyObject *qp_executable_new(PyObject *module, PyObject *type, qp_context *context,
                            qn_executable *executable, PyObject *origin);

#endif
