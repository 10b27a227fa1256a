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
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
