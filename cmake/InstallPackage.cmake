# The package that find_package(mti) finds in an installation.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mti)

if(BUILD_SHARED_LIBS)
  set(MTI_SHARED TRUE)
else()
  set(MTI_SHARED FALSE)
endif()
configure_package_config_file(cmake/mti-config.cmake.in mti-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(mti-config-version.cmake COMPATIBILITY SameMinorVersion)

# One header for all.
configure_file(cmake/mti.hpp ${MTI_INCLUDE_DIR}/mti/mti.hpp COPYONLY)
install(FILES ${MTI_INCLUDE_DIR}/mti/mti.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mti)
install(
  EXPORT mti
  NAMESPACE mti::
  FILE mti-targets.cmake
  DESTINATION ${package_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mti-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/mti-config-version.cmake
        DESTINATION ${package_dir})

# The same for pkg-config. What a static library calls has to be linked by its user, as mti-targets.cmake says too.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH MTI_PC_TO_PREFIX /${pc_dir} /)
string(REGEX REPLACE "/$" "" MTI_PC_TO_PREFIX ${MTI_PC_TO_PREFIX})
set(called)
foreach(library IN ITEMS sundials_ida sundials_sunlinsolklu sundials_sunlinsoldense sundials_sunmatrixsparse
                         sundials_sunmatrixdense sundials_nvecserial Clp CoinUtils bdd z ${CMAKE_DL_LIBS})
  string(APPEND called " -l${library}")
endforeach()
if(BUILD_SHARED_LIBS)
  set(MTI_PC_SHARED ${called})
else()
  set(MTI_PC_STATIC ${called})
endif()
configure_file(cmake/mti.pc.in mti.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mti.pc DESTINATION ${pc_dir})

# Documents and examples, laid out as in the sources: their links hold.
foreach(document IN ITEMS LICENSE NOTICE README.md CHANGELOG.md CITATION.cff)
  install(FILES ${PROJECT_SOURCE_DIR}/${document} DESTINATION ${CMAKE_INSTALL_DOCDIR})
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/bench/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        PATTERN CMakeLists.txt EXCLUDE PATTERN Doxyfile.in EXCLUDE PATTERN site EXCLUDE)
