#include <string>
#include <utility>

#include "mti/build/build_parts.hpp"
#include "mti/common/at.hpp"
#include "mti/conditions/defined_by_binaries.hpp"
#include "mti/polynomials/difference.hpp"
#include "mti/text/evaluate.hpp"
#include "mti/text/parse.hpp"

namespace mti::building {
namespace {

std::string pointer_to_text(const std::string& list, std::size_t i, const RelationSource& relation) {
  return element(list, i) + (relation.is_object ? "/text" : "");
}

std::vector<std::string> names_of(const std::vector<RelationSource>& relations) {
  std::vector<std::string> names;
  names.reserve(relations.size());
  for (const RelationSource& relation : relations) names.push_back(relation.name);
  return names;
}

void claim_names(const std::vector<RelationSource>& relations, const std::string& list,
                 RelationNames& relation_names) {
  std::vector<std::string> pointers;
  pointers.reserve(relations.size());
  for (std::size_t i = 0; i < relations.size(); ++i) pointers.push_back(element(list, i) + "/name");
  relation_names.claim(names_of(relations), pointers);
}

}  // namespace

void RelationNames::claim(const std::vector<std::string>& given, const std::vector<std::string>& pointers) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].empty()) continue;
    if (!is_name(given[i])) {
      faults_.add(
          "bad-name", pointers[i],
          "'" + given[i] + "' is not a name: expected letters, digits and _, with dots between parts");
    } else if (!taken_.insert(given[i]).second) {
      faults_.add("duplicate-name", pointers[i], given[i] + " already names an equation or constraint");
    }
  }
}

std::string RelationNames::unique(std::string wanted) {
  while (!taken_.insert(wanted).second) wanted += '_';
  return wanted;
}

std::vector<std::string> RelationNames::complete(std::vector<std::string> given, const std::string& prefix) {
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i].empty()) given[i] = unique(prefix + std::to_string(i + 1));
  return given;
}

const std::vector<text::Term>& Row::along(int direction) const {
  static const std::vector<text::Term> none;
  if (direction < 0) return terms;
  return at(direction) < tangents.size() ? tangents[at(direction)] : none;
}

Row row_of(const text::Polynomial& polynomial, text::Copies& copies) {
  Row row{copies.multilinear(polynomial)};
  for (std::size_t d = 0; d < polynomial.tangents(); ++d) {
    text::Polynomial tangent = polynomial.tangent(d);
    tangent.drop_cancelled();
    row.tangents.push_back(copies.multilinear(tangent));
  }
  return row;
}

std::optional<text::Polynomial> read_relation(const std::string& text, const std::string& pointer,
                                              Expected expected, text::Expander& expander,
                                              const text::Expander::Owner& owner, Faults& faults) {
  try {
    const text::Relation relation = text::parse_relation(text);
    const bool equal = relation.comparison == text::Relation::Comparison::equal;
    if (equal && expected == Expected::inequality) {
      faults.add("expected-inequality", pointer, "a constraint compares with <= or >=, found =");
      return std::nullopt;
    }
    if (!equal && expected == Expected::equation) {
      faults.add("expected-equation", pointer, "an equation compares with =, found an inequality");
      return std::nullopt;
    }
    std::vector<text::TextFault> text_faults;
    std::optional<text::Polynomial> polynomial = expander.expand(text, relation, owner, text_faults);
    faults.add(text_faults, pointer, text);
    if (!polynomial) return std::nullopt;
    const std::optional<double> constant = polynomial->constant_value();
    if (equal && constant) {
      const bool empty = *constant == 0.0;
      faults.add(empty ? "empty-equation" : "impossible-equation", pointer,
                 empty ? "nothing is left of this equation: both sides are the same"
                       : "no signal is left in this equation, and it does not hold");
      return std::nullopt;
    }
    if (constant && *constant == 0.0 && polynomial->varies()) {
      faults.add("parameter-decides", pointer,
                 text::decides(expander.names().directions_of(polynomial->directions()),
                               "whether this constraint holds, in which no signal is left"));
      return std::nullopt;
    }
    if (constant && *constant > 0.0) {
      faults.add("impossible-constraint", pointer,
                 "no signal is left in this constraint, and it does not hold");
      return std::nullopt;
    }
    return polynomial;
  } catch (const text::SyntaxError& error) {
    faults.add(error.fault(), pointer, text);
    return std::nullopt;
  }
}

Relations read_relations(const Source& source, text::Expander& expander, text::Copies& copies,
                         RelationNames& relation_names, Faults& faults) {
  Relations result;
  claim_names(source.equations, "/equations", relation_names);
  claim_names(source.constraints, "/constraints", relation_names);
  result.equation_names = relation_names.complete(names_of(source.equations), "eq");
  result.constraint_names = relation_names.complete(names_of(source.constraints), "c");
  const auto read = [&](const std::vector<RelationSource>& relations, const std::string& list,
                        const std::vector<std::string>& names, Expected expected, std::vector<Row>& rows,
                        std::vector<std::pair<std::size_t, text::Polynomial>>& kept) {
    for (std::size_t i = 0; i < relations.size(); ++i) {
      const auto polynomial =
          read_relation(relations[i].text, pointer_to_text(list, i, relations[i]), expected, expander,
                        {text::Expander::Place::relation, names[i]}, faults);
      if (polynomial && expected == Expected::equation && conditions::is_static(*polynomial))
        result.static_equations.emplace_back(i, *polynomial);
      const bool is_sum = polynomial && expected == Expected::equation && text::is_short_sum(*polynomial);
      if (is_sum || (polynomial && text::holds_binaries(*polynomial))) kept.emplace_back(i, *polynomial);
      rows.push_back(polynomial ? row_of(*polynomial, copies) : Row());
    }
  };
  read(source.equations, "/equations", result.equation_names, Expected::equation, result.equations,
       result.flow_equations);
  read(source.constraints, "/constraints", result.constraint_names, Expected::inequality, result.constraints,
       result.switching_constraints);
  return result;
}

}  // namespace mti::building
