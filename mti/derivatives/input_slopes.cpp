#include "mti/derivatives/input_slopes.hpp"
#include "mti/model/delays.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/text/evaluate.hpp"

namespace mti {
namespace {

using building::Faults;
using building::Numbers;

/// Numbers of one input with their derivatives; building has found them sound.
class Reader {
 public:
  Reader(const Numbers& numbers, std::string pointer) : numbers_(numbers), pointer_(std::move(pointer)) {}

  Dual operator()(const Number& number) {
    if (const auto* value = std::get_if<double>(&number)) return *value;
    Dual result = numbers_.read_dual(number, pointer_).value_or(Dual());
    for (std::size_t d = 0; d < result.slopes.size(); ++d)
      if (result.slopes[d] != 0.0) {
        varying_.resize(std::max(varying_.size(), d + 1), 0.0);
        varying_[d] = 1.0;
      }
    return result;
  }
  std::vector<Dual> operator()(const std::vector<Number>& list) {
    std::vector<Dual> result;
    result.reserve(list.size());
    for (const Number& number : list) result.push_back((*this)(number));
    return result;
  }
  [[nodiscard]] const std::vector<double>& varying() const { return varying_; }

 private:
  const Numbers& numbers_;
  std::string pointer_;
  std::vector<double> varying_;
};

struct Table {
  std::vector<Dual> time, value;
  [[nodiscard]] TableInput along(std::size_t direction) const {
    TableInput slopes;
    for (const Dual& entry : time) slopes.time.push_back(entry.slope(direction));
    for (const Dual& entry : value) slopes.value.push_back(entry.slope(direction));
    return slopes;
  }
};

/// A table that comes again, or stands alone without a period.
struct Timed {
  Table table;
  std::optional<Dual> period = {};
  Dual start = {};
  [[nodiscard]] Input::Form along(std::size_t direction) const {
    if (!period) return table.along(direction);
    return PeriodicInput{table.along(direction), period->slope(direction), start.slope(direction)};
  }
};

Timed timed(const TableSource& source, Reader& read) {
  Timed result{{read(source.time), read(source.value)}};
  if (!source.repeat) return result;
  result.period = read(*source.repeat);
  result.start = read(source.start);
  if (result.table.time.front().value > 0.0) {  // as read_input has it: the first value holds before
    result.table.time.insert(result.table.time.begin(), Dual());
    result.table.value.insert(result.table.value.begin(), result.table.value.front());
  }
  return result;
}

Timed timed(const TriangleSource& source, Reader& read) {
  const Dual period = read(source.period), low = read(source.low), high = read(source.high);
  return {{{Dual(), Dual(0.5) * period, period}, {low, high, low}}, period, read(source.start)};
}

Timed timed(const PulseSource& source, Reader& read) {
  const Dual period = read(source.period), duty = read(source.duty), low = read(source.low),
             high = read(source.high);
  Timed result{{}, period, read(source.start)};
  if (duty.value > 0.0) {
    result.table.time.emplace_back();
    result.table.value.push_back(high);
  }
  if (duty.value < 1.0) {
    result.table.time.push_back(duty * period);
    result.table.value.push_back(low);
  }
  return result;
}

class Inputs {
 public:
  Inputs(const std::vector<InputSource>& sources, const Model& model, const Numbers& numbers,
         std::size_t directions, Faults& faults)
      : sources_(sources), model_(model), numbers_(numbers), faults_(faults) {
    result_.assign(directions, std::vector<InputDerivative>(model.inputs.size()));
  }

