// The threads of a study share its plan, its points and its journal. Under ThreadSanitizer (preset tsan) none of that may be
// touched without order.

#include <gtest/gtest.h>

#include <string>

#include "io/studies/study.hpp"
#include "tests/places.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace study_jobs_test {

TEST(StudyJobs, FourThreadsMakeWhatOneMakes) {
  const StudyPlan plan = read_study_plan(R"({"format": "mti-study", "version": 1, "model": ")" +
                                         (source_dir() / "examples/three_tank/model.json").string() +
                                         R"(", "design": "latin_hypercube", "runs": 12,
      "vary": {"m": {"uniform": [4, 6]}, "fv": {"normal": {"mean": 0.09, "deviation": 0.005}}},
      "simulation": {"stop": 100, "rtol": 1e-5}, "keep": {"final": ["x1"], "maximum": ["x2"]}})");
  const TemporaryDirectory directory;
  std::string texts[2];
  for (const int jobs : {1, 4}) {
    int calls = 0;
    EXPECT_TRUE(run_study(plan, directory.path() / std::to_string(jobs),
                          {.jobs = jobs, .progress = [&calls](long, long) { ++calls; }})
                    .is_complete());
    texts[jobs / 4] = read_text(directory.path() / std::to_string(jobs) / study_table_name);
  }
  EXPECT_EQ(texts[0], texts[1]);
}

}  // namespace study_jobs_test
}  // namespace mti::test
