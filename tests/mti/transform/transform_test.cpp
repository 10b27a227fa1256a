// Reductions and transformations of models: each keeps f and g at random points, with what it has eliminated
// recovered; what goes and what stays is compared with models small enough to tell by hand.

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/transform/eliminate_aliases.hpp"
#include "mti/transform/eliminate_explicit.hpp"
#include "mti/transform/merge_equal.hpp"
#include "mti/transform/normalise_factors.hpp"
#include "mti/transform/permute.hpp"
#include "mti/transform/reduce.hpp"
#include "mti/transform/scale_signals.hpp"
#include "tests/mti/model/model_texts.hpp"
#include "tests/mti/transform/transform_checks.hpp"

namespace mti::test {
namespace transform_test {

/// Substitutions multiply a few factors and add a few columns: some dozen roundings.
constexpr double few_roundings = 64.0 * std::numeric_limits<double>::epsilon();

std::vector<std::string> algebraic_names(const Model& model) {
  std::vector<std::string> names;
  for (const Signal& signal : model.signature.algebraic()) names.push_back(signal.name);
  return names;
}

using Names = std::vector<std::string>;

/// Signals y1 … y6 bound in many ways, with laws, scenarios, powers and memory.
Source bound_source() {
  Source source;
  source.name = "bound";
  source.states = {{"x", 0.5, "m", 2.0}, {"v", 0.0, "m/s", 5.0}};
  source.inputs = {
      {"u", Number(2.0), "N", 10.0},
      {"w", SineSource{.amplitude = 2.0, .frequency = 3.0, .phase = 0.1, .offset = 1.0}, "V", 4.0},
      {"s", TableSource{.time = {0.0, 1.0, 3.0}, .value = {0.0, 2.0, 1.0}}},
      {.name = "on", .form = TableSource{.time = {0.0, 1.0}, .value = {0.0, 1.0}}, .binary = true}};
  source.algebraic = {{"y1", 0.1, "N", 3.0}, {"y2", 0.2, "N"}, {"y3", 0.3},
                      {"y4", 0.4},           {"y5", 0.5},      {"y6", 0.6}};
  source.binaries = {{"z", 0.0}, {"o", 1.0}};
  source.equations = {{"motion", "der(x) = v"},
                      {"force", "2*der(v) = y1 - x^2*y6 + y5*time"},
                      {"same", "y1 = y2"},
                      {"opposite", "y2 + y3 = 0"},
                      {"number", "4*y4 - 2 = 0"},
                      {"explicit", "y5 = x*z - 3*w"},
                      {"given", "y3*(1 - z) + (y3 - u)*z + x*y4 = 0"},
                      {"bend", "y6*(1 + z) = x*on + pre(o)*s"}};
  source.constraints = {{"floor", "-x <= 0"}, {"limit", "(y1 - 7)*(1 - z) <= 0"}, {"low", "y4*v - o <= 9"}};
  source.invariants = {"not (z and on)"};
  source.transitions = {{"reach(floor)", {"motion"}, {"v = -0.5*pre(v) + pre(y2)*0"}},
                        {"rise(z)", {}, {"v = pre(v)"}}};
  source.scenarios = {{"rest", "z", {"der(v) = 0", "v^2 = u*x"}}};
  source.experiment = {.start = 1.0, .stop = 5.0, .output_interval = Number(0.5)};
  return source;
}

TEST(EliminateAliases, FollowsChainsAndKeepsTheValues) {
  const Model model = build(bound_source());
  const Transformed reduced = eliminate_aliases(model);
  EXPECT_LE(largest_change(model, reduced), few_roundings);
  // y1 = y2 = −y3 is one signal, that declared first; y4 = ½; the copy of x stays for x².
  EXPECT_EQ(algebraic_names(reduced.model), (Names{"y1", "y5", "y6", "x.copy1"}));
  EXPECT_EQ(reduced.model.equations(), model.equations() - 3);
  const std::vector<std::string> gone = eliminated_signals(reduced.recovery);
  EXPECT_EQ(gone, (Names{"y2 = y1", "y3 = -y1", "y4 = 0.5"}));
}

TEST(EliminateAliases, KeepsNamedOutputs) {
  const Model model = build(bound_source());
  const Transformed reduced = eliminate_aliases(model, {.keep = {"y3", "y4"}});
  EXPECT_EQ(algebraic_names(reduced.model), (Names{"y3", "y4", "y5", "y6", "x.copy1"}));
  EXPECT_LE(largest_change(model, reduced), few_roundings);
  const Transformed both = eliminate_aliases(model, {.keep = {"y1", "y3"}});
  EXPECT_EQ(algebraic_names(both.model), (Names{"y1", "y3", "y5", "y6", "x.copy1"}));
  try {
    static_cast<void>(eliminate_aliases(model, {.keep = {"y33"}}));
    FAIL() << "an unknown name passed";
  } catch (const InvalidModel& error) {
    EXPECT_EQ(error.faults().front().id, "unknown-name");
  }
}

TEST(EliminateAliases, PrefersStatesInputsAndAffineRelations) {
  Source source = decay_source();
  source.inputs = {{"u", Number(1.0)}};
  source.algebraic = {{"a"}, {"b"}, {"c"}, {"d"}};
  source.equations = {"der(x) = a + b*c + d", "2*a = 3*x - 1", "b = c", "c = u", "d + 2*d*x = x"};
  const Model model = build(source);
  const Transformed reduced = eliminate_aliases(model);
  EXPECT_EQ(algebraic_names(reduced.model), (Names{"b", "d"})) << "b*c would be u*u if both became u";
  EXPECT_LE(largest_change(model, reduced), few_roundings);
}

// A law reads y before and after the jump, and puts equations out of force.
TEST(EliminateAliases, CarriesLawsAndScenarios) {
  const Model model = build(bound_source());
  const Transformed reduced = eliminate_aliases(model);
  const Signature& signature = reduced.model.signature;
  ASSERT_EQ(reduced.model.transitions.size(), 2U);
  EXPECT_EQ(reduced.model.transitions[0].replaces, (std::vector<int>{0}));
  EXPECT_EQ(reduced.model.transitions[0].equations.signals(), 2 * signature.size());
  EXPECT_EQ(reduced.model.scenarios[0].copied, (std::vector<int>{signature.state_row(1)}));
  EXPECT_EQ(reduced.model.invariants[0].steps[1].row, signature.input_row(3));
  Source source = bound_source();
  source.transitions[0].replaces = {"same"};
  EXPECT_EQ(eliminate_aliases(build(source)).model.equations(), model.equations() - 2)
      << "what a law puts out of force is no alias";
}

TEST(EliminateExplicit, MultipliesOut) {
  Source source = decay_source();
  source.inputs = {{"u", Number(1.0)}, {"w", Number(2.0)}};
  source.algebraic = {{"y"}, {"q"}, {"r"}};
  source.binaries = {{"z"}};
  source.equations = {"der(x) = u*y + q*(1 - z)", "2*y = 3*x*w - 1", "q = y*x + q*u", "r = q*u*x + w"};
  const Model model = build(source);
  const Transformed reduced = eliminate_explicit(model, {.most_new_columns = 10});
  // y·x would be x², and q = … is not explicit; r is used nowhere.
  EXPECT_EQ(algebraic_names(reduced.model), (Names{"y", "q"}));
  EXPECT_LE(largest_change(model, reduced), few_roundings);
  source.equations[2] = "q*x = 1";
  const Model other = build(source);
  const Transformed without = eliminate_explicit(other, {.most_new_columns = 10});
  EXPECT_EQ(algebraic_names(without.model), (Names{"q"}));
  EXPECT_LE(largest_change(other, without), few_roundings);
  // u*y → ¾ columns: x·w·u and u in the place of y·u, y, x·w, 1.
  EXPECT_LE(without.model.columns(), other.columns());
}

TEST(EliminateExplicit, StaysWithinItsGrowth) {
  Source source = decay_source();
  source.inputs = {{"a", Number(1.0)}, {"b", Number(2.0)}, {"c", Number(2.0)}, {"d", Number(2.0)}};
  source.algebraic = {{"y"}, {"q"}, {"r"}};
  source.equations = {"der(x) = y*a + q*b*c", "y = q + r + d - 4", "q*x + r = y*b", "q*r = 1"};
  const Model model = build(source);
  for (int limit = 0; limit < 10; ++limit) {
    const Transformed reduced = eliminate_explicit(model, {.most_new_columns = limit});
    const int gone = model.signature.p() - reduced.model.signature.p();
    EXPECT_LE(reduced.model.columns(), model.columns() + limit * gone);
    EXPECT_LE(largest_change(model, reduced, 100), few_roundings);
  }
  EXPECT_EQ(eliminate_explicit(model).model.signature.p(), 3) << "it would grow";
  EXPECT_LT(eliminate_explicit(model, {.most_new_columns = 10}).model.signature.p(), 3);
}

TEST(MergeEqual, RowsThatAreMultiples) {
  Source source = decay_source();
  source.algebraic = {{"y"}, {"q"}};
  source.equations = {"der(x) = 0.1*y - q/3",
                      {"twice", "-3*der(x) = q - 0.3*y"},
                      "y*x = 1",
                      "q*x = 7",
                      {"again", "7*y*x = 7"}};
  source.constraints = {
      {"a", "0.7*x - 2 <= 0"}, {"b", "2.1*x - 6 <= 0"}, {"c", "1.4*x >= 4"}, {"d", "1.4*x <= 4"}};
  const Model model = build(source);
  const Transformed merged = merge_equal(model);
  EXPECT_LE(largest_change(model, merged), few_roundings);
  // 0.3/0.1 is not 3 in doubles, nor is 2.1/0.7: only exact multiples go.
  EXPECT_EQ(merged.model.equation_names, (Names{"eq1", "twice", "eq3", "eq4"}));
  EXPECT_EQ(merged.model.constraint_names, (Names{"a", "b", "c"}));
  EXPECT_EQ(merged.recovery.constraints[3].row, 0);
  EXPECT_EQ(merged.recovery.constraints[3].factor, 2.0);
}

TEST(MergeEqual, KeepsWhatLawsNeed) {
  Source source = decay_source();
  source.algebraic = {{"y"}};
  source.equations = {
      {"one", "der(x) = y"}, {"two", "2*der(x) = 2*y"}, {"three", "4*y = 4*der(x)"}, {"r", "y = 1"}};
  source.constraints = {{"a", "x <= 0"}, {"b", "2*x <= 0"}, {"c", "4*x <= 0"}};
  source.transitions = {{"reach(b)", {"two"}, {"x = pre(x)"}}};
  const Transformed merged = merge_equal(build(source));
  EXPECT_EQ(merged.model.equation_names, (Names{"one", "two", "r"}));
  EXPECT_EQ(merged.model.constraint_names, (Names{"b"}));
  EXPECT_EQ(merged.model.transitions[0].target, 0);
  EXPECT_EQ(merged.model.transitions[0].replaces, (std::vector<int>{1}));
}

TEST(MergeEqual, ColumnsUpToSigns) {
  Model model = build(decay_source());
  SparseColumns S(2, 4), Phi(1, 4);
  const std::vector<Eigen::Triplet<double>> factors = {{0, 0, 1.0}, {1, 1, 1.0}, {1, 2, -1.0}, {1, 3, 0.5}};
  const std::vector<Eigen::Triplet<double>> weights = {{0, 0, 1.0}, {0, 1, 3.0}, {0, 2, 1.0}};
  S.setFromTriplets(factors.begin(), factors.end());
  Phi.setFromTriplets(weights.begin(), weights.end());
  model.S = S;
  model.Phi_eq = Phi;
  model.Phi_ineq = SparseColumns(0, 4);
  const Transformed merged = merge_equal(model);
  EXPECT_EQ(merged.model.columns(), 2) << "3x − x is one column; the last is in no row";
  EXPECT_LE(largest_change(model, merged), few_roundings);
}

TEST(Reduce, IsIdempotentAndKeepsTheValues) {
  for (const Source& source : {bound_source(), three_tank_source()})
    for (const int growth : {0, 3, 50}) {
      const EliminationOptions options{.most_new_columns = growth};
      const Model model = build(source);
      const Transformed once = reduce(model, options);
      EXPECT_LE(largest_change(model, once), few_roundings);
      expect_same(reduce(once.model, options).model, once.model);
    }
}

TEST(ScaleSignals, NominalsAndBack) {
  const Model model = build(bound_source());
  Scaling scaling = nominal_scaling(model);
  scaling.time = 60.0;
  scaling.states[0].offset = 273.0;
  scaling.inputs[1].offset = -1.0;
  scaling.algebraic[5].scale = -3.0;
  const Transformed scaled = scale_signals(model, scaling);
  EXPECT_LE(largest_change(model, scaled), few_roundings);
  const Signature& signature = scaled.model.signature;
  EXPECT_EQ(signature.states()[1].unit, "5 m/s");
  EXPECT_EQ(signature.states()[1].nominal, 1.0);
  EXPECT_DOUBLE_EQ(scaled.model.x_start[0], (0.5 - 273.0) / 2.0);
  EXPECT_DOUBLE_EQ(scaled.model.experiment.stop, 5.0 / 60.0);
  // Courses: u(t) = offset + scale u'(t').
  for (int i = 0; i < signature.m(); ++i)
    for (const double t : {0.0, 0.4, 1.7, 2.9}) {
      const auto at = static_cast<std::size_t>(i);
      const double value = model.inputs[at].piece(t).value(t),
                   other = scaled.model.inputs[at].piece(t / 60.0).value(t / 60.0);
      const bool clock = i == 4;
      const SignalUnit& unit = scaling.inputs[at];
      EXPECT_NEAR(value, clock ? 60.0 * other : unit.offset + unit.scale * other, 1e-13) << i;
    }
  const Transformed back = scale_signals(scaled.model, inverse(scaling, model));
  EXPECT_EQ(back.model.signature.states()[0].unit, "m");
  ASSERT_EQ(back.model.S.nonZeros(), model.S.nonZeros());
  EXPECT_LE((back.model.S - model.S).norm(), few_roundings * model.S.norm());
  EXPECT_LE((back.model.Phi_eq - model.Phi_eq).norm(), few_roundings * model.Phi_eq.norm());
  EXPECT_LE((back.model.Phi_ineq - model.Phi_ineq).norm(), few_roundings * model.Phi_ineq.norm());
  EXPECT_NEAR(back.model.x_start[0], model.x_start[0], 1e-13);
  EXPECT_NEAR(back.model.experiment.stop, model.experiment.stop, 1e-13);
  expect_same(scale_signals(model, no_scaling(model)).model, model);
}

TEST(ScaleSignals, RefusesWhatCannotBeScaled) {
  const Model model = build(bound_source());
  Scaling scaling = no_scaling(model);
  scaling.inputs[3].scale = 2.0;
  scaling.states[0].scale = 0.0;
  scaling.time = -1.0;
  scaling.algebraic.pop_back();
  try {
    static_cast<void>(scale_signals(model, scaling));
    FAIL() << "it passed";
  } catch (const InvalidOption& error) {
    std::vector<std::string> ids;
    for (const Fault& fault : error.faults()) ids.push_back(fault.id + " " + fault.pointer);
    EXPECT_EQ(ids, (Names{"bad-option x", "bad-option on", "matrix-size ", "bad-option time"}));
  }
}

std::vector<int> shuffled(int size, Random& random) {
  std::vector<int> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.index(static_cast<int>(i)))]);
  return order;
}

