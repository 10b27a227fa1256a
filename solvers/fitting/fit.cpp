#include "solvers/fitting/fit.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "mti/common/number.hpp"
#include "solvers/budget/budget.hpp"
#include "solvers/fitting/bounded_least_squares.hpp"
#include "solvers/fitting/estimate_statistics.hpp"
#include "solvers/fitting/experiment_residuals.hpp"
#include "solvers/fitting/parameter_places.hpp"
#include "solvers/sampling/unit_design.hpp"

namespace mti {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Where searches begin: the given start, then points within the bounds, in the logarithm where the lower bound is positive.
/// A parameter without two bounds keeps its start.
class StartPoints {
 public:
  StartPoints(const std::vector<FitParameter>& parameters, int starts, std::uint64_t seed)
      : parameters_(parameters) {
    for (const FitParameter& parameter : parameters)
      varied_.push_back(std::isfinite(parameter.lower) && std::isfinite(parameter.upper));
    const auto dimensions = static_cast<int>(std::ranges::count(varied_, true));
    if (starts > 1) design_.emplace(Spread::sobol, starts - 1, std::max(dimensions, 1), seed);
  }

  [[nodiscard]] VectorXd point(int start) const {
    VectorXd p(std::ssize(parameters_));
    int dimension = 0;
    for (Index j = 0; j < p.size(); ++j) {
      const auto& [name, given, lower, upper, quantity, experiments] =
          parameters_[static_cast<std::size_t>(j)];
      p(j) = given;
      if (start == 0 || !varied_[static_cast<std::size_t>(j)]) continue;
      const double u = design_->coordinate(start - 1, dimension++);
      p(j) = lower > 0.0 ? lower * std::pow(upper / lower, u) : lower + (upper - lower) * u;
      p(j) = std::clamp(p(j), lower, upper);
    }
    return p;
  }

 private:
  const std::vector<FitParameter>& parameters_;
  std::vector<bool> varied_;
  std::optional<UnitDesign> design_;
};

FitEnd end_of(LeastSquaresEnd end) {
  switch (end) {
    case LeastSquaresEnd::converged:
      return FitEnd::converged;
    case LeastSquaresEnd::stalled:
      return FitEnd::stalled;
    case LeastSquaresEnd::iteration_limit:
      return FitEnd::iteration_limit;
    case LeastSquaresEnd::ended:
    case LeastSquaresEnd::no_start:
      break;
  }
  return FitEnd::no_start;
}

class FitSearch {
 public:
  FitSearch(const FitProblem& problem, const FitOptions& options)
      : problem_(problem), options_(options), budget_(options.max_seconds, options.stop_token) {
    for (std::size_t e = 0; e < problem.experiments.size(); ++e) {
      places_.emplace_back(problem, e);
      experiments_.push_back(std::make_unique<ExperimentResiduals>(
          problem.experiments[e], places_.back().quantities, problem.simulation));
      size_ += experiments_.back()->size();
    }
    lower_.resize(std::ssize(problem.parameters));
    upper_.resize(lower_.size());
    for (Index j = 0; j < lower_.size(); ++j) {
      lower_(j) = problem.parameters[static_cast<std::size_t>(j)].lower;
      upper_(j) = problem.parameters[static_cast<std::size_t>(j)].upper;
    }
  }

  Fit find() {
    const StartPoints points(problem_.parameters, options_.starts, options_.seed);
    for (int start = 0; start < options_.starts && !budget_.is_over(); ++start) {
      search_from(points.point(start));
      if (options_.progress) options_.progress(start + 1, options_.starts);
    }
    conclude();
    return std::move(fit_);
  }

 private:
  void search_from(const VectorXd& start) {
    const auto residuals = [this](const VectorXd& p) { return evaluated(p); };
    LeastSquaresResult found =
        minimise_squares(residuals, start, lower_, upper_,
                         {.loss = options_.loss, .most_iterations = options_.most_iterations});
    fit_.evaluations += found.evaluations;
    fit_.refused += found.refused;
    const bool has_point = found.point.residuals.size() > 0;
    FitEnd end = end_of(found.end);
    if (found.end == LeastSquaresEnd::ended)
      end = budget_.stop_requested() ? FitEnd::interrupted : FitEnd::time_budget;
    fit_.starts.push_back(
        {.from = {start.begin(), start.end()},
         .to = has_point ? std::vector<double>(found.p.begin(), found.p.end()) : std::vector<double>(),
         .end = end,
         .message = found.message,
         .cost = has_point ? found.cost : std::numeric_limits<double>::infinity(),
         .iterations = found.iterations});
    if (has_point && (!best_ || found.cost < best_->cost)) {
      best_ = std::move(found);
      best_start_ = fit_.starts.size() - 1;
    }
  }

