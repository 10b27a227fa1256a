// docs/all-modes.md shows what the program prints.

#include <gtest/gtest.h>

#include "tests/places.hpp"
#include "tests/program/document.hpp"

namespace mti::test {
namespace {

TEST(AllModesDocument, ShowsWhatIsPrinted) {
  Document page("docs/all-modes.md");
  page.expect_transcript("water tank", source_dir());
}

}  // namespace
}  // namespace mti::test
