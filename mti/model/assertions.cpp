#include "mti/model/assertions.hpp"

#include <utility>

#include "mti/common/at.hpp"

namespace mti {

std::optional<Assertion> assertion_of(std::string_view generated) {
  for (const std::string_view mark : {assertion_mark, warning_mark})
    if (generated.starts_with(mark))
      return Assertion{.message = std::string(generated.substr(mark.size())),
                       .is_error = mark == assertion_mark};
  return std::nullopt;
}

std::vector<Assertion> assertions_of(const Signature& signature) {
  std::vector<Assertion> assertions;
  for (int i = 0; i < signature.q(); ++i) {
    const Signal& binary = signature.binaries()[at(i)];
    std::optional<Assertion> assertion = assertion_of(binary.generated);
    if (!assertion) continue;
    assertion->row = signature.binary_row(i);
    assertion->name = binary.name;
    assertions.push_back(*std::move(assertion));
  }
  return assertions;
}

}  // namespace mti
