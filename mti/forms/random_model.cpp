#include "mti/forms/random_model.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/fault.hpp"

namespace mti {
namespace {

/// The same numbers on every machine: the engine is prescribed by the standard, its distributions are not.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : bits_(seed) {}
  [[nodiscard]] double uniform(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(bits_() >> 11U), -53);
  }
  [[nodiscard]] int below(int count) { return static_cast<int>(bits_() % static_cast<std::uint64_t>(count)); }

 private:
  std::mt19937_64 bits_;
};

void check(const RandomModelOptions& options) {
  const auto fail = [](const std::string& message) { throw InvalidOption("bad-random-model", "", message); };
  if (std::min({options.states, options.inputs, options.algebraic, options.binaries, options.terms}) < 0)
    fail("a number of signals or terms is negative");
  if (options.longest < 1) fail("longest is below 1");
  if (options.states + options.algebraic == 0) fail("a model needs a state or an algebraic signal");
  if (options.binaries > 0 && options.states == 0) fail("binaries compare states: there are none");
  for (const double share : {options.affine, options.derivatives})
    if (!(share >= 0.0 && share <= 1.0)) fail("a share is not in 0 to 1");
}

/// Writes the matrices column by column.
class Writer {
 public:
  Writer(const RandomModelOptions& options, Numbers& numbers)
      : options_(options), numbers_(numbers), n_(options.states), m_(options.inputs), p_(options.algebraic) {
    matrices_.S.rows = 2 * n_ + m_ + p_ + options.binaries;
    matrices_.Phi_eq.rows = n_ + p_;
    matrices_.Phi_ineq.rows = options.binaries;
  }

  MatricesSource write() {
    for (int i = 0; i < n_; ++i) {
      add_column(matrices_.Phi_eq, i, 1.0, {{i, 1.0}});
      add_column(matrices_.Phi_eq, i, 1.0, {{n_ + i, 1.0}});
      add_products(i);
    }
    for (int j = 0; j < p_; ++j) {
      add_column(matrices_.Phi_eq, n_ + j, 1.0, {{2 * n_ + m_ + j, 1.0}});
      add_products(n_ + j);
    }
    for (int b = 0; b < options_.binaries; ++b) add_comparison(b);
    matrices_.S.cols = matrices_.Phi_eq.cols = matrices_.Phi_ineq.cols = columns_;
    return std::move(matrices_);
  }

 private:
  using Factors = std::vector<std::pair<int, double>>;  ///< row of S, S

  static void add_entry(TripletSource& matrix, int row, int column, double value) {
    matrix.i.push_back(row);
    matrix.k.push_back(column);
    matrix.v.push_back(value);
  }

  void add_column(TripletSource& Phi, int row, double coefficient, const Factors& factors) {
    for (const auto& [signal, S] : factors) add_entry(matrices_.S, signal, columns_, S);
    add_entry(Phi, row, columns_++, coefficient);
  }

  double random_S() {
    const double sign = numbers_.below(2) == 0 ? 1.0 : -1.0;
    return numbers_.uniform(0.0, 1.0) < options_.affine ? sign * numbers_.uniform(0.1, 0.9) : sign;
  }

  void add_products(int row) {
    // |∂f_row/∂(ẋ, y)| beside its own signal is at most Σ|φ| · (number of factors) · 2, so at most ½.
    const double largest = 0.25 / ((options_.longest + 1) * std::max(1, options_.terms));
    const int candidates = matrices_.S.rows - n_;
    for (int t = 0; t < options_.terms; ++t) {
      Factors factors;
      const auto add_factor = [&](int signal) {
        if (std::ranges::none_of(factors, [&](const auto& factor) { return factor.first == signal; }))
          factors.emplace_back(signal, random_S());
      };
      for (int i = 1 + numbers_.below(options_.longest); i > 0; --i)
        add_factor(n_ + numbers_.below(candidates));
      if (n_ > 0 && numbers_.uniform(0.0, 1.0) < options_.derivatives) add_factor(numbers_.below(n_));
      const double sign = numbers_.below(2) == 0 ? 1.0 : -1.0;
      add_column(matrices_.Phi_eq, row, sign * numbers_.uniform(0.5, 1.0) * largest, factors);
    }
  }

  /// (1 − 2z)(x − θ), with 1 − 2z = 3 · (1/3 − 2/3 z).
  void add_comparison(int b) {
    const int z = 2 * n_ + m_ + p_ + b, x = n_ + b % n_;
    const double threshold = numbers_.uniform(-0.5, 0.5);
    const double size = 1.0 + std::abs(threshold);
    // x − θ = ±size · (1 − |S| + S x)
    const double sign = -threshold < 0.0 ? -1.0 : 1.0;
    add_column(matrices_.Phi_ineq, b, 3.0 * sign * size, {{x, sign / size}, {z, -2.0 / 3.0}});
  }

  const RandomModelOptions& options_;
  Numbers& numbers_;
  int n_, m_, p_;
  int columns_ = 0;
  MatricesSource matrices_;
};

}  // namespace

Source random_model(const RandomModelOptions& options) {
  check(options);
  Numbers numbers(options.seed);
  Source source;
  source.name = "random_" + std::to_string(options.seed);
  for (int i = 1; i <= options.states; ++i)
    source.states.push_back({.name = "x" + std::to_string(i), .start = numbers.uniform(-0.5, 0.5)});
  for (int i = 1; i <= options.inputs; ++i)
    source.inputs.push_back({.name = "u" + std::to_string(i), .form = Number(numbers.uniform(-1.0, 1.0))});
  for (int i = 1; i <= options.algebraic; ++i) source.algebraic.push_back({.name = "y" + std::to_string(i)});
  for (int i = 1; i <= options.binaries; ++i) source.binaries.push_back({.name = "z" + std::to_string(i)});
  source.matrices = Writer(options, numbers).write();
  return source;
}

}  // namespace mti
