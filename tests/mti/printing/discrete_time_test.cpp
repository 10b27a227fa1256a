// Models with a sample time: names, both writings, and what is refused.
#include <gtest/gtest.h>

#include "mti/printing/print.hpp"
#include "tests/mti/model/model_texts.hpp"

namespace mti::test {
namespace discrete_time_test {

Source counter() {
  Source source;
  source.parameters = {{"Ts", 0.25}};
  source.sample_time = Number("Ts/2");
  source.states = {{"n", 2.0}};
  source.inputs = {{"u", Number(1.0)}};
  source.binaries = {{"z"}};
  source.equations = {"next(n)^2 = n + u*(1 - pre(z))", "z = 1 - pre(z)"};
  return source;
}

std::vector<std::string> ids_of(const Source& source) {
  try {
    static_cast<void>(build(source));
  } catch (const InvalidModel& invalid) {
    std::vector<std::string> ids;
    for (const Fault& fault : invalid.faults()) ids.push_back(fault.id + " " + fault.pointer);
    return ids;
  }
  return {};
}

using Ids = std::vector<std::string>;

TEST(DiscreteTime, RowsAreThoseOfNext) {
  const Model model = build(counter());
  EXPECT_EQ(model.sample_time, 0.125);
  EXPECT_TRUE(model.is_discrete());
  EXPECT_EQ(model.signature.row_name(0), "next(n)");
  EXPECT_EQ(derivative_name(model.signature, 1, 2), "next(n, 2)");
  EXPECT_EQ(model.signature.algebraic()[0].name, "n.next.copy1");
  EXPECT_EQ(equation_of(model, 0),
            (Monomials{{"next(n)*n.next.copy1", 1.0}, {"n", -1.0}, {"u", -1.0}, {"u*pre(z)", 1.0}}));
  EXPECT_FALSE(build(decay_source()).is_discrete());
  EXPECT_EQ(build(decay_source()).signature.row_name(0), "der(x)");
}

TEST(DiscreteTime, BothWritingsKeepTheSampleTime) {
  const Model model = build(counter());
  for (const Source& written : {to_equations(model), to_matrices(model)}) {
    const Model again = build(written);
    EXPECT_EQ(again.sample_time, model.sample_time);
    EXPECT_EQ(again.signature, model.signature);
    for (int row = 0; row < model.equations(); ++row)
      EXPECT_EQ(equation_of(again, row), equation_of(model, row));
  }
  EXPECT_EQ(to_equations(build(decay_source())).sample_time, std::nullopt);
}

TEST(DiscreteTime, RefusesWhatBelongsToTheOtherTime) {
  EXPECT_EQ(ids_of(counter()), Ids{});
  Source source = counter();
  source.equations.emplace_back("der(n) = 1");
  EXPECT_EQ(ids_of(source), Ids{"der-in-discrete-model /equations/2"});
  source = counter();
  source.equations.emplace_back("next(u) = 1");
  EXPECT_EQ(ids_of(source), Ids{"next-of-non-state /equations/2"});
  source = counter();
  source.transitions = {{.when = "rise(z)", .equations = {"n = 0"}}};
  EXPECT_EQ(ids_of(source), Ids{"transition-in-discrete-model /transitions"});
  source = decay_source();
  source.equations = {"next(x) = -x"};
  EXPECT_EQ(ids_of(source), Ids{"next-in-continuous-model /equations/0"});
  for (const Number& number : {Number(0.0), Number(-1.0), Number("1 - 2")}) {
    source = counter();
    source.sample_time = number;
    EXPECT_EQ(ids_of(source), Ids{"bad-sample-time /sample_time"});
  }
  source = counter();
  source.sample_time = std::numeric_limits<double>::infinity();
  EXPECT_EQ(ids_of(source), Ids{"not-finite /sample_time"});
}

/// A signal of a continuous model may go on being called next.
TEST(DiscreteTime, NextIsNoReservedName) {
  Source source = decay_source();
  source.states[0].name = "next";
  source.equations = {"der(next) = -next"};
  EXPECT_EQ(ids_of(source), Ids{});
}

}  // namespace discrete_time_test
}  // namespace mti::test
