/* Rules as text: the canonical layout, and rules with the macros of the language expanded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_PRINT_PRINT_H
#define QN_RULES_PRINT_PRINT_H

#include "base/arena.h"
#include "base/str.h"
#include "rules/syntax/tree.h"

/* A file without errors in the canonical layout. Comments are kept; in a C++ file all text between
 * rules is. Formatting the result changes nothing. */
void qn_rule_format_file(const qn_rule_file *file, qn_text *out);
/* One rule, from its keyword to the closing parenthesis. */
void qn_rule_format(const qn_rule *rule, qn_text *out);

/* A copy of a checked rule in which every macro (IS_QUINT8, DIM_DEPTH, TYPICAL_SLICE, OpMultiOut
 * ...) is its expansion; NULL if that is too large. */
const qn_rule *qn_rule_expand(qn_arena *arena, const qn_rule *rule);

#endif
