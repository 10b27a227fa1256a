// docs/known-issues.md: its models behave as the page says, and so do the ways out.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/program/document.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace known_issues_test {

/// A model of the page, simulated, with what it has printed to standard error and its result files.
class PageRun {
 public:
  /// `from`, if given, is replaced in the model by `to`.
  explicit PageRun(const std::string& marker, const std::string& from = {}, const std::string& to = {},
                   const std::vector<std::string>& more = {}) {
    std::string model = Document("docs/known-issues.md").block(marker);
    if (!from.empty()) {
      const std::size_t found = model.find(from);
      if (found == std::string::npos) throw std::runtime_error(marker + " holds no " + from);
      model.replace(found, from.size(), to);
    }
    directory_.write("model.json", model);
    std::vector<std::string> command = {"simulate", "model.json", "--no-report", "--out", "out"};
    command.insert(command.end(), more.begin(), more.end());
    const ProgramResult result = run_program(command, directory_.path());
    messages_ = result.err;
    std::istringstream rows(read_text(directory_.path() / "out/trajectory.csv"));
    for (std::string row; std::getline(rows, row);) rows_.push_back(row);
  }
  [[nodiscard]] const std::string& messages() const { return messages_; }
  [[nodiscard]] nlohmann::json file(const std::string& name) const {
    return nlohmann::json::parse(read_text(directory_.path() / "out" / name));
  }
  [[nodiscard]] nlohmann::json events() const { return file("events.json"); }
  [[nodiscard]] std::string outcome() const { return file("summary.json").at("outcome"); }
  /// Of the last row.
  [[nodiscard]] double last(const std::string& signal) const {
    std::istringstream names(rows_.front()), values(rows_.back());
    for (std::string name, value; std::getline(names, name, ',') && std::getline(values, value, ',');)
      if (name == signal) return std::stod(value);
    throw std::runtime_error("no signal " + signal);
  }

 private:
  TemporaryDirectory directory_;
  std::string messages_;
  std::vector<std::string> rows_;
};

/// The words of two texts are the same, and their numbers agree to three digits.
void expect_message(const std::string& marker, const std::string& actual) {
  const std::regex number(R"(\d+\.\d+(e-?\d+)?)");
  const std::string expected = Document("docs/known-issues.md").block(marker);
  EXPECT_EQ(std::regex_replace(actual, number, "#"), std::regex_replace(expected, number, "#")) << marker;
  std::sregex_iterator a(actual.begin(), actual.end(), number), b(expected.begin(), expected.end(), number),
      end;
  for (; a != end && b != end; ++a, ++b)
    EXPECT_NEAR(std::stod(a->str()) / std::stod(b->str()), 1.0, 1e-3) << marker;
}

TEST(KnownIssues, IdaDoesNotSeeAShortPulseWithoutABreakpoint) {
  const std::vector<std::string> by_ida = {"--integrator", "ida"};
  EXPECT_EQ(PageRun("pulse", {}, {}, by_ida).events().size(), 0U);
  const auto expect_one = [](const nlohmann::json& events) {
    ASSERT_EQ(events.size(), 1U);
    // p = 1/2 where 10⁶·(x − 1/2) = −1, x being the time.
    EXPECT_NEAR(events[0].at("time").get<double>(), 0.5 - 1e-6, 1e-8);
  };
  expect_one(PageRun("pulse way out", {}, {}, by_ida).events());
  expect_one(PageRun("pulse way out").events());
  expect_one(PageRun("pulse").events());
}

// x' = 3 − 4 z1 is −1 up to t = 1, then 0 with z1 = 3/4, whatever u is. With z2 = z1 for u > 0 and 1 − z1 for u < 0,
// q' = z1 − z2 is 1/2 from t = 2 on.
TEST(KnownIssues, RowsOnOneSurfaceKeepTheSidesWithWhichTheyBegan) {
  const PageRun run("changing sides");
  EXPECT_EQ(run.outcome(), "reached_stop");
  EXPECT_NEAR(run.last("z1"), 0.75, 1e-6);
  EXPECT_NEAR(run.last("z2"), 0.75, 1e-6);
  EXPECT_NEAR(run.last("q"), 0.0, 1e-5);
  const PageRun output("changing sides way out");
  EXPECT_EQ(output.outcome(), "reached_stop");
  EXPECT_NEAR(output.last("z2"), 0.25, 1e-6);
  EXPECT_NEAR(output.last("q"), 0.5, 1e-5);
}

// m v' = F: with the mass after the jump the weight of F is 2·(−1/2 − 1), with that before it half of it.
TEST(KnownIssues, ALawRefusesACoefficientThatJumps) {
  const PageRun run("jumping mass");
  EXPECT_EQ(run.outcome(), "refused_restart");
  expect_message("jumping mass output", run.messages());
  const PageRun momentum("jumping mass way out");
  EXPECT_NEAR(momentum.events().at(0).at("impulses").at("F").at("weight").get<double>(), -1.0 - 1.0, 1e-6);
}

