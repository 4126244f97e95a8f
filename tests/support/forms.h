/* Finds the proved forms of one requantization, for tests that need no qn_steps. It computes the
 * steps and frees them after the search.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_SUPPORT_FORMS_H
#define QN_TESTS_SUPPORT_FORMS_H

#include "quant/fma_form.h"
#include "quant/long_form.h"

typedef qn_fma_form qn_fma_form_search(const qn_steps *steps);

static inline qn_fma_form qn_fma_form_of(qn_fma_form_search *search, const qn_requant *requant,
                                         qn_interval range) {
  qn_steps steps;
  qn_steps_find(requant, range, &steps);
  return search(&steps);
}

static inline qn_long_form qn_long_form_of(const qn_requant *requant, qn_interval range) {
  qn_steps steps;
  qn_steps_find(requant, range, &steps);
  return qn_long_form_find(&steps);
}

#endif
