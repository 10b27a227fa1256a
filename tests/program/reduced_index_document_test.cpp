// docs/reduced-index.md shows what the program prints.

#include <gtest/gtest.h>

#include "tests/places.hpp"
#include "tests/program/document.hpp"

namespace mti::test {
namespace reduced_index_document_test {

TEST(ReducedIndexDocument, ShowsWhatIsPrinted) {
  Document page("docs/reduced-index.md");
  page.expect_transcript("clutch", source_dir());
}

}  // namespace reduced_index_document_test
}  // namespace mti::test
