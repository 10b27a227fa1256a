#pragma once

#include <span>
#include <vector>

#include "mti/model/signal_rows.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// A row of logic is zero within so much of what it adds up.
inline constexpr double row_rounding = 1e-12;

/// Binaries that rows of logic determine together, several by one row as in an adder, or by rows that all hold them:
///
///     sum + 2·carry = a + b        →    sum = a + b − 2ab,   carry = ab
///     z2 + z3 = 2·z1,  z2 = z3     →    z2 = z1,             z3 = z1
///
/// They are read off truth tables, row after row: of each row the binaries that no row before it has determined, where
/// every vertex of its other signals leaves one choice at most; rows of which none does that are tried together.
class JointOutputs {
 public:
  /// `candidates`: those that may be outputs, which stand in no constraint. `loose` of them have no equation of their
  /// own: of what is connected with none of these nothing is sought.
  JointOutputs(const SignalRows& rows, std::span<const char> candidates, std::span<const char> loose);

  /// An output as a function of the other binaries, pre(z) and binary inputs: z_b = Σ Phi_M · Π_(i in M) v_i.
  struct Formula {
    struct Term {
      double Phi;
      std::vector<int> signals;  ///< rows of S
    };
    int binary;
    std::vector<Term> terms;
  };
  /// Each after those that it holds.
  [[nodiscard]] const std::vector<Formula>& formulas() const noexcept { return formulas_; }
  /// The rows of f that they were read off, each with its outputs.
  struct Source {
    int row;
    std::vector<int> outputs;
  };
  [[nodiscard]] const std::vector<Source>& sources() const noexcept { return sources_; }

 private:
  bool solve_component(std::span<const int> rows, std::span<const char> candidates);
  bool solve(std::span<const int> rows, std::vector<int> unknown);
  [[nodiscard]] bool holds(int row) const;

  const SignalRows& rows_;
  std::vector<char> determined_;  ///< by binary
  std::vector<double> v_;         ///< values under test, by row of S
  std::vector<Formula> formulas_;
  std::vector<Source> sources_;
};

}  // namespace mti
