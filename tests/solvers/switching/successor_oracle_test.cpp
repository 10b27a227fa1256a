#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/mode/mode_cache.hpp"
#include "solvers/switching/successor.hpp"
#include "tests/solvers/motion/motion_oracle.hpp"
#include "tests/solvers/plain_outputs.hpp"

/// Every assignment of small random models is judged by the plainest means, and the successor found by
/// enumerating them (docs/theory.md, "The successor problem" and "Which binaries may change").
namespace mti {
namespace successor_oracle_test {

constexpr double accuracy = 1e-10;  // rtol = atol
/// Data are small integers: what is not zero is not small. Rounding and ε stay far below.
constexpr double zero = 1e-7;

class RandomModel {
 public:
  explicit RandomModel(unsigned seed) : random_(seed) {
    while (!draw()) {
    }
    before.z.resize(at(q_));
    for (char& bit : before.z) bit = static_cast<char>(integer(0, 1));
    instant = test::instant_of(model, 0.0, {coefficient(), coefficient()});
  }

  Model model;
  Mode before;
  Instant instant;

 private:
  /// False where the terms of a row have cancelled to nothing, which is refused, and where a difference has become a signal
  /// with an equation of its own, which the plain solution below has not.
  bool draw() {
    source_ = {};
    q_ = integer(1, 6);
    source_.inputs = {{"u", TableSource{{0.0, 1.0}, {coefficient(), coefficient()}}}};
    source_.states = {{"x1", 0.0}, {"x2", 0.0}};
    source_.algebraic = {{"y1", 0.0}, {"y2", 0.0}};
    for (int i = 1; i <= q_; ++i) source_.binaries.push_back({"z" + std::to_string(i), 0.0});
    // Solvable in every mode: a triangle, and one coupling that is nonlinear where its binary is 1.
    source_.equations.emplace_back("(2 + " + z() + ")*y1 = " + sum({"x1", "x2", "u"}) + " + " + z() + "*y2");
    source_.equations.emplace_back("3*y2 = " + sum({"x1", "x2", "u"}) + " + y1/4");
    source_.equations.emplace_back("der(x1) = " + sum({"x2", "u", "y1"}) + " + x1*y1*" + z());
    source_.equations.emplace_back("der(x2) = " + sum({"x1", "y1", "y2"}));
    for (int i = integer(0, 2); i > 0 && q_ >= 3; --i) source_.equations.emplace_back(logic());
    for (int i = integer(1, q_); i > 0; --i) source_.constraints.emplace_back(constraint());
    try {
      model = build(source_);
    } catch (const InvalidModel&) {
      return false;
    }
    return model.equations() == static_cast<int>(source_.equations.size());
  }

  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  double coefficient() { return integer(-2, 2); }
  std::string z() { return "z" + std::to_string(integer(1, q_)); }
  std::string term(const std::vector<std::string>& names) {
    std::string text = "(" + std::to_string(integer(-2, 2)) + ")*" +
                       names[at(integer(0, static_cast<int>(names.size()) - 1))];
    return integer(0, 2) == 0 ? text + "*" + z() : text;
  }
  std::string sum(const std::vector<std::string>& names) {
    std::string text = std::to_string(integer(-2, 2));
    for (int i = integer(1, 3); i > 0; --i) text += " + " + term(names);
    return text;
  }
  std::string logic() {
    const std::vector<std::string> forms{z() + " = " + z() + "*" + z(), z() + " + " + z() + " = 1",
                                         z() + " - 1 + " + z() + "*" + z() + " = 0"};
    return forms[at(integer(0, 2))];
  }
  std::string constraint() {
    const std::string s = sum({"x1", "x2", "u", "y1", "y2", "der(x1)"});
    switch (integer(0, 3)) {
      case 0:
        return "(" + s + ")*(1 - 2*" + z() + ") <= 0";
      case 1: {
        // Two different binaries: with one alone both cancel, and rows without binaries are not looked at
        // here.
        const int first = integer(1, q_), second = first % q_ + 1;
        if (q_ == 1) return "(" + s + ")*z1 <= 0";
        return "(" + s + ")*(1 - z" + std::to_string(first) + " + z" + std::to_string(second) + ") <= 0";
      }
      case 2:
        return "(" + s + ")*" + z() + " - 1 + " + z() + " <= 0";
      default:
        return s + " - 3*" + z() + "*" + z() + " <= 0";
    }
  }

