/* Recognizes the kind of a file by its first bytes, for messages about wrong files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/file_kind.h"

#include <stdbool.h>
#include <string.h>

static const char saved_model[] = "a TensorFlow SavedModel", json[] = "JSON",
                  zip[] = "a zip archive, such as .npz, .pt or .keras",
                  hdf5[] = "an HDF5 file, such as Keras's .h5";

typedef struct magic {
  size_t offset;
  const char *bytes, *kind;
} magic;

static const magic kinds[] = {
    {0, "\x89PNG\r\n", "a PNG image"},
    {0, "\xFF\xD8\xFF", "a JPEG image"},
    {0, "GIF8", "a GIF image"},
    {8, "WEBP", "a WebP image"},
    {4, "TFL3", "a .tflite model"},
    {0, "ML\xEFR", "MLIR bytecode"},
    {0, "\x93NUMPY", "an .npy file"},
    {0, "PK\x03\x04", zip},
    {0, "\x89HDF\r\n", hdf5},
    {0, "\x1F\x8B", "a gzip archive"},
    {0, "\x28\xB5\x2F\xFD", "a zstd archive"},
    {0,
     "\x7F"
     "ELF",
     "an object file or a program"},
    {0, "!<arch>\n", "a static library"},
    {0, "BC\xC0\xDE", "LLVM bitcode"},
    {0, "%PDF-", "a PDF document"},
    {0, "<!DOCTYPE html", "an HTML page"},
    {0, "version https://git-lfs", "a pointer of Git LFS, not yet fetched"},
    {0, "\xFF\xFE", "text in UTF-16"},
    {0, "\xFE\xFF", "text in UTF-16"},
};

/* Beginnings of texts that can't be MLIR. Some of these texts are input of other commands. */
static const magic texts[] = {
    {0, "# ", "a page of Markdown or a script"},
    {0, "#!/", "a script"},
    {0, "<", "HTML or XML"},
};

/* Model formats that Quern does not read, and how to convert them to one that it reads. */
static const struct {
  const char *kind, *remedy;
} remedies[] = {
    {saved_model, "convert its folder to .tflite with tf.lite.TFLiteConverter.from_saved_model"},
    {json, "a .tflite that was written as JSON becomes one again with flatc -b schema.fbs FILE"},
    {zip, "convert a .keras in it to .tflite with tf.lite.TFLiteConverter.from_keras_model, a .pt "
          "with litert-torch"},
    {hdf5, "convert it to .tflite with tf.lite.TFLiteConverter.from_keras_model"},
};

const char *qn_file_remedy(const char *kind) {
  for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
    if (remedies[i].kind == kind) return remedies[i].remedy;
  return NULL;
}

static const char *kind_of(const magic *table, size_t count, qn_bytes bytes) {
  for (const magic *m = table; m < table + count; m++) {
    size_t size = strlen(m->bytes), end = m->offset + size;
    if (bytes.size >= end && memcmp(bytes.data + m->offset, m->bytes, size) == 0) return m->kind;
  }
  return NULL;
}

/* Messages of Protocol Buffers have no magic number: this one begins with version 1, and the tag of
 * meta_graphs. */
static const char *protobuf_kind(qn_bytes bytes) {
  enum { VERSION = 0x08, META_GRAPHS = 0x12 };
  const uint8_t *b = bytes.data;
  bool saved = bytes.size >= 4 && b[0] == VERSION && b[1] == 1 && b[2] == META_GRAPHS;
  return saved ? saved_model : NULL;
}

const char *qn_file_kind(qn_bytes bytes) {
  const char *kind = kind_of(kinds, sizeof kinds / sizeof *kinds, bytes);
  return kind ? kind : protobuf_kind(bytes);
}

/* An object or a list; the resources after MLIR's modules begin with "{-#". */
static bool is_json(qn_bytes bytes) {
  size_t at = 0;
  while (at < bytes.size && bytes.data[at] && strchr(" \t\r\n\xEF\xBB\xBF", bytes.data[at])) at++;
  if (at < bytes.size && bytes.data[at] == '[') return true;
  return at + 1 < bytes.size && bytes.data[at] == '{' && bytes.data[at + 1] != '-';
}

const char *qn_text_kind(qn_bytes bytes) {
  const char *kind = kind_of(texts, sizeof texts / sizeof *texts, bytes);
  return !kind && is_json(bytes) ? json : kind;
}