  /// Residuals of all experiments, one after the other.
  ResidualEvaluation evaluated(const VectorXd& p) {
    ResidualEvaluation all;
    all.point.residuals.resize(size_);
    all.point.jacobian = Eigen::MatrixXd::Zero(size_, p.size());
    int first = 0;
    for (std::size_t e = 0; e < experiments_.size(); ++e) {
      ResidualEvaluation one =
          budget_.is_over()
              ? ResidualEvaluation{.kind = ResidualEvaluation::Kind::ended}
              : experiments_[e]->at(places_[e].values_of(p),
                                    {.seconds = std::max(options_.max_seconds - budget_.seconds(), 1e-9),
                                     .stop = options_.stop_token});
      if (one.kind != ResidualEvaluation::Kind::done) return one;
      const int size = experiments_[e]->size();
      all.point.residuals.segment(first, size) = one.point.residuals;
      all.point.jacobian(Eigen::seqN(first, size), places_[e].positions) = one.point.jacobian;
      all.exact += one.exact;
      for (UnknownRows& unknown : one.point.unknown) {
        for (int& row : unknown.rows) row += first;
        for (int& parameter : unknown.parameters)
          parameter = places_[e].positions[static_cast<std::size_t>(parameter)];
        all.point.unknown.push_back(std::move(unknown));
      }
      first += size;
    }
    return all;
  }

  void conclude() {
    for (const auto& experiment : experiments_) fit_.runs += experiment->runs();
    if (budget_.is_over())
      fit_.end = budget_.stop_requested() ? FitEnd::interrupted : FitEnd::time_budget;
    else if (best_)
      fit_.end = fit_.starts[best_start_].end;
    if (!best_) {
      if (!fit_.starts.empty()) fit_.message = fit_.starts.front().message;
      return;
    }
    if (!budget_.is_over()) fit_.message = best_->message;
    fit_.cost = best_->cost;
    constexpr double same = 1e-6;
    fit_.starts_at_best = static_cast<int>(std::ranges::count_if(fit_.starts, [&](const FitStart& start) {
      return start.cost <= std::max(best_->cost * (1.0 + same), best_->exact);
    }));
    add_statistics();
    add_series();
  }

  void add_statistics() {
    const VectorXd& p = best_->p;
    std::vector<char> is_held;
    for (Index j = 0; j < p.size(); ++j) is_held.push_back(p(j) <= lower_(j) || p(j) >= upper_(j) ? 1 : 0);
    constexpr double of_rtol = 100.0;  // J is known to some rtol of its columns
    const double rtol = problem_.simulation.rtol.value_or(1e-8);
    EstimateStatistics found = statistics_of(p, is_held, best_->point,
                                             {.loss = options_.loss,
                                              .noise_is_known = options_.noise_is_known,
                                              .confidence = options_.confidence,
                                              .rank_tolerance = std::min(of_rtol * rtol, 1e-2)});
    for (Index j = 0; j < p.size(); ++j) {
      const double deviation = std::sqrt(found.covariance(j, j));
      fit_.estimates.push_back({.name = name_of(static_cast<int>(j)),
                                .value = p(j),
                                .deviation = deviation,
                                .low = p(j) - found.quantile * deviation,
                                .high = p(j) + found.quantile * deviation,
                                .at_lower = p(j) <= lower_(j),
                                .at_upper = p(j) >= upper_(j)});
    }
    for (FreeDirection& direction : found.free_directions)
      fit_.undetermined.push_back({names_of(direction.parameters), std::move(direction.changes)});
    fit_.observations = found.observations;
    fit_.rank = found.rank;
    fit_.noise = found.noise;
    fit_.condition = found.condition;
    fit_.covariance = std::move(found.covariance);
  }

