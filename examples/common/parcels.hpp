// Collectives on strings of bytes whose lengths only their senders know: the lengths travel first, then the bytes.
#pragma once

#include <cohort/cohort.hpp>
#include <string>
#include <vector>

namespace examples {

// Parcel j goes to rank j. Returns what came from every rank, in the order of the ranks.
std::vector<std::string> exchange_parcels(const cohort::Group& group, const std::vector<std::string>& parcels);

// Every rank's parcel reaches every rank.
std::vector<std::string> share_parcels(const cohort::Group& group, const std::string& parcel);

// Every rank's parcel reaches the root; elsewhere nothing is returned.
std::vector<std::string> gather_parcels(const cohort::Group& group, const std::string& parcel, cohort::Rank root);

}  // namespace examples
