/* The context owns interned objects (types, attributes, identifiers, locations) and the diagnostic
 * sink. Contexts share nothing, so threads with separate contexts need no locks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_CONTEXT_H
#define QN_IR_CONTEXT_H

#include "base/arena.h"
#include "diag/diag.h"

struct qn_type;

enum { QN_USUAL_WIDTHS = 65 };
typedef struct qn_ir_context {
  qn_arena arena; /* never rewound */
  qn_diag_engine diag;
  struct qn_intern_table *types, *attrs, *strings;
  /* [width] cache of signless integer types, which are requested often; NULL: not requested yet. */
  const struct qn_type *integers[QN_USUAL_WIDTHS];
  bool allow_unregistered; /* --allow-unregistered-dialect */
  /* Prints a type in messages; set by the text layer if it is linked. NULL: types are omitted. */
  void (*print_type)(const struct qn_type *type, qn_text *out);
} qn_ir_context;

void qn_ir_context_init(qn_ir_context *cx);
void qn_ir_context_deinit(qn_ir_context *cx);

/* The interned copy of a string: equal strings have equal data pointers. NUL-terminated. */
qn_str qn_intern(qn_ir_context *cx, qn_str text);

#endif
