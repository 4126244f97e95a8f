/* How stored values stand for reals: whether two sides say the same, and values of one side as the
 * other stores them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_ENCODING_H
#define QN_CLI_ENCODING_H

#include "cli/recording/recording.h"

/* Whether two types store the same: floats are compared with anything, and what one side does not
 * say is as on the other. Scales are equal that float32 does not tell apart. */
bool encoding_is_same(const qn_tensor_info *a, const qn_tensor_info *b);
/* The same of two tensors whose type is known, by all of their scales: both are integers, of
 * another type, scale or zero point. */
bool encodings_differ(const recorded *a, const recorded *b);
/* For different encodings: whether the real values are known on both sides. */
bool encodings_have_reals(const recorded *a, const recorded *b);
/* {"a", "b"}, each with "dtype", "scales" and "zero_points". */
json_t *encodings_json(const recorded *a, const recorded *b);
/* "scale 0.0374 against 0.0561, zero point 3 against -4": of encodings_json, what differs. */
void encodings_tell(const json_t *encodings, char *out, size_t size);

typedef enum encoding_result {
  ENCODING_EXACT,   /* the same reals */
  ENCODING_NEAREST, /* the nearest that there are */
  ENCODING_NONE,    /* not of this tensor, or of no known meaning */
} encoding_result;
/* Values as another tensor of as many elements stores them. */
encoding_result encoding_convert(const qn_tensor_info *from, const void *data,
                                 const qn_tensor_info *to, void *out_data);

#endif
