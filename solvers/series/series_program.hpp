#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "mti/common/kept_lists.hpp"
#include "mti/model/model.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/mode/mode_system.hpp"

namespace mti {

/// The equations of one mode as a program for Taylor coefficients.
///
/// Along a motion v(t₀ + στ) = Σ_k v_k τ^k the columns of f and g are products of power series. Signals that neither
/// a state nor a varying input reaches are numbers and become part of the weights. What is left are *nodes*: a
/// signal, an affine factor 1 − |S| + S v, the product of two nodes (prefixes of columns are shared), or a function of one
/// (mti/functions/function_series.hpp). Coefficient k of a product is
///
///     (a·b)_k = Σ_{i=1}^{k−1} a_i b_{k−i} + a_0 b_k + a_k b_0 .
///
/// Stage k gives order c_i + k of equation i and with it order e_j + k of unknown j (SolutionBlock; c = e = 0 where
/// nothing is differentiated). Every place has an *offset*: stage k gives its order offset + k, that of x being e + 1
/// if ẋ is the unknown. A node has the largest c of the equations that hold it.
///
/// Blocks of the plan follow each other; a node belongs to the block after which its operands are known, so that each
/// block is solved with its own unknowns at 0 first and corrected with them afterwards. Source: R. Moore, Methods and
/// Applications of Interval Analysis (SIAM 1979), ch. 3; A. Jorba and M. Zou, Experimental Mathematics 14 (2005) 99-117;
/// for the stages N. Nedialkov and J. Pryce, BIT Numer. Math. 45 (2005) 561-591.
class SeriesProgram {
 public:
  /// Null if structure leaves the motion of the mode open.
  [[nodiscard]] static std::shared_ptr<const SeriesProgram> of(const Model& model, const ModeSystem& system);

  /// The signal in row `row` of S, if it varies, and the coefficients' place of it.
  struct Slot {
    enum class Kind : char { state, slope, input, other };
    int row = 0;
    int block = -1;  ///< that solves for it, or for the slope of a state; −1: an input
    Kind kind = Kind::other;
    int offset = 0;
    bool of_function = false;  ///< its block holds a function, which may have other branches
    bool is_root = false;      ///< it is a root or power of something, and so never negative
  };
  /// Product of two nodes, or a + b·(node `left`) where `right` is −1, or φ(node `left`). Two nodes follow those of a
  /// function, which it evaluates with itself: its slope φ' and the base of that.
  struct Node {
    static constexpr int no_function = -1, companion = -2;
    int left = 0, right = -1;
    double a = 0.0, b = 1.0;
    int offset = 0;
    int function = no_function;  ///< index in functions()
  };
  /// weight · node, the weight being Phi · Π (1 − |S| + S v) over its constant factors, or Phi · φ(v) of a constant. Node
  /// −1: the weight alone.
  struct Term {
    double Phi = 0.0;
    int node = -1;
    std::span<const RowMap::Factor> constant_factors = {};
    int constant_function = Node::no_function;

    [[nodiscard]] double weight(std::span<const double> v,
                                std::span<const ElementaryFunction> functions) const {
      if (constant_function >= 0)
        return Phi * functions[at(constant_function)].value(v[at(constant_factors[0].signal)]);
      double product = Phi;
      for (const RowMap::Factor& factor : constant_factors)
        product *= 1.0 - std::abs(factor.S) + factor.S * v[at(factor.signal)];
      return product;
    }
  };
  using Row = std::span<const Term>;
  /// weight(term)·S·Π (nodes) is a part of ∂f_equation/∂v_unknown.
  struct Derivative {
    int equation = 0, unknown = 0;  ///< within the block
    int term = 0;                   ///< of the equation
    double S = 1.0;
    std::span<const int> nodes = {};
  };
  /// Unknown of a block: order e + k at stage k.
  struct Unknown {
    int slot = 0;
    int partner =
        -1;  ///< the slot of its state if it is a slope, and of its slope if it is a state; −1: none
    int e = 0;
    bool is_slope = false;
  };
  struct Block {
    std::span<const Row> equations = {};
    std::span<const Unknown> unknowns = {};
    std::span<const int> c = {};  ///< by equation
    std::span<const Derivative> derivatives = {};
    int largest_c = 0;
    std::span<const int> equation_nodes =
        {};                             ///< where largest_c > 0: all that its equations hold, operands first
    std::span<const int> nodes = {};    ///< known with the unknowns, operands first
    bool has_constant_jacobian = true;  ///< no derivative holds a node
    bool linear = true;                 ///< no derivative holds a node of this block
  };

