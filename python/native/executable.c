/* Executable: the type, and what it has.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "executable.h"

bool qp_enter_executable(executable *x) {
  if (x->executable) return qp_enter(x->state, x->context);
  qp_raise(x->state, QN_INVALID, NULL, "the executable is closed");
  return false;
}

/* ---- what it has ---- */

typedef qn_tensor_info tensor_of(const qn_executable *executable, uint32_t index);

static PyObject *infos(executable *x, uint32_t count, tensor_of *tensor) {
  PyObject *list = PyList_New(0);
  for (uint32_t i = 0; list && i < count; i++) {
    qn_tensor_info info = tensor(x->executable, i);
    PyObject *one = qp_info(&info);
    if (!one || PyList_Append(list, one) < 0) Py_CLEAR(list);
    Py_XDECREF(one);
  }
  return list;
}

/* ports(): lists of inputs, outputs and states, and of sizes as (name, bound, size). */
static PyObject *ports(PyObject *self, PyObject *none) {
  executable *x = (executable *)self;
  (void)none;
  if (!qp_enter_executable(x)) return NULL;
  PyObject *sizes = PyList_New(0);
  for (uint32_t i = 0; sizes && i < qn_executable_size_count(x->executable); i++) {
    qn_size_info size = qn_executable_size(x->executable, i);
    PyObject *one = Py_BuildValue("(sLL)", size.name, (long long)size.bound, (long long)size.size);
    if (!one || PyList_Append(sizes, one) < 0) Py_CLEAR(sizes);
    Py_XDECREF(one);
  }
  PyObject *all =
      sizes ? Py_BuildValue("(NNNN)", infos(x, x->input_count, qn_executable_input),
                            infos(x, x->output_count, qn_executable_output),
                            infos(x, qn_executable_state_count(x->executable), qn_executable_state),
                            sizes)
            : NULL;
  qp_abandon(x->context);
  return all;
}

static PyObject *stats(PyObject *self, PyObject *none) {
  executable *x = (executable *)self;
  (void)none;
  if (!qp_enter_executable(x)) return NULL;
  qn_executable_stats s = qn_executable_get_stats(x->executable);
  PyObject *all = Py_BuildValue("(nnddssN)", (Py_ssize_t)s.arena_bytes, (Py_ssize_t)s.code_bytes,
                                s.lower_seconds, s.codegen_seconds, s.level ? s.level : "",
                                s.cpu ? s.cpu : "", PyBool_FromLong(s.cached));
  qp_abandon(x->context);
  return all;
}

typedef struct visit {
  PyObject *list; /* NULL once something failed */
} visit;

static void keep_tensor(void *user, int64_t index, const void *data, size_t bytes) {
  visit *v = user;
  PyObject *one =
      v->list ? Py_BuildValue("(Ly#)", (long long)index, data, (Py_ssize_t)bytes) : NULL;
  if (v->list && (!one || PyList_Append(v->list, one) < 0)) Py_CLEAR(v->list);
  Py_XDECREF(one);
}

/* tensors(): (number in the file, bytes) of what operators wrote in the last invocation. */
static PyObject *tensors(PyObject *self, PyObject *none) {
  executable *x = (executable *)self;
  visit v = {PyList_New(0)};
  (void)none;
  if (!v.list || !qp_enter_executable(x)) {
    Py_XDECREF(v.list);
    return NULL;
  }
  qn_status status = qn_executable_tensors(x->executable, keep_tensor, &v);
  if (!v.list)
    qp_abandon(x->context);
  else if (!qp_leave(x->state, x->context, status))
    Py_CLEAR(v.list);
  return v.list;
}

/* ---- sizes, threads, states ---- */

static bool make_output_arguments(executable *x) {
  PyObject *all = PyTuple_New((Py_ssize_t)x->output_count);
  for (uint32_t i = 0; all && i < x->output_count; i++) {
    qn_tensor_info info = qn_executable_output(x->executable, i);
    PyObject *one = Py_BuildValue("(NO)", qp_shape(&info), x->state->dtypes[info.dtype]);
    if (!one || PyTuple_SetItem(all, (Py_ssize_t)i, one) < 0) Py_CLEAR(all);
  }
  if (!all) return false;
  Py_XDECREF(x->output_arguments);
  x->output_arguments = all;
  return true;
}

