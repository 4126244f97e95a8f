/* Decodes and executes AMX instructions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tiles/tile_unit.h"

#include <string.h>

typedef qn_tile_unit unit;
typedef qn_tile_instruction instruction;

/* ---- configuration ---- */

enum { PALETTE = 1, CONFIG_RESERVED = 2, CONFIG_WIDTHS = 16, CONFIG_ROWS = 48, CONFIG_TILES = 16 };

static const char *check_config(const uint8_t *config) {
  for (int i = CONFIG_RESERVED; i < CONFIG_WIDTHS; i++)
    if (config[i]) return "reserved bytes of the configuration are not 0";
  for (int t = 0; t < CONFIG_TILES; t++) {
    unsigned width = config[CONFIG_WIDTHS + 2 * t] | config[CONFIG_WIDTHS + 2 * t + 1] << 8;
    unsigned rows = config[CONFIG_ROWS + t];
    if (t >= QN_TILES && (width || rows)) return "a tile beyond the last one is configured";
    if (width > QN_TILE_ROW_BYTES || rows > QN_TILE_MOST_ROWS) return "a tile is too large";
    if ((width == 0) != (rows == 0)) return "a tile has rows without bytes, or bytes without rows";
  }
  return NULL;
}

static const char *load_config(unit *u, const instruction *in) {
  const uint8_t *config = (const uint8_t *)(uintptr_t)in->address;
  if (config[0] == 0) {
    *u = (unit){0};
    return NULL;
  }
  if (config[0] != PALETTE) return "the palette is neither 0 nor 1";
  if (config[1]) return "the configuration begins in the middle of a tile";
  const char *problem = check_config(config);
  if (problem) return problem;
  *u = (unit){.configured = true};
  for (int t = 0; t < QN_TILES; t++) {
    u->rows[t] = config[CONFIG_ROWS + t];
    u->row_bytes[t] = config[CONFIG_WIDTHS + 2 * t];
  }
  return NULL;
}

static const char *store_config(unit *u, const instruction *in) {
  uint8_t *config = (uint8_t *)(uintptr_t)in->address;
  memset(config, 0, QN_TILE_CONFIG_BYTES);
  config[0] = u->configured ? PALETTE : 0;
  for (int t = 0; t < QN_TILES; t++) {
    config[CONFIG_ROWS + t] = u->rows[t];
    config[CONFIG_WIDTHS + 2 * t] = (uint8_t)u->row_bytes[t];
  }
  return NULL;
}

static const char *release(unit *u, const instruction *in) {
  (void)in;
  *u = (unit){0};
  return NULL;
}

/* ---- tiles and memory ---- */

static const char *check_tile(const unit *u, unsigned tile) {
  if (!u->configured) return "no configuration is loaded";
  if (tile >= QN_TILES) return "there are eight tiles";
  return u->rows[tile] == 0 ? "the tile is not configured" : NULL;
}

static const char *zero(unit *u, const instruction *in) {
  const char *problem = check_tile(u, in->reg);
  if (!problem) memset(u->tiles[in->reg], 0, sizeof u->tiles[in->reg]);
  return problem;
}

static uint8_t *row_at(const instruction *in, unsigned row) {
  return (uint8_t *)(uintptr_t)(in->address + (uint64_t)in->stride * row);
}

static const char *load(unit *u, const instruction *in) {
  const char *problem = check_tile(u, in->reg);
  if (problem) return problem;
  memset(u->tiles[in->reg], 0, sizeof u->tiles[in->reg]);
  for (unsigned r = 0; r < u->rows[in->reg]; r++)
    memcpy(u->tiles[in->reg][r], row_at(in, r), u->row_bytes[in->reg]);
  return NULL;
}

static const char *store(unit *u, const instruction *in) {
  const char *problem = check_tile(u, in->reg);
  if (problem) return problem;
  for (unsigned r = 0; r < u->rows[in->reg]; r++)
    memcpy(row_at(in, r), u->tiles[in->reg][r], u->row_bytes[in->reg]);
  return NULL;
}

/* ---- products ---- */

static int32_t extend(uint8_t byte, bool is_signed) { return is_signed ? (int8_t)byte : byte; }

static const char *check_product(const unit *u, const instruction *in) {
  unsigned c = in->reg, a = in->rm, b = in->vvvv;
  const char *problem = check_tile(u, c);
  if (!problem) problem = check_tile(u, a);
  if (!problem) problem = check_tile(u, b);
  if (problem) return problem;
  if (a == b || a == c || b == c) return "the three tiles of a product are not different ones";
  if ((u->row_bytes[c] | u->row_bytes[a] | u->row_bytes[b]) % 4 != 0)
    return "rows of a product are no multiple of four bytes";
  if (u->rows[c] != u->rows[a]) return "sums and first factor have different rows";
  if (u->row_bytes[c] != u->row_bytes[b]) return "sums and second factor have different columns";
  if (u->row_bytes[a] / 4 != u->rows[b]) return "the factors don't agree in what is summed";
  return NULL;
}

