#pragma once

#include <string>

#include "solvers/fitting/fit.hpp"

namespace mti {

/// What was found, for people: estimates with deviations and intervals, how well each series is told, what the data leave open.
[[nodiscard]] std::string fit_text(const Fit& fit, const FitOptions& options);

/// The same as JSON, "mti-fit-results" version 1 (docs/fitting.md): with covariance, correlation and all starts. What is no
/// number is null.
[[nodiscard]] std::string fit_json(const std::string& name, const Fit& fit, const FitOptions& options);

/// A line for each datum: experiment, quantity, time, measured, fitted, and the residual in units of its deviation. Event k of a
/// kind is "rise(z)#k".
[[nodiscard]] std::string residuals_csv(const Fit& fit);

/// In one line: "heating and tau together (heating by 1, tau by -0.5 of its value)".
[[nodiscard]] std::string direction_text(const UndeterminedDirection& direction);
[[nodiscard]] std::string undefined_text(const UndefinedData& data);

}  // namespace mti
