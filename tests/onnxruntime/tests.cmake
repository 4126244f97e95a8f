# Random quantized graphs, compared with onnxruntime: skipped, with a message, without it.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_test(NAME onnxruntime.graphs COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/compare.py
    $<TARGET_FILE:quern> --seeds 1-5000)
  set_tests_properties(onnxruntime.graphs PROPERTIES LABELS "diff;slow" SKIP_RETURN_CODE 77 TIMEOUT 3600)
endif()
