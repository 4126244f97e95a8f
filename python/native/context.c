/* Contexts: what they say becomes exceptions and warnings, and one thread at a time is in a call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "native.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MESSAGES = 1000 };

/* ---- messages: kept without the GIL, handed over with it ---- */

static void hear(void *user, const qn_message *said) {
  qp_context *context = user;
  size_t file = strlen(said->file) + 1, code = strlen(said->code) + 1,
         text = strlen(said->text) + 1, where = strlen(said->where) + 1;
  if (context->message_count == MOST_MESSAGES) return;
  qp_message *m = malloc(sizeof *m + file + code + text + where);
  if (!m) return; /* the status still says what became of the call */
  char *at = (char *)(m + 1);
  *m = (qp_message){.severity = said->severity, .line = said->line, .column = said->column};
  m->where = memcpy(at + file + code + text, said->where, where);
  m->file = memcpy(at, said->file, file);
  m->code = memcpy(at + file, said->code, code);
  m->text = memcpy(at + file + code, said->text, text);
  *context->last = m;
  context->last = &m->next;
  context->message_count++;
}

static void forget(qp_context *context) {
  while (context->first) {
    qp_message *m = context->first;
    context->first = m->next;
    free(m);
  }
  context->last = &context->first;
  context->message_count = 0;
}

static PyObject *text_of(const char *text) {
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* A list of (severity, file, line, column, code, text). */
static PyObject *take_messages(qp_context *context) {
  PyObject *list = PyList_New(0);
  for (const qp_message *m = context->first; list && m; m = m->next) {
    PyObject *one = Py_BuildValue("(iNIINNN)", m->severity, text_of(m->file), m->line, m->column,
                                  text_of(m->code), text_of(m->text), text_of(m->where));
    if (!one || PyList_Append(list, one) < 0) Py_CLEAR(list);
    Py_XDECREF(one);
  }
  forget(context);
  return list;
}

/* ---- life ---- */

qp_context *qp_context_create(qp_state *state) {
  qp_context *context = calloc(1, sizeof *context);
  if (context) context->context = qn_context_create();
  if (!context || !context->context) {
    free(context);
    qp_raise(state, QN_LIMIT, NULL, "out of memory");
    return NULL;
  }
  context->references = 1;
  atomic_flag_clear(&context->busy);
  context->last = &context->first;
  qn_context_set_parts_handler(context->context, hear, context);
  return context;
}

qp_context *qp_context_share(qp_context *context) {
  context->references++;
  return context;
}

static void destroy_dead(qp_context *context) {
  while (context->dead) {
    qp_dead *dead = context->dead;
    context->dead = dead->next;
    qn_executable_destroy(dead->executable);
    qn_model_destroy(dead->model);
    free(dead);
  }
}

void qp_context_release(qp_context *context) {
  if (!context || --context->references > 0) return;
  destroy_dead(context);
  forget(context);
  qn_context_destroy(context->context);
  free(context);
}

void qp_context_bury(qp_context *context, qn_executable *executable, qn_model *model) {
  if (!executable && !model) return;
  if (!atomic_flag_test_and_set(&context->busy)) {
    qn_executable_destroy(executable);
    qn_model_destroy(model);
    atomic_flag_clear(&context->busy);
    return;
  }
  qp_dead *dead = malloc(sizeof *dead);
  if (!dead) return; /* lost rather than destroyed under somebody's hands */
  *dead = (qp_dead){context->dead, executable, model};
  context->dead = dead;
}

/* ---- calls ---- */

/* quern.limits of this thread, until the call is over. */
static bool set_limits(qp_state *state, qp_context *context) {
  PyObject *now = PyObject_CallNoArgs(state->current_limits);
  qn_limits limits = QN_LIMITS_INIT;
  unsigned long long memory;
  if (!now) return false;
  bool ok = now == Py_None || PyArg_ParseTuple(now, "Kd", &memory, &limits.max_seconds);
  if (ok && now != Py_None) {
    limits.max_memory = memory < SIZE_MAX ? (size_t)memory : SIZE_MAX;
    qn_context_set_limits(context->context, &limits);
    context->limited = true;
  }
  Py_DECREF(now);
  return ok;
}

bool qp_enter(qp_state *state, qp_context *context) {
  if (atomic_flag_test_and_set(&context->busy)) {
    qp_raise(state, QN_INVALID, NULL,
             "another thread is using this model or executable: give each thread a clone() of its "
             "own");
    return false;
  }
  if (atomic_load_explicit(&state->limits, memory_order_relaxed) == 0 || set_limits(state, context))
    return true;
  atomic_flag_clear(&context->busy);
  return false;
}

static bool say(qp_state *state, PyObject *messages) {
  PyObject *done = messages ? PyObject_CallFunctionObjArgs(state->warn, messages, NULL) : NULL;
  Py_XDECREF(done);
  Py_XDECREF(messages);
  return done != NULL;
}

void qp_abandon(qp_context *context) {
  if (context->limited) qn_context_set_limits(context->context, NULL);
  context->limited = false;
  if (context->dead) destroy_dead(context);
  if (context->first) forget(context);
  atomic_flag_clear(&context->busy);
}

bool qp_leave(qp_state *state, qp_context *context, qn_status status) {
  bool quiet = !context->first;
  PyObject *messages = quiet ? NULL : take_messages(context);
  qp_abandon(context);
  if (status == QN_OK) return quiet || say(state, messages);
  if (quiet || messages) qp_raise(state, status, messages, NULL);
  Py_XDECREF(messages);
  return false;
}
