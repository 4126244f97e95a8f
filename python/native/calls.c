/* Calls of an executable, with arrays in and out.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "executable.h"

/* What a call works on. Few tensors fit into the frame. */
enum { FEW = 6 };
typedef struct job {
  uint32_t input_count, output_count, taken;
  Py_buffer *views; /* inputs, then outputs */
  const void **inputs;
  void **outputs;
  ptrdiff_t *strides;
  void *memory; /* or NULL */
  Py_buffer few_views[FEW];
  void *few[2 * FEW];
} job;

static bool begin(const executable *x, job *j) {
  uint32_t count = x->input_count + x->output_count;
  char *rest = (char *)j->few;
  j->input_count = x->input_count;
  j->output_count = x->output_count;
  j->taken = 0;
  j->memory = NULL;
  j->views = j->few_views;
  if (count > FEW) {
    size_t bytes = (sizeof(Py_buffer) + 2 * sizeof(void *)) * (size_t)count;
    j->memory = PyMem_Malloc(bytes);
    if (!j->memory) return PyErr_NoMemory() != NULL;
    j->views = j->memory;
    rest = (char *)(j->views + count);
  }
  j->inputs = (const void **)(void *)rest;
  j->outputs = (void **)(void *)rest + x->input_count;
  j->strides = (ptrdiff_t *)((void **)(void *)rest + count);
  return true;
}

static void end(job *j) {
  for (uint32_t i = 0; i < j->taken; i++) PyBuffer_Release(&j->views[i]);
  PyMem_Free(j->memory);
}

static bool take_input(executable *x, job *j, uint32_t i, PyObject *object, size_t count) {
  qp_port port = {"input", i, qn_executable_input(x->executable, i)};
  Py_buffer *view = &j->views[j->taken];
  if (!qp_take(x->state, &port, object, false, count, &j->strides[i], view)) return false;
  j->taken++;
  j->inputs[i] = view->buf;
  return true;
}

static bool take_output(executable *x, job *j, uint32_t i, PyObject *object, size_t count) {
  qp_port port = {"output", i, qn_executable_output(x->executable, i)};
  Py_buffer *view = &j->views[j->taken];
  if (!qp_take(x->state, &port, object, true, count, &j->strides[j->input_count + i], view))
    return false;
  j->taken++;
  j->outputs[i] = view->buf;
  return true;
}

/* Buffers of two tuples of the right length. */
static bool take_all(executable *x, job *j, PyObject *inputs, PyObject *outputs, size_t count) {
  for (uint32_t i = 0; i < j->input_count; i++)
    if (!take_input(x, j, i, PyTuple_GetItem(inputs, (Py_ssize_t)i), count)) return false;
  for (uint32_t i = 0; i < j->output_count; i++)
    if (!take_output(x, j, i, PyTuple_GetItem(outputs, (Py_ssize_t)i), count)) return false;
  return qp_apart(x->state, j->views, j->input_count, j->taken);
}

static bool counts_fit(const executable *x, PyObject *inputs, PyObject *outputs) {
  if (PyTuple_Size(inputs) == (Py_ssize_t)x->input_count &&
      PyTuple_Size(outputs) == (Py_ssize_t)x->output_count)
    return true;
  qp_raise(x->state, QN_INVALID, NULL, "%u inputs and %u outputs are wanted, not %zd and %zd",
           x->input_count, x->output_count, PyTuple_Size(inputs), PyTuple_Size(outputs));
  return false;
}

static bool invoke_job(executable *x, job *j) {
  qn_status status;
  PyThreadState *others = x->brief ? NULL : PyEval_SaveThread();
  status = qn_executable_invoke(x->executable, j->inputs, j->outputs);
  if (others) PyEval_RestoreThread(others);
  return qp_leave(x->state, x->context, status);
}

/* New arrays for the outputs, in a tuple. */
static PyObject *make_outputs(executable *x, job *j) {
  PyObject *made = PyTuple_New((Py_ssize_t)x->output_count);
  for (uint32_t i = 0; made && i < x->output_count; i++) {
    PyObject *array =
        PyObject_CallObject(x->state->empty, PyTuple_GetItem(x->output_arguments, (Py_ssize_t)i));
    Py_buffer *view = &j->views[j->taken];
    if (!array || PyObject_GetBuffer(array, view, PyBUF_WRITABLE) < 0) {
      Py_XDECREF(array);
      Py_CLEAR(made);
      break;
    }
    j->taken++;
    j->outputs[i] = view->buf;
    PyTuple_SetItem(made, (Py_ssize_t)i, array);
  }
  return made;
}

/* One output is an array, several are a tuple. */
static PyObject *unpack(PyObject *made) {
  if (!made || PyTuple_Size(made) != 1) return made;
  PyObject *one = Py_NewRef(PyTuple_GetItem(made, 0));
  Py_DECREF(made);
  return one;
}

