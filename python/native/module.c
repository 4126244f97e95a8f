/* The module: its state, and the functions that belong to no object.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "native.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

qp_state *qp_state_of(PyObject *module) { return PyModule_GetState(module); }

static bool derives(PyObject *type, PyTypeObject *base) {
  return PyType_Check(type) && PyType_IsSubtype((PyTypeObject *)type, base);
}

void *qp_new(PyObject *type, PyTypeObject *base) {
  if (!derives(type, base)) {
    PyErr_SetString(PyExc_TypeError, "not a type of such objects");
    return NULL;
  }
  allocfunc allocate = (allocfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_alloc);
  return allocate((PyTypeObject *)type, 0);
}

PyObject *qp_raise(qp_state *state, qn_status status, PyObject *diagnostics, const char *format,
                   ...) {
  PyObject *text = Py_NewRef(Py_None);
  if (format) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    Py_DECREF(text);
    text = PyUnicode_DecodeUTF8(line, (Py_ssize_t)strlen(line), "replace");
    if (!text) return NULL;
  }
  PyObject *error =
      PyObject_CallFunction(state->make_error, "isOO", (int)status, qn_status_name(status), text,
                            diagnostics ? diagnostics : Py_None);
  Py_DECREF(text);
  if (!error) return NULL;
  PyErr_SetObject((PyObject *)Py_TYPE(error), error);
  Py_DECREF(error);
  return NULL;
}

static PyObject *version(PyObject *module, PyObject *none) {
  (void)module, (void)none;
  return PyUnicode_FromString(qn_version());
}

static PyObject *host_level(PyObject *module, PyObject *none) {
  (void)module, (void)none;
  return PyUnicode_FromString(qn_host_level());
}

static PyObject *host_runs(PyObject *module, PyObject *args) {
  const char *level;
  (void)module;
  return PyArg_ParseTuple(args, "s", &level) ? PyBool_FromLong(qn_host_runs(level)) : NULL;
}

static PyObject *catalogue(PyObject *module, PyObject *args) {
  const char *what;
  char *json;
  size_t size;
  if (!PyArg_ParseTuple(args, "s", &what)) return NULL;
  qn_status status = qn_list(what, &json, &size);
  if (status != QN_OK)
    return qp_raise(qp_state_of(module), status, NULL, "there is no list '%s'", what);
  PyObject *text = PyUnicode_DecodeUTF8(json, (Py_ssize_t)size, "replace");
  qn_free(json);
  return text;
}

static PyObject *count_limits(PyObject *module, PyObject *args) {
  int by;
  if (!PyArg_ParseTuple(args, "i", &by)) return NULL;
  atomic_fetch_add(&qp_state_of(module)->limits, by);
  Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"load", (PyCFunction)(void (*)(void))qp_load, METH_VARARGS | METH_KEYWORDS, "Reads a model."},
    {"version", version, METH_NOARGS, "Version of the library."},
    {"host_level", host_level, METH_NOARGS, "Best CPU level of this machine."},
    {"host_runs", host_runs, METH_VARARGS, "Whether this machine executes code for a level."},
    {"catalogue", catalogue, METH_VARARGS, "A list of the library, as JSON text."},
    {"count_limits", count_limits, METH_VARARGS, "Counts open blocks of quern.limits."},
    {NULL, NULL, 0, NULL},
};

/* ---- what is used of the package and of numpy ---- */

static bool import_names(const char *module, const char *const *names, PyObject **const *places) {
  PyObject *imported = PyImport_ImportModule(module);
  bool ok = imported != NULL;
  for (size_t i = 0; ok && names[i]; i++) {
    *places[i] = PyObject_GetAttrString(imported, names[i]);
    ok = *places[i] != NULL;
  }
  Py_XDECREF(imported);
  return ok;
}

static bool import_all(qp_state *s) {
  return import_names("quern._errors", (const char *const[]){"make_error", "warn", NULL},
                      (PyObject * *const[]){&s->make_error, &s->warn}) &&
         import_names("quern._limits", (const char *const[]){"current", NULL},
                      (PyObject * *const[]){&s->current_limits}) &&
         import_names("quern._arrays", (const char *const[]){"adapt", NULL},
                      (PyObject * *const[]){&s->adapt}) &&
         import_names("numpy", (const char *const[]){"empty", "ndarray", NULL},
                      (PyObject * *const[]){&s->empty, &s->ndarray});
}

static bool make_dtypes(qp_state *s) {
  PyObject *dtype = NULL;
  bool ok =
      import_names("numpy", (const char *const[]){"dtype", NULL}, (PyObject * *const[]){&dtype});
  for (int i = 1; ok && i < QN_DTYPE_COUNT; i++) {
    s->dtypes[i] = PyObject_CallFunction(dtype, "s", qn_dtype_name((qn_dtype)i));
    ok = s->dtypes[i] != NULL;
  }
  Py_XDECREF(dtype);
  return ok;
}

static int fill(PyObject *module) {
  qp_state *s = qp_state_of(module);
  s->dtype_name = PyUnicode_InternFromString("dtype");
  if (!s->dtype_name || !import_all(s) || !make_dtypes(s)) return -1;
  s->model_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &qp_model_spec, NULL);
  s->executable_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &qp_executable_spec, NULL);
  if (!s->model_type || !s->executable_type) return -1;
  return PyModule_AddType(module, s->model_type) < 0 ||
                 PyModule_AddType(module, s->executable_type) < 0
             ? -1
             : 0;
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
  qp_state *s = qp_state_of(module);
  if (!s) return 0;
  Py_VISIT(s->model_type);
  Py_VISIT(s->executable_type);
  Py_VISIT(s->make_error);
  Py_VISIT(s->warn);
  Py_VISIT(s->current_limits);
  Py_VISIT(s->adapt);
  Py_VISIT(s->empty);
  Py_VISIT(s->ndarray);
  Py_VISIT(s->dtype_name);
  for (int i = 0; i < QN_DTYPE_COUNT; i++) Py_VISIT(s->dtypes[i]);
  return 0;
}

static int clear(PyObject *module) {
  qp_state *s = qp_state_of(module);
  if (!s) return 0;
  Py_CLEAR(s->model_type);
  Py_CLEAR(s->executable_type);
  Py_CLEAR(s->make_error);
  Py_CLEAR(s->warn);
  Py_CLEAR(s->current_limits);
  Py_CLEAR(s->adapt);
  Py_CLEAR(s->empty);
  Py_CLEAR(s->ndarray);
  Py_CLEAR(s->dtype_name);
  for (int i = 0; i < QN_DTYPE_COUNT; i++) Py_CLEAR(s->dtypes[i]);
  return 0;
}

static void release(void *module) { clear(module); }

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)fill}, {0, NULL}};

struct PyModuleDef qp_module = {
    PyModuleDef_HEAD_INIT,
    "quern._quern",
    "Quern's C API, as far as the package quern needs it.",
    sizeof(qp_state),
    functions,
    slots,
    traverse,
    clear,
    release,
};

PyMODINIT_FUNC PyInit__quern(void);
PyMODINIT_FUNC PyInit__quern(void) { return PyModuleDef_Init(&qp_module); }