  std::vector<std::vector<InputDerivative>> run() {
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (!follows_input(i)) read(i);
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (follows_input(i)) read(i);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool follows_input(std::size_t i) const {
    return std::holds_alternative<PulseWidthInput>(model_.inputs[i].form());
  }

  void read(std::size_t i) {
    if (std::holds_alternative<ClockInput>(model_.inputs[i].form())) return;
    if (std::holds_alternative<PolynomialInput>(model_.inputs[i].form())) return;  // numbers alone
    const std::string pointer = building::element("/inputs", i);
    Reader reader(numbers_, pointer);
    const InputSource& source = sources_[i];
    if (const auto* number = std::get_if<Number>(&source.form)) {
      const Dual value = reader(*number);
      enter(i, pointer, reader, [&](std::size_t d) { return Input::Form(ConstantInput{value.slope(d)}); });
    } else if (const auto* sine = std::get_if<SineSource>(&source.form)) {
      const Dual amplitude = reader(sine->amplitude), frequency = reader(sine->frequency),
                 phase = reader(sine->phase), offset = reader(sine->offset);
      enter(i, pointer, reader, [&](std::size_t d) {
        return Input::Form(
            SineInput{amplitude.slope(d), frequency.slope(d), phase.slope(d), offset.slope(d)});
      });
    } else if (const auto* triangle = std::get_if<TriangleSource>(&source.form)) {
      const Timed wave = timed(*triangle, reader);
      enter(i, pointer, reader, [&](std::size_t d) { return wave.along(d); });
    } else if (const auto* table = std::get_if<TableSource>(&source.form)) {
      const Timed entries = timed(*table, reader);
      enter(i, pointer, reader, [&](std::size_t d) { return entries.along(d); });
    } else {
      pulses(i, pointer, reader, std::get<PulseSource>(source.form));
    }
  }

  void pulses(std::size_t i, const std::string& pointer, Reader& reader, const PulseSource& source) {
    const auto* const form = std::get_if<PulseWidthInput>(&model_.inputs[i].form());
    if (form == nullptr) {
      const Timed wave = timed(source, reader);
      if (const Dual duty = reader(source.duty); (duty.value == 0.0 || duty.value == 1.0) && duty.varies())
        faults_.add("not-differentiable", pointer + "/pwm/duty",
                    text::not_differentiable(numbers_.names().directions_of(duty.slopes),
                                             "a pulse that is none or all of its period"));
      return enter(i, pointer, reader, [&](std::size_t d) { return wave.along(d); });
    }
    const Dual period = reader(source.period), start = reader(source.start), low = reader(source.low),
               high = reader(source.high);
    const auto duty = at(numbers_.names().find(form->duty_name)->index);
    for (std::size_t d = 0; d < result_.size(); ++d) {
      const auto of_duty = std::make_shared<const InputDerivative>(result_[d][duty]);
      enter_one(i, d, pointer, PulseWidthInput{period.slope(d), start.slope(d), low.slope(d), high.slope(d)},
                of_duty);
    }
  }

  template <class Along>
  void enter(std::size_t i, const std::string& pointer, const Reader& reader, const Along& along) {
    for (std::size_t d = 0; d < reader.varying().size(); ++d)
      if (reader.varying()[d] != 0.0) enter_one(i, d, pointer, along(d), nullptr);
  }

  void enter_one(std::size_t i, std::size_t direction, const std::string& pointer, Input::Form slopes,
                 std::shared_ptr<const InputDerivative> duty) {
    const std::string& label = numbers_.names().directions[direction];
    try {
      InputDerivative derivative(model_.inputs[i], std::move(slopes), std::move(duty));
      if (sources_[i].binary && derivative.changes_values())
        faults_.add("parameter-decides", pointer, text::decides(label, "the values of a binary input"));
      result_[direction][i] = std::move(derivative);
    } catch (const InvalidOption& refused) {
      for (const Fault& fault : refused.faults())
        faults_.add(fault.id, pointer, label + ": " + fault.message);
    }
  }

  const std::vector<InputSource>& sources_;
  const Model& model_;
  const Numbers& numbers_;
  Faults& faults_;
  std::vector<std::vector<InputDerivative>> result_;
};

}  // namespace

std::vector<std::vector<InputDerivative>> input_derivatives(const std::vector<InputSource>& sources,
                                                            const Model& model, const Numbers& numbers,
                                                            std::size_t directions, Faults& faults) {
  if (has_delays(model) || !model.moved_inputs.empty()) {
    faults.add("delayed-signals", "", "derivatives of delayed signals by parameters are not computed");
    return {directions, std::vector<InputDerivative>(model.inputs.size())};
  }
  return Inputs(sources, model, numbers, directions, faults).run();
}

}  // namespace mti
