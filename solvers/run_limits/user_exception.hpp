#pragma once

#include <exception>
#include <utility>

namespace mti {

/// What a function of the user's threw, on its way out of a run. No std::exception: what turns failures of
/// the run into outcomes lets it pass.
struct UserException {
  std::exception_ptr thrown;
};

/// Calls a function of the user's; the run throws what it throws once it is out of the libraries it uses.
template <class Call>
void call_user(Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (...) {
    throw UserException{std::current_exception()};
  }
}

}  // namespace mti
