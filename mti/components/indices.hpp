#pragma once

// Indices of arrays of components: loops over them, and names with index expressions in brackets.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mti/components/composition.hpp"
#include "mti/source/declarations.hpp"
#include "mti/text/ast.hpp"

namespace mti {

/// The parameters of one instance, and indices, with their values.
class IndexScope {
 public:
  /// A parameter without a value has a fault elsewhere: what needs it is silently not there.
  void declare(const std::string& name, std::optional<double> value);
  [[nodiscard]] bool has(const std::string& name) const { return values_.find(name) != nullptr; }
  void set(const std::string& name, double value) { values_.set_parameter(name, value); }

  /// Value of an expression; nothing after a fault or where a parameter has none.
  [[nodiscard]] std::optional<double> value(const Number& number, std::vector<text::TextFault>& faults) const;
  /// The same where a whole number is expected: id `bad-index` for others.
  [[nodiscard]] std::optional<long long> whole(const Number& number,
                                               std::vector<text::TextFault>& faults) const;

 private:
  Declarations values_;
};

/// Calls `run` for every combination of the indices, the last one fastest, with their values in `scope`;
/// until `run` returns false. Faults are those of ranges: `bad-index`, `bad-name`, `duplicate-name`,
/// `too-many-components` and those of expressions, `range` says where.
struct RangeFault {
  std::size_t range = 0;
  text::TextFault fault;
};
[[nodiscard]] std::optional<RangeFault> for_each_index(const std::vector<IndexRange>& ranges,
                                                       IndexScope& scope, const std::function<bool()>& run);

/// The text with index expressions evaluated and indices replaced by their values:
///
///     "tank[i-1].T + i"  →  "tank2.T + 3"  where i = 3,      "cell[i][2].T"  →  "cell3_2.T"
///
/// "[:]" stays. Ids `bad-index`, `syntax-error` and those of expressions.
[[nodiscard]] std::string with_indices(const std::string& text, const std::vector<IndexRange>& ranges,
                                       const IndexScope& scope, std::vector<text::TextFault>& faults);

/// The names in index expressions of a text: {"i", "n"} for "tank[i].T + cell[n-1].T".
[[nodiscard]] std::vector<std::string> names_in_indices(const std::string& text);
/// All names in an expression.
[[nodiscard]] std::vector<std::string> names_in(std::string_view expression);

/// The names of arrays before "[:]" in a text: {"tank"} for "-tank[:].q".
[[nodiscard]] std::vector<std::string> arrays_in(const std::string& text);

/// The text with `array`[:] replaced by the element `array``suffix`, everywhere.
[[nodiscard]] std::string with_element(const std::string& text, const std::string& array,
                                       const std::string& suffix);

}  // namespace mti
