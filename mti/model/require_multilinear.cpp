#include "mti/model/require_multilinear.hpp"

#include <string>

#include "mti/common/fault.hpp"

namespace mti {

void require_multilinear(const Model& model, std::string_view what) {
  if (model.is_multilinear() && model.divisors.empty()) return;
  const std::string found = model.is_multilinear() ? "the divisor " + model.divisors.front().text
                                                   : model.function_texts.front().text;
  throw InvalidModel("functions-of-signals", "",
                     std::string(what) + " is for multilinear equations, found " + found);
}

}  // namespace mti
