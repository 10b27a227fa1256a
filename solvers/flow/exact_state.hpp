#pragma once

#include <Eigen/Core>

#include <span>
#include <vector>

#include "mti/model/input.hpp"
#include "solvers/blocks/instant.hpp"
#include "solvers/flow/flow_mode.hpp"
#include "solvers/flow/quadruple.hpp"

namespace mti {

/// Where an exact flow stands, in more digits than doubles have. Small differences of states pass from one mode into the
/// next: with x_e = d + Q w_s in the old coordinates, those of the new mode are
///
///     d⁺ = x_e⁺ − Q⁺ w_s⁺ = Σ_k c_k ω_k + generators,    ω = (d, x_s),
///
/// and are off by Σ |c_k| Δω_k. The states follow exactly from where the run began, so that of the slow ones only rounding
/// counts: were they others within ε, so would be the time of the event.
class ExactState {
 public:
  /// Of an old coordinate: its value, what is not known about it, and what rounding has made of it.
  struct Coordinate {
    double omega = 0.0, error = 0.0, rounding = 0.0;
  };
  /// The states of `mode` at t by their coordinates in it, inputs following `pieces`.
  ExactState(const FlowMode& mode, double t, std::vector<InputPiece> pieces,
             std::vector<Coordinate> coordinates);

  /// The same of states that another engine has brought to t, or that a run begins with, by rows of S.
  ExactState(double t, std::vector<int> rows, std::vector<Coordinate> coordinates);

  /// The states of `mode`; nothing if it has one that the old one had not.
  [[nodiscard]] std::vector<double> states(const FlowMode& mode) const;
  /// It is about t, and v, by rows of S, holds the same states within a few ε: a restart may have put fast ones where
  /// they relax to.
  [[nodiscard]] bool is_at(double t, std::span<const double> v, const Accuracy& accuracy) const;

  /// d⁺ by fast state of `mode`, which is split, and has all states() of it. Inputs follow
  /// `pieces` from here on: where they turn, the manifold moves.
  [[nodiscard]] std::vector<Coordinate> distances(const FlowMode& mode,
                                                  const std::vector<InputPiece>& pieces) const;

 private:
  const FlowMode* mode_ = nullptr;  ///< to be compared only: it may be gone
  int revision_ = 0;
  double t_;
  std::vector<InputPiece> pieces_;  ///< none: the states are known without them
  std::vector<int> rows_;           ///< of S, by state
  std::vector<Quadruple> x_;        ///< by state
  std::vector<Coordinate> coordinates_;
  Eigen::MatrixXd of_coordinates_;            ///< x by ω, without generators
  Eigen::VectorXd own_error_, own_rounding_;  ///< of x: of Q, and of summing
};

}  // namespace mti
