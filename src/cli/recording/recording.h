/* Recordings: the results of all operators of a model in one invocation, from a run of this tool or
 * from a directory. docs/recordings.md describes the layout of directories.
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

enum { RECORDING_VERSION = 1 }; /* version of index.json and record.json */

/* One tensor. Unknown fields are empty: index -1, name "", scale 0, bytes 0, sha256 "". */
typedef struct recorded {
  json_t *row;         /* row of index.json */
  qn_tensor_info info; /* name and dims point into this struct */
  int64_t dims[NPY_MAX_RANK];
  char sha256[DIGEST_HEX];
  void *data; /* owned; NULL if not read from the file yet, or if only the digest is known */
  char *path; /* path of the .npy file; NULL if none */
} recorded;

typedef struct recording {
  json_t *head;      /* keys of index.json that describe the whole recording */
  recorded *tensors; /* in order of execution, as far as it is known */
  size_t count;
  char *inputs;    /* directory with in0.npy ...; NULL if none */
  recorded *given; /* inputs of a run that was asked to keep them */
  size_t given_count;
  bool random;       /* some inputs of the run were random */
  bool only_digests; /* no tensor has data */
  bool ordered;      /* `tensors` is in order of execution */
  json_t *places;    /* index or name -> position in `tensors` */
} recording;

/* Records the last invocation of an executable that keeps its tensors. Replaced tensors are
 * recorded with their replacement. */
cli_exit recording_take(cli *c, const qn_model *model, const qn_executable *executable,
                        const replacements *replaced, recording *out_recording);
/* Reads a dump, a case of a golden directory, or a directory of .npy files. */
cli_exit recording_read(cli *c, const char *folder, recording *out_recording);
void recording_free(recording *r);

/* Builds the lookup by index and name after tensors were added. The first of several tensors with
 * the same key is found. */
void recording_finish(recording *r);

/* Returns the data of a tensor, which is read from its file if necessary; the file determines the
 * type. *out_data is NULL if only the digest is known. */
cli_exit recording_data(cli *c, recorded *tensor, const void **out_data);
/* Return NULL if there is no such tensor. */
recorded *recording_by_index(const recording *r, int64_t index);
recorded *recording_by_name(const recording *r, const char *name);

/* Writes a dump: DIR/index.json, a file per tensor, the inputs and the outputs. */
cli_exit recording_write_dump(cli *c, const recording *r, const cli_tensors *t, const char *folder);
/* Writes a case for verify: DIR/CASE/in<k>.npy, out<k>.npy and tensors.json. */
cli_exit recording_write_case(cli *c, const recording *r, const cli_tensors *t, const char *folder,
                              const char *name);

#endif
