/* Compares and hashes IR. Values and blocks defined inside are numbered in walk order. Two ops are
 * equal if the same walk over both finds equal objects with equal numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"
#include "base/hash.h"
#include "ir/clone.h"
#include "ir/walk.h"

typedef struct numbering {
  qn_map numbers;        /* value or block -> number in walk order + 1, as a pointer */
  QN_ARRAY(qn_op *) ops; /* in walk order */
} numbering;

static void number(numbering *n, const void *thing) {
  qn_map_set(&n->numbers, thing, (void *)(uintptr_t)(n->numbers.count + 1));
}

static bool collect(qn_op *op, void *user) {
  numbering *n = user;
  qn_array_push(&n->ops, op);
  return true;
}

static void number_op(numbering *n, const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++) number(n, &op->results[i]);
  for (uint32_t i = 0; i < op->region_count; i++) {
    QN_FOR_EACH_BLOCK(block, &op->regions[i]) {
      number(n, block);
      for (uint32_t j = 0; j < block->arg_count; j++) number(n, block->args[j]);
    }
  }
}

static numbering number_all(const qn_op *root) {
  numbering n = {0};
  qn_walk_pre((qn_op *)(uintptr_t)root, collect, &n);
  qn_map_reserve(&n.numbers, n.ops.count); /* most have one result */
  for (size_t i = 0; i < n.ops.count; i++) number_op(&n, n.ops.data[i]);
  return n;
}

static void numbering_deinit(numbering *n) {
  qn_map_deinit(&n->numbers);
  qn_array_free(&n->ops);
}

/* Identity of a value or block: its number, or its address if it is defined outside. */
static uintptr_t identity(const numbering *n, const void *thing) {
  void *found = qn_map_get(&n->numbers, thing);
  return found ? (uintptr_t)found : (uintptr_t)thing;
}

static bool same_regions(const qn_op *a, const qn_op *b, const numbering *na, const numbering *nb) {
  for (uint32_t i = 0; i < a->region_count; i++) {
    const qn_block *x = a->regions[i].first, *y = b->regions[i].first;
    for (; x && y; x = x->next, y = y->next) {
      if (x->arg_count != y->arg_count || identity(na, x) != identity(nb, y)) return false;
      for (uint32_t j = 0; j < x->arg_count; j++) {
        if (x->args[j]->type != y->args[j]->type) return false;
      }
    }
    if (x || y) return false;
  }
  return true;
}

static bool same_op(const qn_op *a, const qn_op *b, const numbering *na, const numbering *nb) {
  if (a->kind != b->kind || !qn_str_equal(a->name, b->name) ||
      a->operand_count != b->operand_count || a->result_count != b->result_count ||
      a->attr_count != b->attr_count || a->region_count != b->region_count ||
      a->successor_count != b->successor_count) {
    return false;
  }
  for (uint32_t i = 0; i < a->operand_count; i++) {
    if (identity(na, qn_op_operand(a, i)) != identity(nb, qn_op_operand(b, i))) return false;
  }
  for (uint32_t i = 0; i < a->result_count; i++) {
    if (a->results[i].type != b->results[i].type) return false;
  }
  for (uint32_t i = 0; i < a->attr_count; i++) {
    if (!qn_str_equal(a->attrs[i].name, b->attrs[i].name)) return false;
    if (!qn_attr_equal(a->attrs[i].value, b->attrs[i].value)) return false;
  }
  for (uint32_t i = 0; i < a->successor_count; i++) {
    if (identity(na, a->successors[i]) != identity(nb, b->successors[i])) return false;
    if (a->successor_operand_counts[i] != b->successor_operand_counts[i]) return false;
  }
  return same_regions(a, b, na, nb);
}

/* Whether both ops are in corresponding blocks, which also determines their parents. */
static bool same_place(const qn_op *a, const qn_op *b, const numbering *na, const numbering *nb) {
  return identity(na, a->block) == identity(nb, b->block);
}

bool qn_op_equal(const qn_op *a, const qn_op *b) {
  numbering na = number_all(a), nb = number_all(b);
  bool equal = na.ops.count == nb.ops.count && same_op(a, b, &na, &nb);
  for (size_t i = 1; i < na.ops.count && equal; i++) {
    const qn_op *x = na.ops.data[i], *y = nb.ops.data[i];
    equal = same_place(x, y, &na, &nb) && same_op(x, y, &na, &nb);
  }
  numbering_deinit(&na);
  numbering_deinit(&nb);
  return equal;
}

/* Hashes an op by addresses: equal names have one address, because they are interned or in the op
 * table. */
static uint64_t hash_op(const qn_op *op, const numbering *n) {
  uint64_t hash = qn_hash_mix(op->kind, (uintptr_t)op->name.data);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    hash = qn_hash_mix(hash, identity(n, qn_op_operand(op, i)));
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    hash = qn_hash_mix(hash, (uintptr_t)op->results[i].type);
  }
  for (uint32_t i = 0; i < op->attr_count; i++) {
    hash = qn_hash_mix(hash, (uintptr_t)op->attrs[i].name.data);
    hash = qn_hash_mix(hash, qn_attr_hash(op->attrs[i].value));
  }
  for (uint32_t i = 0; i < op->successor_count; i++) {
    hash = qn_hash_mix(hash, identity(n, op->successors[i]));
  }
  for (uint32_t i = 0; i < op->region_count; i++) {
    QN_FOR_EACH_BLOCK(block, &op->regions[i]) {
      hash = qn_hash_mix(hash, identity(n, block));
      for (uint32_t j = 0; j < block->arg_count; j++) {
        hash = qn_hash_mix(hash, (uintptr_t)block->args[j]->type);
      }
    }
  }
  return hash;
}

uint64_t qn_op_hash(const qn_op *op) {
  numbering n = number_all(op);
  uint64_t hash = n.ops.count;
  for (size_t i = 0; i < n.ops.count; i++) {
    hash = qn_hash_mix(hash, hash_op(n.ops.data[i], &n));
    if (i > 0) hash = qn_hash_mix(hash, identity(&n, n.ops.data[i]->block));
  }
  numbering_deinit(&n);
  return hash;
}
