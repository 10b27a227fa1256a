# Target coverage: after the tests have run, <build>/coverage/index.html and a table of lines covered.
find_program(GCOVR gcovr REQUIRED)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/coverage)
add_custom_target(
  coverage
  COMMAND
    ${GCOVR} --root ${PROJECT_SOURCE_DIR} --filter (mti|solvers|io|program)/ --exclude-unreachable-branches
    --print-summary --html-details ${PROJECT_BINARY_DIR}/coverage/index.html ${PROJECT_BINARY_DIR}
  VERBATIM)
