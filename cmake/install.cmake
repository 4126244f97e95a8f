# What an installation consists of, the packages that other builds find it by, how it is taken away
# again, and how it becomes a .deb and a .tar.gz. tests/packaging uses all of it from outside.
# SPDX-License-Identifier: Apache-2.0
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(QN_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/quern)

# The manual page and the completions are what the tool says of itself.
set(manual ${CMAKE_BINARY_DIR}/manual)
add_custom_command(OUTPUT ${manual}/quern.1 ${manual}/quern ${manual}/_quern
  COMMAND ${CMAKE_COMMAND} -E make_directory ${manual}
  COMMAND quern help --man > ${manual}/quern.1
  COMMAND quern help --completion bash > ${manual}/quern
  COMMAND quern help --completion zsh > ${manual}/_quern
  DEPENDS quern)
add_custom_target(manual ALL DEPENDS ${manual}/quern.1 ${manual}/quern ${manual}/_quern)
install(FILES ${manual}/quern.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${manual}/quern DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${manual}/_quern DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)

# All that is installed, for those who build nothing else.
add_custom_target(product DEPENDS quern quern_shared quern_static manual)

set_target_properties(quern PROPERTIES EXPORT_NAME tool)
foreach(library shared static)
  target_include_directories(quern_${library} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
# What the static library leaves open, by name: the paths of this machine are not those of others.
set(QN_STATIC_LIBRARIES ${llvm_libs} -ljansson -lnettle -lm)
target_link_libraries(quern_static INTERFACE ${llvm_ldflags} ${QN_STATIC_LIBRARIES})

if(QN_WHEEL) # it has a component of its own, in python/
  return()
endif()
install(TARGETS quern EXPORT quern-tool)
install(TARGETS quern_shared quern_static EXPORT quern-libraries)
install(DIRECTORY include/quern TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(DIRECTORY rules DESTINATION ${CMAKE_INSTALL_DATADIR}/quern FILES_MATCHING PATTERN "*.rr")
install(FILES README.md CHANGELOG.md SECURITY.md LICENSE TYPE DOC)

# find_package(quern): quern::shared, quern::static, the program quern::tool and quern_compile. Before 1.0 a minor
# version may break what the one before promised. Projects for another machine, also of 32 bits, have the program only.
foreach(part tool libraries)
  install(EXPORT quern-${part} NAMESPACE quern:: DESTINATION ${QN_PACKAGE_DIR})
endforeach()
configure_package_config_file(cmake/quern-config.cmake.in ${CMAKE_BINARY_DIR}/quern-config.cmake
  INSTALL_DESTINATION ${QN_PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/quern-config-version.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_BINARY_DIR}/quern-config.cmake ${CMAKE_BINARY_DIR}/quern-config-version.cmake
  cmake/quern-compile.cmake DESTINATION ${QN_PACKAGE_DIR})

# pkg-config: its folders are relative to where the file lies, so that --prefix may be chosen late.
file(RELATIVE_PATH QN_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" QN_PC_PREFIX "${QN_PC_PREFIX}")
list(JOIN llvm_ldflags " " QN_PC_LLVM)
list(JOIN QN_STATIC_LIBRARIES " " QN_PC_LIBRARIES)
configure_file(cmake/quern.pc.in ${CMAKE_BINARY_DIR}/quern.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/quern.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# What is installed, for "uninstall": cpack, which installs into a folder of its own first, writes
# install_manifest.txt as well. This has to come after all other rules.
set(QN_INSTALLED ${CMAKE_BINARY_DIR}/installed.txt)
install(CODE "set(QN_INSTALLED \"${QN_INSTALLED}\")")
install(CODE [[
  if(NOT "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}" MATCHES "/_CPack_Packages/")
    list(JOIN CMAKE_INSTALL_MANIFEST_FILES "\n" QN_INSTALLED_FILES)
    file(WRITE "${QN_INSTALLED}" "${QN_INSTALLED_FILES}\n")
  endif()
]])
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND}
  -D MANIFEST=${QN_INSTALLED} -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME quern)
set(CPACK_SYSTEM_NAME ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_CONTACT "the Quern maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
include(CPack)
