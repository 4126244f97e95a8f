# qn_embed(LAYER OUTPUT FILE...): adds to the layer a source with the bytes of the files, as the tables that cli/board/board.h declares.
# SPDX-License-Identifier: Apache-2.0
function(qn_embed layer output)
  set(arrays)
  set(rows)
  set(number 0)
  foreach(file ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
    file(READ ${PROJECT_SOURCE_DIR}/${file} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    get_filename_component(name ${file} NAME)
    string(APPEND arrays "static const unsigned char file_${number}[] = {${bytes}};\n")
    string(APPEND rows "    {\"${name}\", file_${number}, sizeof file_${number}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "#include \"cli/board/board.h\"\n
@arrays@
const cli_board_file cli_board_files[] = {\n@rows@};
const size_t cli_board_file_count = CLI_COUNT(cli_board_files);\n" @ONLY)
  target_sources(${layer} PRIVATE ${output})
endfunction()
