# SPDX-License-Identifier: Apache-2.0
# Where the parts of MPI stand, below the build folder and below an installed prefix alike:
#
#   bin/cohort-mpicc, cohort-mpicxx, cohort-mpifort   compile programs
#   lib/cohort/mpi/FACE/                              the libraries of one interface; `cohort run` finds them there
#   lib/cohort/mpi/standard/include/                  mpi.h, mpif.h, the modules
#   lib/cohort/mpi/bin/                               the commands under their usual names, and mpiexec, for PATH
#
# All find each other from their own places, so an installed tree can be moved. The launcher and the wrappers know the
# name lib/cohort/mpi; CMAKE_INSTALL_LIBDIR does not change it.
include(GNUInstallDirs)
set(cohort_mpi_folder lib/cohort/mpi)
set(cohort_mpi_headers ${PROJECT_BINARY_DIR}/${cohort_mpi_folder}/standard/include)

# All that the installation needs of MPI.
add_custom_target(mpi_faces)

# mpi_face(FACE TARGET...): the libraries of an interface. Programs are linked with those of the standard one only.
function(mpi_face face)
  add_dependencies(mpi_faces ${ARGN})
  set(folder ${cohort_mpi_folder}/${face})
  set_target_properties(${ARGN} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder}
    INSTALL_RPATH $ORIGIN BUILD_WITH_INSTALL_RPATH ON)
  if(face STREQUAL standard)
    install(TARGETS ${ARGN} LIBRARY DESTINATION ${folder})
  else()
    install(TARGETS ${ARGN} LIBRARY DESTINATION ${folder} NAMELINK_SKIP)
  endif()
endfunction()

# The generator and the Fortran compiler write the headers and modules into the build tree, where the wrappers find them.
install(DIRECTORY ${cohort_mpi_headers} DESTINATION ${cohort_mpi_folder}/standard)

# mpi_command(FOLDER NAME TARGET): a link in FOLDER, relative, so that it can be moved.
function(mpi_command folder name target)
  file(CREATE_LINK ${target} ${PROJECT_BINARY_DIR}/${folder}/${name} SYMBOLIC)
  install(PROGRAMS ${PROJECT_BINARY_DIR}/${folder}/${name} DESTINATION ${folder})
endfunction()

set(usual ${cohort_mpi_folder}/bin)
configure_file(${CMAKE_CURRENT_LIST_DIR}/wrappers/cohort-mpicc ${PROJECT_BINARY_DIR}/bin/cohort-mpicc COPYONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/wrappers/mpiexec ${PROJECT_BINARY_DIR}/${usual}/mpiexec COPYONLY)
install(PROGRAMS wrappers/cohort-mpicc DESTINATION bin)
install(PROGRAMS wrappers/mpiexec DESTINATION ${usual})
foreach(name cohort-mpicxx cohort-mpifort)
  file(WRITE ${PROJECT_BINARY_DIR}/mpi/${name}.1 ".so man1/cohort-mpicc.1\n")
endforeach()
install(FILES wrappers/cohort-mpicc.1 ${PROJECT_BINARY_DIR}/mpi/cohort-mpicxx.1 ${PROJECT_BINARY_DIR}/mpi/cohort-mpifort.1
  DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
mpi_command(bin cohort-mpicxx cohort-mpicc)
mpi_command(bin cohort-mpifort cohort-mpicc)
foreach(name mpicc mpicxx mpic++ mpifort mpif90 mpif77)
  string(REGEX REPLACE "^mpic(xx|\\+\\+)$" "mpicxx" command ${name})
  string(REGEX REPLACE "^mpif.*" "mpifort" command ${command})
  mpi_command(${usual} ${name} ../../../../bin/cohort-${command})
endforeach()
