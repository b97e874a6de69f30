# SPDX-License-Identifier: Apache-2.0
# cmake --install: the static library for C++, the shared one for C, their headers, the cohort command, a CMake package and
# a pkg-config file for each library. -lcohort means the shared library.
#
# A static library's users link what it links. Each dependency is one line here: the name for find_package() and the
# module for pkg-config, or what to put on the linker's line where there is no module.
set(cohort_dependencies
  # find_package     pkg-config
  "Threads           -pthread"
  "OpenSSL           libcrypto"
  "Protobuf          protobuf-lite"
  "fmt               fmt"
)

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(COHORT_FIND_DEPENDENCIES "")
set(COHORT_PC_REQUIRES "")
set(COHORT_PC_LIBS "")
foreach(line IN LISTS cohort_dependencies)
  separate_arguments(words UNIX_COMMAND "${line}")
  list(POP_FRONT words package)
  list(JOIN words " " module)
  string(APPEND COHORT_FIND_DEPENDENCIES "find_dependency(${package})\n")
  if(module MATCHES "^-")
    string(APPEND COHORT_PC_LIBS " ${module}")
  else()
    string(APPEND COHORT_PC_REQUIRES " ${module}")
  endif()
endforeach()

set(cohort_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cohort)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/cohortConfig.cmake.in ${PROJECT_BINARY_DIR}/cohortConfig.cmake
  INSTALL_DESTINATION ${cohort_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cohortConfigVersion.cmake COMPATIBILITY SameMinorVersion)

# The .pc file finds its prefix from its own place, so an installed tree can be moved.
file(RELATIVE_PATH COHORT_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" COHORT_PC_PREFIX ${COHORT_PC_PREFIX})
foreach(name cohort cohort-c)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(TARGETS cohort cohort_c EXPORT cohortTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT cohortTargets NAMESPACE cohort:: DESTINATION ${cohort_package_dir})
install(FILES ${PROJECT_BINARY_DIR}/cohortConfig.cmake ${PROJECT_BINARY_DIR}/cohortConfigVersion.cmake
  DESTINATION ${cohort_package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/cohort DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")

# The manual: its pages as they are, and as a site if mkdocs is there.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
find_program(MKDOCS mkdocs)
if(MKDOCS)
  file(GLOB_RECURSE manual CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/docs/*.svg
    ${PROJECT_SOURCE_DIR}/include/cohort/*.hpp)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/site.stamp
    COMMAND ${MKDOCS} build --quiet -f ${PROJECT_SOURCE_DIR}/mkdocs.yml -d ${PROJECT_BINARY_DIR}/site
    COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/site.stamp
    DEPENDS ${manual} ${PROJECT_SOURCE_DIR}/mkdocs.yml ${PROJECT_SOURCE_DIR}/tools/interface_pages.py VERBATIM)
  add_custom_target(cohort_documents ALL DEPENDS ${PROJECT_BINARY_DIR}/site.stamp)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/site/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/html COMPONENT doc OPTIONAL)
endif()

# All that is installed and has to be built.
add_custom_target(installed DEPENDS cohort cohort_c cohort_command cohort_bench)
if(TARGET mpi_faces)
  add_dependencies(installed mpi_faces)
endif()
