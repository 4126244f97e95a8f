/* Merges the reports of the parts of one evaluation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_EVAL_MERGE_H
#define QN_CLI_EVAL_MERGE_H

#include "cli/eval/report.h"

/* Merges the files on the command line: each part of one evaluation once, in any order. The caller
 * frees the report. */
cli_exit evaluation_merge(cli *c, size_t listed, json_t **out_report);

#endif
