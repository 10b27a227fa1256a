# The target reference: the public headers as HTML, <build>/reference/html/index.html. A header that is not documented, or
# wrongly, is an error.
find_package(Doxygen REQUIRED)
set(doxygen_input ${PROJECT_SOURCE_DIR}/docs/reference.md ${MTI_INCLUDE_DIR}/mti/mti.hpp)
foreach(library IN ITEMS mti mti_solvers mti_io)
  get_target_property(headers ${library} HEADER_SET)
  list(APPEND doxygen_input ${headers})
endforeach()
list(JOIN doxygen_input " \\\n    " doxygen_input)
configure_file(${PROJECT_SOURCE_DIR}/docs/Doxyfile.in ${PROJECT_BINARY_DIR}/Doxyfile @ONLY)
add_custom_target(reference COMMAND Doxygen::doxygen ${PROJECT_BINARY_DIR}/Doxyfile VERBATIM)
