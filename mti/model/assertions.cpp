#include "mti/model/assertions.hpp"

#include "mti/common/at.hpp"

namespace mti {

std::vector<Assertion> assertions_of(const Signature& signature) {
  std::vector<Assertion> assertions;
  for (int i = 0; i < signature.q(); ++i) {
    const Signal& binary = signature.binaries()[at(i)];
    for (const std::string_view mark : {assertion_mark, warning_mark})
      if (binary.generated.starts_with(mark))
        assertions.push_back({.row = signature.binary_row(i),
                              .name = binary.name,
                              .message = binary.generated.substr(mark.size()),
                              .is_error = mark == assertion_mark});
  }
  return assertions;
}

}  // namespace mti
