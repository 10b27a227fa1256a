#include "solvers/identification/identification.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"
#include "solvers/budget/budget.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/identification/cross_validation.hpp"
#include "solvers/identification/identifiability.hpp"
#include "solvers/identification/identified_model.hpp"
#include "solvers/identification/regression_samples.hpp"

namespace mti {
namespace {

/// 0 … count − 1 in the order of the names: what is found does not depend on the order of columns.
std::vector<Eigen::Index> order_by_name(const std::vector<std::string>& names) {
  std::vector<Eigen::Index> order(names.size());
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::ranges::sort(order, {}, [&](Eigen::Index i) { return names[at(i)]; });
  return order;
}

/// The identification of F in one mode.
class ModeIdentification {
 public:
  ModeIdentification(const IdentificationData& data, const IdentificationOptions& options,
                     const RegressionSamples& all, const std::vector<int>& mode, std::uint32_t number)
      : data_(data),
        options_(options),
        samples_(all.of_mode.at(mode)),
        scaling_(scaling_of(samples_, options.signs)) {
    names_ = data.states;
    names_.insert(names_.end(), data.inputs.begin(), data.inputs.end());
    result_.mode = mode;
    result_.samples = static_cast<int>(samples_.W.rows());
    if (!data.mode_columns.empty()) where_ = " of mode " + mode_text(data.mode_columns, mode);
    // A fold takes neighbours whose derivatives share samples together.
    for (const LocalPolynomial& polynomial : all.polynomials)
      block_ = std::max<Eigen::Index>(block_, polynomial.samples);
    search_ = {
        .signs = options.signs, .starts = options.starts, .seed = options.seed, .stream = number << 16U};
    order_ = order_by_name(names_);
    output_order_ = order_by_name(data.states);
  }

  /// What keeps F from being determined.
  [[nodiscard]] std::vector<Fault> faults() const {
    const Eigen::Index T = samples_.W.rows(), n = samples_.Y.cols(), N = samples_.W.cols();
    if (T < 2) return {too_few("found " + counted(T, "sample"), 2)};
    const std::int64_t rank = options_.ranks.back(), numbers = rank * (N + n);
    const Eigen::Index blocks = (T + block_ - 1) / block_;
    const Eigen::Index in_training =
        options_.folds == 0 ? T : T - std::min(T, ((blocks + options_.folds - 1) / options_.folds) * block_);
    if (options_.folds > blocks)
      return {too_few("cross-validation in " + std::to_string(options_.folds) +
                          " parts takes samples in groups of " + std::to_string(block_) +
                          ", whose derivatives share samples; found " + counted(T, "sample"),
                      (options_.folds - 1) * block_ + 1)};
    if (in_training < rank || in_training * n < numbers)
      return {too_few(
          "rank " + std::to_string(rank) + " has " + std::to_string(numbers) +
              " entries of S and Phi; found " + counted(T, "sample") +
              (options_.folds == 0 ? ""
                                   : ", " + std::to_string(in_training) + " of them in the smallest part") +
              ", with " + counted(n, "equation") + " each",
          std::max(rank, (numbers + n - 1) / n))};
    return undetermined_columns(samples_, names_, where_);
  }

  IdentifiedFunction run(const std::function<void()>& rank_done) {
    RegressionData data = scaled(samples_, scaling_);
    data = {data.W(Eigen::all, order_), data.Y(Eigen::all, output_order_)};
    std::optional<CrossValidation> validation;
    if (options_.folds > 0) validation.emplace(data, options_.folds, block_, search_);
    std::vector<ValidationError> errors;
    std::vector<CpFactors> fits;
    for (const int rank : options_.ranks) {
      const auto found = search_rank(data, rank, search_, fits.empty() ? nullptr : &fits.back());
      if (!found) {  // more columns than the samples tell apart
        if (fits.empty())
          throw UnusableFile({too_few(
              "no function of rank " + std::to_string(rank) + " has columns that the samples tell apart",
              0)});
        break;
      }
      fits.push_back(found->fit.factors);
      RankReport report{.rank = rank,
                        .error = std::sqrt(found->fit.cost / static_cast<double>(data.Y.size())),
                        .starts = found->starts,
                        .times_best = found->times_best,
                        .unsure = found->unsure};
      if (validation) {
        errors.push_back(validation->error_of(rank, fits.back()));
        report.validation_error = std::sqrt(errors.back().mean);
        report.standard_error = errors.back().standard_error;
        report.unsure_folds = errors.back().unsure_folds;
      }
      result_.ranks.push_back(report);
      rank_done();
      if (validation && errors.back().mean <= negligible_error) break;  // nothing is left for higher ranks
    }
    const std::size_t chosen = validation ? chosen_rank(errors) : fits.size() - 1;
    finish(fits[chosen], data);
    return std::move(result_);
  }

 private:
  [[nodiscard]] Fault too_few(const std::string& found, std::int64_t needed) const {
    return {"too-few-samples", "",
            (where_.empty() ? "" : "samples" + where_ + ": ") + found +
                (needed > 0 ? ", expected " + std::to_string(needed) + " at least"
                            : ", expected more, or a lower rank")};
  }

