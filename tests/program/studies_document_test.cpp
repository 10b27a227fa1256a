// docs/studies.md: its plan is run, and what it shows is what is printed.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/program/document.hpp"

namespace mti::test {
namespace studies_document_test {

TEST(StudiesDocument, ShowsWhatIsPrinted) {
  const Playground playground;
  Document page("docs/studies.md");
  std::ofstream(playground.path() / "rooms.json") << page.block("plan");
  for (const char* marker : {"run", "resume", "merge"}) page.expect_transcript(marker, playground.path());
}

}  // namespace studies_document_test
}  // namespace mti::test
