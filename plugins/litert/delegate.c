/* The two functions that LiteRT's load_delegate looks for.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT lt_delegate *tflite_plugin_create_delegate(char **keys, char **values, size_t count,
                                                  void (*report)(const char *));
EXPORT void tflite_plugin_destroy_delegate(lt_delegate *delegate);

/* The wheels that the layouts were tried with. */
static const char checked[] = "ai-edge-litert 2.3.0, 2.0.3 and 1.4.0, tflite-runtime 2.14.0";

/* Claims what can be compiled. What is in the way is said, and the runtime goes on without us.
 */
static int prepare(lt_context *c, lt_delegate *delegate) {
  const options *o = (const options *)delegate;
  lt_ints *plan;
  if (!guard_check(c, &plan)) {
    /* What reports may lie elsewhere, too. */
    fprintf(stderr,
            "quern: this LiteRT's layouts are unknown, and nothing is delegated (checked: %s)\n",
            checked);
    return 0;
  }
  if (o->verbose) fprintf(stderr, "quern: layouts are those of %s\n", checked);
  char *path = file_find(o, c);
  if (!path) {
    c->report(c, "Quern: the model's file is unknown: say it as option 'model'");
    return 0;
  }
  lt_ints *nodes = claims_find(o, c, path, plan);
  if (o->verbose)
    fprintf(stderr, "quern: %d of %d nodes are claimed of %s\n", nodes ? nodes->size : 0,
            plan->size, path);
  int status = nodes ? c->replace(c, kernel_registration(), nodes, delegate) : 0;
  free(nodes);
  free(path);
  return status;
}

lt_delegate *tflite_plugin_create_delegate(char **keys, char **values, size_t count,
                                           void (*report)(const char *)) {
  options *o = options_create(keys, values, count, report);
  if (!o) return NULL;
  o->base = (lt_delegate){.data = o, .prepare = prepare, .flags = LT_ALLOW_DYNAMIC};
  return &o->base;
}

void tflite_plugin_destroy_delegate(lt_delegate *delegate) { options_destroy((options *)delegate); }
