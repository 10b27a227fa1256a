#include "mti/model/delays.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "mti/common/fault.hpp"
#include "mti/model/signal_history.hpp"

namespace mti {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& of, const std::string& what) {
  throw InvalidOption("delayed-signals", "",
                      name + " is " + of + " some time ago: " + what + " know nothing of delayed signals");
}

}  // namespace

bool has_delays(const Model& model) {
  return std::ranges::any_of(
      model.inputs, [](const Input& input) { return std::holds_alternative<DelayedInput>(input.form()); });
}

void require_no_delayed_signals(const Model& model, const std::string& what) {
  for (std::size_t i = 0; i < model.inputs.size(); ++i)
    if (const auto* delayed = std::get_if<DelayedInput>(&model.inputs[i].form()))
      refuse(model.signature.inputs()[i].name, delayed->of, what);
}

void require_no_delays(const Model& model, const std::string& what) {
  require_no_delayed_signals(model, what);
  if (!model.moved_inputs.empty())
    refuse(model.moved_inputs.front().name, model.moved_inputs.front().of, what);
}

Model with_own_history(Model model) {
  for (Input& input : model.inputs)
    if (const auto* form = std::get_if<DelayedInput>(&input.form())) {
      DelayedInput delayed = *form;
      delayed.history = std::make_shared<SignalHistory>(delayed.delay, delayed.before);
      input = Input(std::move(delayed));
    }
  return model;
}

}  // namespace mti
