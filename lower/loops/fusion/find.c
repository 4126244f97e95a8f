/* SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fusion/chain.h"

qn_fusion *qn_fusion_find(qn_loops *lo, const qn_op *func) {
  qn_fusion *fusion = lo->fusion = QN_NEW(lo->kept, qn_fusion); /* schedules ask for chains */
  if (lo->keep_tensors) return fusion;
  qn_fusion_find_chains(lo, fusion, func);
  qn_fusion_place_results(lo, fusion, func);
  return fusion;
}

void qn_fusion_destroy(qn_fusion *fusion) {
  if (fusion) qn_map_deinit(&fusion->links);
}
