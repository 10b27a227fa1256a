#include "io/modelica_writing/relations.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "io/modelica_writing/logic_tables.hpp"
#include "mti/common/signs.hpp"
#include "mti/text/parse.hpp"

namespace mti::modelica {
namespace {

using text::Relation;
using Parsed = std::vector<std::unique_ptr<ParsedRelation>>;

/// The two sides of a relation under an assignment.
struct Sides {
  Piece left, right;
  [[nodiscard]] bool are_numbers() const { return left.value && right.value; }
};

Sides sides_of(const Relation& relation, const Assignment& assignment, ModelicaNotation& notation) {
  return {notation.number(relation.left, assignment), notation.number(relation.right, assignment)};
}

/// Where the constraint is broken.
Excess excess_of(const Relation& relation, const Sides& sides) {
  const bool less = relation.comparison == Relation::Comparison::less_equal;
  const Piece &big = less ? sides.left : sides.right, &small = less ? sides.right : sides.left;
  return {at_level(big, 1), at_level(small, 1)};
}

bool is_broken(const Relation& relation, const Sides& sides) {
  const bool less = relation.comparison == Relation::Comparison::less_equal;
  return less ? *sides.left.value > *sides.right.value : *sides.left.value < *sides.right.value;
}

/// What is 0 in an equation that has 0 on one side: a and −a are one. Nothing where no side is 0.
std::optional<text::SignedTerms> zero_terms(const Sides& sides) {
  const bool left_zero = sides.left.value && *sides.left.value == 0.0;
  const bool right_zero = sides.right.value && *sides.right.value == 0.0;
  if (!left_zero && !right_zero) return std::nullopt;
  text::SignedTerms terms = text::difference_terms(at_level(right_zero ? sides.left : sides.right, 1), "0");
  if (!terms.empty() && terms.front().negative) terms = text::negated(std::move(terms));
  return terms;
}

/// a and b of z·a + (1 − z)·b = 0.
struct Alternative {
  std::string binary;
  text::SignedTerms where_on, where_off;
};

std::vector<Alternative> alternatives(const Parsed& equations, ModelicaNotation& notation) {
  std::vector<Alternative> result;
  for (const auto& equation : equations) {
    if (equation->binaries.size() != 1 || equation->is_logic) continue;
    const std::string& z = *equation->binaries.begin();
    std::optional<text::SignedTerms> parts[2];
    for (const bool value : {false, true})
      parts[value ? 1 : 0] =
          zero_terms(sides_of(equation->relation, {{z, value}, {"pre(" + z + ")", value}}, notation));
    if (parts[0] && parts[1]) result.push_back({z, std::move(*parts[1]), std::move(*parts[0])});
  }
  return result;
}

class Decider {
 public:
  Decider(const Source& source, const Parsed& equations, const Parsed& of_alternatives,
          const Parsed& constraints, const Kinds& kinds, ModelicaNotation& notation)
      : equations_(equations),
        of_alternatives_(of_alternatives),
        constraints_(constraints),
        kinds_(kinds),
        notation_(notation) {
    for (const BinarySource& binary : source.binaries) result_.binaries.push_back({.binary = binary.name});
    for (const ParameterSource& parameter : source.parameters) parameters_.insert(parameter.name);
  }

  Decisions run() {
    for (const auto& constraint : constraints_) add_constraint(*constraint);
    add_logic();
    for (const auto& equation : equations_) add_condition(*equation);
    for (const auto& equation : equations_) add_sum(*equation);
    return std::move(result_);
  }

 private:
  Decision& of(const std::string& binary) {
    return *std::ranges::find(result_.binaries, binary, &Decision::binary);
  }

  static bool is_decided(const Decision& decision) {
    return !decision.while_off.empty() || !decision.while_on.empty() || decision.never_falls ||
           decision.never_rises || !decision.logic.empty();
  }

