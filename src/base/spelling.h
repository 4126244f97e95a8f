/* Which name was probably meant.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_SPELLING_H
#define QN_BASE_SPELLING_H

#include "base/str.h"

/* Edits from one name to the other; SIZE_MAX when they are too many for a slip of the pen, or a
 * name is too long to be one. */
size_t qn_name_distance(qn_str name, qn_str candidate);

#endif