TEST(Permute, AndBack) {
  Random random(5);
  for (const Source& source : {bound_source(), three_tank_source()}) {
    const Model model = build(source);
    const Signature& signature = model.signature;
    for (int i = 0; i < 20; ++i) {
      const Order order = {shuffled(signature.n(), random),     shuffled(signature.m(), random),
                           shuffled(signature.p(), random),     shuffled(signature.q(), random),
                           shuffled(model.equations(), random), shuffled(model.constraints(), random)};
      const Transformed permuted = permute(model, order);
      EXPECT_LE(largest_change(model, permuted, 50), few_roundings);
      EXPECT_EQ(permuted.model.equation_names[0],
                model.equation_names[static_cast<std::size_t>(order.equations[0])]);
      expect_same(permute(permuted.model, inverse(order)).model, model);
    }
  }
  const Model model = build(bound_source());
  for (const auto& [order, id] : {std::pair(Order{.states = {0}}, "matrix-size"),
                                  {Order{.states = {0, 0}}, "duplicate-entry"},
                                  {Order{.binaries = {0, 2}}, "index-out-of-range"}}) {
    try {
      static_cast<void>(permute(model, order));
      FAIL() << id;
    } catch (const InvalidOption& error) {
      EXPECT_EQ(error.faults().front().id, id);
    }
  }
}

