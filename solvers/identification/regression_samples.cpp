#include "solvers/identification/regression_samples.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/multilinear/cp_map.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

std::string number(double value) { return text::format_number(value, 6); }

std::vector<int> mode_at(const SampledExperiment& experiment, Eigen::Index sample) {
  return experiment.modes.empty() ? std::vector<int>{} : experiment.modes[at(sample)];
}

/// Parts of an experiment with one mode and without jumps.
std::vector<SampleRange> smooth_parts(const SampledExperiment& experiment) {
  std::vector<SampleRange> parts;
  const auto T = static_cast<Eigen::Index>(experiment.time.size());
  for (Eigen::Index k = 0; k < T; ++k) {
    const bool goes_on = k > 0 && experiment.time[at(k)] > experiment.time[at(k - 1)] &&
                         (experiment.modes.empty() || experiment.modes[at(k)] == experiment.modes[at(k - 1)]);
    if (goes_on)
      parts.back().last = k + 1;
    else
      parts.push_back({k, k + 1});
  }
  return parts;
}

/// One experiment behind the other, for a choice that all of them decide about.
LocalPolynomial polynomial_of(const IdentificationData& data, Eigen::Index state) {
  std::vector<double> time;
  std::vector<double> values;
  std::vector<SampleRange> parts;
  for (const SampledExperiment& experiment : data.experiments) {
    const auto offset = static_cast<Eigen::Index>(time.size());
    for (const SampleRange& part : smooth_parts(experiment))
      parts.push_back({part.first + offset, part.last + offset});
    time.insert(time.end(), experiment.time.begin(), experiment.time.end());
    for (const double x : experiment.states.col(state)) values.push_back(x);
  }
  return choose_polynomial(
      time, Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size())),
      parts);
}

/// What most steps are like, which a gap or a doubled sample does not change; 0 if there are none.
double usual_step(const IdentificationData& data) {
  std::vector<double> steps;
  for (const SampledExperiment& experiment : data.experiments)
    for (std::size_t k = 1; k < experiment.time.size(); ++k)
      steps.push_back(experiment.time[k] - experiment.time[k - 1]);
  if (steps.empty()) return 0.0;
  const auto middle = steps.begin() + std::ssize(steps) / 2;
  std::ranges::nth_element(steps, middle);
  return *middle;
}

/// The sample time, which all steps of all experiments have: of the longest experiment, where their rounding counts least.
double even_sample_time(const IdentificationData& data) {
  constexpr double even = 1e-6;
  const double usual = usual_step(data);
  double sample_time = 0.0, longest = 0.0;
  for (const SampledExperiment& experiment : data.experiments) {
    const std::vector<double>& time = experiment.time;
    if (time.size() < 2) continue;
    // Times are rounded: far from zero their differences are less exact.
    const double rounding = 1e-12 * std::max(std::abs(time.front()), std::abs(time.back()));
    for (std::size_t k = 1; k < time.size(); ++k)
      if (!(time[k] > time[k - 1] && std::abs(time[k] - time[k - 1] - usual) <= even * usual + rounding))
        throw UnusableFile({{"uneven-samples", "",
                             "from t = " + number(time[k - 1]) + " to t = " + number(time[k]) + " is " +
                                 number(time[k] - time[k - 1]) + ", expected the sample time " +
                                 number(usual) + " of discrete time throughout",
                             experiment.name}});
    if (const double length = time.back() - time.front(); length > longest) {
      longest = length;
      sample_time = length / static_cast<double>(time.size() - 1);
    }
  }
  return sample_time;
}

/// How many samples a part of each mode has at least that counts: polynomials of the degrees need them, unless no part of the mode is
/// that long.
std::map<std::vector<int>, Eigen::Index> shortest_parts(const IdentificationData& data,
                                                        const std::vector<LocalPolynomial>& polynomials) {
  int degree = 0;
  for (const LocalPolynomial& polynomial : polynomials) degree = std::max(degree, polynomial.degree);
  std::map<std::vector<int>, Eigen::Index> shortest;
  for (const SampledExperiment& experiment : data.experiments)
    for (const SampleRange& part : smooth_parts(experiment)) {
      Eigen::Index& longest = shortest[mode_at(experiment, part.first)];
      longest = std::max(longest, std::min<Eigen::Index>(part.last - part.first, degree + 1));
    }
  return shortest;
}

