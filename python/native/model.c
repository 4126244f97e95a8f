/* Model: what was read, to look at, print and compile.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "native.h"

typedef struct model {
  PyObject_HEAD PyObject *module;
  qp_state *state; /* of the module */
  qp_context *context;
  qn_model *model; /* NULL: closed */
} model;

/* ---- options ---- */

/* Numbers that the package packed; bytes objects are aligned. */
static const void *numbers(const char *packed, Py_ssize_t bytes, uint32_t *out_count) {
  *out_count = (uint32_t)(bytes / 4);
  return packed;
}

static bool load_options(PyObject *kwargs, qn_load_options *out) {
  static const char *const names[] = {
      "numerics",  "batch",    "fall_back", "keep_unsupported", "rebatch", "max_iterations",
      "signature", "any_size", "operators", "inputs",           "outputs", NULL};
  *out = (qn_load_options)QN_LOAD_OPTIONS_INIT;
  long long batch = 0, iterations = 0;
  const char *part[3] = {NULL};
  Py_ssize_t bytes[3] = {0};
  PyObject *none = PyTuple_New(0);
  bool ok = none && PyArg_ParseTupleAndKeywords(
                        none, kwargs, "|zLpppLzpz#z#z#", (char **)names, &out->numerics, &batch,
                        &out->fall_back, &out->keep_unsupported, &out->rebatch, &iterations,
                        &out->signature, &out->any_size, &part[0], &bytes[0], &part[1], &bytes[1],
                        &part[2], &bytes[2]);
  out->batch = batch;
  out->max_iterations = iterations;
  out->operators = numbers(part[0], bytes[0], &out->operator_count);
  out->inputs = numbers(part[1], bytes[1], &out->input_count);
  out->outputs = numbers(part[2], bytes[2], &out->output_count);
  Py_XDECREF(none);
  return ok;
}

bool qp_compile_options(PyObject *kwargs, qn_compile_options *out) {
  static const char *const names[] = {"engine",   "stage",        "triple",   "cpu",
                                      "features", "keep_tensors", "symbol",   "disabled",
                                      "cache",    "cache_bytes",  "optimize", NULL};
  *out = (qn_compile_options)QN_COMPILE_OPTIONS_INIT;
  int engine = out->engine, stage = out->stage, optimize = out->optimize;
  unsigned long long bytes = out->cache_bytes;
  PyObject *none = PyTuple_New(0);
  bool ok = none && PyArg_ParseTupleAndKeywords(none, kwargs, "|iizzzpzzzKi", (char **)names,
                                                &engine, &stage, &out->triple, &out->cpu,
                                                &out->features, &out->keep_tensors, &out->symbol,
                                                &out->disabled, &out->cache, &bytes, &optimize);
  out->engine = (qn_engine)engine;
  out->stage = (qn_form)stage;
  out->optimize = (qn_optimize)optimize;
  out->cache_bytes = (size_t)bytes;
  Py_XDECREF(none);
  return ok;
}

/* ---- load ---- */

static qn_status read_model(model *m, const char *path, const Py_buffer *data, const char *name,
                            const qn_load_options *options) {
  qn_bytes bytes = {data->buf, (size_t)data->len};
  qn_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = path ? qn_model_load(m->context->context, path, options, &m->model)
                : qn_model_load_memory(m->context->context, bytes, name, options, &m->model);
  Py_END_ALLOW_THREADS;
  return status;
}

PyObject *qp_load(PyObject *module, PyObject *args, PyObject *kwargs) {
  qp_state *state = qp_state_of(module);
  PyObject *type, *path;
  const char *name;
  Py_buffer data;
  qn_load_options options;
  if (!PyArg_ParseTuple(args, "OOz*s", &type, &path, &data, &name)) return NULL;
  const char *file = path == Py_None ? NULL : PyBytes_AsString(path);
  model *m = (file || path == Py_None) && load_options(kwargs, &options)
                 ? qp_new(type, state->model_type)
                 : NULL;
  bool ok = m != NULL;
  if (ok) {
    m->module = Py_NewRef(module);
    m->state = state;
    m->context = qp_context_create(state);
    ok = m->context && qp_enter(state, m->context) &&
         qp_leave(state, m->context, read_model(m, file, &data, name, &options));
  }
  PyBuffer_Release(&data);
  if (!ok) Py_CLEAR(m);
  return (PyObject *)m;
}

/* ---- methods ---- */

/* false: with an exception. */
static bool enter(model *m) {
  if (m->model) return qp_enter(m->state, m->context);
  qp_raise(m->state, QN_INVALID, NULL, "the model is closed");
  return false;
}

/* The bytes or the text that a call made, unless it failed. */
static PyObject *result(model *m, qn_status status, char *made, size_t size, bool text) {
  if (!qp_leave(m->state, m->context, status)) {
    if (status == QN_OK) qn_free(made); /* a warning that became an exception */
    return NULL;
  }
  PyObject *object = text ? PyUnicode_DecodeUTF8(made, (Py_ssize_t)size, "replace")
                          : PyBytes_FromStringAndSize(made, (Py_ssize_t)size);
  qn_free(made);
  return object;
}

static PyObject *stage(PyObject *self, PyObject *none) {
  model *m = (model *)self;
  (void)none;
  if (!enter(m)) return NULL;
  int form = qn_model_stage(m->model);
  return qp_leave(m->state, m->context, QN_OK) ? PyLong_FromLong(form) : NULL;
}

static PyObject *print(PyObject *self, PyObject *args) {
  model *m = (model *)self;
  qn_text_options options = QN_TEXT_OPTIONS_INIT;
  long long elide;
  char *text = NULL;
  size_t size = 0;
  qn_status status;
  if (!PyArg_ParseTuple(args, "L", &elide) || !enter(m)) return NULL;
  options.elide_elements_above = elide;
  Py_BEGIN_ALLOW_THREADS;
  status = qn_model_print(m->model, &options, &text, &size);
  Py_END_ALLOW_THREADS;
  return result(m, status, text, size, true);
}