  void add_series() {
    Index row = 0;
    for (const FitExperiment& experiment : problem_.experiments) {
      const auto add = [&](FittedSeries series) {
        series.experiment = experiment.name;
        const Index first = row;
        for (const double measured : series.measured)
          series.fitted.push_back(measured + best_->point.residuals(row++) * series.deviation);
        add_undefined(series, first, row);
        fit_.series.push_back(std::move(series));
      };
      for (const MeasuredSignal& measured : experiment.signals)
        add({.name = measured.signal,
             .time = measured.time,
             .measured = measured.value,
             .deviation = measured.deviation});
      for (const MeasuredEvents& measured : experiment.events)
        add({.name = measured.event,
             .is_event = true,
             .time = measured.time,
             .measured = measured.time,
             .deviation = measured.deviation});
    }
  }

  /// Rows `first` to `end` of the residuals are those of a series.
  void add_undefined(const FittedSeries& series, Index first, Index end) {
    for (const UnknownRows& unknown : best_->point.unknown) {
      UndefinedData data{.experiment = series.experiment,
                         .name = series.name,
                         .parameters = names_of(unknown.parameters),
                         .reason = unknown.reason};
      for (const int row : unknown.rows) {
        if (row < first || row >= end) continue;
        if (data.count++ == 0) data.first = series.time[static_cast<std::size_t>(row - first)];
      }
      if (data.count > 0) fit_.undefined.push_back(std::move(data));
    }
  }

  [[nodiscard]] const std::string& name_of(int parameter) const {
    return problem_.parameters[static_cast<std::size_t>(parameter)].name;
  }
  [[nodiscard]] std::vector<std::string> names_of(const std::vector<int>& parameters) const {
    std::vector<std::string> names;
    for (const int parameter : parameters) names.push_back(name_of(parameter));
    return names;
  }

  const FitProblem& problem_;
  const FitOptions& options_;
  Budget budget_;
  std::vector<ParameterPlaces> places_;
  std::vector<std::unique_ptr<ExperimentResiduals>> experiments_;
  int size_ = 0;
  VectorXd lower_, upper_;
  std::optional<LeastSquaresResult> best_;
  std::size_t best_start_ = 0;
  Fit fit_;
};

}  // namespace

std::string to_string(FitEnd end) {
  switch (end) {
    case FitEnd::converged:
      return "converged";
    case FitEnd::stalled:
      return "stalled";
    case FitEnd::iteration_limit:
      return "iteration_limit";
    case FitEnd::interrupted:
      return "interrupted";
    case FitEnd::time_budget:
      return "time_budget";
    case FitEnd::no_start:
      return "no_start";
  }
  return "unknown";
}

std::vector<Fault> FitOptions::validate(const FitProblem& problem) const {
  constexpr int most_starts = 100'000;
  std::vector<Fault> faults;
  const auto refuse = [&](std::string message) { faults.push_back({"bad-option", "", std::move(message)}); };
  if (starts < 1 || starts > most_starts) refuse("starts: expected 1 to " + std::to_string(most_starts));
  if (most_iterations < 1) refuse("most_iterations: expected a positive number");
  if (!(confidence > 0.0 && confidence < 1.0)) refuse("confidence: expected a number between 0 and 1");
  if (!(max_seconds > 0.0)) refuse("max_seconds: expected a positive number of seconds");
  if (!(std::isfinite(loss.scale) && loss.scale > 0.0))
    refuse("loss: found the scale " + text::format_number(loss.scale) + ", expected a positive number");
  const auto is_bounded = [](const FitParameter& parameter) {
    return std::isfinite(parameter.lower) && std::isfinite(parameter.upper);
  };
  if (starts > 1 && std::ranges::none_of(problem.parameters, is_bounded))
    refuse("starts: several of them need a parameter with two bounds to choose between");
  return faults;
}

Fit fit(const FitProblem& problem, const FitOptions& options) {
  std::vector<Fault> faults = options.validate(problem);
  for (Fault& fault : problem.validate()) faults.push_back(std::move(fault));
  if (!faults.empty()) throw InvalidOption(std::move(faults));
  return FitSearch(problem, options).find();
}

}  // namespace mti
