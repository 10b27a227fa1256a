#include "mti/clocks/clock_binaries.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "mti/common/at.hpp"

namespace mti {
namespace {

constexpr std::string_view ending = ".tick";

}  // namespace

std::string tick_of(const std::string& clock) { return clock + std::string(ending); }

std::string ticks_of(const std::string& clock) { return tick_of(clock) + "s"; }

int clock_of(const Model& model, int binary) {
  const std::string_view name = model.signature.binaries()[at(binary)].name;
  if (!name.ends_with(ending)) return -1;
  const std::string clock(name.substr(0, name.size() - ending.size()));
  const std::vector<Signal>& inputs = model.signature.inputs();
  const auto input = std::ranges::find(inputs, clock, &Signal::name);
  const bool is_tick = input != inputs.end() && input->binary &&
                       std::ranges::find(model.equation_names, ticks_of(clock)) != model.equation_names.end();
  return is_tick ? static_cast<int>(input - inputs.begin()) : -1;
}

}  // namespace mti
