#include "bench/faulty_coaxial.hpp"

#include <random>
#include <string>
#include <utility>

#include "mti/common/at.hpp"

namespace mti::bench {
namespace {

std::string numbered(const char* name, int k) { return name + std::to_string(k); }

/// Swaps as the generator says; std::shuffle differs from library to library.
template <class List>
void shuffle(List& list, std::mt19937& random) {
  for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random() % i]);
}

/// Element after element becomes kind after kind: all the first of `kinds` in a row, then all the second.
template <class List>
void by_kind(List& list, std::size_t kinds) {
  List sorted;
  for (std::size_t kind = 0; kind < kinds; ++kind)
    for (std::size_t i = kind; i < list.size(); i += kinds) sorted.push_back(list[i]);
  list = std::move(sorted);
}

void add_element(Source& source, int k, int elements) {
  const std::string u1 = numbered("u1_", k), i1 = numbered("i1_", k), u2 = numbered("u2_", k),
                    i2 = numbered("i2_", k), v = numbered("v_", k), j = numbered("j_", k),
                    open = numbered("open", k), shorted = numbered("short", k);
  source.states.push_back({i1, 0.0, "A"});
  source.states.push_back({u2, 0.0, "V", 100.0});
  source.algebraic.push_back({u1, 0.0, "V", 100.0});
  source.algebraic.push_back({i2, 0.0, "A"});
  source.algebraic.push_back({v, 0.0, "V"});
  source.algebraic.push_back({j, 0.0, "A"});
  source.binaries.push_back({open, 0.0});
  source.binaries.push_back({shorted, 0.0});
  source.equations.emplace_back(numbered("along", k), open + "*" + i1 + " + (1 - " + open + ")*(" + u1 +
                                                          " - " + v + " - " + u2 + ") = 0");
  source.equations.emplace_back(numbered("inductance", k),
                                v + " = (1 - " + open + ")*(L*der(" + i1 + ") + R*" + i1 + ")");
  source.equations.emplace_back(numbered("across", k), shorted + "*" + u2 + " + (1 - " + shorted + ")*(" +
                                                           i1 + " + " + i2 + " - " + j + ") = 0");
  source.equations.emplace_back(numbered("capacitance", k),
                                j + " = (1 - " + shorted + ")*(C*der(" + u2 + ") + S*" + u2 + ")");
  // An end of the cable is beside the first element, the other beside the last.
  source.equations.emplace_back(numbered("voltage", k),
                                k == 1 ? u1 + " = U0" : numbered("u2_", k - 1) + " = " + u1);
  source.equations.emplace_back(numbered("current", k),
                                k == elements ? i2 + " = I0" : i2 + " + " + numbered("i1_", k + 1) + " = 0");
  source.invariants.push_back("not (" + open + " and " + shorted + ")");
}

}  // namespace

Source FaultyCoaxial::source() const {
  Source source;
  source.name = "faulty_coaxial_" + std::to_string(elements);
  source.parameters = {{"U0", 100.0}, {"I0", 0.1}, {"R", 0.01}, {"L", 1e-6}, {"C", 1e-11}, {"S", 1e-11}};
  for (int k = 1; k <= elements; ++k) add_element(source, k, elements);
  const auto reorder = [&](const auto& change) {
    change(source.states, 2);
    change(source.algebraic, 4);
    change(source.binaries, 2);
    change(source.equations, 6);
    change(source.invariants, 1);
  };
  std::mt19937 random(20201);
  switch (declared) {
    case Declared::by_element:
      break;
    case Declared::opens_first:
      reorder([](auto& list, std::size_t kinds) { by_kind(list, kinds); });
      break;
    case Declared::shuffled:
      reorder([&](auto& list, std::size_t) { shuffle(list, random); });
      break;
  }
  source.experiment = {.stop = 1e-6, .rtol = 1e-6, .atol = 1e-8};
  return source;
}

Mode faulty_coaxial_mode(const Model& model, const std::vector<FaultyCoaxial::Fault>& faults) {
  const Signature& signature = model.signature;
  Mode mode;
  mode.z.assign(at(signature.q()), 0);
  for (std::size_t k = 0; k < faults.size(); ++k) {
    if (faults[k] == FaultyCoaxial::Fault::none) continue;
    const char* kind = faults[k] == FaultyCoaxial::Fault::open ? "open" : "short";
    const int row = signature.find(numbered(kind, static_cast<int>(k) + 1)).value();
    mode.z[at(row - signature.binary_row(0))] = 1;
  }
  return mode;
}

}  // namespace mti::bench