static PyObject *set_size(PyObject *self, PyObject *args) {
  executable *x = (executable *)self;
  unsigned index;
  long long size;
  if (!PyArg_ParseTuple(args, "IL", &index, &size) || !qp_enter_executable(x)) return NULL;
  if (index >= qn_executable_size_count(x->executable)) {
    qp_abandon(x->context);
    return qp_raise(x->state, QN_NOT_FOUND, NULL, "the model has no size of number %u", index);
  }
  qn_status status = qn_executable_set_size(x->executable, index, size);
  if (status == QN_OK && !make_output_arguments(x)) {
    qp_abandon(x->context);
    return NULL;
  }
  return qp_leave(x->state, x->context, status) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *set_threads(PyObject *self, PyObject *args) {
  executable *x = (executable *)self;
  unsigned long threads;
  if (!PyArg_ParseTuple(args, "k", &threads) || !qp_enter_executable(x)) return NULL;
  uint32_t count = threads < UINT32_MAX ? (uint32_t)threads : UINT32_MAX;
  qn_status status = qn_executable_set_threads(x->executable, count);
  if (status == QN_OK) return qp_leave(x->state, x->context, status) ? Py_NewRef(Py_None) : NULL;
  qp_abandon(x->context);
  return qp_raise(x->state, status, NULL, "%lu threads can't be started", threads);
}

static PyObject *reset(PyObject *self, PyObject *none) {
  executable *x = (executable *)self;
  (void)none;
  if (!qp_enter_executable(x)) return NULL;
  qn_executable_reset(x->executable);
  return qp_leave(x->state, x->context, QN_OK) ? Py_NewRef(Py_None) : NULL;
}

/* The state of a number, as a port; false: with an exception, and the call is over. */
static bool state_port(executable *x, unsigned index, qp_port *out) {
  if (index < qn_executable_state_count(x->executable)) {
    *out = (qp_port){"state", index, qn_executable_state(x->executable, index)};
    return true;
  }
  qp_abandon(x->context);
  qp_raise(x->state, QN_NOT_FOUND, NULL, "the model has no state of number %u", index);
  return false;
}

/* Copies a state into a buffer, or out of one. */
static PyObject *move_state(executable *x, PyObject *args, bool read) {
  unsigned index;
  PyObject *object;
  qp_port port;
  Py_buffer view;
  ptrdiff_t stride;
  if (!PyArg_ParseTuple(args, "IO", &index, &object) || !qp_enter_executable(x) ||
      !state_port(x, index, &port))
    return NULL;
  bool ok = qp_take(x->state, &port, object, read, 0, &stride, &view);
  if (ok && read) qn_executable_read_state(x->executable, index, view.buf);
  if (ok && !read) qn_executable_write_state(x->executable, index, view.buf);
  if (ok) PyBuffer_Release(&view);
  qp_abandon(x->context);
  return ok ? Py_NewRef(Py_None) : NULL;
}

static PyObject *read_state(PyObject *self, PyObject *args) {
  return move_state((executable *)self, args, true);
}
static PyObject *write_state(PyObject *self, PyObject *args) {
  return move_state((executable *)self, args, false);
}

/* ---- life ---- */

/* Whether an invocation takes so few microseconds that releasing the GIL and taking it again would
 * be a good part of them. The interpreter has no launches and is never brief. */
static bool is_brief(const qn_executable *made) {
  enum { LAUNCH = 1 << 12, MOST = 1 << 19 }; /* in multiply-accumulates or bytes */
  uint32_t count = qn_executable_step_count(made);
  int64_t work = 0;
  for (uint32_t i = 0; i < count && work < MOST; i++) {
    qn_step_info step = qn_executable_step(made, i);
    int64_t bytes = (int64_t)(step.value_bytes < MOST ? step.value_bytes : MOST) +
                    (int64_t)(step.constant_bytes < MOST ? step.constant_bytes : MOST);
    work += LAUNCH + (step.macs < MOST ? step.macs : MOST) + bytes;
  }
  return count > 0 && work < MOST;
}

PyObject *qp_executable_new(PyObject *module, PyObject *type, qp_context *context,
                            qn_executable *made, PyObject *origin) {
  qp_state *state = qp_state_of(module);
  executable *x = qp_new(type, state->executable_type);
  if (!x) {
    qp_context_bury(context, made, NULL);
    qp_context_release(context);
    return NULL;
  }
  x->module = Py_NewRef(module);
  x->state = state;
  x->context = context;
  x->executable = made;
  x->input_count = qn_executable_input_count(made);
  x->output_count = qn_executable_output_count(made);
  x->brief = is_brief(made);
  if (origin) {
    x->origin = Py_NewRef(origin);
    ((executable *)origin)->clones++;
  }
  if (!make_output_arguments(x)) Py_CLEAR(x);
  return (PyObject *)x;
}

/* clone(type): another executable on the same code, with a context of its own. */
static PyObject *clone(PyObject *self, PyObject *args) {
  executable *x = (executable *)self;
  PyObject *type;
  qn_executable *made = NULL;
  qn_status status;
  if (!PyArg_ParseTuple(args, "O", &type)) return NULL;
  if (!x->executable) return qp_raise(x->state, QN_INVALID, NULL, "the executable is closed");
  executable *origin = x->origin ? (executable *)x->origin : x;
  qp_context *context = qp_context_create(x->state);
  if (!context || !qp_enter(x->state, context)) {
    qp_context_release(context);
    return NULL;
  }
  origin->clones++; /* keeps another thread from closing it meanwhile */
  Py_BEGIN_ALLOW_THREADS;
  status = qn_executable_clone(origin->executable, context->context, &made);
  Py_END_ALLOW_THREADS;
  origin->clones--;
  if (qp_leave(x->state, context, status))
    return qp_executable_new(x->module, type, context, made, (PyObject *)origin);
  qp_context_bury(context, made, NULL);
  qp_context_release(context);
  return NULL;
}

static void leave_origin(executable *x) {
  if (x->origin) ((executable *)x->origin)->clones--;
  Py_CLEAR(x->origin);
}

static PyObject *close_executable(PyObject *self, PyObject *none) {
  executable *x = (executable *)self;
  (void)none;
  if (!x->executable) Py_RETURN_NONE;
  if (x->clones > 0)
    return qp_raise(x->state, QN_INVALID, NULL, "%zd clones run its code: close them first",
                    x->clones);
  if (!qp_enter_executable(x)) return NULL;
  qn_executable_destroy(x->executable);
  x->executable = NULL;
  leave_origin(x);
  return qp_leave(x->state, x->context, QN_OK) ? Py_NewRef(Py_None) : NULL;
}

static void dealloc(PyObject *self) {
  executable *x = (executable *)self;
  PyTypeObject *type = Py_TYPE(self);
  if (x->context) qp_context_bury(x->context, x->executable, NULL);
  qp_context_release(x->context);
  leave_origin(x);
  Py_XDECREF(x->output_arguments);
  Py_XDECREF(x->module);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static PyObject *deny_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  (void)type, (void)args, (void)kwargs;
  PyErr_SetString(PyExc_TypeError, "Model.compile makes executables");
  return NULL;
}

static PyObject *is_closed(PyObject *self, void *none) {
  (void)none;
  return PyBool_FromLong(((executable *)self)->executable == NULL);
}

static PyMethodDef methods[] = {
    {"invoke", (PyCFunction)(void (*)(void))qp_invoke, METH_FASTCALL,
     "Runs once on two tuples of buffers."},
    {"_invoke_many", qp_invoke_many, METH_VARARGS, "Runs once for each entry."},
    {"_profile", qp_profile, METH_VARARGS, "Runs once and times the steps."},
    {"_ports", ports, METH_NOARGS, "Inputs, outputs, states and sizes."},
    {"_stats", stats, METH_NOARGS, "What compiling took and made."},
    {"_tensors", tensors, METH_NOARGS, "What operators wrote in the last invocation."},
    {"_set_size", set_size, METH_VARARGS, "Sets a size for later invocations."},
    {"_set_threads", set_threads, METH_VARARGS, "Sets how many threads work."},
    {"_read_state", read_state, METH_VARARGS, "Copies a state into a buffer."},
    {"_write_state", write_state, METH_VARARGS, "Copies a buffer into a state."},
    {"_clone", clone, METH_VARARGS, "An executable of a type on the same code."},
    {"reset", reset, METH_NOARGS, "Gives the states their initial values."},
    {"close", close_executable, METH_NOARGS, "Frees the executable."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {{"closed", is_closed, NULL, "Whether close was called.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, (void *)deny_new},
                              {Py_tp_dealloc, (void *)dealloc},
                              {Py_tp_call, (void *)qp_call},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, properties},
                              {Py_tp_doc, (void *)"A compiled model."},
                              {0, NULL}};

PyType_Spec qp_executable_spec = {.name = "quern._quern.Executable",
                                  .basicsize = sizeof(executable),
                                  .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                                  .slots = slots};
