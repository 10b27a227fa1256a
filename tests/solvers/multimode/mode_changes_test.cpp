// Mode changes that structure predicts against the restart in numbers, by Wong sequences.

#include "solvers/multimode/mode_changes.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "tests/solvers/random_linear_model.hpp"
#include "tests/solvers/structure/entry_oracle.hpp"

namespace mti::test {
namespace mode_changes_test {

using Size = LinearEntry::Size;

/// All pairs of regular modes of a random model, with what is predicted and what happens.
struct Comparison {
  explicit Comparison(unsigned seed)
      : random(seed),
        model(build(random.source())),
        all(model),
        changes(mode_changes(all, model, ModeSet::all(), ModeSet::all())) {
    for (unsigned bits = 0; bits < random.modes(); ++bits) modes.push_back(linear_mode(random, model, bits));
  }

  [[nodiscard]] bool holds(const ModeSet& set, unsigned before, unsigned after) const {
    return set.contains([&](int variable) {
      const int binary = all.space.row_of(variable / 2) - model.signature.binary_row(0);
      return ((variable % 2 == 0 ? before : after) >> binary & 1U) != 0;
    });
  }

  template <class Visit>
  void each_pair(const Visit& visit) const {
    for (unsigned before = 0; before < modes.size(); ++before)
      for (unsigned after = 0; after < modes.size(); ++after)
        if (modes[before] && modes[after]) visit(before, after, *modes[before], *modes[after]);
  }

  [[nodiscard]] std::string message(int signal, unsigned before, unsigned after) const {
    return random.signal_name(signal) + ", " + std::to_string(before) + " -> " + std::to_string(after) +
           " (bit i is z_i)\n" + random.text();
  }