  [[nodiscard]] const std::vector<Slot>& slots() const noexcept { return slots_; }
  /// Nodes beyond the slots: node i stands at slots().size() + i.
  [[nodiscard]] const std::vector<Node>& nodes() const noexcept { return nodes_; }
  [[nodiscard]] const std::vector<ElementaryFunction>& functions() const noexcept { return functions_; }
  [[nodiscard]] int places() const noexcept { return static_cast<int>(slots_.size() + nodes_.size()); }
  /// Nodes that are known before the blocks of a stage, operands first.
  [[nodiscard]] const std::vector<int>& known_nodes() const noexcept { return known_nodes_; }
  [[nodiscard]] const std::vector<Block>& blocks() const noexcept { return blocks_; }
  /// The live constraints of the mode, in their order.
  [[nodiscard]] const std::vector<Row>& constraints() const noexcept { return constraints_; }
  /// Slots of the signals in live constraints, ascending.
  [[nodiscard]] const std::vector<int>& watched() const noexcept { return watched_; }
  /// Place of the signal in row `row` of S; −1: it is constant in this mode.
  [[nodiscard]] int place(int row) const noexcept { return place_[static_cast<std::size_t>(row)]; }
  /// Pairs of slots (ẋ_i, x_i), ẋ_i being an unknown.
  struct State {
    int slope = 0, value = 0;
  };
  [[nodiscard]] const std::vector<State>& states() const noexcept { return states_; }
  /// Inputs by their index in the model, or derivatives of them, and their slots.
  struct VaryingInput {
    int input = 0, slot = 0;
    int order = 0;
  };
  [[nodiscard]] const std::vector<VaryingInput>& inputs() const noexcept { return inputs_; }

  /// Stages −largest_c() … −1 find what constraints and their derivatives fix.
  [[nodiscard]] int largest_c() const noexcept { return largest_c_; }
  /// Largest and smallest offset; with −1, of the slope of an algebraic state, order k takes stage k + 1.
  [[nodiscard]] int largest_offset() const noexcept { return largest_offset_; }
  [[nodiscard]] int smallest_offset() const noexcept { return smallest_offset_; }
  /// Orders of a slot, from 0 on, that are found from given values near by: of x itself, of others up to their offset.
  [[nodiscard]] int given_orders(std::size_t slot) const {
    const Slot& s = slots_[slot];
    return s.kind == Slot::Kind::state && s.offset > 0 ? 1 : std::max(s.offset, 0) + 1;
  }
  /// The largest of them.
  [[nodiscard]] int most_given_orders() const noexcept { return most_given_orders_; }

 private:
  friend class SeriesProgramBuilder;
  SeriesProgram() = default;

  KeptLists<Term> terms_;
  KeptLists<RowMap::Factor> constant_factors_;
  KeptLists<Row> rows_;
  KeptLists<Unknown> unknowns_;
  KeptLists<Derivative> derivatives_;
  KeptLists<int> indices_;
  std::vector<Slot> slots_;
  std::vector<int> place_;
  std::vector<Node> nodes_;
  std::vector<ElementaryFunction> functions_;
  std::vector<int> known_nodes_;
  std::vector<Block> blocks_;
  std::vector<Row> constraints_;
  std::vector<int> watched_;
  std::vector<State> states_;
  std::vector<VaryingInput> inputs_;
  int largest_c_ = 0, largest_offset_ = 0, smallest_offset_ = 0, most_given_orders_ = 1;
};

}  // namespace mti
