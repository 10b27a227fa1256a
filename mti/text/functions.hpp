#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mti::text {

/// What can be called in an expression.
struct Function {
  enum class Kind {
    signal,      ///< der, next, pre: the name of a signal, nothing is computed
    elementary,  ///< sin, sqrt, …: of one number, atan2 of two
    condition,   ///< max, clamp, table, …: what binaries decide; smooth
    number       ///< floor, ceil, mod: of numbers alone, for those of signals jump again and again
  };
  std::string_view name;
  Kind kind = Kind::elementary;
  int fewest = 1, most = 1;                            ///< arguments; most = −1: any number
  double (*value)(std::span<const double>) = nullptr;  ///< of numbers; null where a signal is needed
};

/// The function of a name, or null.
[[nodiscard]] const Function* find_function(std::string_view name);

/// "one argument", "two or more arguments", "3 or 4 arguments"
[[nodiscard]] std::string arguments_of(const Function& function);

/// ", did you mean clamp?" or nothing; `discrete`: next instead of der.
[[nodiscard]] std::string did_you_mean_function(std::string_view name, bool discrete);

}  // namespace mti::text