/// (T × n) targets of an experiment; rows without one are not finite.
Eigen::MatrixXd targets_of(const SampledExperiment& experiment, const IdentificationOptions& options,
                           const std::vector<LocalPolynomial>& polynomials,
                           const std::map<std::vector<int>, Eigen::Index>& shortest) {
  if (experiment.targets.size() > 0) return experiment.targets;
  const Eigen::Index T = experiment.states.rows(), n = experiment.states.cols();
  Eigen::MatrixXd targets(T, n);
  if (options.discrete) {
    targets.topRows(T - 1) = experiment.states.bottomRows(T - 1);
    targets.row(T - 1).setConstant(std::numeric_limits<double>::quiet_NaN());
    return targets;
  }
  const std::vector<SampleRange> parts = smooth_parts(experiment);
  for (Eigen::Index j = 0; j < n; ++j)
    targets.col(j) = derivatives_of(experiment.time, experiment.states.col(j), parts, polynomials[at(j)]);
  for (const SampleRange& part : parts)
    if (const Eigen::Index length = part.last - part.first;
        length < shortest.at(mode_at(experiment, part.first)))
      targets.middleRows(part.first, length).setConstant(std::numeric_limits<double>::quiet_NaN());
  return targets;
}

/// "2*x - u + 3": what a column is equal to.
std::string combination(const Eigen::VectorXd& coefficients, const std::vector<std::string>& names,
                        const std::vector<Eigen::Index>& columns, double constant) {
  std::string text;
  const auto add = [&](double c, const std::string& name) {
    if (c == 0.0) return;
    text += text.empty() ? (c < 0.0 ? "-" : "") : (c < 0.0 ? " - " : " + ");
    text += name.empty() ? number(std::abs(c)) : (std::abs(c) == 1.0 ? "" : number(std::abs(c)) + "*") + name;
  };
  for (std::size_t c = 0; c < columns.size(); ++c)
    add(coefficients(static_cast<Eigen::Index>(c)), names[at(columns[c])]);
  add(constant, "");
  return text.empty() ? "0" : text;
}

}  // namespace

RegressionSamples regression_samples(const IdentificationData& data, const IdentificationOptions& options) {
  RegressionSamples result;
  const auto n = static_cast<Eigen::Index>(data.states.size());
  const auto m = static_cast<Eigen::Index>(data.inputs.size());
  const bool differentiates = !options.discrete && data.experiments.front().targets.size() == 0;
  if (options.discrete) result.sample_time = even_sample_time(data);
  if (differentiates)
    for (Eigen::Index j = 0; j < n; ++j)
      result.polynomials.push_back(options.polynomial ? *options.polynomial : polynomial_of(data, j));
  const std::map<std::vector<int>, Eigen::Index> shortest = shortest_parts(data, result.polynomials);
  struct Row {
    const SampledExperiment* experiment;
    Eigen::Index sample;
    Eigen::RowVectorXd target;
  };
  std::map<std::vector<int>, std::vector<Row>> rows;
  for (const SampledExperiment& experiment : data.experiments) {
    if (experiment.time.empty()) continue;
    check_budget();
    const Eigen::MatrixXd targets = targets_of(experiment, options, result.polynomials, shortest);
    for (Eigen::Index k = 0; k < targets.rows(); ++k)
      if (targets.row(k).allFinite())
        rows[mode_at(experiment, k)].push_back({&experiment, k, targets.row(k)});
      else
        ++result.left_out;
  }
  for (const auto& [mode, of_mode] : rows) {
    check_budget();
    RegressionData& samples = result.of_mode[mode];
    const auto T = static_cast<Eigen::Index>(of_mode.size());
    samples.W.resize(T, n + m);
    samples.Y.resize(T, n);
    for (Eigen::Index t = 0; t < T; ++t) {
      const Row& row = of_mode[at(t)];
      samples.W.row(t) << row.experiment->states.row(row.sample), row.experiment->inputs.row(row.sample);
      samples.Y.row(t) = row.target;
    }
  }
  return result;
}

