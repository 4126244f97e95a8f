# Sourced: how upstream's tools get from casts to numbers. Expects in the environment MLIR_OPT,
# MLIR_RUNNER and MLIR_LIBS, which CMake found; says SKIP where one is missing.
# SPDX-License-Identifier: Apache-2.0
for tool in "$MLIR_OPT" "$MLIR_RUNNER" $(echo "$MLIR_LIBS" | tr , ' '); do
  case $tool in
  *NOTFOUND | '')
    echo "SKIP: mlir-opt, mlir-runner or its libraries of LLVM 22 not found"
    exit 77
    ;;
  esac
done

# From what lower-quant-ops leaves to LLVM's dialect.
to_llvm="strip-func-quant-types,canonicalize,cse,func.func(shape-to-shape-lowering),\
convert-shape-to-std,canonicalize,func.func(convert-elementwise-to-linalg),\
one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-loops),\
convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-arith-to-llvm,\
finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts"

# upstream_lower FILE PASSES: on functions first those passes, then lower-quant-ops.
upstream_lower() {
  "$MLIR_OPT" "$1" --pass-pipeline="builtin.module(func.func(${2:+$2,}lower-quant-ops),$to_llvm)"
}

# Runs @main of what was lowered, on standard input.
upstream_run() {
  "$MLIR_RUNNER" -e main --entry-point-result=void --shared-libs="$MLIR_LIBS" -
}
