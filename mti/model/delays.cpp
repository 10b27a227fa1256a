#include "mti/model/delays.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "mti/common/fault.hpp"
#include "mti/model/signal_history.hpp"

namespace mti {

bool has_delays(const Model& model) {
  return std::ranges::any_of(
      model.inputs, [](const Input& input) { return std::holds_alternative<DelayedInput>(input.form()); });
}

void require_no_delays(const Model& model, const std::string& what) {
  for (std::size_t i = 0; i < model.inputs.size(); ++i)
    if (const auto* delayed = std::get_if<DelayedInput>(&model.inputs[i].form()))
      throw InvalidOption("delayed-signals", "",
                          model.signature.inputs()[i].name + " is " + delayed->of +
                              " some time ago: " + what + " know nothing of delayed signals");
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