static const char *multiply(unit *u, const instruction *in, bool a_signed, bool b_signed) {
  const char *problem = check_product(u, in);
  if (problem) return problem;
  for (unsigned m = 0; m < u->rows[in->reg]; m++)
    for (unsigned n = 0; n < u->row_bytes[in->reg] / 4u; n++) {
      uint32_t sum;
      uint8_t *at = u->tiles[in->reg][m] + 4 * n;
      memcpy(&sum, at, sizeof sum);
      for (unsigned k = 0; k < u->row_bytes[in->rm]; k++) {
        int32_t a = extend(u->tiles[in->rm][m][k], a_signed);
        int32_t b = extend(u->tiles[in->vvvv][k / 4][4 * n + k % 4], b_signed);
        sum += (uint32_t)(a * b);
      }
      memcpy(at, &sum, sizeof sum);
    }
  return NULL;
}
static const char *multiply_ss(unit *u, const instruction *in) {
  return multiply(u, in, true, true);
}
static const char *multiply_su(unit *u, const instruction *in) {
  return multiply(u, in, true, false);
}
static const char *multiply_us(unit *u, const instruction *in) {
  return multiply(u, in, false, true);
}
static const char *multiply_uu(unit *u, const instruction *in) {
  return multiply(u, in, false, false);
}

/* ---- the table of instructions ---- */

/* The two bits pp of the VEX prefix. */
enum { NP, P66, PF3, PF2 };
/* The operands after the opcode: memory at any address, memory by rows (a base and an index
 * register), or tiles. */
typedef enum form { ANYWHERE, BY_ROWS, ONE_TILE, NO_TILE, THREE_TILES } form;

struct qn_tile_row {
  const char *name;
  uint8_t opcode, prefix;
  form form;
  const char *(*run)(unit *u, const instruction *in);
};

static const struct qn_tile_row rows[] = {
    {"ldtilecfg", 0x49, NP, ANYWHERE, load_config},
    {"sttilecfg", 0x49, P66, ANYWHERE, store_config},
    {"tilerelease", 0x49, NP, NO_TILE, release},
    {"tilezero", 0x49, PF2, ONE_TILE, zero},
    {"tileloadd", 0x4B, PF2, BY_ROWS, load},
    {"tileloaddt1", 0x4B, P66, BY_ROWS, load},
    {"tilestored", 0x4B, PF3, BY_ROWS, store},
    {"tdpbssd", 0x5E, PF2, THREE_TILES, multiply_ss},
    {"tdpbsud", 0x5E, PF3, THREE_TILES, multiply_su},
    {"tdpbusd", 0x5E, P66, THREE_TILES, multiply_us},
    {"tdpbuud", 0x5E, NP, THREE_TILES, multiply_uu},
};

static const struct qn_tile_row *find(uint8_t opcode, unsigned prefix, bool is_memory) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool memory = rows[i].form == ANYWHERE || rows[i].form == BY_ROWS;
    if (rows[i].opcode == opcode && rows[i].prefix == prefix && memory == is_memory)
      return &rows[i];
  }
  return NULL;
}

/* ---- decoding ---- */

/* A three-byte VEX prefix, the opcode, ModRM, then optionally SIB and a displacement. */
enum { VEX3 = 0xC4, MAP_0F38 = 2, PREFIX_BYTES = 3, HAS_SIB = 4, DISPLACED = 5, NO_INDEX = 4 };

typedef struct decoder {
  const uint8_t *at;
  const uint64_t *registers;
  unsigned mod, rm, x, b; /* x, b: the high bits of the index and base registers */
} decoder;

static int64_t displacement(decoder *d, size_t bytes) {
  int64_t value = bytes == 1 ? (int8_t)*d->at : 0;
  if (bytes == 4) {
    int32_t wide;
    memcpy(&wide, d->at, sizeof wide);
    value = wide;
  }
  d->at += bytes;
  return value;
}

static void decode_memory(decoder *d, instruction *out) {
  unsigned base = d->rm;
  if (d->rm == HAS_SIB) {
    uint8_t sib = *d->at++;
    unsigned index = (sib >> 3 & 7) | d->x << 3;
    base = sib & 7;
    if (index != NO_INDEX) out->stride = (int64_t)(d->registers[index] << (sib >> 6));
  }
  bool alone = d->mod == 0 && base == DISPLACED; /* no base, or relative to the next instruction */
  int64_t offset = displacement(d, alone || d->mod == 2 ? 4 : d->mod == 1 ? 1 : 0);
  uint64_t from = d->registers[base | d->b << 3];
  if (alone) from = d->rm == HAS_SIB ? 0 : (uint64_t)(uintptr_t)d->at;
  out->address = from + (uint64_t)offset;
}

instruction qn_tile_decode(const uint8_t *code, const uint64_t registers[QN_X86_REGISTERS]) {
  instruction none = {0}, out = {0};
  if (code[0] != VEX3 || (code[1] & 0x1F) != MAP_0F38) return none;
  bool wide = code[2] & 0x80, is_256 = code[2] & 4;
  if (wide || is_256) return none;
  uint8_t modrm = code[PREFIX_BYTES + 1];
  decoder d = {.at = code + PREFIX_BYTES + 2,
               .registers = registers,
               .mod = modrm >> 6,
               .rm = modrm & 7,
               .x = !(code[1] & 0x40),
               .b = !(code[1] & 0x20)};
  out.is_memory = d.mod != 3;
  out.reg = (modrm >> 3 & 7) | (unsigned)!(code[1] & 0x80) << 3;
  out.rm = d.rm | d.b << 3;
  out.vvvv = ~(code[2] >> 3) & 15;
  out.row = find(code[PREFIX_BYTES], code[2] & 3, out.is_memory);
  if (!out.row || (out.row->form == BY_ROWS && d.rm != HAS_SIB)) return none;
  if (out.is_memory) decode_memory(&d, &out);
  /* The index register is a stride only for instructions that access rows. */
  if (out.row->form == ANYWHERE) out.address += (uint64_t)out.stride;
  out.name = out.row->name;
  out.length = (size_t)(d.at - code);
  return out;
}

const char *qn_tile_execute(qn_tile_unit *u, const qn_tile_instruction *in) {
  return in->row->run(u, in);
}
