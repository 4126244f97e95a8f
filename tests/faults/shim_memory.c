/* Memory, and what libc allocates for its caller.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim_calls.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t align, size_t size);
extern void __libc_free(void *memory);

static void *none(void) {
  errno = ENOMEM;
  return NULL;
}

EXPORT void *malloc(size_t size) {
  if (shim_hit(HERE, 'm', "malloc")) return none();
  void *memory = __libc_malloc(size);
  shim_note_block(memory, HERE);
  return memory;
}

EXPORT void *calloc(size_t count, size_t size) {
  if (shim_hit(HERE, 'm', "calloc")) return none();
  void *memory = __libc_calloc(count, size);
  shim_note_block(memory, HERE);
  return memory;
}

EXPORT void *realloc(void *old, size_t size) {
  if (shim_hit(HERE, 'm', "realloc")) return none();
  bool known = shim_forget_block(old);
  void *memory = __libc_realloc(old, size);
  if (memory && (known || !old)) shim_note_block(memory, HERE);
  return memory;
}

EXPORT void *aligned_alloc(size_t align, size_t size) {
  if (shim_hit(HERE, 'm', "aligned_alloc")) return none();
  void *memory = __libc_memalign(align, size);
  shim_note_block(memory, HERE);
  return memory;
}

EXPORT void free(void *memory) {
  (void)shim_forget_block(memory);
  __libc_free(memory);
}

/* What libc's own functions allocate for the caller. */

EXPORT char *strdup(const char *text) {
  if (shim_hit(HERE, 'm', "strdup")) return none();
  size_t size = strlen(text) + 1;
  char *copy = __libc_malloc(size);
  if (copy) memcpy(copy, text, size);
  shim_note_block(copy, HERE);
  return copy;
}

EXPORT char *strndup(const char *text, size_t most) {
  if (shim_hit(HERE, 'm', "strndup")) return none();
  size_t size = strnlen(text, most);
  char *copy = __libc_calloc(size + 1, 1);
  if (copy) memcpy(copy, text, size);
  shim_note_block(copy, HERE);
  return copy;
}

static int format(char **out, const void *caller, const char *text, va_list arguments) {
  if (shim_hit(caller, 'm', "asprintf")) {
    errno = ENOMEM;
    return -1;
  }
  va_list again;
  va_copy(again, arguments);
  int size = vsnprintf(NULL, 0, text, again);
  va_end(again);
  *out = __libc_malloc((size_t)size + 1);
  if (!*out) return -1;
  vsnprintf(*out, (size_t)size + 1, text, arguments);
  shim_note_block(*out, caller);
  return size;
}

EXPORT int vasprintf(char **out, const char *text, va_list arguments) {
  return format(out, HERE, text, arguments);
}

EXPORT int asprintf(char **out, const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int size = format(out, HERE, text, arguments);
  va_end(arguments);
  return size;
}

/* As hardened builds call them. */
int __vasprintf_chk(char **out, int flag, const char *text, va_list arguments);
int __asprintf_chk(char **out, int flag, const char *text, ...);
EXPORT int __vasprintf_chk(char **out, int flag, const char *text, va_list arguments) {
  (void)flag;
  return format(out, HERE, text, arguments);
}

EXPORT int __asprintf_chk(char **out, int flag, const char *text, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, text);
  int size = format(out, HERE, text, arguments);
  va_end(arguments);
  return size;
}

EXPORT char *realpath(const char *path, char *resolved) {
  if (shim_hit(HERE, 'm', "realpath")) return none();
  return NEXT(realpath)(path, resolved);
}

EXPORT FILE *open_memstream(char **text, size_t *size) {
  if (shim_hit(HERE, 'm', "open_memstream")) return none();
  return NEXT(open_memstream)(text, size);
}
