/* Encodings: how stored values represent real numbers. Compares the encodings of two sides, and
 * converts values from one to the other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_ENCODING_H
#define QN_CLI_ENCODING_H

#include "cli/recording/recording.h"

/* Whether two types have the same encoding. Floats are compatible with every type, and a property
 * that one side does not know is assumed equal. Scales are equal if they are equal as float32. */
bool encoding_is_same(const qn_tensor_info *a, const qn_tensor_info *b);
/* Whether two integer tensors of known type differ in type, or in a scale or zero point of any
 * channel. */
bool encodings_differ(const recorded *a, const recorded *b);
/* Whether the real values of both sides are known, so that tensors with different encodings can be
 * compared. */
bool encodings_have_reals(const recorded *a, const recorded *b);
/* {"a", "b"}, each with "dtype", "scales" and "zero_points". */
json_t *encodings_json(const recorded *a, const recorded *b);
/* Describes the differences in a result of encodings_json: "scale 0.0374 against 0.0561, zero point
 * 3 against -4". */
void encodings_tell(const json_t *encodings, char *out, size_t size);

typedef enum encoding_result {
  ENCODING_EXACT,   /* the real values are unchanged */
  ENCODING_NEAREST, /* values are rounded to the nearest that can be stored */
  ENCODING_NONE,    /* not converted: the number of elements differs, or an encoding is unknown */
} encoding_result;
/* Converts values of one tensor to the encoding of another tensor with as many elements. */
encoding_result encoding_convert(const qn_tensor_info *from, const void *data,
                                 const qn_tensor_info *to, void *out_data);

#endif
