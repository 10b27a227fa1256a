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
      : result_(result), faults_(faults), names_(declared_names(result.source)) {
    for (const auto& parameter : result.source.parameters) parameters_.insert(parameter.name);
  }

  void replace(std::string& text, const std::string& pointer) {
    text::edit_relation(text, [&](const Node& side, std::string& edited) { walk(side, edited, pointer); });
  }

 private:
  /// Calls within calls first: the past of a past is that of its input. The name that a call became; empty: it is none.
  std::string walk(const Node& node, std::string& text, const std::string& pointer) {
    std::vector<std::string> became;
    for (const Node& operand : node.operands) became.push_back(walk(operand, text, pointer));
    if (node.kind != Node::Kind::call || node.name != name_of_call) return {};
    const std::size_t count = node.operands.size();
    if (count != 2 && count != 3) {
      faults_.push_back({"wrong-arguments", pointer,
                         text::at_column(text, node.begin,
                                         "delay takes a signal, a time and the value before the run, found " +
                                             std::to_string(count) + " arguments")});
      return {};
    }
    const auto part = [&](std::size_t i) {
      const Node& operand = node.operands[i];
      return trimmed(std::string_view(text).substr(operand.begin, operand.end - operand.begin));
    };
    std::string of =
        node.operands[0].kind == Node::Kind::name ? std::string(node.operands[0].name) : std::move(became[0]);
    const bool is_expression = of.empty(), is_of_time = times_.contains(of);
    if (is_expression) of = part(0);
    if (is_of_time && has_signals(node.operands[1])) {
      faults_.push_back({"signal-as-number", pointer,
                         text::at_column(text, node.operands[1].begin,
                                         "a signal is delayed by a fixed time: expected a number")});
      return {};
    }
    std::string name = is_of_time && count == 2
                           ? time_of(of, part(1), pointer)
                           : input_of(of, part(1), count == 3 ? std::optional(part(2)) : std::nullopt,
                                      !is_expression && !is_of_time, pointer);
    text::put_in_place(text, node, name);
    return name;
  }

  [[nodiscard]] bool has_signals(const Node& node) const {
    return (node.kind == Node::Kind::name && !parameters_.contains(std::string(node.name))) ||
           std::ranges::any_of(node.operands, [&](const Node& operand) { return has_signals(operand); });
  }

  /// Time is known before the run as well, as an input is: t − T.
  std::string time_of(const std::string& of, const std::string& time, const std::string& pointer) {
    const auto [known, is_new] = made_.try_emplace(of + '\n' + time + '\n');
    if (!is_new) return known->second;
    std::string name = known->second = fresh();
    times_.insert(name);
    enter_signal(name, name + ".argument", of + " - (" + time + ")", pointer);
    return name;
  }

  void enter_signal(const std::string& name, std::string label, const std::string& expression,
                    const std::string& pointer) {
    Source& out = result_.source;
    out.algebraic.push_back({.name = name, .auxiliary = true});
    out.equations.emplace_back(std::move(label), name + " = " + expression);
    result_.of_signals.push_back(pointer);
  }

  std::string input_of(const std::string& of, const std::string& time,
                       const std::optional<std::string>& before, bool is_signal, const std::string& pointer) {
    const auto [known, is_new] = made_.try_emplace(of + '\n' + time + '\n' + before.value_or(""));
    if (!is_new) return known->second;
    std::string name = known->second = fresh();
    DelaySource delay{.of = of, .time = time};
    if (before) delay.before = *before;
    if (!is_signal) {
      delay.of = name + ".of";
      names_.insert(delay.of);
      enter_signal(delay.of, name + ".argument", of, pointer);
    }
    result_.source.inputs.push_back({.name = name, .form = std::move(delay)});
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
  std::unordered_set<std::string> names_, parameters_ = {"pi"};
  std::unordered_set<std::string> times_ = {"time"};  ///< and what is delayed of it
  std::map<std::string, std::string> made_;           ///< by what is called
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
  if (result.of_inputs.empty() && result.of_signals.empty()) return std::nullopt;
  return result;
}

std::vector<Fault> WithoutDelayCalls::in_terms_of_texts(std::vector<Fault> faults) const {
  for (Fault& fault : faults) {
    if (!fault.file.empty()) continue;
    if (const auto input = element_of(fault.pointer, "/inputs", first_input, of_inputs.size())) {
      fault.pointer = of_inputs[input->index];
      // What is missing is an argument there.
      if (fault.id == "missing-key")
        fault.message =
            "expected a third argument of delay, the value of its first before the run: the value at its "
            "start is not "
            "known before it is solved for";
    } else if (const auto signal = element_of(fault.pointer, "/algebraic", first_signal, of_signals.size()))
      fault.pointer = of_signals[signal->index];
    else if (const auto row = element_of(fault.pointer, "/equations", first_equation, of_signals.size()))
      fault.pointer = of_signals[row->index];
  }
  return faults;
}

}  // namespace mti
