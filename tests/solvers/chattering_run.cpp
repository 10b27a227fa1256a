#include "tests/solvers/chattering_run.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mti/common/at.hpp"

namespace mti::test {
namespace {

class Recursion {
 public:
  explicit Recursion(const HybridNetwork& network)
      : network_(network),
        x_(network.start),
        y_(network.algebraic.size()),
        rates_(network.rates.size()),
        z_(network.laws.size()),
        before_(network.laws.size()) {}

  /// False if the binaries go round in circles.
  bool settle() {
    for (std::size_t round = 0; round < 2 * z_.size() + 4; ++round) {
      before_ = z_;
      for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = value(network_.algebraic[i]);
      for (std::size_t i = 0; i < z_.size(); ++i)
        z_[i] = std::visit([&](const auto& law) { return decide(law, before_[i] != 0); }, network_.laws[i])
                    ? 1
                    : 0;
      if (z_ == before_) return true;
    }
    return false;
  }

  void step(double h, long count) {
    drive_ = std::sin(2.0 * std::numbers::pi * network_.frequency * h * static_cast<double>(count));
    for (std::size_t i = 0; i < rates_.size(); ++i) rates_[i] = value(network_.rates[i]);
    for (std::size_t i = 0; i < rates_.size(); ++i) x_[i] += h * rates_[i];
  }

  [[nodiscard]] double fastest() const {
    double fastest = 0.0;
    for (const double rate : rates_) fastest = std::max(fastest, std::abs(rate));
    return fastest;
  }
  [[nodiscard]] const std::vector<double>& x() const { return x_; }
  [[nodiscard]] const std::vector<char>& z() const { return z_; }

 private:
  [[nodiscard]] double value(const Sum& sum) const {
    double total = 0.0;
    for (const Term& term : sum) {
      double product = term.factor;
      for (const int i : term.states) product *= x_[at(i)];
      for (const int i : term.algebraic) product *= y_[at(i)];
      for (const Literal& literal : term.literals)
        if (on(literal.binary) != literal.value) product = 0.0;
      total += term.driven ? product * drive_ : product;
    }
    return total;
  }
  [[nodiscard]] bool on(int binary) const { return z_[at(binary)] != 0; }

  [[nodiscard]] bool decide(const Threshold& law, bool /*before*/) const { return value(law.level) >= 0.0; }
  [[nodiscard]] bool decide(const Band& law, bool before) const {
    const double level = value(law.level);
    return before ? level > law.low : level >= law.high;
  }
  [[nodiscard]] bool decide(const Trip& law, bool before) const { return before || value(law.level) >= 0.0; }
  [[nodiscard]] bool decide(const Latch& law, bool before) const { return before || on(law.set); }
  [[nodiscard]] bool decide(const SetReset& law, bool before) const {
    return on(law.set) || (before && !on(law.reset));
  }
  [[nodiscard]] bool decide(const Output& law, bool /*before*/) const {
    switch (law.gate) {
      case Gate::conjunction:
        return on(law.a) && on(law.b);
      case Gate::disjunction:
        return on(law.a) || on(law.b);
      case Gate::difference:
        return on(law.a) != on(law.b);
      case Gate::negation:
        return !on(law.a);
    }
    return false;
  }

  const HybridNetwork& network_;
  std::vector<double> x_, y_, rates_;
  std::vector<char> z_, before_;
  double drive_ = 0.0;
};

}  // namespace

ChatteringRun chatter(const HybridNetwork& network, int steps, int count) {
  Recursion recursion(network);
  ChatteringRun run;
  const double h = network.stop / steps;
  for (int i = 0; i < steps; ++i) {
    if (!recursion.settle()) run.settled = false;
    recursion.step(h, i);
    run.fastest = std::max(run.fastest, recursion.fastest());
    if ((i + 1) % (steps / count) == 0) run.samples.push_back(recursion.x());
  }
  if (!recursion.settle()) run.settled = false;
  run.binaries = recursion.z();
  return run;
}

}  // namespace mti::test
