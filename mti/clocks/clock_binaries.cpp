#include "mti/clocks/clock_binaries.hpp"

#include <algorithm>
#include <string_view>

#include "mti/common/at.hpp"

namespace mti {
namespace {

constexpr std::string_view ending = ".tick";

}  // namespace

std::string tick_of(const std::string& clock) { return clock + std::string(ending); }

int clock_of(const Signature& signature, int binary) {
  const std::string_view name = signature.binaries()[at(binary)].name;
  if (!name.ends_with(ending)) return -1;
  const std::string_view clock = name.substr(0, name.size() - ending.size());
  const auto input = std::ranges::find(signature.inputs(), clock, &Signal::name);
  return input == signature.inputs().end() || !input->binary
             ? -1
             : static_cast<int>(input - signature.inputs().begin());
}

}  // namespace mti
