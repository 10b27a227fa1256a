#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/sbml/document.hpp"
#include "io/sbml/sbml_library.hpp"

namespace mti::sbml {

/// Turns formulas of libsbml into Math, with function definitions expanded.
class MathReader {
 public:
  explicit MathReader(const Library& library) : library_(library) {}

  /// To be called for all function definitions, in any order, before read().
  void define(const std::string& id, const ASTNode_t* lambda) { lambdas_[id] = lambda; }

  /// Nothing for a formula that is missing. Names that `renamed` has stand for others.
  [[nodiscard]] std::optional<Math> read(const ASTNode_t* node,
                                         const std::map<std::string, std::string>& renamed = {});

 private:
  using Arguments = std::map<std::string, Math>;
  Math convert(const ASTNode_t* node, const Arguments& arguments, int depth);
  Math call(const ASTNode_t* node, const Arguments& arguments, int depth);
  Math applied(const std::string& op, const ASTNode_t* node, const Arguments& arguments, int depth);
  void spend(std::size_t operations);

  const Library& library_;
  std::map<std::string, const ASTNode_t*> lambdas_;
  const std::map<std::string, std::string>* renamed_ = nullptr;
  std::size_t spent_ = 0;
};

}  // namespace mti::sbml
