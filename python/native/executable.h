/* An executable, as its type (executable.c) and its calls (calls.c) see it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QP_EXECUTABLE_H
#define QP_EXECUTABLE_H

#include "native.h"

typedef struct executable {
  PyObject_HEAD PyObject *module;
  qp_state *state; /* of the module */
  qp_context *context;
  qn_executable *executable; /* NULL: closed */
  PyObject *origin;          /* the executable whose code a clone runs; else NULL */
  Py_ssize_t clones;         /* that run the code of this one */
  uint32_t input_count, output_count;
  bool brief;                 /* an invocation is too short to release the GIL for it: is_brief */
  PyObject *output_arguments; /* of numpy.empty, a tuple for each output */
} executable;

/* As qp_enter, for an executable that is not closed. */
bool qp_enter_executable(executable *x);

/* Methods that run the code: __call__, invoke(inputs, outputs), invoke_many(count, inputs,
 * outputs), profile(inputs, outputs). */
PyObject *qp_call(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *qp_invoke(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *qp_invoke_many(PyObject *self, PyObject *args);
PyObject *qp_profile(PyObject *self, PyObject *args);

#endif
