# python: pytest, mypy and stubtest of python/, in an environment below build/. Skipped, and said so, where
# its packages can't be had.
# SPDX-License-Identifier: Apache-2.0
if(NOT TARGET quern_python)
  return()
endif()
set(python_tests ${PROJECT_SOURCE_DIR}/python/tests)
set(python_environment ${PROJECT_SOURCE_DIR}/build/python)
set(sanitizer "")
if(QN_SANITIZE MATCHES address)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libclang_rt.asan-x86_64.so
    OUTPUT_VARIABLE sanitizer OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
find_package(Python 3.11 QUIET COMPONENTS Interpreter)
add_test(NAME python.environment COMMAND ${python_tests}/environment.sh ${python_environment} ${Python_EXECUTABLE})
set_tests_properties(python.environment PROPERTIES LABELS python SKIP_RETURN_CODE 77 TIMEOUT 600
  FIXTURES_SETUP python_environment)
# python_test(NAME WHAT ARGUMENT...)
function(python_test name what)
  add_test(NAME python.${name} COMMAND ${python_tests}/run.sh ${PROJECT_BINARY_DIR} ${python_environment}
    ${PROJECT_SOURCE_DIR} "${sanitizer}" ${what} ${ARGN})
  set_tests_properties(python.${name} PROPERTIES LABELS python SKIP_RETURN_CODE 77
    FIXTURES_REQUIRED python_environment)
endfunction()
file(GLOB files CONFIGURE_DEPENDS ${python_tests}/test_*.py)
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  string(REPLACE test_ "" name ${name})
  python_test(${name} pytest ${file})
endforeach()
if(NOT QN_SANITIZE)
  python_test(mypy mypy)
  python_test(stubtest stubtest)
  # LiteRT's reference, the delegate and the class over whole models (python/tests/models.py).
  python_test(models models ${PROJECT_SOURCE_DIR}/examples/digits)
  set_tests_properties(python.models PROPERTIES LABELS "python;models;slow" TIMEOUT 3600)
endif()
