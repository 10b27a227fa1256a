# Debian packages: mti, with the program, the libraries and the documents, and mti-mpi, with what needs MPI.
# cpack --config build/release/CPackConfig.cmake makes them, in build/release, with dpkg-dev and file.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_PACKAGE_NAME mti)
set(CPACK_PACKAGE_VENDOR "The mti developers")
set(CPACK_PACKAGE_CONTACT "The mti developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "The program mti simulates, checks, analyses, linearises and converts models of f(x', x, u, y, z) = 0, g <= 0 that
are multilinear in signals and binaries. With its C++ libraries, manual pages, documents and examples.")
# Libraries that the program names are found by dpkg-shlibdeps; matio is loaded with the first MAT file, libsbml
# with the first file of SBML, libnetcdf with the first of NetCDF; what the installed libraries are linked with is a matter
# of those who write programs.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
file(REAL_PATH ${MATIO_LIBRARY} matio_file)
string(REGEX REPLACE "^.*\\.so\\.([0-9]+).*$" "libmatio\\1" CPACK_DEBIAN_PACKAGE_RECOMMENDS ${matio_file})
file(REAL_PATH ${SBML_LIBRARY} sbml_file)
string(REGEX REPLACE "^.*\\.so\\.([0-9]+).*$" ", libsbml\\1" sbml_package ${sbml_file})
string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ${sbml_package})
file(REAL_PATH ${NETCDF_LIBRARY} netcdf_file)
string(REGEX REPLACE "^.*\\.so\\.([0-9]+).*$" ", libnetcdf\\1" netcdf_package ${netcdf_file})
string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ${netcdf_package})
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "coinor-libclp-dev, libbdd-dev, libeigen3-dev, libsuitesparse-dev, libsundials-dev, zlib1g-dev")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME mti)
set(CPACK_DEBIAN_MPI_PACKAGE_NAME mti-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "mti (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS openmpi-bin)
set(CPACK_DEBIAN_MPI_DESCRIPTION
    "Studies of mti on many machines, by the processes that an MPI launcher starts: mpirun mti study PLAN")
include(CPack)
