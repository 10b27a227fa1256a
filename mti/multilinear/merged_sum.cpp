#include "mti/multilinear/merged_sum.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "mti/common/rounding.hpp"
#include "mti/common/written_number.hpp"

namespace mti {
namespace {

/// A sum as doubles that do not overlap, ascending [shewchuk1997].
class ExactTotal {
 public:
  void add(double term) {
    std::size_t kept = 0;
    for (double part : parts_) {
      if (std::abs(term) < std::abs(part)) std::swap(term, part);
      const double sum = term + part;
      if (const double rest = part - (sum - term); rest != 0.0) parts_[kept++] = rest;
      term = sum;
    }
    parts_.resize(kept);
    if (term != 0.0) parts_.push_back(term);
  }

  [[nodiscard]] bool is_zero() const { return parts_.empty(); }
  [[nodiscard]] double leading() const { return parts_.empty() ? 0.0 : parts_.back(); }

  /// The nearest double, of two the even one.
  [[nodiscard]] double rounded() const {
    if (parts_.empty()) return 0.0;
    std::size_t next = parts_.size() - 1;
    double sum = parts_[next], rest = 0.0;
    while (next > 0 && rest == 0.0) {
      const double part = parts_[--next], before = sum;
      sum = before + part;
      rest = part - (sum - before);
    }
    // Half a unit was rounded to even, but what is left says to which side it had to go.
    if (next > 0 && std::signbit(rest) == std::signbit(parts_[next - 1])) {
      const double twice = 2.0 * rest, moved = sum + twice;
      if (moved - sum == twice) sum = moved;
    }
    return sum;
  }

 private:
  std::vector<double> parts_;
};

/// The size of a term that may have been rounded.
double uncertain(double term) { return is_written_exactly(term) ? 0.0 : std::abs(term); }

/// So much of each of `count` terms may be rounding.
double share(std::size_t count) { return 2.0 * static_cast<double>(count) * machine_epsilon; }

}  // namespace

double merged_sum(std::vector<double>& terms) {
  if (terms.size() == 1) return terms[0];
  if (terms.size() == 2) {
    const double sum = terms[0] + terms[1];
    const double limit = share(2) * uncertain(terms[0]) + share(2) * uncertain(terms[1]);
    return std::abs(sum) <= limit ? 0.0 : sum;
  }
  std::sort(terms.begin(), terms.end(), [](double a, double b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) > std::abs(b) : a < b;
  });
  ExactTotal total;
  double size = 0.0;
  std::size_t count = 0;
  for (const double term : terms) {
    total.add(term);
    if (!std::isfinite(total.leading())) return total.leading();
    size += uncertain(term) * machine_epsilon;
    ++count;
    if (!total.is_zero()) continue;
    size = 0.0;
    count = 0;
  }
  const double sum = total.rounded();
  return count > 1 && std::abs(sum) <= 2.0 * static_cast<double>(count) * size ? 0.0 : sum;
}

double rest_of(const std::vector<double>& terms, double sum) {
  constexpr double matters = 1e-10;
  if (terms.size() < 2 || sum == 0.0 || !std::isfinite(sum)) return 0.0;
  double smallest = std::numeric_limits<double>::infinity();
  for (const double term : terms) smallest = std::min(smallest, std::abs(term));
  if (machine_epsilon * std::abs(sum) <= matters * smallest) return 0.0;
  ExactTotal total;
  for (const double term : terms) total.add(term);
  total.add(-sum);
  return std::abs(total.leading()) > matters * smallest ? total.leading() : 0.0;
}

}  // namespace mti
