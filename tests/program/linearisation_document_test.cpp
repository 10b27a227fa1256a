// docs/linearisation.md shows what the program and the example print.

#include <gtest/gtest.h>

#include "tests/places.hpp"
#include "tests/program/document.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace linearisation_document_test {

const std::filesystem::path root = source_dir();
const std::filesystem::path programs = examples_dir();

TEST(LinearisationDocument, ShowsWhatIsPrinted) {
  Document page("docs/linearisation.md");
  page.expect_transcript("thermostat", source_dir());
}

/// The equilibrium is q = inflow = 3, h = q² = 9.
TEST(LinearisationDocument, ShowsTheExampleAndItsOutput) {
  Document page("docs/linearisation.md");
  page.expect_block("newton", read_text(root / "examples/newton/run.cpp"));
  const std::string output = output_of(programs / "newton");
  page.expect_block("newton output", output);
  EXPECT_NE(output.find("h = 9, q = 3\n"), std::string::npos) << output;
}

}  // namespace linearisation_document_test
}  // namespace mti::test
