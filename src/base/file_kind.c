/* What a file is by its first bytes: for those who gave the wrong one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/file_kind.h"

#include <string.h>

typedef struct magic {
  size_t offset;
  const char *bytes, *kind;
} magic;

static const magic kinds[] = {
    {0, "\x89PNG\r\n", "a PNG picture"},
    {0, "\xFF\xD8\xFF", "a JPEG picture"},
    {0, "GIF8", "a GIF picture"},
    {8, "WEBP", "a WebP picture"},
    {4, "TFL3", "a .tflite model"},
    {0, "ML\xEFR", "MLIR bytecode"},
    {0, "\x93NUMPY", "an .npy file"},
    {0, "PK\x03\x04", "a zip archive, such as .npz, .pt or .keras"},
    {0, "\x89HDF\r\n", "an HDF5 file, such as Keras's .h5"},
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

/* Text that no MLIR begins with; other readers take some of it. */
static const magic texts[] = {
    {0, "# ", "a page of Markdown or a script"},
    {0, "#!/", "a script"},
    {0, "<", "HTML or XML"},
    {0, "{\"", "JSON"},
    {0, "{\n", "JSON"},
    {0, "[", "JSON"},
};

static const char *kind_of(const magic *table, size_t count, qn_bytes bytes) {
  for (const magic *m = table; m < table + count; m++) {
    size_t size = strlen(m->bytes), end = m->offset + size;
    if (bytes.size >= end && memcmp(bytes.data + m->offset, m->bytes, size) == 0) return m->kind;
  }
  return NULL;
}

const char *qn_file_kind(qn_bytes bytes) {
  return kind_of(kinds, sizeof kinds / sizeof *kinds, bytes);
}

const char *qn_text_kind(qn_bytes bytes) {
  return kind_of(texts, sizeof texts / sizeof *texts, bytes);
}