std::vector<Fault> undetermined_columns(const RegressionData& samples, const std::vector<std::string>& names,
                                        const std::string& where) {
  constexpr double constant = 1e-12, dependent = 1e-10, no_part = 1e-8;
  std::vector<Fault> faults;
  Eigen::MatrixXd independent(samples.W.rows(), 0);
  std::vector<Eigen::Index> columns;
  for (Eigen::Index i = 0; i < samples.W.cols(); ++i) {
    check_budget();
    const Eigen::VectorXd w = samples.W.col(i);
    const double low = w.minCoeff(), high = w.maxCoeff();
    const std::string& name = names[at(i)];
    if (!(high - low > constant * std::max(std::abs(low), std::abs(high)))) {
      faults.push_back(
          {"constant-column", "",
           "column " + name + " is " + number(low) + " in all samples" + where +
               ", so that its influence cannot be told; leave it out, or add data in which it varies"});
      continue;
    }
    const double centre = 0.5 * (low + high), size = 0.5 * (high - low);
    Eigen::MatrixXd basis(independent.rows(), independent.cols() + 1);
    basis << independent, Eigen::VectorXd::Ones(independent.rows());
    const Eigen::VectorXd unit = (w.array() - centre) / size;
    const Eigen::VectorXd shares = basis.householderQr().solve(unit);
    if ((unit - basis * shares).norm() > dependent * unit.norm()) {
      independent.conservativeResize(Eigen::NoChange, independent.cols() + 1);
      independent.col(independent.cols() - 1) = unit;
      columns.push_back(i);
      continue;
    }
    Eigen::VectorXd slopes = size * shares.head(independent.cols());
    double level = centre + size * shares(independent.cols());
    for (Eigen::Index c = 0; c < slopes.size(); ++c) {
      const Eigen::VectorXd other = samples.W.col(columns[at(c)]);
      const double other_size = 0.5 * (other.maxCoeff() - other.minCoeff());
      slopes(c) = std::abs(shares(c)) > no_part ? slopes(c) / other_size : 0.0;
      level -= slopes(c) * 0.5 * (other.maxCoeff() + other.minCoeff());
    }
    const double magnitude = std::max(std::abs(low), std::abs(high));
    if (std::abs(level) < no_part * magnitude) level = 0.0;
    faults.push_back({"collinear-columns", "",
                      "column " + name + " is " + combination(slopes, names, columns, level) +
                          " in all samples" + where +
                          ", so that their influences cannot be told apart; leave one of them out"});
  }
  return faults;
}

SignalScaling scaling_of(const RegressionData& samples, Signs signs) {
  constexpr double varies = 1e-12;
  SignalScaling scaling{Eigen::VectorXd::Zero(samples.W.cols()), Eigen::VectorXd(samples.W.cols()),
                        Eigen::VectorXd(samples.Y.cols())};
  for (Eigen::Index i = 0; i < samples.W.cols(); ++i) {
    const double low = samples.W.col(i).minCoeff(), high = samples.W.col(i).maxCoeff();
    if (signs == Signs::any) scaling.centre(i) = 0.5 * (low + high);
    scaling.size(i) = signs == Signs::any ? 0.5 * (high - low) : std::max(std::abs(low), std::abs(high));
  }
  for (Eigen::Index j = 0; j < samples.Y.cols(); ++j) {
    const Eigen::ArrayXd y = samples.Y.col(j);
    const double deviation = std::sqrt((y - y.mean()).square().mean()), size = std::sqrt(y.square().mean());
    const double scale = deviation > varies * size ? deviation : size;
    scaling.scale(j) = scale > 0.0 ? scale : 1.0;
  }
  return scaling;
}

RegressionData scaled(const RegressionData& samples, const SignalScaling& scaling) {
  return {(samples.W.rowwise() - scaling.centre.transpose()) * scaling.size.cwiseInverse().asDiagonal(),
          samples.Y * scaling.scale.cwiseInverse().asDiagonal()};
}

void in_units_of_data(const CpFactors& factors, const SignalScaling& scaling, Eigen::MatrixXd& S,
                      Eigen::MatrixXd& Phi) {
  S.resize(factors.angle.rows(), factors.rank());
  Phi = scaling.scale.asDiagonal() * factors.Phi;
  for (Eigen::Index k = 0; k < factors.rank(); ++k)
    for (Eigen::Index i = 0; i < S.rows(); ++i) {
      // At a right angle the cosine is 6e-17, which is a zero of the bound.
      const double theta = factors.angle(i, k);
      const double cosine = theta == std::numbers::pi / 2.0 ? 0.0 : std::cos(theta), sine = std::sin(theta);
      const auto factor =
          normalise(cosine - sine * scaling.centre(i) / scaling.size(i), sine / scaling.size(i));
      S(i, k) = factor.S;
      Phi.col(k) *= factor.scale;
    }
}

}  // namespace mti
