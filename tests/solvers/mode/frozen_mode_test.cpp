#include "solvers/mode/frozen_mode.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "tests/solvers/random_multimode_model.hpp"

/// What freezing leaves of the rows, from the model and from another mode.
namespace mti {
namespace frozen_mode_test {

void expect_same_rows(const RowMap& a, const RowMap& b) {
  ASSERT_EQ(a.rows(), b.rows());
  for (int row = 0; row < a.rows(); ++row) {
    ASSERT_EQ(a.terms(row).size(), b.terms(row).size());
    for (std::size_t k = 0; k < a.terms(row).size(); ++k) {
      const RowMap::Term of_a = a.terms(row)[k], of_b = b.terms(row)[k];
      ASSERT_EQ(of_a.Phi, of_b.Phi);
      const auto left = a.factors(of_a.column), right = b.factors(of_b.column);
      ASSERT_EQ(left.size(), right.size());
      for (std::size_t i = 0; i < left.size(); ++i) {
        ASSERT_EQ(left[i].signal, right[i].signal);
        ASSERT_EQ(left[i].S, right[i].S);
      }
    }
  }
}

/// Rows of S with other values in another mode.
std::vector<int> differing(const Signature& signature, const Mode& a, const Mode& b) {
  std::vector<int> signals;
  for (int i = 0; i < signature.q(); ++i)
    if (a.z[at(i)] != b.z[at(i)]) signals.push_back(signature.binary_row(i));
  for (int i = 0; i < signature.r(); ++i)
    if (a.pre[at(i)] != b.pre[at(i)]) signals.push_back(signature.pre_row(i));
  std::size_t next = 0;
  for (int i = 0; i < signature.m(); ++i) {
    if (!signature.inputs()[at(i)].binary) continue;
    if (a.binary_inputs[next] != b.binary_inputs[next]) signals.push_back(signature.input_row(i));
    ++next;
  }
  return signals;
}

/// Danger: a row that another mode has changed, or a list of rows, is taken over from there.
TEST(FrozenMode, IsTheSameFromAnotherMode) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const test::RandomMultimodeModel random(seed);
    const SignalRows rows(random.model);
    const std::vector<Mode> modes = random.modes();
    const FrozenMode first(rows, modes.front());
    for (const Mode& mode : modes) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      const std::vector<int> signals = differing(random.model.signature, first.mode, mode);
      const FrozenMode by_itself(rows, mode), from_first(rows, mode, first, AffectedRows(rows, signals));
      expect_same_rows(by_itself.f, from_first.f);
      expect_same_rows(by_itself.g, from_first.g);
      ASSERT_EQ(by_itself.equation_form, from_first.equation_form);
      ASSERT_EQ(by_itself.constraint_form, from_first.constraint_form);
      ASSERT_EQ(by_itself.broken_equations, from_first.broken_equations);
      ASSERT_EQ(by_itself.broken_constraints, from_first.broken_constraints);
      ASSERT_EQ(by_itself.live_constraints, from_first.live_constraints);
      ASSERT_EQ(by_itself.has_unknowns, from_first.has_unknowns);
      ASSERT_EQ(by_itself.forbidden, from_first.forbidden);
    }
  }
}

// Danger: at rest a root's rows do not hold it, and from there nothing asks for its argument.
TEST(FrozenMode, OfFunctionsAtRestIsTheSameFromAnotherMode) {
  Source source;
  source.states = {{.name = "a", .start = 6.0}, {.name = "c", .start = 4.0}};
  source.inputs = {{.name = "p"}};
  source.equations = {"der(a) = sign(p - a)*sqrt(abs(p^2 - a^2)) - sign(a - c)*sqrt(abs(a^2 - c^2))",
                      "der(c) = sign(a - c)*sqrt(abs(a^2 - c^2))"};
  const Model model = build(source);
  const SignalRows rows(model);
  const int q = model.signature.q();
  ASSERT_EQ(q, 4);
  ASSERT_EQ(model.functions.size(), 2U);
  const auto mode_of = [&](int bits, const std::vector<int>& resting) {
    Mode mode;
    for (int i = 0; i < q; ++i) mode.z.push_back(static_cast<char>((bits >> i) & 1));
    mode.resting = resting;
    return mode;
  };
  for (const std::vector<int>& resting : {std::vector<int>{0}, std::vector<int>{1}, std::vector<int>{0, 1}})
    for (int from = 0; from < 1 << q; ++from)
      for (int to = 0; to < 1 << q; ++to) {
        const FrozenMode first(rows, mode_of(from, resting)), by_itself(rows, mode_of(to, resting));
        const std::vector<int> signals = differing(model.signature, first.mode, by_itself.mode);
        const FrozenMode from_first(rows, by_itself.mode, first, AffectedRows(rows, signals));
        expect_same_rows(by_itself.f, from_first.f);
        ASSERT_EQ(by_itself.idle, from_first.idle);
        ASSERT_EQ(by_itself.equation_form, from_first.equation_form);
      }
}

}  // namespace frozen_mode_test
}  // namespace mti