static bool wants(const executable *x, PyObject *args) {
  if (PyTuple_Size(args) == (Py_ssize_t)x->input_count) return true;
  qp_raise(x->state, QN_INVALID, NULL, "the model has %u inputs, not %zd", x->input_count,
           PyTuple_Size(args));
  return false;
}

static PyObject *run_into_new(executable *x, job *j, PyObject *args) {
  bool ok = begin(x, j) && wants(x, args);
  for (uint32_t i = 0; ok && i < x->input_count; i++)
    ok = take_input(x, j, i, PyTuple_GetItem(args, (Py_ssize_t)i), 0);
  return ok ? make_outputs(x, j) : NULL;
}

PyObject *qp_call(PyObject *self, PyObject *args, PyObject *kwargs) {
  executable *x = (executable *)self;
  job j;
  if (kwargs && PyDict_Size(kwargs) > 0) {
    PyErr_SetString(PyExc_TypeError, "a call takes inputs in order; run takes them by name");
    return NULL;
  }
  if (!qp_enter_executable(x)) return NULL;
  PyObject *made = run_into_new(x, &j, args);
  if (!made)
    qp_abandon(x->context);
  else if (!invoke_job(x, &j))
    Py_CLEAR(made);
  end(&j);
  return unpack(made);
}

/* invoke(inputs, outputs), tuples of buffers. Its arguments come without a tuple of their own and
 * are checked here, which takes a tenth less of a short call. */
PyObject *qp_invoke(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  executable *x = (executable *)self;
  job j;
  if (count != 2 || !PyTuple_Check(args[0]) || !PyTuple_Check(args[1])) {
    PyErr_SetString(PyExc_TypeError, "invoke takes a tuple of inputs and a tuple of outputs");
    return NULL;
  }
  PyObject *inputs = args[0], *outputs = args[1];
  if (!qp_enter_executable(x)) return NULL;
  bool ok = begin(x, &j) && counts_fit(x, inputs, outputs) && take_all(x, &j, inputs, outputs, 0);
  if (ok)
    ok = invoke_job(x, &j);
  else
    qp_abandon(x->context);
  end(&j);
  return ok ? Py_NewRef(Py_None) : NULL;
}

/* invoke_many(count, inputs, outputs): count entries along the outermost dimension of each. */
PyObject *qp_invoke_many(PyObject *self, PyObject *args) {
  executable *x = (executable *)self;
  PyObject *inputs, *outputs;
  Py_ssize_t count;
  job j;
  qn_status status;
  if (!PyArg_ParseTuple(args, "nO!O!", &count, &PyTuple_Type, &inputs, &PyTuple_Type, &outputs))
    return NULL;
  if (count < 1) return qp_raise(x->state, QN_INVALID, NULL, "a run has at least one entry");
  if (!qp_enter_executable(x)) return NULL;
  bool ok = begin(x, &j) && counts_fit(x, inputs, outputs) &&
            take_all(x, &j, inputs, outputs, (size_t)count);
  if (ok) {
    Py_BEGIN_ALLOW_THREADS;
    status = qn_executable_invoke_many(x->executable, (size_t)count, j.inputs, j.strides, j.outputs,
                                       j.strides + j.input_count);
    Py_END_ALLOW_THREADS;
    ok = qp_leave(x->state, x->context, status);
  } else {
    qp_abandon(x->context);
  }
  end(&j);
  return ok ? Py_NewRef(Py_None) : NULL;
}

/* profile(inputs, outputs): (name, macs, bytes, seconds) of each step. */
PyObject *qp_profile(PyObject *self, PyObject *args) {
  executable *x = (executable *)self;
  PyObject *inputs, *outputs, *list = NULL;
  qn_step_time *times = NULL;
  job j;
  if (!PyArg_ParseTuple(args, "O!O!", &PyTuple_Type, &inputs, &PyTuple_Type, &outputs) ||
      !qp_enter_executable(x))
    return NULL;
  uint32_t count = qn_executable_step_count(x->executable);
  bool ok = begin(x, &j) && counts_fit(x, inputs, outputs) && take_all(x, &j, inputs, outputs, 0);
  if (ok) ok = (times = PyMem_Calloc((size_t)count + 1, sizeof *times)) || PyErr_NoMemory();
  if (ok) {
    qn_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = qn_executable_profile(x->executable, j.inputs, j.outputs, times);
    Py_END_ALLOW_THREADS;
    ok = qp_leave(x->state, x->context, status);
  } else {
    qp_abandon(x->context);
  }
  if (ok) list = PyList_New(0);
  for (uint32_t i = 0; list && i < count; i++) {
    PyObject *one = Py_BuildValue("(sLLd)", times[i].name, (long long)times[i].macs,
                                  (long long)times[i].bytes, times[i].seconds);
    if (!one || PyList_Append(list, one) < 0) Py_CLEAR(list);
    Py_XDECREF(one);
  }
  PyMem_Free(times);
  end(&j);
  return list;
}
