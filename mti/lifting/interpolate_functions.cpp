#include "mti/lifting/interpolate_functions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"
#include "mti/lifting/lifted_source.hpp"
#include "mti/lifting/signal_ranges.hpp"
#include "mti/reduction/cp_rank.hpp"

namespace mti {
namespace {

using text::format_number;

std::map<int, Range> checked_ranges(const Model& model, const InterpolationOptions& options) {
  std::vector<Fault> faults;
  if (!(options.tolerance > 0.0) || !std::isfinite(options.tolerance))
    faults.push_back({"bad-option", "tolerance",
                      "found " + format_number(options.tolerance) + ", expected a positive finite number"});
  std::map<int, Range> ranges;
  for (const auto& [name, range] : options.ranges) {
    const auto row = model.signature.find(name);
    const std::string near = row ? "" : model.signature.suggestion(name);
    if (!row)
      faults.push_back({"unknown-name", "",
                        "there is no signal " + name + (near.empty() ? "" : ", did you mean " + near + "?")});
    else if (!(range.low < range.high) || !std::isfinite(range.low) || !std::isfinite(range.high))
      faults.push_back({"bad-option", name,
                        "found the range " + format_number(range.low) + ":" + format_number(range.high) +
                            ", expected two finite numbers in ascending order"});
    else
      ranges.emplace(*row, range);
  }
  if (!faults.empty()) throw InvalidOption(std::move(faults));
  return ranges;
}

class FunctionInterpolation {
 public:
  FunctionInterpolation(const Model& model, const InterpolationOptions& options)
      : model_(model),
        options_(options),
        ranges_(model, checked_ranges(model, options)),
        source_(model),
        points_(model.functions.size()) {}

  InterpolatedModel run() {
    find_points();
    InterpolatedModel result;
    std::mt19937_64 random(options_.seed);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const FunctionText& row = model_.function_texts[i];
      source_.replace(row.equation, model_.signature.row_name(row.result) + " = " + text_of(i));
      const BreakPoints& points = *points_[i];
      result.functions.push_back({.text = row.text,
                                  .range = {points.x.front(), points.x.back()},
                                  .lines = static_cast<int>(points.x.size()) - 1,
                                  .error = largest_error(i, random)});
    }
    const Model model = build(std::move(source_).finish());
    result.columns_before = model.columns();
    result.model = reduce_rank(model, {.tolerance = 0.0}).model;
    return result;
  }

 private:
  /// An argument may hold results of other functions, which have to have their ranges before.
  void find_points() {
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (std::size_t i = 0; i < points_.size(); ++i) {
        if (points_[i]) continue;
        const auto range = ranges_.of(model_.function_texts[i].argument);
        if (!range) continue;
        find_points(model_.function_texts[i].argument, *range);
        goes_on = true;
      }
    }
    std::vector<Fault> faults;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const FunctionText& row = model_.function_texts[i];
      if (points_[i]) continue;
      faults.push_back({"no-range", "",
                        "the range of " + model_.signature.row_name(row.argument) + ", the argument of " +
                            row.text + ", is not known: give it, or those of the signals it is made of"});
    }
    if (!faults.empty()) throw InvalidOption(std::move(faults));
  }

  /// All functions of one argument have the same points, and share their binaries.
  void find_points(int argument, Range range) {
    constexpr int most_points = 1001;
    std::vector<std::size_t> which;
    std::vector<ElementaryFunction> functions;
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (model_.function_texts[i].argument == argument) {
        which.push_back(i);
        functions.push_back(model_.functions[i].phi);
      }
    const double width = 1e-6 * std::max(1.0, std::abs(range.low));
    if (!(range.low < range.high)) range.high = range.low + width;
    const auto found = break_points(functions, range, options_.tolerance, most_points);
    if (!found)
      throw InvalidModel("too-many-lines", "",
                         model_.function_texts[which.front()].text + " is not within " +
                             format_number(options_.tolerance) + " of " + std::to_string(most_points - 1) +
                             " lines for " + model_.signature.row_name(argument) + " from " +
                             format_number(range.low, 6) + " to " + format_number(range.high, 6));
    for (std::size_t k = 0; k < which.size(); ++k) {
      const auto [low, high] = std::ranges::minmax((*found)[k].y);
      ranges_.set(model_.function_texts[which[k]].result, {low, high});
      points_[which[k]] = (*found)[k];
    }
  }

  [[nodiscard]] std::string text_of(std::size_t i) const {
    const BreakPoints& points = *points_[i];
    const std::string a = model_.signature.row_name(model_.function_texts[i].argument);
    if (points.x.size() == 2) {
      const double slope = (points.y[1] - points.y[0]) / (points.x[1] - points.x[0]);
      return format_number(points.y[0]) + " + (" + format_number(slope) + ")*(" + a + " - (" +
             format_number(points.x[0]) + "))";
    }
    return "table(" + a + ", " + list(points.x) + ", " + list(points.y) + ")";
  }

  static std::string list(const std::vector<double>& numbers) {
    std::string text;
    for (const double number : numbers) text += (text.empty() ? "[" : ", ") + format_number(number);
    return text + "]";
  }

  [[nodiscard]] double largest_error(std::size_t i, std::mt19937_64& random) const {
    const BreakPoints& points = *points_[i];
    std::uniform_real_distribution<double> anywhere(points.x.front(), points.x.back());
    double largest = 0.0;
    for (int k = 0; k < options_.random_points; ++k) {
      const double a = anywhere(random);
      largest = std::max(largest, std::abs(model_.functions[i].phi.value(a) - points.value(a)));
    }
    return largest;
  }

  const Model& model_;
  const InterpolationOptions& options_;
  SignalRanges ranges_;
  LiftedSource source_;
  std::vector<std::optional<BreakPoints>> points_;
};

}  // namespace

InterpolatedModel interpolate_functions(const Model& model, const InterpolationOptions& options) {
  if (model.is_multilinear() && model.divisors.empty()) return {model, {}, model.columns()};
  return FunctionInterpolation(model, options).run();
}

}  // namespace mti