static PyObject *inspect(PyObject *self, PyObject *args, PyObject *kwargs) {
  model *m = (model *)self;
  qn_compile_options options;
  char *json = NULL;
  size_t size = 0;
  qn_status status;
  if (!PyArg_ParseTuple(args, "") || !qp_compile_options(kwargs, &options) || !enter(m))
    return NULL;
  Py_BEGIN_ALLOW_THREADS;
  status = qn_model_inspect_for(m->model, &options, &json, &size);
  Py_END_ALLOW_THREADS;
  return result(m, status, json, size, true);
}

/* Constants above so many elements are left out of text; 0: none. */
static PyObject *emit(PyObject *self, PyObject *args, PyObject *kwargs) {
  model *m = (model *)self;
  qn_compile_options options;
  qn_text_options text_options = QN_TEXT_OPTIONS_INIT;
  long long elide;
  int form;
  char *made = NULL;
  size_t size = 0;
  qn_status status;
  if (!PyArg_ParseTuple(args, "iL", &form, &elide) || !qp_compile_options(kwargs, &options))
    return NULL;
  if (form < QN_FORM_MODEL || form > QN_FORM_C)
    return qp_raise(m->state, QN_NOT_FOUND, NULL, "there is no form of number %d", form);
  if (!enter(m)) return NULL;
  text_options.elide_elements_above = elide;
  options.text = &text_options;
  Py_BEGIN_ALLOW_THREADS;
  status = qn_emit_form(m->model, &options, (qn_form)form, &made, &size);
  Py_END_ALLOW_THREADS;
  return result(m, status, made, size, form != QN_FORM_OBJECT);
}

static PyObject *header(PyObject *self, PyObject *args, PyObject *kwargs) {
  model *m = (model *)self;
  qn_compile_options options;
  char *text = NULL;
  size_t size = 0;
  qn_status status;
  if (!PyArg_ParseTuple(args, "") || !qp_compile_options(kwargs, &options) || !enter(m))
    return NULL;
  Py_BEGIN_ALLOW_THREADS;
  status = qn_emit_header(m->model, &options, &text, &size);
  Py_END_ALLOW_THREADS;
  return result(m, status, text, size, true);
}

static PyObject *compile(PyObject *self, PyObject *args, PyObject *kwargs) {
  model *m = (model *)self;
  PyObject *type;
  qn_compile_options options;
  qn_executable *executable = NULL;
  qn_status status;
  if (!PyArg_ParseTuple(args, "O", &type) || !qp_compile_options(kwargs, &options) || !enter(m))
    return NULL;
  Py_BEGIN_ALLOW_THREADS;
  status = qn_compile(m->model, &options, &executable);
  Py_END_ALLOW_THREADS;
  if (!qp_leave(m->state, m->context, status)) {
    qp_context_bury(m->context, executable, NULL);
    return NULL;
  }
  return qp_executable_new(m->module, type, qp_context_share(m->context), executable, NULL);
}

static PyObject *memory(PyObject *self, PyObject *none) {
  model *m = (model *)self;
  (void)none;
  if (!enter(m)) return NULL;
  size_t bytes = qn_context_memory(m->context->context);
  return qp_leave(m->state, m->context, QN_OK) ? PyLong_FromSize_t(bytes) : NULL;
}

static PyObject *close_model(PyObject *self, PyObject *none) {
  model *m = (model *)self;
  (void)none;
  if (!m->model) Py_RETURN_NONE;
  if (!enter(m)) return NULL;
  qn_model_destroy(m->model);
  m->model = NULL;
  if (!qp_leave(m->state, m->context, QN_OK)) return NULL;
  Py_RETURN_NONE;
}

static PyObject *is_closed(PyObject *self, void *none) {
  (void)none;
  return PyBool_FromLong(((model *)self)->model == NULL);
}

/* ---- the type ---- */

static PyObject *deny_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  (void)type, (void)args, (void)kwargs;
  PyErr_SetString(PyExc_TypeError, "quern.load makes models");
  return NULL;
}

static void dealloc(PyObject *self) {
  model *m = (model *)self;
  PyTypeObject *type = Py_TYPE(self);
  if (m->context) qp_context_bury(m->context, NULL, m->model);
  qp_context_release(m->context);
  Py_XDECREF(m->module);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

#define WITH_KEYWORDS(function) (PyCFunction)(void (*)(void)) function, METH_VARARGS | METH_KEYWORDS
static PyMethodDef methods[] = {
    {"_stage", stage, METH_NOARGS, "Number of the stage."},
    {"_print", print, METH_VARARGS, "The text of the model."},
    {"_inspect", WITH_KEYWORDS(inspect), "The report, as JSON text."},
    {"_emit", WITH_KEYWORDS(emit), "The model in a form."},
    {"_header", WITH_KEYWORDS(header), "The C header of an object."},
    {"_compile", WITH_KEYWORDS(compile), "An executable of a type."},
    {"_memory", memory, METH_NOARGS, "Bytes held by the model and its executables."},
    {"close", close_model, METH_NOARGS, "Frees the model; its executables stay."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {{"closed", is_closed, NULL, "Whether close was called.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, (void *)deny_new},
                              {Py_tp_dealloc, (void *)dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, properties},
                              {Py_tp_doc, (void *)"A model that was read."},
                              {0, NULL}};

PyType_Spec qp_model_spec = {.name = "quern._quern.Model",
                             .basicsize = sizeof(model),
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                             .slots = slots};
