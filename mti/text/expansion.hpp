#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mti/text/expand.hpp"

namespace mti::text {

/// The message of the id `power-too-high`.
[[nodiscard]] std::string power_too_high();

/// The expansion of one relation. After a fault it goes on with NaN in the place of what is missing, so that
/// the other faults of the text are found too.
class Expansion {
 public:
  Expansion(Expander& expander, std::string_view text, const Relation& relation, const Expander::Owner& owner,
            std::vector<TextFault>& faults);

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] const Relation& relation() const { return relation_; }
  [[nodiscard]] const Expander::Owner& owner() const { return owner_; }

  /// The polynomial of a part of the text; NaN after a fault.
  [[nodiscard]] Polynomial expand(const Node& node);
  /// A part that is not used, for its faults; that it has no value is none.
  void look_at(const Node& node);
  /// A part that must be made of numbers and parameters.
  [[nodiscard]] std::optional<Dual> number(const Node& node);
  /// True, with a fault, if a value that decides `what` has a derivative in some direction: `parameter-decides`.
  bool is_decided(const Polynomial& value, const Node& node, const std::string& what);
  /// The polynomial; NaN, with a fault, where a derivative of it is not finite: `not-differentiable`.
  [[nodiscard]] Polynomial differentiable(Polynomial value, const Node& node);
  /// Notes a fault at the node; NaN to go on with.
  Polynomial fail(const char* id, const Node& node, std::string message);
  /// sum += factor·other and a·b, within the number of terms a model may have.
  void add(Polynomial& sum, const Polynomial& other, double factor, const Node& node);
  [[nodiscard]] Polynomial times(const Polynomial& a, const Polynomial& b, const Node& node);

 private:
  [[nodiscard]] bool spend(std::size_t monomials, const Node& node);
  Polynomial signal(const Declarations::Entry& entry, bool remembered);
  Polynomial clock(bool remembered);
  Polynomial name(const Node& node);
  Polynomial sum(const Node& node);
  Polynomial product(const Node& node);
  [[nodiscard]] bool is_kept(const Polynomial& sum) const;
  [[nodiscard]] Polynomial kept(const Polynomial& sum) const;
  Polynomial quotient(Polynomial dividend, const Polynomial& divisor, const Node& node);
  Polynomial power(const Node& node);
  Polynomial power_of_number(double constant, const Polynomial& base, const Dual& exponent, const Node& node);
  Polynomial call(const Node& node);
  Polynomial elementary(const Node& node);
  Polynomial condition(const Node& node);
  [[nodiscard]] bool follows_signals(std::size_t before) const;
  [[nodiscard]] const Declarations::Entry* only_name(const Node& node) const;
  [[nodiscard]] bool is_unknown_name(const Node& node) const;
  Polynomial of_state(const Node& node);
  Polynomial left_limit(const Node& node);

  Expander& expander_;
  const Declarations& names_;
  std::string_view text_;
  const Relation& relation_;
  const Expander::Owner& owner_;
  std::vector<TextFault>& faults_;
  bool exhausted_ = false;
  bool failed_ = false;
};

}  // namespace mti::text
