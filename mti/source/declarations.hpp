#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mti {

/// The names a model declares and what they stand for, while it is being built.
class Declarations {
 public:
  enum class Kind { parameter, state, input, algebraic, binary };
  struct Entry {
    Kind kind = Kind::parameter;
    int index = 0;                     ///< position in its group
    bool binary = false;               ///< takes 0 and 1 only: binaries and binary inputs
    bool evaluated = false;            ///< parameters: their turn has come
    std::optional<double> value = {};  ///< parameters: nothing if they have a fault
    std::vector<double> slopes =
        {};  ///< parameters: derivatives of the value in `directions` (mti/common/dual.hpp)
  };

  /// False if the name is taken.
  bool declare(const std::string& name, const Entry& entry);
  void set_parameter(const std::string& name, std::optional<double> value, std::vector<double> slopes = {});

  /// The entry, or null.
  [[nodiscard]] const Entry* find(std::string_view name) const;
  /// "unknown name foo, did you mean fo?" Only the first hundred get a suggestion: each looks at all names.
  [[nodiscard]] std::string unknown(std::string_view name) const;
  /// The directions in which these slopes are not 0: "R", "R and C", …
  [[nodiscard]] std::string directions_of(const std::vector<double>& slopes) const;

  int states = 0, inputs = 0, algebraic = 0, binaries = 0;
  bool discrete = false;                     ///< of a model of discrete time: next(x) instead of der(x)
  std::vector<std::string> directions = {};  ///< what values are differentiated by, for messages
  int clock = -1;  ///< index of the input `time`; `inputs` or more if it is not declared as an input

 private:
  std::unordered_map<std::string, Entry> entries_;
  std::vector<std::string> names_;
  mutable int suggestions_left_ = 100;
};

/// ", did you mean foo?" or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view name, const std::vector<std::string>& names);

/// An identifier with optional dots, as the grammar of expressions reads it.
[[nodiscard]] bool is_name(std::string_view name);
/// A word of the grammar (der, pre, time, pi, if, then, elseif, else, and, or, not, true, false) or one of the
/// functions sqrt, exp, log, sin, cos, tan, abs, min, max. Other functions are known by the parenthesis after
/// them, and may be names too.
[[nodiscard]] bool is_reserved(std::string_view name);
/// "state", "input", …
[[nodiscard]] std::string to_string(Declarations::Kind kind);

}  // namespace mti
