// The folder of a study: what was cut short goes on, what belongs to another study, part or process is left alone.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "io/studies/study.hpp"
#include "io/study_journals/study_journal.hpp"
#include "tests/io/studies/study_plans.hpp"
#include "tests/places.hpp"

namespace mti::test {
namespace study_folder_test {

namespace fs = std::filesystem;
using StudyFolder = MixedStudy;

// A process that is killed may leave half a line; a machine that loses its power anything.
TEST_F(StudyFolder, LinesThatWereCutShortAreMadeAgain) {
  const std::string alone = undisturbed();
  const std::string journal = read_text(place("undisturbed") / study_journal_name);
  for (const std::size_t length :
       {journal.size() - 1, journal.size() - 30, journal.size() / 2, std::size_t{70}}) {
    fs::create_directories(place("cut"));
    std::string text = journal.substr(0, length);
    text[length / 2] ^= 1;  // and one character is another one
    std::ofstream(place("cut") / study_journal_name, std::ios::binary) << text;
    EXPECT_TRUE(run_study(plan, place("cut"), {.jobs = 2, .resume = true}).is_complete());
    EXPECT_EQ(study_results_in(place("cut")), alone) << length;
    fs::remove_all(place("cut"));
  }
}

// The first line may be cut short, too: nothing is lost with it.
TEST_F(StudyFolder, JournalsThatWereCutShortAtOnceAreBegunAnew) {
  const std::string alone = undisturbed();
  const std::string journal = read_text(place("undisturbed") / study_journal_name);
  const std::size_t line = journal.find('\n');
  for (std::size_t length = 0; length <= line + 1; ++length)
    for (const bool resume : {false, true}) {
      fs::create_directories(place("begun"));
      std::ofstream(place("begun") / study_journal_name, std::ios::binary) << journal.substr(0, length);
      EXPECT_TRUE(run_study(plan, place("begun"), {.jobs = 2, .resume = resume}).is_complete()) << length;
      EXPECT_EQ(study_results_in(place("begun")), alone) << length;
      fs::remove_all(place("begun"));
    }
  fs::create_directories(place("begun"));
  std::ofstream(place("begun") / study_journal_name) << "01234567,mti stories";
  EXPECT_EQ(refusal_of([&] { run_study(plan, place("begun")); }), "file-unwritable");
}

// A job array with one folder for all of its parts.
TEST_F(StudyFolder, APartDoesNotTakeThePlaceOfAnother) {
  const std::string alone = undisturbed();
  run_study(plan, place("p"), {.shard = StudyShard{1, 2}});
  EXPECT_EQ(refusal_of([&] {
              run_study(plan, place("p"), {.shard = StudyShard{2, 2}});
            }),
            "unfinished-study");
  EXPECT_EQ(refusal_of([&] { run_study(plan, place("p")); }), "unfinished-study");
  run_study(plan, place("p"), {.resume = true, .shard = StudyShard{2, 2}});
  run_study(plan, place("p"), {.resume = true});
  EXPECT_EQ(study_results_in(place("p")), alone);
}

TEST_F(StudyFolder, AnotherStudyInTheFolderIsNotHarmed) {
  run_study(plan, place("f"), {.jobs = 1, .shard = StudyShard{1, 2}});
  const StudyPlan other = read_study_plan(decay_plan(R"("design": "list", "vary": {"a": {"values": [1]}})"));
  // Complete as a part: it may be replaced. Cut short: not.
  fs::remove(place("f") / study_summary_name);
  const std::string journal = read_text(place("f") / study_journal_name);
  EXPECT_EQ(refusal_of([&] { run_study(plan, place("f")); }), "unfinished-study");
  EXPECT_EQ(refusal_of([&] { run_study(other, place("f")); }), "unfinished-study");
  EXPECT_EQ(refusal_of([&] { run_study(other, place("f"), {.resume = true}); }), "study-changed");
  EXPECT_EQ(refusal_of([&] { merge_studies(other, {place("f")}, place("g")); }), "study-changed");
  EXPECT_EQ(read_text(place("f") / study_journal_name), journal);
  // A complete study is replaced by another one.
  run_study(plan, place("f"), {.jobs = 2, .resume = true});
  EXPECT_TRUE(run_study(other, place("f")).is_complete());
  EXPECT_EQ(numbers_of(study_table(place("f")).at("a")), std::vector<double>{1});
}

TEST_F(StudyFolder, TwoProcessesDoNotWriteToOneFolder) {
  const StudyJournal first(place("j.csv"), plan);
  EXPECT_EQ(refusal_of([&] { const StudyJournal second(place("j.csv"), plan); }), "file-unwritable");
}

// A component that the model has with other parameters only is a part of the study all the same.
TEST_F(StudyFolder, RunsOfAnotherComponentAreNotMixed) {
  const auto write_part = [&](const std::string& k) {
    folder.write("part.json", R"({"format": "mti-model", "version": 1, "states": [{"name": "h", "start": 1}],
        "equations": ["der(h) = -)" +
                                  k + R"(*h"]})");
  };
  folder.write("parts.json", R"({"format": "mti-model", "version": 1, "parameters": {"n": 0},
      "states": [{"name": "x"}], "equations": ["der(x) = 1"],
      "components": [{"name": "p[i]", "for": {"i": [1, "n"]}, "model": "part.json"}], "experiment": {"stop": 1}})");
  const auto read = [&] {
    return read_study_plan(R"({"format": "mti-study", "version": 1, "model": "parts.json", "design": "list",
        "vary": {"n": {"values": [1, 2]}}, "keep": {"final": ["*"]}})",
                           folder.path());
  };
  write_part("1");
  const StudyPlan before = read();
  run_study(before, place("c"), {.shard = StudyShard{1, 2}});
  EXPECT_EQ(read().fingerprint, before.fingerprint);
  write_part("5");
  EXPECT_EQ(refusal_of([&] { run_study(read(), place("c"), {.resume = true}); }), "study-changed");
}

}  // namespace study_folder_test
}  // namespace mti::test