  /// Everything about the function that is taken, in the units of the data.
  void finish(const CpFactors& factors, const RegressionData& ordered) {
    Identifiability known = identifiability(factors, ordered, options_.signs);
    result_.condition = known.condition;
    for (auto& direction : known.free_directions)
      for (auto& entry : direction) entry.first = static_cast<int>(order_[at(entry.first)]);
    result_.free_directions = std::move(known.free_directions);
    CpFactors in_order = factors;
    for (std::size_t i = 0; i < order_.size(); ++i)
      in_order.angle.row(order_[i]) = factors.angle.row(static_cast<Eigen::Index>(i));
    for (std::size_t j = 0; j < output_order_.size(); ++j)
      in_order.Phi.row(output_order_[j]) = factors.Phi.row(static_cast<Eigen::Index>(j));
    in_units_of_data(in_order, scaling_, result_.S, result_.Phi);
    // The function as it will be written, so that what its normal form loses is in the errors.
    Eigen::ArrayXXd P = Eigen::ArrayXXd::Ones(samples_.W.rows(), result_.S.cols());
    for (Eigen::Index k = 0; k < P.cols(); ++k) {
      check_budget();
      for (Eigen::Index i = 0; i < samples_.W.cols(); ++i)
        P.col(k) *= 1.0 - std::abs(result_.S(i, k)) + result_.S(i, k) * samples_.W.col(i).array();
    }
    const Eigen::ArrayXXd left = samples_.Y - P.matrix() * result_.Phi.transpose();
    for (Eigen::Index j = 0; j < left.cols(); ++j) {
      const Eigen::ArrayXd y = samples_.Y.col(j);
      result_.outputs.push_back({data_.states[at(j)], std::sqrt(left.col(j).square().mean()),
                                 left.col(j).abs().maxCoeff(), std::sqrt((y - y.mean()).square().mean())});
    }
  }

  const IdentificationData& data_;
  const IdentificationOptions& options_;
  const RegressionData& samples_;
  SignalScaling scaling_;
  std::vector<std::string> names_;
  std::string where_;
  Eigen::Index block_ = 1;
  RankSearchOptions search_;
  std::vector<Eigen::Index> order_, output_order_;
  IdentifiedFunction result_;
};

Identification identified(const IdentificationData& data, const IdentificationOptions& options) {
  const RegressionSamples samples = regression_samples(data, options);
  std::vector<ModeIdentification> modes;
  std::vector<Fault> faults;
  for (const auto& [mode, rows] : samples.of_mode) {
    modes.emplace_back(data, options, samples, mode, static_cast<std::uint32_t>(modes.size()));
    for (Fault& fault : modes.back().faults()) {
      if (data.experiments.size() == 1) fault.file = data.experiments.front().name;
      faults.push_back(std::move(fault));
    }
  }
  if (modes.empty())
    faults.push_back({"too-few-samples", "",
                      "no sample has a derivative or a next sample, expected at least two",
                      data.experiments.front().name});
  if (!faults.empty()) throw UnusableFile(std::move(faults));
  Identification result;
  int done = 0;
  const int all = static_cast<int>(modes.size() * options.ranks.size());
  for (ModeIdentification& mode : modes)
    result.functions.push_back(mode.run([&] {
      ++done;
      if (options.progress) options.progress(done, all);
    }));
  result.polynomials = samples.polynomials;
  result.sample_time = samples.sample_time;
  result.samples_left_out = samples.left_out;
  result.model = identified_model(data, result, options.discrete);
  return result;
}

}  // namespace

std::vector<Fault> IdentificationOptions::validate() const {
  constexpr int highest_rank = 100, most_starts = 100'000, most_folds = 100;
  std::vector<Fault> faults;
  const auto refuse = [&](const std::string& message) { faults.push_back({"bad-option", "", message}); };
  if (ranks.empty() || ranks.front() < 1 || ranks.back() > highest_rank ||
      std::ranges::adjacent_find(ranks, std::greater_equal<>()) != ranks.end())
    refuse("ranks: expected ascending numbers from 1 to 100");
  if (starts < 1 || starts > most_starts) refuse("starts: expected 1 to 100000");
  if (!(folds == 0 || (folds >= 2 && folds <= most_folds))) refuse("folds: expected 0, or 2 to 100");
  if (folds == 0 && ranks.size() > 1)
    refuse("folds: found 0 with several ranks, expected 2 to 100: the rank is chosen by cross-validation");
  if (polynomial && !(polynomial->degree >= 1 && polynomial->degree <= 12 &&
                      polynomial->samples > polynomial->degree && polynomial->samples <= 1001))
    refuse("polynomial: expected a degree of 1 to 12 and more samples than that, 1001 at most");
  if (!(max_seconds > 0.0)) refuse("max_seconds: expected a positive number of seconds");
  return faults;
}

Identification identify(const IdentificationData& data, const IdentificationOptions& options) {
  if (auto faults = options.validate(); !faults.empty()) throw InvalidOption(std::move(faults));
  if (data.states.empty() || data.experiments.empty() ||
      std::ranges::any_of(data.experiments, [](const SampledExperiment& e) { return e.time.empty(); }))
    throw InvalidOption("bad-option", "", "expected one state and one sample at least");
  const Budget budget(options.max_seconds, options.stop_token);
  const BudgetWatch watch(budget);
  try {
    return identified(data, options);
  } catch (const BudgetEnded&) {
    if (budget.stop_requested())
      throw NotReached("interrupted", "", "the identification was interrupted; nothing is written");
    throw NotReached("time_budget", "",
                     "the time was over before the identification was done; nothing is written");
  }
}

std::string mode_text(const std::vector<std::string>& columns, const std::vector<int>& mode) {
  std::string text;
  for (std::size_t c = 0; c < columns.size(); ++c)
    text += (c > 0 ? ", " : "") + columns[c] + "=" + std::to_string(mode[c]);
  return text;
}

}  // namespace mti
