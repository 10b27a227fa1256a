#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mti/reading/reading.hpp"
#include "mti/text/evaluate.hpp"
#include "mti/text/parse.hpp"

namespace mti::building {
namespace {

class Declarer {
 public:
  Declarer(Declarations& names, Faults& faults) : names_(names), faults_(faults) {}

  bool declare(const std::string& name, const std::string& pointer, const Declarations::Entry& entry) {
    if (!is_name(name)) {
      faults_.add("bad-name", pointer,
                  "'" + name + "' is not a name: expected letters, digits and _, with dots between parts");
      return false;
    }
    if (is_reserved(name)) {
      faults_.add("reserved-name", pointer,
                  name + " has a meaning of its own in expressions; choose another name");
      return false;
    }
    if (names_.declare(name, entry)) return true;
    faults_.add("duplicate-name", pointer,
                name + " is already declared as " + to_string(names_.find(name)->kind));
    return false;
  }

 private:
  Declarations& names_;
  Faults& faults_;
};

/// 0 + ε_d
Dual unit(std::size_t direction) {
  Dual result;
  result.slopes.assign(direction + 1, 0.0);
  result.slopes[direction] = 1.0;
  return result;
}

}  // namespace

void Faults::add(std::string id, std::string pointer, std::string message) {
  faults_.push_back({std::move(id), std::move(pointer), std::move(message)});
}

void Faults::add(const text::TextFault& fault, const std::string& pointer, std::string_view text) {
  add(fault.id, pointer, text::at_column(text, fault.offset, fault.message));
}

void Faults::add(const std::vector<text::TextFault>& faults, const std::string& pointer,
                 std::string_view text) {
  constexpr std::size_t kPerText = 20;  // nobody reads more, and each column is counted from the start
  for (std::size_t i = 0; i < faults.size() && i < kPerText; ++i) add(faults[i], pointer, text);
}

std::string element(const std::string& list, std::size_t index) { return list + "/" + std::to_string(index); }

std::string token(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

std::optional<Dual> Numbers::read_dual(const Number& number, const std::string& pointer) const {
  std::optional<Dual> value;
  if (const auto* expression = std::get_if<std::string>(&number)) {
    try {
      std::vector<text::TextFault> faults;
      value = text::evaluate_dual(text::parse_expression(*expression), names_, faults);
      faults_.add(faults, pointer, *expression);
    } catch (const text::SyntaxError& error) {
      faults_.add(error.fault(), pointer, *expression);
    }
  } else {
    value = Dual(std::get<double>(number));
  }
  if (value && !std::isfinite(value->value)) {
    faults_.add("not-finite", pointer, "the value is not a finite number");
    return std::nullopt;
  }
  if (value &&
      !std::all_of(value->slopes.begin(), value->slopes.end(), [](double s) { return std::isfinite(s); })) {
    faults_.add("not-differentiable", pointer,
                text::not_differentiable(names_.directions_of(value->slopes), "the value"));
    return std::nullopt;
  }
  return value;
}

std::optional<double> Numbers::read(const Number& number, const std::string& pointer) const {
  const std::optional<Dual> value = read_dual(number, pointer);
  return value ? std::optional(value->value) : std::nullopt;
}

std::optional<double> Numbers::read_element(const Number& number, const std::string& list,
                                            std::size_t index) const {
  // Tables are long: the pointer is put together only where it may be needed.
  const auto* value = std::get_if<double>(&number);
  if (value != nullptr && std::isfinite(*value)) return *value;
  return read(number, element(list, index));
}

Declarations declare_names(const Source& source, Faults& faults, const std::vector<Direction>& directions) {
  using Kind = Declarations::Kind;
  Declarations names;
  for (const Direction& direction : directions) names.directions.push_back(direction.label);
  names.states = static_cast<int>(source.states.size());
  names.inputs = static_cast<int>(source.inputs.size());
  names.algebraic = static_cast<int>(source.algebraic.size());
  names.binaries = static_cast<int>(source.binaries.size());
  names.discrete = source.sample_time.has_value();
  names.clock = names.inputs;
  Declarer declarer(names, faults);
  std::vector<char> declared;
  for (const ParameterSource& parameter : source.parameters)
    declared.push_back(declarer.declare(parameter.name, "/parameters/" + token(parameter.name), {}) ? 1 : 0);
  for (std::size_t i = 0; i < source.states.size(); ++i)
    declarer.declare(source.states[i].name, element("/states", i) + "/name",
                     {.kind = Kind::state, .index = static_cast<int>(i)});
  for (std::size_t i = 0; i < source.inputs.size(); ++i) {
    if (source.inputs[i].name == "time" && names.clock == names.inputs) {
      names.clock = static_cast<int>(i);
      continue;
    }
    declarer.declare(source.inputs[i].name, element("/inputs", i) + "/name",
                     {.kind = Kind::input, .index = static_cast<int>(i), .binary = source.inputs[i].binary});
  }
  for (std::size_t i = 0; i < source.algebraic.size(); ++i)
    declarer.declare(source.algebraic[i].name, element("/algebraic", i) + "/name",
                     {.kind = Kind::algebraic, .index = static_cast<int>(i)});
  for (std::size_t i = 0; i < source.binaries.size(); ++i)
    declarer.declare(source.binaries[i].name, element("/binaries", i) + "/name",
                     {.kind = Kind::binary, .index = static_cast<int>(i), .binary = true});

  const Numbers numbers(names, faults);
  for (std::size_t i = 0; i < source.parameters.size(); ++i) {
    const ParameterSource& parameter = source.parameters[i];
    std::optional<Dual> value = numbers.read_dual(parameter.value, "/parameters/" + token(parameter.name));
    if (declared[i] == 0) continue;
    if (!value) {
      names.set_parameter(parameter.name, std::nullopt);
      continue;
    }
    for (std::size_t d = 0; d < directions.size(); ++d)
      if (directions[d].parameter == parameter.name) *value = *value + unit(d);
    names.set_parameter(parameter.name, value->value, std::move(value->slopes));
  }
  return names;
}

}  // namespace mti::building
