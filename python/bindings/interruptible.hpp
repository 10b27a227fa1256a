#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <stop_token>

namespace mti::python {

/// Does some work without the lock of the interpreter, in a thread of its own: the calling thread meanwhile handles
/// signals as Python does, which only the main thread can. To be called with the lock held.
///
/// Returns what a handler of signals has raised meanwhile, KeyboardInterrupt as a rule: the work was asked to stop then.
/// Otherwise throws what the work throws.
[[nodiscard]] std::optional<pybind11::error_already_set> interruptibly(
    const std::function<void(std::stop_token)>& work);

/// The same for work of which nothing is kept where it was interrupted: throws what a handler has raised.
void interruptibly_or_raise(const std::function<void(std::stop_token)>& work);

}  // namespace mti::python
