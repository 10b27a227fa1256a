#include "mti/conditions/sign_binaries.hpp"

#include <string>

#include "mti/common/at.hpp"

namespace mti {

std::vector<SignBinary> known_signs(const Model& model) {
  std::vector<SignBinary> known;
  const auto is_of = [&](int row, const std::string& name) {
    return at(row) < model.constraint_names.size() && model.constraint_names[at(row)].starts_with(name);
  };
  for (const SignBinary& one : model.sign_binaries)
    if (one.binary < model.signature.q()) {
      const std::string& name = model.signature.binaries()[at(one.binary)].name;
      if (is_of(one.while_off, name + ".off") && is_of(one.while_on, name + ".on")) known.push_back(one);
    }
  return known;
}

}  // namespace mti
