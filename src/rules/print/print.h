/* Printing of rules: in the canonical layout, and with macros expanded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_PRINT_PRINT_H
#define QN_RULES_PRINT_PRINT_H

#include "base/arena.h"
#include "base/str.h"
#include "rules/syntax/tree.h"

/* Prints a file without errors in the canonical layout. Comments are kept; in a C++ file, all text
 * between rules is kept, too. Formatting is idempotent. */
void qn_rule_format_file(const qn_rule_file *file, qn_text *out);
/* Prints one rule, from its keyword to the closing parenthesis. */
void qn_rule_format(const qn_rule *rule, qn_text *out);

/* A copy of a checked rule in which every macro (IS_QUINT8, DIM_DEPTH, TYPICAL_SLICE, OpMultiOut
 * ...) is replaced by its expansion; NULL if the result is too large. */
const qn_rule *qn_rule_expand(qn_arena *arena, const qn_rule *rule);

#endif
