/* Replaces types within types and attributes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_QUANT_TYPE_MAP_H
#define QN_PASSES_QUANT_TYPE_MAP_H

#include "ir/op.h"

/* The replacement of a type other than a function type; the type itself if it has none. */
typedef const qn_type *qn_type_map(qn_ir_context *cx, const qn_type *type);

/* Applies `map` to a type, or to the inputs and results of a function type at any depth. */
const qn_type *qn_map_type(qn_ir_context *cx, const qn_type *type, qn_type_map *map);
/* Applies `map` to the types within an attribute, in arrays and dictionaries at any depth. */
const qn_attr *qn_map_attr_types(qn_ir_context *cx, const qn_attr *attr, qn_type_map *map);

#endif
