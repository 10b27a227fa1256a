#include "mti/polynomials/interpolated_input.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"

namespace mti {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int piece_degree = 8, piece_points = piece_degree + 1;

/// Chebyshev's points of [0, 1], which has none of its ends among them.
VectorXd chebyshev_points(int count) {
  VectorXd nodes(count);
  for (int i = 0; i < count; ++i)
    nodes[i] = 0.5 * (1.0 - std::cos((2 * i + 1) * std::numbers::pi / (2 * count)));
  return nodes;
}

MatrixXd powers(const VectorXd& s) {
  MatrixXd V(s.size(), piece_points);
  V.col(0).setOnes();
  for (int k = 1; k < piece_points; ++k) V.col(k) = V.col(k - 1).cwiseProduct(s);
  return V;
}

class InterpolatedPieces {
 public:
  InterpolatedPieces(const std::function<double(double)>& u, double tolerance)
      : u_(u),
        tolerance_(tolerance),
        nodes_(chebyshev_points(piece_points)),
        between_(chebyshev_points(2 * piece_points + 1)) {
    solver_.compute(powers(nodes_));
    powers_between_ = powers(between_);
  }

  /// Pieces of [a, b], from the left to the right. The largest value so far decides how near is near enough.
  void add(double a, double b) {
    std::vector<std::pair<double, double>> open = {{a, b}};
    constexpr std::size_t most_pieces = 1'000'000;
    while (!open.empty()) {
      const auto [begin, end] = open.back();
      open.pop_back();
      const double h = end - begin, middle = begin + 0.5 * h;
      const VectorXd c = solver_.solve(values(begin, h, nodes_));
      const double error = std::max((powers_between_ * c - values(begin, h, between_)).cwiseAbs().maxCoeff(),
                                    error_at_looks(a, b, begin, h, c));
      if (error <= tolerance_ * std::max(1.0, largest_)) {
        if (time.empty() || time.back() != begin) time.push_back(begin);
        double power = 1.0;
        for (int k = 0; k < piece_points; ++k, power *= h) coefficients.push_back(c[k] / power);
        time.push_back(end);
      } else {
        const double shortest = 1e-12 * std::max({std::abs(a), std::abs(b), b - a});
        if (h < shortest || coefficients.size() > most_pieces * piece_points)
          throw InvalidOption("not-smooth", "",
                              "the function is not smooth enough near t = " + text::format_number(middle, 9) +
                                  ": polynomials through its values are off by " +
                                  text::format_number(error, 3) +
                                  " there; where it or a derivative jumps belongs to the kinks");
        open.emplace_back(middle, end);
        open.emplace_back(begin, middle);
      }
    }
  }

  std::vector<double> time, coefficients;

 private:
  /// At those of the thousands of [a, b] that lie in the piece: in a long one a pulse may stand between all points.
  double error_at_looks(double a, double b, double begin, double h, const VectorXd& c) {
    constexpr int looks = 2000;
    const auto first = static_cast<int>(std::ceil((begin - a) / (b - a) * looks));
    const auto last = static_cast<int>(std::floor((begin + h - a) / (b - a) * looks));
    if (last - first < between_.size()) return 0.0;
    VectorXd s(last - first + 1);
    for (int k = first; k <= last; ++k) s[k - first] = (a + (b - a) * (k + 0.5) / (looks + 1) - begin) / h;
    s = s.cwiseMax(between_.minCoeff()).cwiseMin(between_.maxCoeff());  // not at a kink
    return (powers(s) * c - values(begin, h, s)).cwiseAbs().maxCoeff();
  }

  VectorXd values(double begin, double h, const VectorXd& s) {
    VectorXd result(s.size());
    for (Eigen::Index i = 0; i < s.size(); ++i) {
      const double t = begin + h * s[i];
      result[i] = u_(t);
      if (!std::isfinite(result[i]))
        throw InvalidOption("not-smooth", "",
                            "the function is not finite at t = " + text::format_number(t, 9));
      largest_ = std::max(largest_, std::abs(result[i]));
    }
    return result;
  }

  const std::function<double(double)>& u_;
  double tolerance_, largest_ = 0.0;
  VectorXd nodes_, between_;
  Eigen::ColPivHouseholderQR<MatrixXd> solver_;
  MatrixXd powers_between_;
};

}  // namespace

PolynomialInput interpolated_input(const std::function<double(double)>& u, double start, double stop,
                                   double tolerance, std::vector<double> kinks) {
  if (!std::isfinite(start) || !std::isfinite(stop) || !(start < stop))
    throw InvalidOption("bad-option", "", "expected a start before the stop, and both finite");
  constexpr double finest = 1e-14;
  if (!(tolerance >= finest))
    throw InvalidOption("bad-option", "",
                        "found the tolerance " + text::format_number(tolerance) + ", expected 1e-14 or more");
  std::erase_if(kinks, [&](double kink) { return !(kink > start && kink < stop); });
  kinks.insert(kinks.end(), {start, stop});
  std::ranges::sort(kinks);
  kinks.erase(std::unique(kinks.begin(), kinks.end()), kinks.end());
  InterpolatedPieces interpolation(u, tolerance);
  for (std::size_t i = 1; i < kinks.size(); ++i) interpolation.add(kinks[i - 1], kinks[i]);
  return {.time = std::move(interpolation.time),
          .degree = piece_degree,
          .coefficients = std::make_shared<const std::vector<double>>(std::move(interpolation.coefficients))};
}

}  // namespace mti
