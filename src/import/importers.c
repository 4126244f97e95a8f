/* Table of file formats. A new format is a folder and a row.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/importers.h"

#include <string.h>

#include "import/onnx/importer.h"
#include "import/tflite/importer.h"

static const qn_importer *const importers[] = {&qn_tflite_importer, &qn_onnx_importer};

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
  if (options->part.operator_count > 0 && !importer->has_parts)
    return qn_error(diag, loc, QN_UNSUPPORTED, "no part of %s files can be read by itself",
                    importer->extension);
  return QN_OK;
}

bool qn_importer_has_parts(const qn_importer *importer) { return importer->has_parts; }
bool qn_importer_has_signatures(const qn_importer *importer) { return importer->has_signatures; }

void qn_importer_extensions(qn_importer_table table, qn_importer_test *has_or_null, qn_text *text) {
  size_t count = 0, written = 0;
  for (size_t i = 0; i < table.count; i++) count += !has_or_null || has_or_null(table.rows[i]);
  for (size_t i = 0; i < table.count; i++) {
    if (has_or_null && !has_or_null(table.rows[i])) continue;
    const char *separator = written == 0 ? "" : written + 1 == count ? " and " : ", ";
    qn_text_format(text, "%s%s", separator, table.rows[i]->extension);
    written++;
  }
}