  void add_constraint(const ParsedRelation& constraint) {
    if (constraint.binaries.empty()) {
      add_of_alternative(constraint);
      return;
    }
    if (constraint.binaries.size() != 1) return;
    const std::string& z = *constraint.binaries.begin();
    const std::string before = "pre(" + z + ")";
    Decision decision = of(z);
    for (const bool value : {false, true}) {
      Sides sides = sides_of(constraint.relation, {{z, value}, {before, value}}, notation_);
      if (constraint.names.contains(before)) {
        // Where it forbids the way from the other value, whatever else: a latch.
        const Sides coming = sides_of(constraint.relation, {{z, value}, {before, !value}}, notation_);
        if (!sides.are_numbers() || !coming.are_numbers() || is_broken(constraint.relation, sides)) return;
        if (is_broken(constraint.relation, coming))
          (value ? decision.never_rises : decision.never_falls) = true;
        continue;
      }
      if (sides.are_numbers()) {
        if (is_broken(constraint.relation, sides)) return;  // never this value: left as an assertion
        continue;
      }
      (value ? decision.while_on : decision.while_off).push_back(excess_of(constraint.relation, sides));
    }
    decision.names.insert(constraint.names.begin(), constraint.names.end());
    of(z) = std::move(decision);
    result_.used.insert(&constraint);
  }

  /// The sides say a <= 0 or −a <= 0 of an alternative's a, or b.
  void add_of_alternative(const ParsedRelation& constraint) {
    if (alternatives_.empty() && !looked_) alternatives_ = alternatives(of_alternatives_, notation_);
    looked_ = true;
    const Sides sides = sides_of(constraint.relation, {}, notation_);
    const std::optional<text::SignedTerms> bound = zero_terms(sides);
    if (!bound || bound->empty()) return;
    for (const Alternative& one : alternatives_) {
      if (*bound != one.where_on && *bound != one.where_off) continue;
      Decision& decision = of(one.binary);
      decision.names.insert(constraint.names.begin(), constraint.names.end());
      (*bound == one.where_on ? decision.while_off : decision.while_on)
          .push_back(excess_of(constraint.relation, sides));
      result_.used.insert(&constraint);
      return;
    }
  }

  void add_logic() {
    std::vector<LogicRow> rows;
    std::vector<const ParsedRelation*> sources;
    for (const auto& equation : equations_) {
      if (!equation->is_logic) continue;
      std::optional<LogicRow> row = logic_row(*equation, kinds_, notation_);
      if (!row) continue;
      std::erase_if(row->outputs, [&](const std::string& output) { return is_decided(of(output)); });
      rows.push_back(std::move(*row));
      sources.push_back(equation.get());
    }
    const std::vector<std::string> outputs = matched_outputs(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (outputs[i].empty()) continue;
      of(outputs[i]).logic = logic_text(rows[i], outputs[i]);
      result_.used.insert(sources[i]);
    }
  }

  /// z = condition, where nothing else decides z.
  void add_condition(const ParsedRelation& equation) {
    if (result_.used.contains(&equation)) return;
    for (const bool is_left : {true, false}) {
      const text::Node& own = is_left ? equation.relation.left : equation.relation.right;
      const text::Node& other = is_left ? equation.relation.right : equation.relation.left;
      if (own.kind != text::Node::Kind::name || !kinds_.is_binary(own.name) || !notation_.is_truth(other))
        continue;
      Decision& decision = of(std::string(own.name));
      std::set<std::string> names;
      collect_names(other, true, names);
      if (names.contains(decision.binary) || is_decided(decision)) continue;
      decision.logic = notation_.condition(other);
      result_.used.insert(&equation);
      return;
    }
  }

