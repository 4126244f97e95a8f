/* Recordings: what every operator of a model wrote in one invocation, from a run of ours, or read
 * from a folder. docs/recordings.md has the layout of the folders.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_RECORDING_H
#define QN_CLI_RECORDING_H

#include <jansson.h>

#include "cli/cli.h"
#include "cli/recording/replace.h"
#include "cli/tensors/digest.h"
#include "cli/tensors/npy.h"
#include "cli/tensors/tensors.h"

enum { RECORDING_VERSION = 1 }; /* of index.json and record.json */

/* One tensor. What is not known is empty: index -1, name "", scale 0, bytes 0, sha256 "". */
typedef struct recorded {
  json_t *row;         /* as in index.json */
  qn_tensor_info info; /* name and dims are of this struct */
  int64_t dims[NPY_MAX_RANK];
  char sha256[DIGEST_HEX];
  void *data; /* owned; NULL: in the file, or only the digest is known */
  char *path; /* of the .npy file, or NULL */
} recorded;

typedef struct recording {
  json_t *head;      /* what index.json says of the whole */
  recorded *tensors; /* in the order in which they were written, as far as that is known */
  size_t count;
  char *inputs;    /* a folder with in0.npy ..., or NULL */
  recorded *given; /* of a run that was asked to keep them: its inputs */
  size_t given_count;
  bool random;       /* of a run: some of them were drawn */
  bool only_digests; /* there is no data, whatever the tensor */
  bool ordered;      /* by execution */
  json_t *places;    /* of tensors, by number and by name */
} recording;

/* Records the last invocation of a build that keeps its tensors. Replaced tensors are recorded as
 * replaced.
 */
cli_exit recording_take(cli *c, const qn_model *model, const qn_executable *executable,
                        const replacements *replaced, recording *out_recording);
/* A dump, a case of a golden folder, or a folder of .npy files. */
cli_exit recording_read(cli *c, const char *folder, recording *out_recording);
void recording_free(recording *r);

/* Makes what was added to a recording ready to be looked up: of several alike the first is found.
 */
void recording_finish(recording *r);

/* Data of a tensor, read when it is not there yet; its type is what the file says. *out_data is
 * NULL when only the digest is known. */
cli_exit recording_data(cli *c, recorded *tensor, const void **out_data);
/* NULL when there is none. */
recorded *recording_by_index(const recording *r, int64_t index);
recorded *recording_by_name(const recording *r, const char *name);

/* DIR/index.json, a file per tensor, the inputs and the outputs. */
cli_exit recording_write_dump(cli *c, const recording *r, const cli_tensors *t, const char *folder);
/* DIR/CASE/in<k>.npy, out<k>.npy and tensors.json, which verify reads. */
cli_exit recording_write_case(cli *c, const recording *r, const cli_tensors *t, const char *folder,
                              const char *name);

#endif
