#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "mti/build/build_parts.hpp"
#include "mti/polynomials/binary_basis.hpp"
#include "mti/text/parse.hpp"

namespace mti::building {
namespace {

using SourceMap = std::unordered_map<std::string, int>;

SourceMap places_of(const std::vector<std::string>& names) {
  SourceMap places;
  for (std::size_t i = 0; i < names.size(); ++i) places.emplace(names[i], static_cast<int>(i));
  return places;
}

struct Context {
  const Declarations& names;
  const std::vector<std::string>& equation_names;
  const std::vector<std::string>& constraint_names;
  SourceMap equations, constraints;
};

void read_condition(const std::string& text, const std::string& pointer, const Context& context,
                    Transition& transition, Faults& faults) {
  try {
    const text::Condition condition = text::parse_condition(text);
    const std::string target(condition.target);
    if (condition.trigger == "reach") {
      transition.when = Transition::When::reach;
      const auto found = context.constraints.find(target);
      if (found != context.constraints.end()) {
        transition.target = found->second;
        return;
      }
      faults.add({"unknown-constraint", condition.target_offset,
                  "there is no constraint " + target + did_you_mean(target, context.constraint_names)},
                 pointer, text);
      return;
    }
    transition.when = condition.trigger == "rise"   ? Transition::When::rise
                      : condition.trigger == "fall" ? Transition::When::fall
                                                    : Transition::When::risen;
    const Declarations::Entry* entry = context.names.find(target);
    if (entry == nullptr) {
      faults.add({"unknown-name", condition.target_offset, context.names.unknown(target)}, pointer, text);
    } else if (entry->kind != Declarations::Kind::binary) {
      faults.add({"not-a-binary", condition.target_offset,
                  "only binaries rise and fall; " + target + " is declared as " + to_string(entry->kind)},
                 pointer, text);
    } else {
      transition.target = entry->index;
    }
  } catch (const text::SyntaxError& error) {
    faults.add(error.fault(), pointer, text);
  }
}

void read_replaces(const std::vector<std::string>& replaces, const std::string& pointer,
                   const Context& context, Transition& transition, Faults& faults) {
  for (std::size_t i = 0; i < replaces.size(); ++i) {
    const auto found = context.equations.find(replaces[i]);
    if (found == context.equations.end()) {
      faults.add("unknown-equation", element(pointer, i),
                 "there is no equation " + replaces[i] + did_you_mean(replaces[i], context.equation_names));
    } else if (std::find(transition.replaces.begin(), transition.replaces.end(), found->second) !=
               transition.replaces.end()) {
      faults.add("duplicate-name", element(pointer, i), replaces[i] + " stands twice in replaces");
    } else {
      transition.replaces.push_back(found->second);
    }
  }
}

std::vector<text::Term> terms_of_law(const text::Polynomial& polynomial, const std::string& pointer,
                                     Faults& faults) {
  std::vector<text::Term> terms;
  for (text::BasisTerm& monomial : text::in_binary_basis(polynomial)) {
    text::Term term{monomial.coefficient, {}, std::move(monomial.complements)};
    for (const text::Power& power : monomial.powers) {
      term.symbols.push_back(power.symbol);
      if (power.exponent == 1) continue;
      faults.add(
          "power-in-law", pointer,
          "a law must be multilinear in the values and their left limits: it holds a power of a signal");
      return {};
    }
    terms.push_back(std::move(term));
  }
  return terms;
}

Row row_of_law(const text::Polynomial& polynomial, const std::string& pointer, Faults& faults) {
  Row row{terms_of_law(polynomial, pointer, faults)};
  for (std::size_t d = 0; d < polynomial.tangents(); ++d) {
    text::Polynomial tangent = polynomial.tangent(d);
    tangent.drop_cancelled();
    row.tangents.push_back(terms_of_law(tangent, pointer, faults));
  }
  return row;
}

/// The state s of "s = …"; −1 if the left side is something else.
int assigned_state(std::string_view relation, const Declarations& names) {
  std::string_view left = relation.substr(0, relation.find('='));
  constexpr std::string_view blanks = " \t\n\r";
  const std::size_t first = left.find_first_not_of(blanks);
  if (first == std::string_view::npos) return -1;
  left = left.substr(first, left.find_last_not_of(blanks) + 1 - first);
  const Declarations::Entry* entry = names.find(left);
  return entry != nullptr && entry->kind == Declarations::Kind::state ? entry->index : -1;
}

}  // namespace

std::vector<Law> read_transitions(const Source& source, const Declarations& names,
                                  const std::vector<std::string>& equation_names,
                                  const std::vector<std::string>& constraint_names, text::Expander& expander,
                                  Faults& faults) {
  std::vector<Law> laws;
  if (source.transitions.empty()) return laws;
  if (names.discrete) {
    faults.add("transition-in-discrete-model", "/transitions",
               "a model with a sample_time has no transitions: write what changes at a sample with pre(z)");
    return laws;
  }
  const Context context{names, equation_names, constraint_names, places_of(equation_names),
                        places_of(constraint_names)};
  for (std::size_t i = 0; i < source.transitions.size(); ++i) {
    const TransitionSource& transition = source.transitions[i];
    const std::string pointer = element("/transitions", i);
    Law law;
    read_condition(transition.when, pointer + "/when", context, law.transition, faults);
    read_replaces(transition.replaces, pointer + "/replaces", context, law.transition, faults);
    law.transition.emit = transition.emit;
    const bool may_only_tell = law.transition.when == Transition::When::risen && !transition.emit.empty();
    if (transition.equations.empty() && transition.replaces.empty() && !may_only_tell)
      faults.add("empty-law", pointer + "/equations",
                 "a transition needs an equation, or rows that it puts out of force");
    for (std::size_t j = 0; j < transition.equations.size(); ++j) {
      const std::string place = element(pointer + "/equations", j);
      const auto polynomial = read_relation(transition.equations[j], place, Expected::equation, expander,
                                            {text::Expander::Place::law}, faults);
      law.equations.push_back(polynomial ? row_of_law(*polynomial, place, faults) : Row());
      law.transition.equation_texts.push_back(transition.equations[j]);
      law.transition.assigned.push_back(assigned_state(transition.equations[j], names));
    }
    laws.push_back(std::move(law));
  }
  return laws;
}

}  // namespace mti::building