  /// A sum of a binary that nothing else decides and of what is 0 or 1 in some way: z = a > 0.5, with a what it is equal to.
  void add_sum(const ParsedRelation& equation) {
    const bool is_of_truths = std::ranges::all_of(equation.numbers, [&](const std::string& name) {
      return name.starts_with("pre(") || kinds_.is_boolean(name) || kinds_.is_binary(name) ||
             parameters_.contains(name);
    });
    if (result_.used.contains(&equation) || !is_of_truths || equation.binaries.empty()) return;
    for (const bool is_left : {true, false}) {
      const text::Node& side = is_left ? equation.relation.left : equation.relation.right;
      const bool is_sum = side.kind == text::Node::Kind::sum;
      for (std::size_t i = 0; i < (is_sum ? side.operands.size() : 1); ++i) {
        const text::Node& term = is_sum ? side.operands[i] : side;
        if (term.kind != text::Node::Kind::name || !kinds_.is_binary(term.name)) continue;
        const std::string z(term.name);
        if (is_decided(of(z)) || uses_of(z, equation.relation) != 1) continue;
        const Sides rest = sides_of(equation.relation, {{z, false}}, notation_);
        const bool is_subtracted = is_sum && term.inverse;
        const bool is_minuend = is_left != is_subtracted;  // z + left = right
        const Piece &value = is_minuend ? rest.right : rest.left,
                    &other = is_minuend ? rest.left : rest.right;
        of(z).logic = other.value == 0.0 ? at_level(value, 1) + " > 0.5"
                                         : at_level(value, 1) + " - " + at_level(other, 2) + " > 0.5";
        result_.used.insert(&equation);
        return;
      }
    }
  }

  static int uses_of(const std::string& name, const text::Relation& relation) {
    int uses = 0;
    const std::function<void(const text::Node&)> count = [&](const text::Node& node) {
      uses += node.kind == text::Node::Kind::name && node.name == name ? 1 : 0;
      for (const text::Node& operand : node.operands) count(operand);
    };
    count(relation.left);
    count(relation.right);
    return uses;
  }

  const Parsed &equations_, &of_alternatives_;
  const Parsed& constraints_;
  const Kinds& kinds_;
  ModelicaNotation& notation_;
  std::set<std::string> parameters_ = {};
  std::vector<Alternative> alternatives_ = {};
  bool looked_ = false;
  Decisions result_ = {};
};

}  // namespace

std::string Excess::difference() const {
  if (right == "0") return left;
  if (left == "0") return text::negated(right);
  return left + " - (" + right + ")";
}

bool Excess::is_opposite(const Excess& other) const {
  return text::difference_terms(left, right) == text::difference_terms(other.right, other.left);
}

Parsed parsed(const std::vector<RelationSource>& relations, const std::string& list, const Kinds& kinds) {
  Parsed result;
  for (std::size_t i = 0; i < relations.size(); ++i) {
    auto one = std::make_unique<ParsedRelation>();
    one->name = relations[i].name;
    one->pointer = list + "/" + std::to_string(i);
    one->text = relations[i].text;
    one->relation = text::parse_relation(one->text);
    for (const text::Node* side : {&one->relation.left, &one->relation.right}) {
      collect_names(*side, true, one->names);
      collect_names(*side, false, one->numbers);
    }
    one->is_logic = !one->names.empty();
    for (const std::string& name : one->names) {
      const bool is_pre = name.starts_with("pre(");
      one->is_logic = one->is_logic && (is_pre || kinds.is_boolean(name));
    }
    for (const std::string& name : one->numbers) {
      const std::string own = name.starts_with("pre(") ? name.substr(4, name.size() - 5) : name;
      if (kinds.is_binary(own)) one->binaries.insert(own);
    }
    result.push_back(std::move(one));
  }
  return result;
}

Decisions decide(const Source& source, const Parsed& equations, const Parsed& alternatives,
                 const Parsed& constraints, const Kinds& kinds, ModelicaNotation& notation) {
  return Decider(source, equations, alternatives, constraints, kinds, notation).run();
}

}  // namespace mti::modelica
