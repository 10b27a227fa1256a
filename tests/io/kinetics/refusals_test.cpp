// What is refused, by name: the model's meaning is never guessed.
#include <gtest/gtest.h>

#include "tests/io/kinetics/sbml_model.hpp"

namespace mti {
namespace refusals_test {

using test::refusals_of;
using test::SbmlModel;
using Ids = std::vector<std::string>;

SbmlModel rule_of(const std::string& formula) {
  SbmlModel model;
  model.parameter("x", "1", false).rate("x", "1").parameter("y", "", false).assignment("y", formula);
  return model;
}

TEST(SbmlRefusals, OfFormulas) {
  EXPECT_EQ(refusals_of(rule_of("x + 1").text()), Ids{});
  EXPECT_EQ(refusals_of(rule_of("delay(x, 1)").text()), Ids{});
  EXPECT_EQ(refusals_of(rule_of("delay(x, x)").text()), Ids{"sbml-delay /y"});
  EXPECT_EQ(refusals_of(rule_of("delay(x, -1)").text()), Ids{"sbml-delay /y"});
  EXPECT_EQ(refusals_of(rule_of("delay(x, 0)").text()), Ids{});
  EXPECT_EQ(refusals_of(rule_of("delay(x, T)").parameter("T", "0").text()), Ids{"sbml-delay /y"});
  EXPECT_EQ(refusals_of(rule_of("piecewise(1, eq(x, 2), 0)").text()), Ids{"sbml-equality /y"});
  EXPECT_EQ(refusals_of(rule_of("piecewise(1, lt(x, 2))").text()), Ids{"sbml-piecewise /y"});
  EXPECT_EQ(refusals_of(rule_of("x + infinity").text()), Ids{"sbml-not-finite /y"});
  SbmlModel rate;  // at the start, of what changes with its compartment
  rate.compartment("C", "size='1'", false).rate("C", "1").species("S", "initialConcentration='1'");
  rate.parameter("p", "").initial("p", "rateOf(S)");
  rate.parameter("y", "1", false).rate("y", "p");
  EXPECT_EQ(refusals_of(rate.text()), Ids{"sbml-rate-of /p"});
  SbmlModel past;
  past.compartment("C", "size='1'", false).rate("C", "1").species("S", "initialConcentration='1'");
  past.parameter("y", "", false).assignment("y", "delay(rateOf(S), 1)");
  EXPECT_EQ(refusals_of(past.text()), Ids{"sbml-delay /y"});
}

TEST(SbmlRefusals, OfValues) {
  SbmlModel missing;
  missing.parameter("k", "").parameter("x", "1", false).rate("x", "k");
  EXPECT_EQ(refusals_of(missing.text()), Ids{"sbml-no-value /k"});
  SbmlModel species;
  species.compartment("C").species("S", "").reaction("R", "S", "", "1");
  EXPECT_EQ(refusals_of(species.text()), Ids{"sbml-no-value /S"});
  SbmlModel no_size;
  no_size.compartment("C", "").species("S", "initialAmount='1'").reaction("R", "S", "", "1");
  EXPECT_EQ(refusals_of(no_size.text()), Ids{"sbml-no-value /C"});
  SbmlModel infinite;
  infinite.parameter("k", "INF").parameter("x", "1", false).rate("x", "k");
  EXPECT_EQ(refusals_of(infinite.text()), Ids{"sbml-not-finite /k"});
  // Of no use, no fault.
  SbmlModel unused;
  unused.parameter("k", "").compartment("C", "").parameter("x", "1", false).rate("x", "1");
  EXPECT_EQ(refusals_of(unused.text()), Ids{});
}

TEST(SbmlRefusals, OfReactionsAndRules) {
  SbmlModel without;
  without.compartment("C").species("S", "initialAmount='1'").reaction("R", "S", "", "");
  EXPECT_EQ(refusals_of(without.text()), Ids{"sbml-no-math /R"});
  SbmlModel fast(3, 1);
  fast.compartment("C").species("S", "initialAmount='1'").fast_reaction("R", "S", "", "S");
  EXPECT_EQ(refusals_of(fast.text()), Ids{});
  SbmlModel assigned = fast;
  assigned.event("E", "geq(time, 1)", {{"S", "2"}});
  EXPECT_EQ(refusals_of(assigned.text()), Ids{"sbml-fast-reaction /E"});
  SbmlModel named = fast;
  named.parameter("y", "", false).assignment("y", "2*R");
  EXPECT_EQ(refusals_of(named.text()), Ids{"sbml-fast-reaction /R"});
  SbmlModel open;
  open.parameter("a", "1", false).parameter("b", "1", false).algebraic("a + b - 3");
  EXPECT_EQ(refusals_of(open.text()), Ids{"sbml-algebraic-rule /algebraicRule"});
}

TEST(SbmlRefusals, OfEvents) {
  const auto with = [](const std::string& trigger, const std::string& formula,
                       const SbmlModel::EventForm& form) {
    SbmlModel model;
    model.parameter("x", "0", false)
        .rate("x", "1")
        .parameter("a", "0", false)
        .event("E", trigger, {{"a", formula}}, form);
    return model.text();
  };
  EXPECT_EQ(refusals_of(with("gt(x, 1)", "x", {})), Ids{});
  EXPECT_EQ(refusals_of(with("eq(x, 1)", "x", {})), Ids{"sbml-equality /E"});
  EXPECT_EQ(refusals_of(with("gt(x, 1)", "delay(x, a)", {})), Ids{"sbml-delay /E"});
  EXPECT_EQ(refusals_of(with("gt(x, 1)", "x", {.delay = "-1"})), Ids{"sbml-event /E"});
  // On which side of 0.12345 is a formula when a has been made 0.12345? A trigger knows; halves are compared at quarters.
  const auto compared = [](const std::string& number) {
    SbmlModel model;
    model.parameter("a", "0", false).parameter("x", "0", false);
    model.rate("x", "piecewise(1, geq(a, " + number + "), 0)").event("E", "geq(time, 1)", {{"a", number}});
    return model.text();
  };
  EXPECT_EQ(refusals_of(compared("0.12345")), Ids{"sbml-event /x"});
  EXPECT_EQ(refusals_of(compared("0.5")), Ids{});
  EXPECT_EQ(refusals_of(with("gt(a, 0.12345)", "0.12345", {})), Ids{});
  // On which side of 1 is the formula where x passes 1? By itself, turned round, or by a rule; elsewhere it is known.
  EXPECT_EQ(refusals_of(with("gt(x, 1)", "piecewise(10, gt(x, 1), 5)", {})), Ids{"sbml-event /E"});
  EXPECT_EQ(refusals_of(with("gt(x, 1)", "2*piecewise(10, lt(1, x), 5)", {})), Ids{"sbml-event /E"});
  EXPECT_EQ(refusals_of(with("gt(x, 1)", "piecewise(10, gt(x, 0.5), 5)", {})), Ids{});
  SbmlModel rule;
  rule.parameter("a", "0", false)
      .parameter("z", "0", false)
      .assignment("z", "piecewise(10, geq(time, 1), 5)");
  rule.event("E", "geq(time, 1)", {{"a", "z"}});
  EXPECT_EQ(refusals_of(rule.text()), Ids{"sbml-event /E"});
}

}  // namespace refusals_test
}  // namespace mti