// 2z − 1 as S = 2 and anything else beyond 1, against the definition (6).
TEST(NormaliseFactors, KeepsTheFunction) {
  Random random(7);
  CpMap map = random_map(random, 6, 4, 30, 4);
  SparseColumns S = map.S();
  for (int k = 0; k < S.outerSize(); ++k)
    for (SparseColumns::InnerIterator factor(S, k); factor; ++factor)
      if (random.index(2) == 0) factor.valueRef() = random.uniform(-5.0, 5.0);
  const CpMap normal = normalise_factors(S, map.Phi());
  ASSERT_NO_THROW(CpMap(normal.S(), normal.Phi())) << "it is normalised";
  EXPECT_THROW(CpMap(S, map.Phi()), InvalidModel) << "it was not";
  for (int i = 0; i < 1000; ++i) {
    const std::vector<double> v = random.point(6);
    const auto f = naive_value(normal, v);
    std::vector<long double> expected(4, 0.0L), size(4, 0.0L);
    for (int k = 0; k < S.outerSize(); ++k) {
      long double product = 1.0L, bound = 1.0L;
      for (SparseColumns::InnerIterator factor(S, k); factor; ++factor) {
        const long double value = factor.value(), at = v[static_cast<std::size_t>(factor.row())];
        product *= 1.0L - std::abs(value) + value * at;
        bound *= std::abs(1.0L - std::abs(value)) + std::abs(value * at);
      }
      for (SparseColumns::InnerIterator entry(map.Phi(), k); entry; ++entry) {
        expected[static_cast<std::size_t>(entry.row())] += entry.value() * product;
        size[static_cast<std::size_t>(entry.row())] += std::abs(entry.value()) * bound;
      }
    }
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_NEAR(static_cast<double>(f[j]), static_cast<double>(expected[j]),
                  few_roundings * static_cast<double>(size[j]));
  }
}

// Negative controls: what the checks above would say of a wrong result.
TEST(TransformChecks, SeeAWrongResult) {
  const Model model = build(bound_source());
  Transformed reduced = reduce(model, {.most_new_columns = 50});
  reduced.model.Phi_eq.coeffRef(0, 0) *= 1.0 + 1e-9;
  EXPECT_GT(largest_change(model, reduced), few_roundings);
  Transformed scaled = scale_signals(model, nominal_scaling(model));
  scaled.recovery.stages[0].v = scale_signals(model, no_scaling(model)).recovery.stages[0].v;
  EXPECT_GT(largest_change(model, scaled), few_roundings);
}

}  // namespace transform_test
}  // namespace mti::test