TEST(KnownIssues, ABallWithoutContactEndsAtItsLimit) {
  const PageRun ball("ball");
  EXPECT_EQ(ball.outcome(), "zeno");
  expect_message("ball output", ball.messages());
  const PageRun rests("ball way out");
  EXPECT_EQ(rests.outcome(), "reached_stop");
  EXPECT_NEAR(rests.last("h"), 0.0, 1e-6);
  EXPECT_NEAR(rests.last("force"), 9.81, 1e-6);
  // √(2h/g)·(1 + e)/(1 − e); at rtol 1e-6.
  EXPECT_NEAR(rests.file("summary.json").at("accumulations").at(0).at("time").get<double>(),
              std::sqrt(2.0 / 9.81) * 1.5 / 0.5, 1e-5);
}

TEST(KnownIssues, SlidingOfSecondOrderEndsEarly) {
  const PageRun chatters("second order", {}, {}, {"--max-events", "3000"});
  EXPECT_EQ(chatters.outcome(), "event_limit");
  // The interval after n events is of the order of 1/n: 3000 of them cover a small part of 200.
  EXPECT_LT(chatters.file("summary.json").at("end_time").get<double>(), 100.0);
  const PageRun slides("second order way out");
  EXPECT_EQ(slides.outcome(), "reached_stop");
  EXPECT_NEAR(slides.last("x"), 0.0, 1e-5);
  EXPECT_NEAR(slides.last("v"), 0.0, 1e-5);
}

TEST(KnownIssues, ALatchOnTwoSurfacesIsRefused) {
  const PageRun run("latch");
  EXPECT_EQ(run.outcome(), "cycle");
  EXPECT_NE(run.messages().find("a latch would follow several surfaces"), std::string::npos)
      << run.messages();
  EXPECT_EQ(PageRun("latch way out").outcome(), "reached_stop");
}

TEST(KnownIssues, AToggleThatChattersHasNoValue) {
  const PageRun run("toggle");
  EXPECT_EQ(run.outcome(), "cycle");
  EXPECT_NE(run.messages().find("would change what pre() remembers"), std::string::npos) << run.messages();
  EXPECT_EQ(PageRun("toggle way out").outcome(), "reached_stop");
}

TEST(KnownIssues, OfRowsAreSaid) {
  const PageRun cancels("cancelling rows");
  EXPECT_EQ(cancels.outcome(), "no_consistent_start");
  expect_message("cancelling rows output", cancels.messages());
  const PageRun redundant("redundant row");
  EXPECT_EQ(redundant.outcome(), "no_consistent_start");
  expect_message("redundant row output", redundant.messages());
  const PageRun without("redundant row", R"(, "a*b = x")");
  EXPECT_EQ(without.outcome(), "reached_stop");
  EXPECT_NEAR(without.last("x"), std::exp(-1.0), 1e-5);
}

TEST(KnownIssues, OfARowThatFollowsLaterIsSaid) {
  const PageRun later("redundant later");
  EXPECT_EQ(later.outcome(), "no_consistent_start");
  expect_message("redundant later output", later.messages());
  EXPECT_NEAR(PageRun("redundant later", R"(, "der(w) = -2*x")").last("w"), 2.0 * std::exp(-1.0), 1e-5);
  EXPECT_NEAR(PageRun("redundant later", R"("start": 3)", R"("start": 2)").last("w"), 2.0 * std::exp(-1.0),
              1e-5);
}

TEST(KnownIssues, ASmallDifferenceInANonlinearModeIsToldAndHasAWayOut) {
  const PageRun direct("small difference"), signal("small difference way out");
  EXPECT_EQ(direct.outcome(), "reached_stop");
  EXPECT_NE(direct.messages().find("warning: constraint c1 is above zero from t = "), std::string::npos)
      << direct.messages();
  EXPECT_EQ(signal.outcome(), "reached_stop");
  EXPECT_EQ(signal.messages(), "");
  // Once the diode is off the capacitor loses its charge to the load alone: at 100 sin(2 pi) = 0 it still has some.
  EXPECT_LT(direct.last("c"), 0.1);
  EXPECT_GT(signal.last("c"), 0.3);
}

TEST(KnownIssues, AStiffSourceHasAWayOut) {
  const PageRun loose("stiff source", {}, {}, {"--rtol", "1e-4"});
  EXPECT_EQ(loose.outcome(), "reached_stop");
  EXPECT_NEAR(loose.last("i"), 1e-3 * 100.0 * 2.0 * std::acos(-1.0) * 50.0, 0.02) << "C u'";
  const PageRun without("stiff source way out");
  EXPECT_EQ(without.outcome(), "reached_stop");
  EXPECT_NEAR(without.last("a"), 0.0, 1e-4) << "100 sin(10 pi)";
}

TEST(KnownIssues, ASingularModeIsToldThoughNoRunEntersIt) {
  const PageRun bridge("bridge");
  EXPECT_EQ(bridge.outcome(), "reached_stop");
  expect_message("bridge output", bridge.messages());
  for (const auto& event : bridge.events())
    EXPECT_NE(event.at("changed"), nlohmann::json::parse(R"({"up": [0, 1], "down": [0, 1]})"));
}

TEST(KnownIssues, AnEquationOfKnownSamplesHasNoStep) {
  const PageRun run("shift");
  EXPECT_EQ(run.outcome(), "no_consistent_start");
  expect_message("shift output", run.messages());
  const PageRun next("shift", "0 = x - 1", "next(x) = 1");
  EXPECT_EQ(next.outcome(), "reached_stop");
  // Ten samples of 0.1 up to the default stop time.
  EXPECT_NEAR(next.last("w"), 10.0, 1e-12);
}

}  // namespace known_issues_test
}  // namespace mti::test
