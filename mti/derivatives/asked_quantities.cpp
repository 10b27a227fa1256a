#include "mti/derivatives/asked_quantities.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <unordered_set>
#include <utility>

#include "mti/common/fault.hpp"
#include "mti/text/evaluate.hpp"

namespace mti {
namespace {

/// "start(x)" as start and {x}; "R" as R and nothing.
struct Name {
  std::string word;
  std::vector<std::string> arguments;
  std::string text;  ///< without blanks
};

Name parsed(const std::string& written) {
  Name name;
  for (const char c : written)
    if (std::string_view(" \t\r\n").find(c) == std::string_view::npos) name.text += c;
  const std::size_t open = name.text.find('(');
  name.word = name.text.substr(0, open);
  if (open == std::string::npos || name.text.back() != ')') {
    name.word = name.text;
    return name;
  }
  std::string inside = name.text.substr(open + 1, name.text.size() - open - 2);
  for (std::size_t comma = inside.find(','); comma != std::string::npos; comma = inside.find(',')) {
    name.arguments.push_back(inside.substr(0, comma));
    inside.erase(0, comma + 1);
  }
  name.arguments.push_back(inside);
  return name;
}

class Asker {
 public:
  explicit Asker(const Source& source) : result_{source, {}} {
    const auto take = [this](const auto& list) {
      for (const auto& entry : list) taken_.insert(entry.name);
    };
    take(source.parameters);
    take(source.states);
    take(source.inputs);
    take(source.algebraic);
    take(source.binaries);
    take(source.clocks);
  }

  void ask(const std::string& written) {
    const Name name = parsed(written);
    const std::size_t count = name.arguments.size();
    if (name.word == "start" && count == 1) return start(name);
    if (name.word == "input" && count == 1) return input(name);
    if (name.word == "table" && count == 2) return table(name);
    parameter(name);
  }

  AskedQuantities finish() {
    if (!faults_.empty()) throw InvalidOption(std::move(faults_));
    return std::move(result_);
  }

 private:
  void fail(const char* id, std::string message) { faults_.push_back({id, "", std::move(message)}); }

  void parameter(const Name& name) {
    for (const ParameterSource& parameter : result_.source.parameters)
      if (parameter.name == name.text) return add(name.text, name.text);
    // The column of a parameter, `k` beside `k.value` (mti/source/overrides.cpp).
    for (const AlgebraicSource& signal : result_.source.algebraic)
      if (const auto* text = std::get_if<std::string>(&signal.start);
          signal.name == name.text && text != nullptr && *text == name.text + ".value")
        return add(*text, name.text);
    std::vector<std::string> known;
    for (const ParameterSource& parameter : result_.source.parameters) known.push_back(parameter.name);
    std::string remedy = did_you_mean(name.text, known);
    for (const StateSource& state : result_.source.states)
      if (state.name == name.text) remedy = "; the start value of the state is start(" + name.text + ")";
    for (const InputSource& input : result_.source.inputs)
      if (input.name == name.text) remedy = "; the value of the input is input(" + name.text + ")";
    fail("unknown-derivative", "there is no parameter " + name.text + remedy);
  }

  void start(const Name& name) {
    const std::string& signal = name.arguments[0];
    std::vector<std::string> states;
    for (StateSource& state : result_.source.states) {
      if (state.name == signal) return replace(state.start, name, "start_of_" + signal);
      states.push_back(state.name);
    }
    for (const BinarySource& binary : result_.source.binaries)
      if (binary.name == signal)
        return fail("parameter-decides", text::decides(name.text, "a binary, which takes 0 and 1 only"));
    fail("unknown-derivative", name.text + ": there is no state " + signal + did_you_mean(signal, states));
  }

  InputSource* find_input(const Name& name) {
    std::vector<std::string> inputs;
    for (InputSource& input : result_.source.inputs) {
      if (input.name == name.arguments[0]) {
        if (!input.binary) return &input;
        fail("parameter-decides", text::decides(name.text, "a binary input, which takes 0 and 1 only"));
        return nullptr;
      }
      inputs.push_back(input.name);
    }
    fail("unknown-derivative",
         name.text + ": there is no input " + name.arguments[0] + did_you_mean(name.arguments[0], inputs));
    return nullptr;
  }

  void input(const Name& name) {
    InputSource* const input = find_input(name);
    if (input == nullptr) return;
    auto* const number = std::get_if<Number>(&input->form);
    if (number == nullptr || input->name == "time")
      return fail("derivative-of-function", name.text + ": expected an input with a constant value; " +
                                                input->name + " is a function of time");
    replace(*number, name, "value_of_" + input->name);
  }

  void table(const Name& name) {
    InputSource* const input = find_input(name);
    if (input == nullptr) return;
    auto* const table = std::get_if<TableSource>(&input->form);
    if (table == nullptr)
      return fail("derivative-of-function", name.text + ": the input " + input->name + " has no table");
    const std::string& text = name.arguments[1];
    std::size_t k = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), k);
    if (error != std::errc() || end != text.data() + text.size() || k < 1 || k > table->value.size())
      return fail("derivative-of-function", name.text +
                                                ": expected the number of a value of the table, from 1 to " +
                                                std::to_string(table->value.size()) + ", found " + text);
    replace(table->value[k - 1], name, "value_of_" + input->name + "_" + text);
  }

  /// A parameter with the value of `number` in its place. A second one gets what the first one has put there.
  void replace(Number& number, const Name& name, std::string parameter) {
    for (const building::Direction& known : result_.directions)
      if (known.label == name.text) {
        result_.directions.push_back(known);
        return;
      }
    while (!taken_.insert(parameter).second) parameter += '_';
    result_.source.parameters.push_back({parameter, std::exchange(number, Number(parameter))});
    add(parameter, name.text);
  }

  void add(const std::string& parameter, const std::string& label) {
    result_.directions.push_back({parameter, label});
  }

  AskedQuantities result_;
  std::unordered_set<std::string> taken_;
  std::vector<Fault> faults_;
};

}  // namespace

AskedQuantities with_parameters(const Source& source, const std::vector<std::string>& names) {
  Asker asker(source);
  for (const std::string& name : names) asker.ask(name);
  return asker.finish();
}

}  // namespace mti
