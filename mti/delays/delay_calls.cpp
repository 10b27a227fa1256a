#include "mti/delays/delay_calls.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "mti/text/parse.hpp"

namespace mti {
namespace {

using text::Node;

constexpr std::string_view name_of_call = "delay";

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n\r"), last = text.find_last_not_of(" \t\n\r");
  return first == std::string_view::npos ? std::string() : std::string(text.substr(first, last - first + 1));
}

/// The lists of a source whose texts may hold calls.
auto lists_of(auto& source) {
  return std::array{std::pair(&source.equations, "/equations"),
                    std::pair(&source.constraints, "/constraints"), std::pair(&source.initial, "/initial")};
}

class Calls {
 public:
  Calls(WithoutDelayCalls& result, std::vector<Fault>& faults) : result_(result), faults_(faults) {
    const Source& source = result.source;
    for (const ParameterSource& parameter : source.parameters) names_.insert(parameter.name);
    for (const StateSource& state : source.states) names_.insert(state.name);
    for (const InputSource& input : source.inputs) names_.insert(input.name);
    for (const AlgebraicSource& signal : source.algebraic) names_.insert(signal.name);
    for (const BinarySource& binary : source.binaries) names_.insert(binary.name);
  }

  void replace(std::string& text, const std::string& pointer) {
    if (text.find(name_of_call) == std::string::npos) return;
    const std::string original = text;  // what the tree points into
    try {
      const text::Relation relation = text::parse_relation(original);
      walk(relation.left, text, pointer);
      walk(relation.right, text, pointer);
    } catch (const text::SyntaxError&) {
      return;  // which building says better
    }
  }

 private:
  /// Calls within calls first.
  void walk(const Node& node, std::string& text, const std::string& pointer) {
    for (const Node& operand : node.operands) walk(operand, text, pointer);
    if (node.kind != Node::Kind::call || node.name != name_of_call) return;
    const std::size_t count = node.operands.size();
    if (count != 2 && count != 3) {
      faults_.push_back({"wrong-arguments", pointer,
                         text::at_column(text, node.begin,
                                         "delay takes a signal, a time and the value before the run, found " +
                                             std::to_string(count) + " arguments")});
      return;
    }
    const auto part = [&](std::size_t i) {
      const Node& operand = node.operands[i];
      return trimmed(std::string_view(text).substr(operand.begin, operand.end - operand.begin));
    };
    const bool is_signal = node.operands[0].kind == Node::Kind::name;
    const std::string name = input_of(is_signal ? std::string(node.operands[0].name) : part(0), part(1),
                                      count == 3 ? std::optional(part(2)) : std::nullopt, is_signal, pointer);
    // As long as the call, so that places in the text stay what they are.
    std::string replaced = text[node.begin] == '(' ? "(" + name + ")" : name;
    replaced.resize(std::max(replaced.size(), node.end - node.begin), ' ');
    text.replace(node.begin, node.end - node.begin, replaced);
  }

  std::string input_of(const std::string& of, const std::string& time,
                       const std::optional<std::string>& before, bool is_signal, const std::string& pointer) {
    const auto [known, is_new] = made_.try_emplace(of + '\n' + time + '\n' + before.value_or(""));
    if (!is_new) return known->second;
    const std::string name = known->second = fresh();
    Source& out = result_.source;
    DelaySource delay{.of = of, .time = time};
    if (before) delay.before = *before;
    if (!is_signal) {
      delay.of = name + ".of";
      names_.insert(delay.of);
      out.algebraic.push_back({.name = delay.of, .auxiliary = true});
      out.equations.emplace_back(name + ".argument", delay.of + " = " + of);
      result_.of_signals.push_back(pointer);
    }
    out.inputs.push_back({.name = name, .form = std::move(delay)});
    result_.of_inputs.push_back(pointer);
    return name;
  }

  std::string fresh() {
    std::string name;
    do name = std::string(name_of_call) + std::to_string(++last_);
    while (!names_.insert(name).second);
    return name;
  }

  WithoutDelayCalls& result_;
  std::vector<Fault>& faults_;
  std::unordered_set<std::string> names_;
  std::map<std::string, std::string> made_;  ///< by what is called
  int last_ = 0;
};

/// "/inputs/7/delay/time" for list = "/inputs", first = 6 is of the call 1.
std::optional<std::size_t> index_in(std::string_view pointer, std::string_view list, std::size_t first,
                                    std::size_t count) {
  if (!pointer.starts_with(list) || pointer.size() <= list.size() + 1 || pointer[list.size()] != '/')
    return std::nullopt;
  std::size_t index = 0;
  for (std::size_t k = list.size() + 1; k < pointer.size() && pointer[k] >= '0' && pointer[k] <= '9'; ++k)
    index = 10 * index + static_cast<std::size_t>(pointer[k] - '0');
  return index >= first && index < first + count ? std::optional(index - first) : std::nullopt;
}

}  // namespace

bool has_delay_calls(const Source& source) {
  for (const auto& [list, pointer] : lists_of(source))
    for (const RelationSource& relation : *list) {
      if (relation.text.find(name_of_call) == std::string::npos) continue;
      WithoutDelayCalls written;  // a name may hold the word as well
      std::vector<Fault> faults;
      std::string text = relation.text;
      Calls(written, faults).replace(text, "");
      if (!faults.empty() || !written.of_inputs.empty()) return true;
    }
  return false;
}

WithoutDelayCalls without_delay_calls(const Source& source) {
  std::vector<Fault> faults;
  WithoutDelayCalls result{source, source.inputs.size(), source.algebraic.size(), source.equations.size()};
  Calls calls(result, faults);
  for (std::size_t l = 0; l < 3; ++l) {
    const std::size_t count = lists_of(result.source)[l].first->size();
    for (std::size_t i = 0; i < count; ++i) {
      const auto [list, place] = lists_of(result.source)[l];
      RelationSource relation = (*list)[i];  // the list may grow
      const std::string pointer = place + ("/" + std::to_string(i));
      calls.replace(relation.text, relation.is_object ? pointer + "/text" : pointer);
      (*lists_of(result.source)[l].first)[i] = std::move(relation);
    }
  }
  if (!faults.empty()) throw InvalidModel(std::move(faults));
  return result;
}

std::vector<Fault> WithoutDelayCalls::in_terms_of_texts(std::vector<Fault> faults) const {
  for (Fault& fault : faults) {
    if (!fault.file.empty()) continue;
    if (const auto k = index_in(fault.pointer, "/inputs", first_input, of_inputs.size()))
      fault.pointer = of_inputs[*k];
    else if (const auto s = index_in(fault.pointer, "/algebraic", first_signal, of_signals.size()))
      fault.pointer = of_signals[*s];
    else if (const auto e = index_in(fault.pointer, "/equations", first_equation, of_signals.size()))
      fault.pointer = of_signals[*e];
  }
  return faults;
}

}  // namespace mti
