#include <random>

#include "mti/common/at.hpp"
#include "tests/solvers/hybrid_network.hpp"

namespace mti::test {
namespace {

class Drawing {
 public:
  Drawing(NetworkClass kind, std::uint32_t seed) : kind_(kind), random_(seed) {}

  HybridNetwork network() {
    network_.frequency = decimal(20, 120);
    const int states = integer(2, 3);
    for (int i = 0; i < states; ++i) {
      network_.start.push_back(decimal(-150, 150));
      // ẋ = −dx + c + …: bounded whatever the binaries do.
      network_.rates.push_back({{-decimal(20, 100), {i}}, {decimal(-100, 100)}});
    }
    for (int i = 0; i < states; ++i) {
      if (chance(70)) rate(i).push_back({decimal(-60, 60), {other(i)}});
      if (chance(50)) rate(i).push_back({.factor = decimal(-150, 150), .driven = true});
    }
    add_laws();
    for (int i = 0; i < states; ++i) act_on(i);
    return std::move(network_);
  }

 private:
  bool has(NetworkClass kind) { return kind_ == kind || (kind_ == NetworkClass::mixed && chance(50)); }

  void add_laws() {
    const int thresholds = integer(kind_ == NetworkClass::gates || kind_ == NetworkClass::mixed ? 2 : 1, 3);
    for (int k = 0; k < thresholds; ++k) add(Threshold{level()});
    if (has(NetworkClass::bands)) add_bands();
    if (has(NetworkClass::tied)) add_tied();
    if (has(NetworkClass::trips)) add_trips();
    if (has(NetworkClass::latches)) add_latches();
    if (has(NetworkClass::gates)) add_gates();
  }

  void add_bands() {
    for (int k = integer(1, 2); k > 0; --k) {
      const double low = decimal(-60, 40);
      add(Band{level(), low, low + decimal(10, 60)});
    }
  }

  /// Further binaries on the surface of the first one, on either side of it and in other units.
  void add_tied() {
    const Sum level = std::get<Threshold>(network_.laws[0]).level;
    for (int k = integer(1, 2); k > 0; --k) {
      Sum scaled = level;
      const double factor = decimal(50, 300) * (chance(50) ? 1.0 : -1.0);
      for (Term& term : scaled) term.factor *= factor;
      add(Threshold{scaled});
    }
    const int last = binaries() - 1;
    const int state = integer(0, states() - 1);
    rate(state).push_back({decimal(-200, 200), {}, {}, {{0, chance(70)}, {last, chance(70)}}});
  }

  /// y = |…|(1 − o): a current that its own breaker o interrupts.
  void add_trips() {
    for (int k = integer(1, 2); k > 0; --k) {
      const int y = static_cast<int>(network_.algebraic.size());
      const bool by_equation = chance(50);
      const int breaker = binaries() + (by_equation ? 1 : 0);
      const double conductance = decimal(50, 150);
      const int state = integer(0, states() - 1);
      const double limit = conductance * (network_.start[at(state)] + decimal(5, 60));
      network_.algebraic.push_back({{conductance, {state}, {}, {{breaker, false}}}});
      const Sum over = {{1.0, {}, {y}}, {-limit}};
      if (by_equation) {
        add(Threshold{over});
        add(Latch{binaries() - 1});
      } else {
        add(Trip{over});
      }
      rate(state).push_back({decimal(-100, 100), {}, {y}});
      rate(state).push_back({decimal(50, 250)});
    }
  }

  void add_latches() {
    const int sources = binaries();
    for (int k = integer(1, 3); k > 0; --k) switch (integer(0, 2)) {
        case 0:
          add(Latch{integer(0, sources - 1)});
          break;
        case 1:
          add(Trip{level()});
          break;
        default:
          add(SetReset{integer(0, sources - 1), integer(0, sources - 1)});
      }
  }

  void add_gates() {
    for (int k = integer(1, 3); k > 0; --k) {
      const int a = integer(0, binaries() - 1), b = (a + integer(1, binaries() - 1)) % binaries();
      add(Output{static_cast<Gate>(integer(0, 3)), a, b});
    }
  }

  /// Σ ±x + c, with a product of states now and then.
  Sum level() {
    Sum sum = {{decimal(-100, 100)}};
    const int first = integer(0, states() - 1);
    sum.push_back({sign() * decimal(30, 150), {first}});
    if (chance(60)) sum.push_back({decimal(-100, 100), {other(first)}});
    if (has(NetworkClass::bilinear) && chance(50)) sum.push_back({decimal(-80, 80), {first, other(first)}});
    return sum;
  }

  void act_on(int state) {
    for (int z = 0; z < binaries(); ++z)
      if (chance(60)) rate(state).push_back({sign() * decimal(50, 300), {}, {}, {{z, true}}});
    if (has(NetworkClass::products) && binaries() > 1) {
      const int a = integer(0, binaries() - 1), b = (a + integer(1, binaries() - 1)) % binaries();
      rate(state).push_back({sign() * decimal(50, 250), {}, {}, {{a, chance(60)}, {b, chance(60)}}});
    }
    if (has(NetworkClass::bilinear) && chance(70))
      rate(state).push_back({decimal(-40, 40), {state, other(state)}});
    if (has(NetworkClass::bilinear) && chance(50))
      rate(state).push_back({decimal(-60, 60), {other(state)}, {}, {{integer(0, binaries() - 1), true}}});
  }

  void add(Law law) { network_.laws.push_back(std::move(law)); }
  Sum& rate(int state) { return network_.rates[at(state)]; }
  int states() const { return static_cast<int>(network_.start.size()); }
  int binaries() const { return static_cast<int>(network_.laws.size()); }
  int other(int state) { return (state + integer(1, states() - 1)) % states(); }
  int integer(int low, int high) {  // the same on every platform, unlike the distributions of <random>
    return low + static_cast<int>(random_() % static_cast<std::uint32_t>(high - low + 1));
  }
  double decimal(int low, int high) { return integer(low, high) / 100.0; }
  bool chance(int percent) { return integer(1, 100) <= percent; }
  double sign() { return chance(50) ? 1.0 : -1.0; }

  NetworkClass kind_;
  std::mt19937 random_;
  HybridNetwork network_;
};

}  // namespace

HybridNetwork random_network(NetworkClass kind, std::uint32_t seed) { return Drawing(kind, seed).network(); }

}  // namespace mti::test
