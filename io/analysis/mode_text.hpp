#pragma once

#include <string>
#include <string_view>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"

namespace mti {

/// The mode "z1=1,z2=0": binaries and binary inputs that are not named have their start values; pre(z) = z.
/// Errors: InvalidOption, id `bad-mode`, with a suggestion for a name that is not known.
[[nodiscard]] Mode parse_mode(const Model& model, std::string_view text);

}  // namespace mti
