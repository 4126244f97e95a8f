/* The table of file formats: a new one is a folder and a row.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/importers.h"

#include <string.h>

#include "import/tflite/importer.h"

static const qn_importer *const importers[] = {&qn_tflite_importer};

qn_importer_table qn_importers(void) { return (qn_importer_table){importers, QN_COUNT(importers)}; }

const qn_importer *qn_importer_of(qn_importer_table table, qn_bytes bytes) {
  for (size_t i = 0; i < table.count; i++)
    if (table.rows[i]->matches(bytes)) return table.rows[i];
  return NULL;
}

const qn_importer *qn_importer_listed(qn_importer_table table, const char *list,
                                      bool *out_refused) {
  for (size_t i = 0; i < table.count; i++) {
    size_t length = strlen(table.rows[i]->name);
    if (strncmp(list, table.rows[i]->name, length) != 0) continue;
    *out_refused = strcmp(list + length, "-refused") == 0;
    if (*out_refused || list[length] == 0) return table.rows[i];
  }
  return NULL;
}

qn_status qn_importer_check(const qn_importer *importer, qn_diag_engine *diag,
                            const qn_import_options *options) {
  const qn_loc *loc = qn_loc_file(diag, options->path, 0, 0);
  if (options->any_size && options->batch < 1)
    return qn_error(diag, loc, QN_NOT_FOUND,
                    "--any-size needs the largest one, as --dim or --batch");
  if (options->signature.size > 0 && !importer->has_signatures)
    return qn_error(diag, loc, QN_NOT_FOUND, "%s files have no signatures to choose from",
                    importer->extension);
  return QN_OK;
}

void qn_importer_extensions(qn_importer_table table, qn_text *text) {
  for (size_t i = 0; i < table.count; i++) {
    const char *separator = i == 0 ? "" : i + 1 == table.count ? " and " : ", ";
    qn_text_format(text, "%s%s", separator, table.rows[i]->extension);
  }
}