  RandomLinearModel random;
  Model model;
  AllModes all;
  ModeChanges changes;
  std::vector<std::optional<LinearMode>> modes;
};

/// The derivative of signal j occurs in some equation.
bool has_derivative(const LinearMode& mode, int j) { return !mode.numbers.E.col(j).isZero(0.0); }

constexpr unsigned models = 600;
constexpr int most_messages = 5;

/// Danger: a jump or an impulse that no one was told of: a row that is new and not seen to be, a block that
/// is disturbed over an edge that is not followed.
TEST(ModeChanges, PredictEveryJumpAndImpulseThatNumbersHave) {
  long pairs = 0, jumps = 0, impulses = 0, rows = 0, of_index_two = 0, without_derivative = 0, missed = 0;
  for (unsigned seed = 1; seed <= models; ++seed) {
    const Comparison comparison(seed);
    const auto expect = [&](const ModeSet& set, const char* what, int signal, unsigned before,
                            unsigned after) {
      if (!comparison.holds(set, before, after) && ++missed <= most_messages)
        ADD_FAILURE() << "seed " << seed << ": " << what << " " << comparison.message(signal, before, after);
    };
    comparison.each_pair([&](unsigned before, unsigned after, const LinearMode& from, const LinearMode& to) {
      ++pairs;
      const LinearEntry entry = linear_entry(from, to);
      ASSERT_EQ(entry.higher, Size::zero) << comparison.message(0, before, after);
      for (int j = 0; j < comparison.random.signals(); ++j) {
        ASSERT_NE(entry.jumps[at(j)], Size::doubtful);
        ASSERT_NE(entry.impulses[at(j)], Size::doubtful);
        ASSERT_NE(entry.residuals[at(j)], Size::doubtful);
        // A state without derivative in both modes follows others, like an algebraic signal.
        const int d = to.structure.d[at(j)];
        if (j < comparison.random.states() && (has_derivative(from, j) || has_derivative(to, j)) &&
            entry.jumps[at(j)] == Size::some) {
          ++jumps;
          without_derivative += d == 0 ? 1 : 0;
          of_index_two += to.structure.index > 1 ? 1 : 0;
          expect(comparison.changes.jumps[at(j)], "jump of", j, before, after);
          EXPECT_TRUE(comparison.holds(comparison.changes.any_jump, before, after));
        }
        if (entry.impulses[at(j)] == Size::some) {
          ++impulses;
          expect(comparison.changes.impulses[at(j)], "impulse of", j, before, after);
          EXPECT_TRUE(comparison.holds(comparison.changes.any_impulse, before, after));
        }
        if (entry.residuals[at(j)] == Size::some) {
          ++rows;
          expect(comparison.changes.new_rows[at(j)], "new row with the number of", j, before, after);
        }
      }
    });
  }
  EXPECT_EQ(missed, 0);
  EXPECT_GT(pairs, 20000);
  EXPECT_GT(jumps, 5000);
  EXPECT_GT(impulses, 4000);
  EXPECT_GT(rows, 3000);
  EXPECT_GT(of_index_two, 500);
  EXPECT_GT(without_derivative, 500);
}

bool same_row(const LinearMode& a, const LinearMode& b, Eigen::Index i) {
  return a.numbers.E.row(i) == b.numbers.E.row(i) && a.numbers.A.row(i) == b.numbers.A.row(i) &&
         a.numbers.b[i] == b.numbers.b[i];
}

bool multiple_of_row(const LinearMode& a, const LinearMode& b, Eigen::Index i) {
  const Eigen::Index size = a.numbers.E.cols();
  Eigen::MatrixXd both(2, 2 * size + 1);
  both << a.numbers.E.row(i), a.numbers.A.row(i), a.numbers.b[i], b.numbers.E.row(i), b.numbers.A.row(i),
      b.numbers.b[i];
  return Eigen::FullPivLU<Eigen::MatrixXd>(both).rank() == 1;
}

/// Rows that z' differentiates and that are others than in z can be new, no others. Most of those whose form
/// changes are new in numbers; the exceptions are multiples, and rows that follow from other rows of z.
TEST(ModeChanges, CallOnlyRowsNewThatConstrainMoreThanBefore) {
  long flagged = 0, multiples = 0, implied = 0, violated = 0;
  for (unsigned seed = 1; seed <= models; ++seed) {
    const Comparison comparison(seed);
    comparison.each_pair([&](unsigned before, unsigned after, const LinearMode& from, const LinearMode& to) {
      const LinearEntry entry = linear_entry(from, to);
      for (int i = 0; i < comparison.random.signals(); ++i) {
        if (!comparison.holds(comparison.changes.new_rows[at(i)], before, after)) continue;
        ++flagged;
        EXPECT_FALSE(same_row(from, to, i));
        EXPECT_GT(to.structure.c[at(i)], 0)
            << "row " << i << " of seed " << seed << ", " << before << " -> " << after << "\n"
            << comparison.random.text();
        if (entry.residuals[at(i)] == Size::some)
          ++violated;
        else
          ++(multiple_of_row(from, to, i) ? multiples : implied);
      }
    });
  }
  EXPECT_GT(violated, 3000);
  EXPECT_GT(violated, 2 * implied);
  RecordProperty("flagged", static_cast<int>(flagged));
  RecordProperty("multiples", static_cast<int>(multiples));
  RecordProperty("implied", static_cast<int>(implied));
  RecordProperty("violated", static_cast<int>(violated));
}

/// With J the matrix of the leading system, the balance of the entry is J Δ = −r, r ≠ 0 in new rows. Signal j
/// takes part iff (J⁻¹)_ji ≠ 0 for a new row i: exact, for numbers without relations. A state without a
/// derivative jumps if it had one.
TEST(ModeChanges, AreWhatNewRowsReachThroughTheInverseOfTheLeadingMatrix) {
  long reached = 0, not_reached = 0, wrong = 0, lost = 0, happen = 0;
  for (unsigned seed = 1; seed <= models; ++seed) {
    const Comparison comparison(seed);
    comparison.each_pair([&](unsigned before, unsigned after, const LinearMode& from, const LinearMode& to) {
      const Eigen::MatrixXd inverse = to.leading.fullPivLu().inverse();
      const double rounding = 1e-11 * inverse.cwiseAbs().maxCoeff();
      const LinearEntry entry = linear_entry(from, to);
      for (int j = 0; j < comparison.random.signals(); ++j) {
        const bool state = j < comparison.random.states();
        bool reach = false;
        for (int i = 0; i < comparison.random.signals(); ++i)
          reach = reach || (std::abs(inverse(j, i)) > rounding &&
                            comparison.holds(comparison.changes.new_rows[at(i)], before, after));
        const int d = to.structure.d[at(j)];
        const bool loses = state && has_derivative(from, j) && !has_derivative(to, j);
        const bool jump = comparison.holds(comparison.changes.jumps[at(j)], before, after);
        const bool impulse = comparison.holds(comparison.changes.impulses[at(j)], before, after);
        if ((jump != (loses || (state && d == 1 && reach)) || impulse != (d == 0 && reach)) &&
            ++wrong <= most_messages)
          ADD_FAILURE() << "seed " << seed << ": " << comparison.message(j, before, after);
        lost += loses ? 1 : 0;
        ++(reach ? reached : not_reached);
        if (reach &&
            ((jump && entry.jumps[at(j)] == Size::some) || (impulse && entry.impulses[at(j)] == Size::some)))
          ++happen;
      }
    });
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(reached, 10000);
  EXPECT_GT(not_reached, 10000);
  EXPECT_GT(lost, 500);
  RecordProperty("reached", static_cast<int>(reached));
  RecordProperty("happen", static_cast<int>(happen));
}

}  // namespace mode_changes_test
}  // namespace mti::test
