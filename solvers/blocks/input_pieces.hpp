#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "mti/model/input.hpp"

namespace mti {

/// The pieces that the inputs of a model follow from an instant on, one per input. They are the same for all motions that
/// are looked at there and for the segment that follows, which share them.
class InputPieces {
 public:
  InputPieces() = default;
  InputPieces(std::vector<InputPiece> pieces)  // NOLINT(google-explicit-constructor): they are that list
      : pieces_(std::make_shared<const std::vector<InputPiece>>(std::move(pieces))) {}

  operator const std::vector<InputPiece>&() const { return list(); }  // NOLINT(google-explicit-constructor)

  [[nodiscard]] const InputPiece& operator[](std::size_t input) const { return (*pieces_)[input]; }
  [[nodiscard]] std::size_t size() const noexcept { return pieces_ ? pieces_->size() : 0; }
  [[nodiscard]] const InputPiece* data() const noexcept { return pieces_ ? pieces_->data() : nullptr; }
  [[nodiscard]] const InputPiece* begin() const noexcept { return data(); }
  [[nodiscard]] const InputPiece* end() const noexcept { return data() + size(); }

 private:
  [[nodiscard]] const std::vector<InputPiece>& list() const {
    static const std::vector<InputPiece> none;
    return pieces_ ? *pieces_ : none;
  }

  std::shared_ptr<const std::vector<InputPiece>> pieces_;
};

}  // namespace mti
