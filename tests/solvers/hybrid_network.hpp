#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace mti::test {

/// z, or 1 − z where `value` is false.
struct Literal {
  int binary = 0;
  bool value = true;
};

/// factor · Π x · Π y · Π literals, times sin(2πft) if driven.
struct Term {
  double factor = 0.0;
  std::vector<int> states = {}, algebraic = {};
  std::vector<Literal> literals = {};
  bool driven = false;
};
using Sum = std::vector<Term>;

struct Threshold {  ///< z = [level ≥ 0]
  Sum level;
};
struct Band {  ///< z becomes 1 where level rises to `high`, 0 where it falls to `low`
  Sum level;
  double low = 0.0, high = 0.0;
};
struct Trip {  ///< z becomes 1 where level rises to 0, and stays
  Sum level;
};
struct Latch {  ///< z = set or pre(z)
  int set = 0;
};
struct SetReset {  ///< z = set or (pre(z) and not reset)
  int set = 0, reset = 0;
};
enum class Gate { conjunction, disjunction, difference, negation };
struct Output {  ///< z = a and b, a or b, a xor b, not a
  Gate gate = Gate::conjunction;
  int a = 0, b = 0;
};
using Law = std::variant<Threshold, Band, Trip, Latch, SetReset, Output>;

/// A plant with relays and memory: ẋ and y as sums, a law for each binary, which refers to earlier ones only.
///
/// It is described twice from here: as a model file, and as the recursion of
/// tests/solvers/chattering_run.hpp.
struct HybridNetwork {
  std::vector<double> start;
  std::vector<Sum> rates, algebraic;
  std::vector<Law> laws;
  double frequency = 0.0, stop = 2.0;

  /// The model file.
  [[nodiscard]] std::string text() const;
};

/// What a random network is made of; each is a danger of its own.
enum class NetworkClass {
  relays,    ///< thresholds, which slide where they face each other
  bilinear,  ///< products of states in rates and thresholds
  products,  ///< products of binaries in the rates
  bands,     ///< hysteresis beside thresholds
  gates,     ///< and, or, xor, not: of thresholds, in the rates
  latches,   ///< memory set by thresholds, which may slide
  tied,      ///< several binaries on one surface, and products of them
  trips,     ///< memory that cuts off what set it
  mixed,     ///< all of it
};

/// Drawn from the seed; coefficients have two decimals.
[[nodiscard]] HybridNetwork random_network(NetworkClass kind, std::uint32_t seed);

}  // namespace mti::test
