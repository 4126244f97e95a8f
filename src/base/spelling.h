/* Edit distances, to suggest a name for a misspelled one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_SPELLING_H
#define QN_BASE_SPELLING_H

#include "base/str.h"

/* Number of edits between two names. SIZE_MAX if there are too many edits for a typing error, or a
 * name is too long to be checked. */
size_t qn_name_distance(qn_str name, qn_str candidate);

#endif
