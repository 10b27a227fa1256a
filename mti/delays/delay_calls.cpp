#include "mti/delays/delay_calls.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "mti/source/written_out.hpp"
#include "mti/text/edit.hpp"
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
  Calls(WithoutDelayCalls& result, std::vector<Fault>& faults)
      : result_(result), faults_(faults), names_(declared_names(result.source)) {}

  void replace(std::string& text, const std::string& pointer) {
    text::edit_relation(text, [&](const Node& side, std::string& edited) { walk(side, edited, pointer); });
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
    text::put_in_place(text, node, name);
  }

  std::string input_of(const std::string& of, const std::string& time,
                       const std::optional<std::string>& before, bool is_signal, const std::string& pointer) {
    const auto [known, is_new] = made_.try_emplace(of + '\n' + time + '\n' + before.value_or(""));
    if (!is_new) return known->second;
    std::string name = known->second = fresh();
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

/// The text has the word, followed by a parenthesis.
bool may_hold_call(const std::string& text) {
  for (std::size_t found = text.find(name_of_call); found != std::string::npos;
       found = text.find(name_of_call, found + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\n\r", found + name_of_call.size());
    if (next != std::string::npos && text[next] == '(') return true;
  }
  return false;
}

}  // namespace

std::optional<WithoutDelayCalls> without_delay_calls(const Source& source) {
  const auto lists = lists_of(source);
  const bool may_hold_calls = std::ranges::any_of(lists, [](const auto& list) {
    return std::ranges::any_of(*list.first,
                               [](const RelationSource& relation) { return may_hold_call(relation.text); });
  });
  if (!may_hold_calls) return std::nullopt;
  std::vector<Fault> faults;
  WithoutDelayCalls result{source, source.inputs.size(), source.algebraic.size(), source.equations.size()};
  Calls calls(result, faults);
  for (std::size_t l = 0; l < lists.size(); ++l)
    for (std::size_t i = 0; i < lists[l].first->size(); ++i) {
      RelationSource relation = (*lists[l].first)[i];
      const std::string pointer = lists[l].second + ("/" + std::to_string(i));
      calls.replace(relation.text, relation.is_object ? pointer + "/text" : pointer);
      (*lists_of(result.source)[l].first)[i] = std::move(relation);  // the list may have grown
    }
  if (!faults.empty()) throw InvalidModel(std::move(faults));
  if (result.of_inputs.empty()) return std::nullopt;
  return result;
}

std::vector<Fault> WithoutDelayCalls::in_terms_of_texts(std::vector<Fault> faults) const {
  for (Fault& fault : faults) {
    if (!fault.file.empty()) continue;
    if (const auto input = element_of(fault.pointer, "/inputs", first_input, of_inputs.size()))
      fault.pointer = of_inputs[input->index];
    else if (const auto signal = element_of(fault.pointer, "/algebraic", first_signal, of_signals.size()))
      fault.pointer = of_signals[signal->index];
    else if (const auto row = element_of(fault.pointer, "/equations", first_equation, of_signals.size()))
      fault.pointer = of_signals[row->index];
  }
  return faults;
}

}  // namespace mti
