// docs/all-modes.md shows what the program prints.

#include <gtest/gtest.h>

#include "tests/places.hpp"
#include "tests/program/document.hpp"

namespace mti::test {
namespace all_modes_document_test {

TEST(AllModesDocument, ShowsWhatIsPrinted) {
  Document page("docs/all-modes.md");
  page.expect_transcript("water tank", source_dir());
}

}  // namespace all_modes_document_test
}  // namespace mti::test
