// Functions of a binary keep their values at 0 and 1 through everything that is made of them: functions of
// signals, quotients, comparisons, elimination and merging. R = G z + L (1 − z) is G and L, whatever G/L is.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/clocks/next_values.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/components/connect.hpp"
#include "mti/model/freeze.hpp"
#include "mti/reduction/cp_rank.hpp"
#include "mti/transform/reduce.hpp"

namespace mti {
namespace switched_values_test {

Source frame(const std::vector<std::string>& signals, const std::vector<std::string>& equations) {
  Source source;
  source.states = {{"x", 1.0}};
  source.inputs = {{.name = "s", .form = Number(0.0), .binary = true}};
  source.equations = {"der(x) = 0"};
  for (const std::string& signal : signals) source.algebraic.push_back({signal, 0.0});
  for (const std::string& equation : equations) source.equations.emplace_back(equation);
  return source;
}

Mode mode_at(const Model& model, bool s) {
  Mode mode;
  mode.z.assign(at(model.signature.q()), 0);
  mode.pre.assign(at(model.signature.size() - model.signature.binary_row(model.signature.q())), 0);
  mode.binary_inputs = {static_cast<char>(s)};
  return mode;
}

/// −(what is not y)/(coefficient of y) at x = 1 where equation `row` holds y and x alone.
double value_of(const Model& model, int row, const std::string& name, bool s) {
  const CpMap f = freeze(model, mode_at(model, s)).f;
  const int y = *model.signature.find(name);
  double slope = 0.0, rest = 0.0;
  for (int k = 0; k < f.columns(); ++k) {
    const SparseColumns::InnerIterator factor(f.S(), k);
    const double Phi = f.Phi().coeff(row, k);
    if (factor && factor.row() == y)
      slope += Phi * factor.value();
    else
      rest += Phi;
  }
  return -rest / slope;
}

TEST(SwitchedValues, FunctionsAndQuotientsOfABinary) {
  for (const double G : {1e-6, 1e-12, 3e-15, 2.0}) {
    const std::string R = "(" + std::to_string(0) + " + " +
                          (G == 1e-6    ? "1e-6"
                           : G == 1e-12 ? "1e-12"
                           : G == 3e-15 ? "3e-15"
                                        : "2") +
                          "*s + 1e9*(1 - s))";
    const Model model =
        build(frame({"a", "b", "c", "d"}, {"a = 1/" + R, "b = sqrt" + R, "c = log" + R, "d = x/" + R}));
    for (const bool s : {false, true}) {
      const double value = s ? G : 1e9;
      EXPECT_DOUBLE_EQ(value_of(model, 1, "a", s), 1.0 / value);
      EXPECT_DOUBLE_EQ(value_of(model, 2, "b", s), std::sqrt(value));
      EXPECT_DOUBLE_EQ(value_of(model, 3, "c", s), std::log(value));
      EXPECT_DOUBLE_EQ(value_of(model, 4, "d", s), 1.0 / value);
    }
  }
}

// Arguments that differ at s = 1 only are two, equal ones one.
TEST(SwitchedValues, DifferentExpressionsAreDifferentSignals) {
  const auto signals = [](const std::string& G) {
    return build(frame({"a", "b"},
                       {"a = sqrt(x*(1e-9*s + 1e9*(1 - s)))", "b = sqrt(x*(" + G + "*s + 1e9*(1 - s)))"}))
        .signature.p();
  };
  EXPECT_EQ(signals("3e-9"), signals("3"));
  EXPECT_LT(signals("1e-9"), signals("3e-9"));
  const auto binaries = [](const std::string& G) {
    return build(frame({"a", "b"}, {"a = (x*(1e-3*s + 1e15*(1 - s)) > 0.02*s)",
                                    "b = (x*(" + G + "*s + 1e15*(1 - s)) > 0.02*s)"}))
        .signature.q();
  };
  EXPECT_EQ(binaries("4e-2"), 2);
  EXPECT_EQ(binaries("1e-3"), 1);
}

// R > 0.00099 holds for both values of s, so the comparison is 1, a number.
TEST(SwitchedValues, ComparisonsOfSignalsDefinedByBinaries) {
  const Model model = build(frame({"R", "w"}, {"R = 1e-3*s + 1e12*(1 - s)", "w = (R > 0.00099)"}));
  const Model twin = build(frame({"R", "w"}, {"R = 2*s + 3*(1 - s)", "w = (R > 0.00099)"}));
  ASSERT_EQ(model.equations(), twin.equations());
  ASSERT_EQ(model.signature.q(), twin.signature.q());
  for (const bool s : {false, true}) {
    const CpMap f = freeze(model, mode_at(model, s)).f, g = freeze(twin, mode_at(twin, s)).f;
    for (int row = 2; row < f.rows(); ++row) {
      double sum = 0.0, expected = 0.0;  // at v = 1, where every product of signals is 1
      for (int k = 0; k < f.columns(); ++k) sum += f.Phi().coeff(row, k);
      for (int k = 0; k < g.columns(); ++k) expected += g.Phi().coeff(row, k);
      EXPECT_EQ(sum, expected) << row;
    }
  }
}

/// Σ Φ of the columns of a frozen row that hold only the signals wanted, at v = 1.
double coefficient(const Model& model, int row, const std::string& name, bool s) {
  const CpMap f = freeze(model, mode_at(model, s)).f;
  double sum = 0.0;
  for (int k = 0; k < f.columns(); ++k) {
    const SparseColumns::InnerIterator factor(f.S(), k);
    if (factor && factor.row() == *model.signature.find(name)) sum += factor.value() * f.Phi().coeff(row, k);
  }
  return sum;
}

TEST(SwitchedValues, SurviveMergingOfColumns) {
  const Model model = build(frame({"i"}, {"x = i*(1e-6*s + 1e9*(1 - s))"}));
  const Model merged = reduce_rank(model, {}).model;
  for (const bool s : {false, true}) EXPECT_DOUBLE_EQ(coefficient(merged, 1, "i", s), s ? -1e-6 : -1e9);
  // What loses nothing is still merged: x s + x (1 − s) = x.
  const Model plain = build(frame({"i"}, {"i = 2*x*s + 4*x*(1 - s)"}));
  EXPECT_LE(reduce_rank(plain, {}).model.columns(), plain.columns());
}

// R is no alias of s; 1 − s and 5 s are.
TEST(SwitchedValues, SurviveTheEliminationOfAliases) {
  const Model model = build(frame({"R", "i"}, {"R = 1e-6*s + 1e9*(1 - s)", "x = R*i"}));
  const Model reduced = reduce(model).model;
  if (reduced.signature.find("R"))
    for (const bool s : {false, true}) EXPECT_DOUBLE_EQ(value_of(reduced, 1, "R", s), s ? 1e-6 : 1e9);
  else
    for (const bool s : {false, true})
      EXPECT_DOUBLE_EQ(std::abs(coefficient(reduced, 1, "i", s)), s ? 1e-6 : 1e9);
  EXPECT_FALSE(reduce(build(frame({"R", "i"}, {"R = 1 - s", "x = (R + 1)*i"}))).model.signature.find("R"));
  EXPECT_FALSE(reduce(build(frame({"R", "i"}, {"R = 5*s", "x = (R + 1)*i"}))).model.signature.find("R"));
}

TEST(SwitchedValues, ItemsOfABalanceStayApart) {
  Source source, twin;
  source = twin = frame({"q", "r"}, {"r = 3"});
  balance(source, {"if x > 0 then q else 2*q", "r"}, "node");
  balance(twin, {"r", "(if x > 0 then q else 2*q)"}, "node");
  const Model model = build(source), expected = build(twin);
  EXPECT_EQ(source.equations.back().text, "(if x > 0 then q else 2*q) + r = 0");
  EXPECT_EQ(model.columns(), expected.columns());
  EXPECT_EQ(model.signature.q(), expected.signature.q());
}

// NaN decides nothing: no number comes of what is none. A guard keeps what is not defined from being used.
TEST(SwitchedValues, NoNumbersOfWhatIsNone) {
  for (const char* text :
       {"pos(log(-1))", "step(sqrt(-1))", "if log(-1) > 0 then 1 else 2", "max(1, sqrt(-1))", "min(5, 0^-1)",
        "1/(0^-1)", "clamp(3, sqrt(-1), sqrt(-1))", "sqrt(-1)^0", "1^log(-1)", "1/log(0)", "max(2, log(0))",
        "exp(atanh(-1))", "if sqrt(-1) then 1 else 2"}) {
    Source source = frame({}, {});
    source.parameters = {{"p", text}};
    EXPECT_THROW((void)build(source), InvalidModel) << text;
    Source equation = frame({"y"}, {std::string("y = x + ") + "(" + text + ")"});
    EXPECT_THROW((void)build(equation), InvalidModel) << text;
  }
  for (const char* text :
       {"if -1 >= 0 then sqrt(-1) else 2", "min(2, exp(1000))", "2 + 1/exp(1000)", "2^1 + 0^2"}) {
    Source source = frame({"y"}, {"y = p*x"});
    source.parameters = {{"p", text}};
    EXPECT_EQ(value_of(build(source), 1, "y", false), 2.0) << text;
  }
}

// A keyword before the parenthesis stays one: what is written closely is what is written with blanks.
TEST(SwitchedValues, NextValuesDoNotGrowTogetherWithWords) {
  Source source =
      frame({}, {"y = if x > 0 then(next(x))else(next( x ))", "y = (next(x))*(2)", "y = 3*next(x)"});
  std::vector<Fault> faults;
  (void)replace_next_values(source, faults);
  EXPECT_TRUE(faults.empty());
  std::vector<std::string> texts;
  for (const RelationSource& equation : source.equations) {
    texts.emplace_back();
    for (const char c : equation.text)
      if (c != ' ') texts.back() += c;
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"der(x)=0", "y=ifx>0then(x.next)else(x.next)", "y=(x.next)*(2)",
                                             "y=3*x.next"}));
}

}  // namespace switched_values_test
}  // namespace mti
