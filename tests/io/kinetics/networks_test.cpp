// Random mass-action networks, written as SBML, read and run, against a right-hand side that is computed from the lists of the
// network alone.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mti/common/number.hpp"
#include "tests/io/kinetics/sbml_model.hpp"

namespace mti {
namespace networks_test {

/// R: a (+ b) → c (+ d) with the rate k·V·a·b.
struct Network {
  struct Reaction {
    std::vector<std::size_t> from, to;
    double k = 0.0;
  };
  std::vector<double> start;
  std::vector<Reaction> reactions;

  Network(int reactions_in_all, int species, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(0.1, 1.0);
    const auto any = [&] {
      return std::uniform_int_distribution<std::size_t>(0, static_cast<std::size_t>(species) - 1)(random);
    };
    for (int s = 0; s < species; ++s) start.push_back(number(random));
    for (int r = 0; r < reactions_in_all; ++r) {
      Reaction reaction{{any()}, {any()}, number(random)};
      if (r % 2 == 0) reaction.from.push_back(any());
      if (r % 3 == 0) reaction.to.push_back(any());
      reactions.push_back(reaction);
    }
  }

  [[nodiscard]] std::vector<double> rates(const std::vector<double>& x) const {
    std::vector<double> slopes(x.size(), 0.0);
    for (const Reaction& reaction : reactions) {
      double rate = reaction.k;
      for (const std::size_t s : reaction.from) rate *= x[s];
      for (const std::size_t s : reaction.from) slopes[s] -= rate;
      for (const std::size_t s : reaction.to) slopes[s] += rate;
    }
    return slopes;
  }

  /// The classical method of order 4 with steps of 1/n.
  [[nodiscard]] std::vector<double> after(double time, int steps) const {
    std::vector<double> x = start;
    const double h = time / steps;
    const auto moved = [&](const std::vector<double>& slope, double by) {
      std::vector<double> result = x;
      for (std::size_t i = 0; i < x.size(); ++i) result[i] += by * slope[i];
      return result;
    };
    for (int step = 0; step < steps; ++step) {
      const auto a = rates(x), b = rates(moved(a, h / 2)), c = rates(moved(b, h / 2)), d = rates(moved(c, h));
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    }
    return x;
  }

  /// In a compartment of the size 2, so that concentrations are half of the amounts.
  [[nodiscard]] std::string text() const {
    test::SbmlModel model;
    const auto name = [](std::size_t s) { return "S" + std::to_string(s); };
    model.compartment("C", "size='2'");
    for (std::size_t s = 0; s < start.size(); ++s)
      model.species(name(s), "initialAmount='" + text::format_number(2 * start[s]) + "'");
    for (std::size_t r = 0; r < reactions.size(); ++r) {
      std::string from, to, law = "C*k";
      for (const std::size_t s : reactions[r].from)
        from += (from.empty() ? "" : " + ") + name(s), law += "*" + name(s);
      for (const std::size_t s : reactions[r].to) to += (to.empty() ? "" : " + ") + name(s);
      model.reaction("R" + std::to_string(r), from, to, law, {{"k", text::format_number(reactions[r].k)}});
    }
    return model.text();
  }
};

void run_network(int reactions, int species, double time, unsigned seed) {
  const Network network(reactions, species, seed);
  const test::SbmlRun run(network.text(), time, 1e-8);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  const std::vector<double> expected = network.after(time, 400);
  double most = 0.0;
  for (std::size_t s = 0; s < expected.size(); ++s)
    most = std::max(most, std::abs(run("S" + std::to_string(s), time) - expected[s]));
  EXPECT_LT(most, 1e-6) << reactions << " reactions";
}

TEST(SbmlNetworks, OfManySizes) {
  unsigned seed = 1;
  for (const int reactions : {1, 2, 5, 10, 30, 100, 300})
    run_network(reactions, 1 + reactions / 2, 2.0, seed++);
}

TEST(SbmlNetworks, OfAThousandReactions) { run_network(1000, 500, 1.0, 11); }

}  // namespace networks_test
}  // namespace mti
