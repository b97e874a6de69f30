// SPDX-License-Identifier: Apache-2.0
// Statuses of the program. F::Status is the face's structure; F::store and F::load fill and read it.
#pragma once

#include <climits>

#include "mpi/core/status.hpp"
#include "mpi/faces/common/handles.hpp"

namespace cohort::mpi::faces {

// What the core has not changed, the program's status does not get.
inline constexpr int untouched = INT_MIN;
inline Status untouched_status() {
  Status status;
  status.source = untouched;
  return status;
}

template <class F>
void store(const Status& status, typename F::Status& place) {
  place.MPI_SOURCE = F::rank.to_face(status.source);
  place.MPI_TAG = F::tag.to_face(status.tag);
  F::store_count(status.bytes, status.cancelled, place);
}

template <class F>
Status load(const typename F::Status& place) {
  Status status;
  status.source = F::rank.to_core(place.MPI_SOURCE);
  status.tag = F::tag.to_core(place.MPI_TAG);
  status.error = F::code.to_core(place.MPI_ERROR);
  F::load_count(place, status.bytes, status.cancelled);
  return status;
}

// Of a function with one status, which does not change MPI_ERROR unless the status is the empty one.
template <class F>
class StatusOut {
 public:
  StatusOut(typename F::Status* place, const Status& before) : place_(place), status_(before) {}
  ~StatusOut() {
    if (F::is_ignored(place_) || status_.source == untouched) return;
    store<F>(status_, *place_);
    if (status_.is_empty) place_->MPI_ERROR = F::code.to_face(status_.error);
  }
  operator Status*() { return F::is_ignored(place_) ? nullptr : &status_; }
  operator Status&() { return status_; }

 private:
  typename F::Status* const place_;
  Status status_;
};

template <class F>
StatusOut<F> status_out(typename F::Status* place) {
  return {place, untouched_status()};
}

// A status that the program gives must be one.
template <class F>
const typename F::Status& existing(const typename F::Status* place) {
  check(!F::is_ignored(place), abi::err_arg, "the status is MPI_STATUS_IGNORE");
  return *place;
}
template <class F>
StatusOut<F> status_changed(typename F::Status* place) {
  return {place, load<F>(existing<F>(place))};
}
template <class F>
Status status_in(const typename F::Status* place) {
  return load<F>(existing<F>(place));
}

// Of a function with several statuses, which states MPI_ERROR.
template <class F>
class StatusesOut {
 public:
  StatusesOut(typename F::Status* places, Count n) : places_(places), statuses_(F::is_ignored(places) ? 0 : length(n)) {
    for (std::size_t i = 0; i < statuses_.size(); ++i) statuses_.data()[i] = untouched_status();
  }
  ~StatusesOut() {
    for (std::size_t i = 0; i < statuses_.size(); ++i) {
      const Status& status = statuses_.data()[i];
      if (status.source == untouched) continue;
      store<F>(status, places_[i]);
      places_[i].MPI_ERROR = F::code.to_face(status.error);
    }
  }
  operator Status*() { return F::is_ignored(places_) ? nullptr : statuses_.data(); }

 private:
  typename F::Status* const places_;
  Scratch<Status, 16> statuses_;
};

template <class F>
StatusesOut<F> statuses_out(typename F::Status* places, Count n) {
  return {places, n};
}

}  // namespace cohort::mpi::faces