  std::mt19937 random_;
  int q_ = 0;
  Source source_;
};

/// What one assignment breaks; admissible if nothing.
struct Judgement {
  std::set<int> equations, constraints;
  bool near = false;  ///< a number is neither clearly zero nor clearly not
  [[nodiscard]] bool admissible() const { return equations.empty() && constraints.empty(); }
};

bool is_row_constant(const Model& model, const SparseColumns& Phi, int row, const Mode& mode) {
  const CpMap map = freeze(CpMap(model.S, Phi), fixed_signals(model.signature, mode));
  for (int k = 0; k < map.columns(); ++k)
    if (map.Phi().coeff(row, k) != 0.0 && map.S().col(k).nonZeros() > 0) return false;
  return true;
}

Judgement check_plainly(const RandomModel& random, const Mode& mode) {
  Judgement result;
  test::MotionOracle motion(random.model, mode, random.instant);
  EXPECT_TRUE(motion.solved());
  const auto classify = [&](double number) {
    result.near = result.near || (std::abs(number) > 1e-12 && std::abs(number) < 1e-3);
    return std::abs(number) < zero ? 0 : number > 0.0 ? 1 : -1;
  };
  for (int row = 4; row < random.model.equations(); ++row)
    if (classify(motion.equation(row, 0)) != 0) result.equations.insert(row);
  for (int row = 0; row < random.model.constraints(); ++row) {
    // Without a solution only what does not depend on one is broken.
    if (!result.equations.empty() && !is_row_constant(random.model, random.model.Phi_ineq, row, mode))
      continue;
    for (int k = 0; k <= 4; ++k) {
      const int sign = classify(motion.constraint(row, k));
      if (sign > 0) result.constraints.insert(row);
      if (sign != 0) break;
    }
  }
  return result;
}

std::set<int> binaries_of(const Model& model, const SparseColumns& Phi, int row) {
  std::set<int> binaries;
  for (int k = 0; k < model.columns(); ++k) {
    if (Phi.coeff(row, k) == 0.0) continue;
    for (SparseColumns::InnerIterator factor(model.S, k); factor; ++factor)
      if (const int binary = static_cast<int>(factor.row()) - model.signature.binary_row(0); binary >= 0)
        binaries.insert(binary);
  }
  return binaries;
}

struct Expected {
  bool found = false, near = false, extended = false;
  std::vector<std::vector<int>> nearest;  ///< flips of all admissible assignments of the smallest distance
};

/// By the letter of docs/theory.md, over all subsets of A.
Expected successor_plainly(const RandomModel& random) {
  Expected expected;
  const Model& model = random.model;
  const test::PlainOutputs outputs(model);
  expected.near = outputs.has_loop();
  const auto with = [&](const std::vector<int>& flips) {
    Mode mode = random.before;
    for (const int binary : flips) mode.z[at(binary)] ^= 1;
    outputs.put(mode);
    return mode;
  };
  const auto changed = [&](const std::vector<int>& flips) {
    const Mode mode = with(flips);
    std::vector<int> list;
    for (std::size_t i = 0; i < mode.z.size(); ++i)
      if (mode.z[i] != random.before.z[i]) list.push_back(static_cast<int>(i));
    return list;
  };
  const auto judged = [&](const std::vector<int>& flips) {
    const Mode mode = with(flips);
    Judgement judgement = check_plainly(random, mode);
    expected.near = expected.near || judgement.near;
    return judgement;
  };
  const Judgement first = judged({});
  if (first.admissible()) return {true, expected.near, false, {changed({})}};
  std::set<int> A;
  for (const int row : first.equations) A.merge(binaries_of(model, model.Phi_eq, row));
  for (const int row : first.constraints) A.merge(binaries_of(model, model.Phi_ineq, row));
  A = outputs.deciders_behind(A);
  for (;;) {
    const std::vector<int> list(A.begin(), A.end());
    std::set<int> extension;
    std::size_t smallest = list.size() + 1;
    for (unsigned subset = 1; subset < 1U << list.size(); ++subset) {
      std::vector<int> flips;
      for (std::size_t i = 0; i < list.size(); ++i)
        if ((subset >> i & 1U) != 0) flips.push_back(list[i]);
      const Judgement judgement = judged(flips);
      if (judgement.admissible()) {
        if (flips.size() < smallest) expected.nearest.clear();
        smallest = std::min(smallest, flips.size());
        if (flips.size() == smallest) expected.nearest.push_back(flips);
        continue;
      }
      for (const int row : judgement.equations)
        if (!first.equations.contains(row)) extension.merge(binaries_of(model, model.Phi_eq, row));
      for (const int row : judgement.constraints)
        if (!first.constraints.contains(row)) extension.merge(binaries_of(model, model.Phi_ineq, row));
    }
    expected.found = !expected.nearest.empty();
    if (expected.found) break;
    const std::size_t size = A.size();
    A.merge(outputs.deciders_behind(extension));
    if (A.size() == size) break;
    expected.extended = true;
  }
  std::sort(expected.nearest.begin(), expected.nearest.end());
  for (std::vector<int>& flips : expected.nearest) flips = changed(flips);
  return expected;
}

/// Danger: a decision that depends on the order of solving, on freezing, or on which row is looked at first.
TEST(SuccessorOracle, EveryAssignmentIsJudgedAsByEnumeration) {
  int modes = 0, admissible = 0, violated = 0, rising = 0, unsolvable = 0;
  for (unsigned seed = 1; seed <= 600; ++seed) {
    const RandomModel random(seed);
    const Accuracy accuracies(random.model, accuracy, accuracy);
    ModeCache cache(random.model);
    for (unsigned bits = 0; bits < 1U << random.before.z.size(); ++bits) {
      Mode mode = random.before;
      for (std::size_t i = 0; i < mode.z.size(); ++i) mode.z[i] = static_cast<char>(bits >> i & 1U);
      const Judgement expected = check_plainly(random, mode);
      if (expected.near) continue;
      const Admissibility verdict =
          check_admissibility(random.model, cache.get(mode), accuracies, random.instant);
      ASSERT_EQ(verdict.admissible(), expected.admissible())
          << "seed " << seed << ", mode " << bits << ": " << describe(verdict, random.model);
      EXPECT_EQ(std::set<int>(verdict.failure.equations.begin(), verdict.failure.equations.end()),
                expected.equations);
      EXPECT_EQ(std::set<int>(verdict.constraints.begin(), verdict.constraints.end()), expected.constraints)
          << "seed " << seed << ", mode " << bits;
      ++modes;
      admissible += verdict.admissible() ? 1 : 0;
      violated += verdict.rejection == Rejection::constraint_violated ? 1 : 0;
      rising += verdict.rejection == Rejection::constraint_rising ? 1 : 0;
      unsolvable += verdict.rejection == Rejection::no_solution ? 1 : 0;
    }
  }
  // The models must show every fate often, or the test says little.
  EXPECT_GT(modes, 5000);
  for (const int count : {admissible, violated, rising, unsolvable}) EXPECT_GT(count, 50);
}

/// Danger: an assignment is skipped, one farther away is taken, a tie is lost, A grows too little or too
/// much.
TEST(SuccessorOracle, TheSuccessorIsThatOfEnumeration) {
  int found = 0, unchanged = 0, dead = 0, tied = 0, extended = 0, far = 0;
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    const RandomModel random(seed);
    const Expected expected = successor_plainly(random);
    if (expected.near) continue;
    const Accuracy accuracies(random.model, accuracy, accuracy);
    ModeCache cache(random.model);
    const SuccessorSearch search(
        random.model, cache, accuracies,
        {.max_candidates = 1000, .sliding = false, .causal = false});  // sliding is not enumerated
    const Successor successor = search.find(random.instant, random.before);
    ASSERT_EQ(successor.status == Successor::Status::found, expected.found) << "seed " << seed;
    if (!expected.found) {
      EXPECT_EQ(successor.status, Successor::Status::dead_end);
      ++dead;
      continue;
    }
    ASSERT_EQ(successor.flipped, expected.nearest.front()) << "seed " << seed;
    const std::vector<std::vector<int>> others(expected.nearest.begin() + 1, expected.nearest.end());
    EXPECT_EQ(successor.ties, others) << "seed " << seed;
    Mode mode = random.before;
    for (const int binary : successor.flipped) mode.z[at(binary)] ^= 1;
    EXPECT_EQ(successor.mode, mode);
    ++found;
    unchanged += successor.flipped.empty() ? 1 : 0;
    far += successor.flipped.size() >= 2 ? 1 : 0;
    tied += others.empty() ? 0 : 1;
    extended += expected.extended ? 1 : 0;
  }
  EXPECT_GT(found, 300);
  for (const int count : {unchanged, dead, tied, extended, far}) EXPECT_GT(count, 20);
  SCOPED_TRACE("found " + std::to_string(found));
}

/// The Taylor coefficients themselves, of every signal and constraint, to order 5.
TEST(SuccessorOracle, TaylorCoefficientsAgreeWithin1e8) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const RandomModel random(seed);
    const Accuracy accuracies(random.model, accuracy, accuracy);
    ModeCache cache(random.model);
    Mode mode = random.before;
    const auto system = cache.get(mode);
    if (!system->structurally_solvable()) continue;
    Motion motion(random.model, system, accuracies, random.instant);
    test::MotionOracle oracle(random.model, mode, random.instant);
    ASSERT_TRUE(motion.solved());
    for (int k = 0; k <= 5; ++k) {
      for (int row = 0; row < random.model.signature.binary_row(0); ++row) {
        const double expected = oracle.signal(row, k);
        EXPECT_NEAR(motion.signal(row, k).value, expected, 1e-8 * (1.0 + std::abs(expected)))
            << "seed " << seed << ", order " << k << " of " << random.model.signature.row_name(row);
      }
      for (const int row : system->live_constraints) {
        const double expected = oracle.constraint(row, k);
        EXPECT_NEAR(motion.constraint(row, k).value, expected, 1e-8 * (1.0 + std::abs(expected)));
      }
    }
  }
}

}  // namespace successor_oracle_test
}  // namespace mti
