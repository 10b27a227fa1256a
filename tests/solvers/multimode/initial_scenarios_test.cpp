// Scenarios of random linear models against the rank of the equations of a start, mode by mode.

#include "solvers/multimode/initial_scenarios.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/number.hpp"
#include "solvers/structure/mode_structure.hpp"
#include "tests/solvers/random_linear_model.hpp"

namespace mti::test {
namespace initial_scenarios_test {

using Eigen::Index;
using Eigen::MatrixXd;

/// A scenario of linear equations.
struct DrawnScenario {
  struct Term {
    int signal = 0;
    bool derivative = false;
    double coefficient = 1.0;
  };
  std::vector<std::vector<Term>> equations;
  int only_where = -1;  ///< holds where this binary is 1, −1: everywhere

  DrawnScenario(const RandomLinearModel& random, unsigned seed) {
    std::mt19937 generator(seed);
    const auto below = [&](int n) { return static_cast<int>(generator() % static_cast<unsigned>(n)); };
    const auto number = [&] { return (400.0 + below(1600)) / 1000.0; };
    for (int count = below(random.states() + 2); count > 0; --count) {
      const int kind = below(10);
      if (kind < 5)
        equations.push_back({{below(random.states()), false, 1.0}});
      else if (kind < 7)
        equations.push_back({{below(random.states()), true, number()}});
      else
        equations.push_back({{below(random.signals()), false, number()}});
      const int further = below(random.signals());
      if (kind % 2 == 0 && further != equations.back().front().signal)
        equations.back().push_back({further, false, number()});
    }
    if (below(3) == 0) only_where = below(random.binaries());
  }

  [[nodiscard]] bool has_derivatives() const {
    return std::ranges::any_of(equations, [](const auto& terms) {
      return std::ranges::any_of(terms, [](const Term& term) { return term.derivative; });
    });
  }
  [[nodiscard]] bool meant(unsigned bits) const { return only_where < 0 || (bits >> only_where & 1U) != 0; }

  [[nodiscard]] ScenarioSource source(const RandomLinearModel& random) const {
    ScenarioSource result{"start"};
    if (only_where >= 0) result.modes = "z" + std::to_string(only_where + 1);
    for (const std::vector<Term>& equation : equations) {
      std::string text;
      for (const Term& term : equation) {
        const std::string name = random.signal_name(term.signal);
        text += (text.empty() ? "" : " + ") + text::format_number(term.coefficient) + "*" +
                (term.derivative ? "der(" + name + ")" : name);
      }
      result.equations.push_back(text + " = 0.75");
    }
    return result;
  }
};

/// The equations of a start in one mode,
///
///     A v^(k) + E v^(k+1) = b^(k), row i for k ≤ c_i,    with v_j^(k) for k ≤ d_j,
///
/// and below them those of the scenario; with derivatives in it all orders are one more.
struct StartEquations {
  MatrixXd matrix;
  std::vector<std::pair<int, int>> rows, columns;  ///< equation (or −1 − scenario equation), signal; order

  StartEquations(const RandomLinearModel& random, const DrawnScenario& scenario,
                 const ModeStructure& structure, unsigned bits) {
    const int further = scenario.has_derivatives() ? 1 : 0;
    std::vector<int> first;
    for (int j = 0; j < random.signals(); ++j) {
      first.push_back(static_cast<int>(columns.size()));
      for (int order = 0; order <= structure.d[at(j)] + further; ++order) columns.emplace_back(j, order);
    }
    const auto [E, A, b] = random.numbers(bits);
    matrix = MatrixXd::Zero(0, static_cast<Index>(columns.size()));
    const auto new_row = [&](int equation, int order) {
      rows.emplace_back(equation, order);
      matrix.conservativeResize(matrix.rows() + 1, Eigen::NoChange);
      matrix.bottomRows(1).setZero();
      return matrix.rows() - 1;
    };
    for (int i = 0; i < random.signals(); ++i)
      for (int k = 0; k <= structure.c[at(i)] + further; ++k) {
        const Index row = new_row(i, k);
        for (int j = 0; j < random.signals(); ++j) {
          if (A(i, j) != 0.0) matrix(row, first[at(j)] + k) = A(i, j);
          if (E(i, j) != 0.0) matrix(row, first[at(j)] + k + 1) = E(i, j);
        }
      }
    for (std::size_t e = 0; e < scenario.equations.size(); ++e) {
      const Index row = new_row(-1 - static_cast<int>(e), 0);
      for (const DrawnScenario::Term& term : scenario.equations[e])
        matrix(row, first[at(term.signal)] + (term.derivative ? 1 : 0)) += term.coefficient;
    }
  }
};

/// Left and right null space, by singular values; sizes of order one are far from their rounding errors.
struct NullSpaces {
  Index rank = 0;
  bool doubtful = false;
  std::vector<char> row_in_contradiction, column_open;

