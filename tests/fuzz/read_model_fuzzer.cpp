// libFuzzer target: any bytes as the text of a model file.
//
// Reading and building ends with a model or with InvalidModel that names at least one fault; never with a
// crash, a hang, a leak or memory out of proportion. A model that was built is written as matrices and read
// again: it must have the same S, bit for bit.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "io/model/read_model.hpp"
#include "io/model/write_model.hpp"
#include "mti/common/fault.hpp"
#include "mti/printing/print.hpp"

namespace {

bool same(const mti::SparseColumns& a, const mti::SparseColumns& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || a.nonZeros() != b.nonZeros()) return false;
  for (int k = 0; k < a.outerSize(); ++k) {
    mti::SparseColumns::InnerIterator left(a, k), right(b, k);
    for (; left && right; ++left, ++right)
      if (left.row() != right.row() || left.value() != right.value()) return false;
    if (left || right) return false;
  }
  return true;
}

void write_and_read_again(const mti::Model& model) {
  const mti::Model again = mti::read_model_text(mti::to_json(mti::to_matrices(model)));
  if (!same(model.S, again.S) || !same(model.Phi_eq, again.Phi_eq) || !same(model.Phi_ineq, again.Phi_ineq))
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    write_and_read_again(mti::read_model_text(text, MTI_SOURCE_DIR "/tests/io/broken"));
  } catch (const mti::InvalidModel& invalid) {
    if (invalid.faults().empty()) std::abort();
  }
  return 0;
}
