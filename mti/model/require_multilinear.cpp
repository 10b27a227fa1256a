#include "mti/model/require_multilinear.hpp"

#include <string>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"

namespace mti {

void require_multilinear(const Model& model, std::string_view what) {
  if (model.is_multilinear() && model.divisors.empty()) return;
  const std::string found = model.is_multilinear() ? "the divisor " + model.divisors.front().text
                                                   : model.function_texts.front().text;
  throw InvalidModel("functions-of-signals", "",
                     std::string(what) + " is for multilinear equations, found " + found);
}

void require_fixed_start(const Model& model, std::string_view what) {
  if (!model.solves_start()) return;
  std::string found = "initial equations";
  for (int i = 0; i < model.signature.n(); ++i)
    if (model.has_free_start(i)) found = "the free start of " + model.signature.states()[at(i)].name;
  throw InvalidModel("initial-equations", "",
                     std::string(what) + " has no place for initial equations, found " + found);
}

}  // namespace mti
