#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"

namespace mti {

/// A position 0, 1, … in lists of one kind; `Tag` tells the kinds apart.
///
///     using SignalRow = IndexOf<struct SignalRowTag>;
///     Indexed<SignalRow, double> v(size);
///     for (const SignalRow row : v.indices()) v[row] = 1.0;
///
/// It is an int to the machine, but it is made from one only where that is written, and it does not become one
/// unasked: a row of f cannot be taken for a row of S. Without a number it stands for no position, such as the
/// partner of a row that is not matched, and exists() is false.
template <class Tag>
class IndexOf {
 public:
  constexpr IndexOf() noexcept = default;
  constexpr explicit IndexOf(int value) noexcept : value_(value) {}

  [[nodiscard]] constexpr int value() const noexcept { return value_; }
  [[nodiscard]] constexpr bool exists() const noexcept { return value_ >= 0; }
  constexpr IndexOf& operator++() noexcept {
    ++value_;
    return *this;
  }

  friend constexpr auto operator<=>(IndexOf, IndexOf) noexcept = default;

 private:
  int value_ = -1;
};

/// A signal or derivative: a row of S, an entry of v.
using SignalRow = IndexOf<struct SignalRowTag>;
/// A row of f.
using EquationRow = IndexOf<struct EquationRowTag>;

/// The positions 0 … size − 1.
template <class Index>
class IndexSequence {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(Index index) noexcept : index_(index) {}
    constexpr Index operator*() const noexcept { return index_; }
    constexpr Iterator& operator++() noexcept {
      ++index_;
      return *this;
    }
    friend constexpr bool operator==(Iterator, Iterator) noexcept = default;

   private:
    Index index_;
  };

  constexpr explicit IndexSequence(int size) noexcept : size_(size) {}
  [[nodiscard]] constexpr Iterator begin() const noexcept { return Iterator(Index(0)); }
  [[nodiscard]] constexpr Iterator end() const noexcept { return Iterator(Index(size_)); }

 private:
  int size_;
};
template <class Index>
[[nodiscard]] constexpr IndexSequence<Index> indices(int size) noexcept {
  return IndexSequence<Index>(size);
}

/// Positions from their numbers, and their numbers, where lists meet that count by int.
template <class Index, class List>
[[nodiscard]] std::vector<Index> positions(const List& numbers) {
  return std::vector<Index>(numbers.begin(), numbers.end());
}
template <class List>
[[nodiscard]] std::vector<int> values(const List& positions) {
  std::vector<int> numbers;
  numbers.reserve(static_cast<std::size_t>(positions.size()));
  for (const auto position : positions) numbers.push_back(position.value());
  return numbers;
}

template <class Index, class T>
class IndexedSpan;

/// A list with one entry for each position of a kind. Subscripts are checked where those of std::vector are.
template <class Index, class T>
class Indexed {
 public:
  Indexed() = default;
  explicit Indexed(int size, const T& entry = T()) : entries_(at(size), entry) {}
  explicit Indexed(std::vector<T> entries) : entries_(std::move(entries)) {}

  [[nodiscard]] T& operator[](Index index) { return entries_[at(index.value())]; }
  [[nodiscard]] const T& operator[](Index index) const { return entries_[at(index.value())]; }

  [[nodiscard]] int size() const noexcept { return static_cast<int>(entries_.size()); }
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] IndexSequence<Index> indices() const noexcept { return IndexSequence<Index>(size()); }
  [[nodiscard]] auto begin() noexcept { return entries_.begin(); }
  [[nodiscard]] auto end() noexcept { return entries_.end(); }
  [[nodiscard]] auto begin() const noexcept { return entries_.begin(); }
  [[nodiscard]] auto end() const noexcept { return entries_.end(); }
  /// The entries in the order of their positions.
  [[nodiscard]] const std::vector<T>& list() const noexcept { return entries_; }

  /// The entries at some positions, in the order in which these are listed.
  [[nodiscard]] std::vector<T> select(std::span<const Index> positions) const {
    return IndexedSpan<Index, T>(*this).select(positions);
  }
  /// Adds an entry; its position.
  Index append(T entry) {
    entries_.push_back(std::move(entry));
    return Index(size() - 1);
  }

  friend bool operator==(const Indexed&, const Indexed&) = default;

 private:
  std::vector<T> entries_;
};

/// A look at such a list, or at a plain one whose places are meant as these positions.
template <class Index, class T>
class IndexedSpan {
 public:
  // A list is looked at wherever a look is asked for.
  IndexedSpan(const Indexed<Index, T>& entries)  // NOLINT(google-explicit-constructor)
      : entries_(entries.list()) {}
  explicit IndexedSpan(std::span<const T> entries) : entries_(entries) {}

  [[nodiscard]] const T& operator[](Index index) const { return entries_[at(index.value())]; }
  [[nodiscard]] int size() const noexcept { return static_cast<int>(entries_.size()); }
  [[nodiscard]] IndexSequence<Index> indices() const noexcept { return IndexSequence<Index>(size()); }
  [[nodiscard]] auto begin() const noexcept { return entries_.begin(); }
  [[nodiscard]] auto end() const noexcept { return entries_.end(); }
  /// The entries at some positions, in the order in which these are listed.
  [[nodiscard]] std::vector<T> select(std::span<const Index> positions) const {
    std::vector<T> selected;
    selected.reserve(positions.size());
    for (const Index position : positions) selected.push_back((*this)[position]);
    return selected;
  }

 private:
  std::span<const T> entries_;
};

}  // namespace mti

template <class Tag>
struct std::hash<mti::IndexOf<Tag>> {
  [[nodiscard]] std::size_t operator()(mti::IndexOf<Tag> index) const noexcept {
    return std::hash<int>()(index.value());
  }
};
