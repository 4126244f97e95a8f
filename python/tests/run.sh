#!/bin/sh
# One of the Python tests: run.sh BUILD ENVIRONMENT SOURCE SANITIZER_LIBRARY|"" pytest|mypy|stubtest|models [ARGUMENT...]
# SPDX-License-Identifier: Apache-2.0
build=$1 environment=$2 source=$3 sanitizer=$4 what=$5
shift 5
tests=$source/python/tests
if ! cmp -s "$tests/requirements.txt" "$environment/made-of"; then
  echo "SKIP: there is no environment for Python tests (python/tests/environment.sh says why)"
  exit 77
fi
PYTHONPATH=$build/python
MYPYPATH=$PYTHONPATH
export PYTHONPATH MYPYPATH PYTHONDONTWRITEBYTECODE=1
if [ -n "$sanitizer" ]; then
  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
  LD_PRELOAD=$sanitizer
  export ASAN_OPTIONS
fi
cd "$source" || exit 1
case $what in
pytest)
  [ -z "$sanitizer" ] || export LD_PRELOAD
  exec "$environment/bin/python" -m pytest -q -p no:cacheprovider -W error "$@"
  ;;
mypy) exec "$environment/bin/mypy" --strict --cache-dir "$build/mypy" -p quern ;;
models) # those of the project, the shared ones, and further folders that QUERN_MODELS names
  # shellcheck disable=SC2086
  exec "$environment/bin/python" "$tests/models.py" "$@" $(ls -d "${QUERN_SHARED:-$source/../shared}/models" 2>/dev/null) ${QUERN_MODELS-}
  ;;
stubtest) exec "$environment/bin/stubtest" quern._quern ;;
esac
echo "unknown: $what"
exit 1
