#pragma once

#include <Eigen/Dense>

#include <optional>
#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/trajectory/trajectory.hpp"
#include "tests/solvers/wong_sequences.hpp"

namespace mti::test {

/// The row of a trajectory at `time`: the left limit if there is one, or the right limit.
enum class Limit { left, right };
/// x1, x2, …, xn at that row; nothing if no row is there.
[[nodiscard]] std::optional<Eigen::VectorXd> signals_at(const Trajectory& run, double time, Limit limit,
                                                        Eigen::Index n);
[[nodiscard]] const Event* event_at(const Trajectory& run, double time);

/// Where a run departs from what the oracle says of the restart at `time` from x⁻, one line each: right
/// limits of x1 … xn, jumps, weights and orders of impulses. Empty if it is right.
///
/// Values to `accuracy` relative to the largest of x⁻, x⁺ and the weights. States whose jump is below
/// 100·`accuracy` may be reported or not.
[[nodiscard]] std::vector<std::string> restart_faults(const Trajectory& run, const Model& model, double time,
                                                      const Eigen::VectorXd& x_minus,
                                                      const LinearRestart& expected, double accuracy = 1e-9);

/// The lines in one text.
[[nodiscard]] std::string lines_of(const std::vector<std::string>& lines);

}  // namespace mti::test
