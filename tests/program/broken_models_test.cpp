// Broken models on the command line: exit status 2, one line per fault on standard error, no results.
#include <gtest/gtest.h>

#include <regex>

#include "tests/io/model/broken_models.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace broken_models_test {

void expect_refusal(const ProgramResult& result, const std::string& file,
                    const mti::test::BrokenModel& broken) {
  EXPECT_EQ(result.status, 2) << file;
  EXPECT_EQ(result.out, "") << file;
  const std::vector<std::string> lines = lines_of(result.err);
  ASSERT_EQ(lines.size(), broken.faults.size()) << result.err;
  static const std::regex form(R"(([^:]+):((?:/[^:]*)?): ([a-z]+(?:-[a-z]+)*): (\S.*))");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    ASSERT_TRUE(std::regex_match(lines[i], match, form)) << lines[i];
    EXPECT_EQ(match[1], file);
    EXPECT_EQ(match[2], broken.faults[i].second);
    EXPECT_EQ(match[3], broken.faults[i].first);
  }
}

TEST(BrokenModelsOnTheCommandLine, AreRefusedByCheck) {
  for (const auto& [file, broken] : mti::test::broken_models())
    expect_refusal(run_program({"check", file}, mti::test::broken_directory()), file, broken);
}

TEST(BrokenModelsOnTheCommandLine, AreRefusedByEveryCommandThatReadsAModel) {
  const TemporaryDirectory directory;
  const std::string out = directory.path() / "out";
  const auto models = mti::test::broken_models();
  for (const char* file : {"truncated.json", "many_faults.json", "csv_unreachable.json", "empty_model.json",
                           "matrix_huge_size.json", "outside_domain.json"})
    for (const std::vector<std::string>& command : {std::vector<std::string>{"simulate", file, "--out", out},
                                                    {"analyze", file},
                                                    {"linearize", file},
                                                    {"convert", file, out}}) {
      expect_refusal(run_program(command, mti::test::broken_directory()), file, models.at(file));
      EXPECT_FALSE(std::filesystem::exists(out)) << command.front() << " " << file;
    }
}

TEST(BrokenModelsOnTheCommandLine, AFileThatIsNotThere) {
  const TemporaryDirectory directory;
  const ProgramResult result = run_program({"check", "nowhere.json"}, directory.path());
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err,
            "nowhere.json:: file-unreadable: cannot read nowhere.json: No such file or directory\n");
  EXPECT_EQ(run_program({"check", "."}, directory.path()).status, 2);
}

}  // namespace broken_models_test
}  // namespace mti::test
