#include "tests/solvers/hybrid_network.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace mti::test {
namespace {

using Json = nlohmann::json;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "(%.17g)", value);
  return text;
}

std::string name(char letter, int index) { return letter + std::to_string(index + 1); }
std::string z(int index) { return name('z', index); }

std::string text_of(const Sum& sum) {
  std::string text;
  for (const Term& term : sum) {
    text += (text.empty() ? "" : " + ") + number(term.factor);
    for (const int i : term.states) text += "*" + name('x', i);
    for (const int i : term.algebraic) text += "*" + name('y', i);
    for (const Literal& literal : term.literals)
      text += literal.value ? "*" + z(literal.binary) : "*(1 - " + z(literal.binary) + ")";
    if (term.driven) text += "*u1";
  }
  return text.empty() ? "0" : text;
}

/// The relations of one law, for the binary with the name `own`.
struct Relations {
  const std::string& own;
  Json& equations;
  Json& constraints;

  void operator()(const Threshold& law) const {
    constraints.push_back("(1 - 2*" + own + ")*(" + text_of(law.level) + ") <= 0");
  }
  void operator()(const Band& law) const {
    constraints.push_back("(" + text_of(law.level) + " - " + number(law.high) + ")*(1 - " + own + ") <= 0");
    constraints.push_back("(" + number(law.low) + " - (" + text_of(law.level) + "))*" + own + " <= 0");
  }
  void operator()(const Trip& law) const {
    constraints.push_back("(" + text_of(law.level) + ")*(1 - " + own + ") <= 0");
    constraints.push_back("pre(" + own + ") - " + own + " <= 0");
  }
  void operator()(const Latch& law) const {
    const std::string set = z(law.set), before = "pre(" + own + ")";
    equations.push_back(own + " = " + set + " + " + before + " - " + set + "*" + before);
  }
  void operator()(const SetReset& law) const {
    const std::string set = z(law.set), kept = "pre(" + own + ")*(1 - " + z(law.reset) + ")";
    equations.push_back(own + " = " + set + " + " + kept + " - " + set + "*" + kept);
  }
  void operator()(const Output& law) const {
    const std::string a = z(law.a), b = z(law.b);
    switch (law.gate) {
      case Gate::conjunction:
        equations.push_back(own + " = " + a + "*" + b);
        break;
      case Gate::disjunction:
        equations.push_back(own + " = " + a + " + " + b + " - " + a + "*" + b);
        break;
      case Gate::difference:
        equations.push_back(own + " = " + a + " + " + b + " - 2*" + a + "*" + b);
        break;
      case Gate::negation:
        equations.push_back(own + " = 1 - " + a);
        break;
    }
  }
};

}  // namespace

std::string HybridNetwork::text() const {
  Json model = {{"format", "mti-model"},
                {"version", 1},
                {"inputs", {{{"name", "u1"}, {"sine", {{"amplitude", 1}, {"frequency", frequency}}}}}},
                {"states", Json::array()},
                {"algebraic", Json::array()},
                {"binaries", Json::array()},
                {"equations", Json::array()},
                {"constraints", Json::array()},
                {"experiment", {{"stop", stop}, {"rtol", 1e-7}, {"atol", 1e-9}}}};
  const auto index = [](std::size_t i) { return static_cast<int>(i); };
  for (std::size_t i = 0; i < start.size(); ++i) {
    model["states"].push_back({{"name", name('x', index(i))}, {"start", start[i]}});
    model["equations"].push_back("der(" + name('x', index(i)) + ") = " + text_of(rates[i]));
  }
  for (std::size_t i = 0; i < algebraic.size(); ++i) {
    model["algebraic"].push_back({{"name", name('y', index(i))}});
    model["equations"].push_back(name('y', index(i)) + " = " + text_of(algebraic[i]));
  }
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const std::string own = z(index(i));
    model["binaries"].push_back({{"name", own}});
    std::visit(Relations{own, model["equations"], model["constraints"]}, laws[i]);
  }
  return model.dump(1);
}

}  // namespace mti::test
