/* What the two parts of the epilogue share: requantization (emit.c), and narrowing of its results
 * (narrow.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_EPILOGUE_RESULT_H
#define QN_LOWER_LOOPS_EPILOGUE_RESULT_H

#include "lower/loops/matrix/epilogue/requant.h"

/* Properties of the results of an epilogue kind. */
typedef struct qn_epilogue_result {
  int32_t zero_point, min, max;
  bool is_unsigned; /* results are narrowed to unsigned bytes */
  bool is_less;     /* results are 128 smaller than the stored values */
  bool unzips;      /* of the target: qn_epilogue.unzips, in_scalars */
  bool in_scalars;
} qn_epilogue_result;

static inline qn_epilogue_result qn_epilogue_result_of(const qn_epilogue *e,
                                                       qn_epilogue_kind kind) {
  bool offset_has_zero_point = kind == QN_EPILOGUE_ONE || kind == QN_EPILOGUE_SIGNED ||
                               kind == QN_EPILOGUE_LONG || kind == QN_EPILOGUE_WIDE ||
                               kind == QN_EPILOGUE_HALVES;
  bool whole = e->is_unsigned && !offset_has_zero_point;
  int32_t more = whole ? 128 : 0;
  return (qn_epilogue_result){.zero_point = e->zero_point + more,
                              .min = e->min + more,
                              .max = e->max + more,
                              .is_unsigned = whole,
                              .is_less = e->is_unsigned && !whole,
                              .unzips = e->unzips,
                              .in_scalars = e->in_scalars};
}

#endif