  explicit NullSpaces(const MatrixXd& M) {
    constexpr double rounding = 1e-11, clear = 1e-7;
    const Eigen::JacobiSVD<MatrixXd> svd(M, Eigen::ComputeFullU | Eigen::ComputeFullV);
    for (const double value : svd.singularValues()) {
      if (value > clear) ++rank;
      doubtful = doubtful || (value > rounding && value <= clear);
    }
    const auto members = [&](const MatrixXd& basis) {
      std::vector<char> result;
      for (Index i = 0; i < basis.rows(); ++i) {
        const double size = basis.cols() == 0 ? 0.0 : basis.row(i).cwiseAbs().maxCoeff();
        doubtful = doubtful || (size > rounding && size <= clear);
        result.push_back(size > clear ? 1 : 0);
      }
      return result;
    };
    row_in_contradiction = members(svd.matrixU().rightCols(M.rows() - rank));
    column_open = members(svd.matrixV().rightCols(M.cols() - rank));
  }
};

/// Every entry by another number: what is left of the rank is the pattern's.
MatrixXd with_numbers_of_its_own(const MatrixXd& M, unsigned seed) {
  std::mt19937 generator(seed);
  return M.unaryExpr([&](double value) {
    const double number = static_cast<double>(400 + generator() % 1600U) / 1000.0;
    const bool negative = generator() % 2 == 0;
    return value == 0.0 ? 0.0 : negative ? -number : number;
  });
}

constexpr unsigned models = 1500;
constexpr int most_messages = 5;

/// Danger: a derivative of an equation left out, or put to modes where it is not; a mode called determined
/// where signals are open or equations contradict; parts blamed that have nothing to do with it.
TEST(InitialScenarios, HaveTheRankOfTheEquationsOfAStart) {
  long compared = 0, determined = 0, under = 0, over = 0, both = 0, not_meant = 0, singular = 0,
       differentiated = 0, doubtful = 0, wrong = 0, full_rank = 0, relations = 0;
  for (unsigned seed = 1; seed <= models; ++seed) {
    const RandomLinearModel random(seed);
    const DrawnScenario scenario(random, seed);
    Source source = random.source();
    source.scenarios = {scenario.source(random)};
    const Model model = build(source);
    const AllModes all(model);
    const std::vector<ScenarioParts> results = scenario_parts(all, model);
    ASSERT_EQ(results.size(), 1U);
    const ScenarioParts& parts = results.front();
    EXPECT_EQ(parts.name, "start");
    ASSERT_EQ(parts.own.size(), scenario.equations.size());
    for (unsigned bits = 0; bits < random.modes(); ++bits) {
      const Mode mode = random.mode(bits);
      const auto in = [&](const ModeSet& set) { return all.space.contains(set, mode); };
      const auto named = [&](const std::vector<ScenarioParts::Derivative>& list, int index, int order) {
        return std::ranges::any_of(list, [&](const ScenarioParts::Derivative& entry) {
          return entry.index == index && entry.order == order && in(entry.where);
        });
      };
      const auto fault = [&](const std::string& what) {
        if (++wrong > most_messages) return;
        std::string equations;
        for (const std::string& text : source.scenarios.front().equations) equations += "  " + text + "\n";
        ADD_FAILURE() << "seed " << seed << ", mode " << bits << " (bit i is z_i): " << what << "\n"
                      << random.text() << " scenario, " << source.scenarios.front().modes << "\n"
                      << equations;
      };
      const ModeStructure structure = analyze_mode(model, mode);
      if (in(parts.modes) != scenario.meant(bits)) fault("modes meant");
      if (in(parts.singular) != (scenario.meant(bits) && structure.singular)) fault("singular");
      if (structure.singular || !scenario.meant(bits)) {
        ++(structure.singular ? singular : not_meant);
        if (in(parts.determined) || in(parts.under_determined) || in(parts.over_determined))
          fault("a verdict where none is asked for");
        continue;
      }
      const StartEquations start(random, scenario, structure, bits);
      const NullSpaces own(start.matrix), pattern(with_numbers_of_its_own(start.matrix, 7919U * seed + bits));
      if (own.doubtful || pattern.doubtful) {
        ++doubtful;
        continue;
      }
      ++compared;
      const Index rows = start.matrix.rows(), columns = start.matrix.cols();
      const bool is_over = pattern.rank < rows, is_under = pattern.rank < columns;
      ++(is_over && is_under ? both : is_over ? over : is_under ? under : determined);
      if (structure.index > 0) ++differentiated;
      if (in(parts.over_determined) != is_over) fault("over-determined");
      if (in(parts.under_determined) != is_under) fault("under-determined");
      if (in(parts.determined) != (!is_over && !is_under)) fault("determined");
      // With the model's own numbers the rank can only be less.
      const bool full = own.rank == rows && rows == columns;
      if (full && !in(parts.determined)) fault("determined in numbers");
      full_rank += full ? 1 : 0;
      relations += in(parts.determined) && !full ? 1 : 0;
      for (std::size_t r = 0; r < start.rows.size(); ++r) {
        const auto [equation, order] = start.rows[r];
        const bool said =
            equation >= 0 ? named(parts.equations, equation, order) : in(parts.own[at(-1 - equation)]);
        if (said != (pattern.row_in_contradiction[r] != 0)) fault("row " + std::to_string(equation));
      }
      for (std::size_t k = 0; k < start.columns.size(); ++k) {
        const auto [signal, order] = start.columns[k];
        if (named(parts.signals, signal, order) != (pattern.column_open[k] != 0))
          fault(random.signal_name(signal) + ", derivative " + std::to_string(order));
      }
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_LT(doubtful, compared / 100);
  EXPECT_GT(compared, 3000);
  EXPECT_GT(determined, 300);
  EXPECT_GT(under, 500);
  EXPECT_GT(over, 300);
  EXPECT_GT(both, 300);
  EXPECT_GT(differentiated, 1000);
  EXPECT_GT(singular, 500);
  EXPECT_GT(not_meant, 300);
  // Derivatives of one equation share their coefficients; that this matters is the exception.
  EXPECT_LT(relations, full_rank / 10);
  RecordProperty("compared", static_cast<int>(compared));
  RecordProperty("determined", static_cast<int>(determined));
  RecordProperty("under", static_cast<int>(under));
  RecordProperty("over", static_cast<int>(over));
  RecordProperty("both", static_cast<int>(both));
  RecordProperty("relations", static_cast<int>(relations));
}

}  // namespace initial_scenarios_test
}  // namespace mti::test
