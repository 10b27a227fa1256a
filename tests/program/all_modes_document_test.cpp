// docs/all-modes.md shows what the program prints.

#include <gtest/gtest.h>

#include "tests/program/document.hpp"

namespace mti::test {
namespace {

TEST(AllModesDocument, ShowsWhatIsPrinted) {
  Document page("docs/all-modes.md");
  page.expect_transcript("water tank", MTI_SOURCE_DIR);
}

}  // namespace
}  // namespace mti::test
