#pragma once

#include <Eigen/Core>

#include <string>
#include <vector>

#include "solvers/fitting/fit_problem.hpp"

namespace mti {

/// The parameters that act in an experiment: positions in FitProblem::parameters, and what they are in its model.
struct ParameterPlaces {
  ParameterPlaces(const FitProblem& problem, std::size_t experiment);

  std::vector<int> positions = {};
  std::vector<std::string> quantities = {};

  [[nodiscard]] Eigen::VectorXd values_of(const Eigen::VectorXd& p) const { return p(positions); }
};

}  // namespace mti
