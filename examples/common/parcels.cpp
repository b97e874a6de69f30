// Two collectives each: one for the lengths, one for the bytes.
#include "parcels.hpp"

#include <numeric>
#include <span>
#include <string_view>

namespace examples {

namespace {

using cohort::Count;

std::string buffer_for(const std::vector<Count>& lengths) {
  return std::string(static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), Count{0})), '\0');
}

std::vector<std::string> cut(std::string_view bytes, const std::vector<Count>& lengths) {
  std::vector<std::string> parcels;
  for (const Count length : lengths) {
    parcels.emplace_back(bytes.substr(0, static_cast<std::size_t>(length)));
    bytes.remove_prefix(static_cast<std::size_t>(length));
  }
  return parcels;
}

}  // namespace

std::vector<std::string> exchange_parcels(const cohort::Group& group, const std::vector<std::string>& parcels) {
  std::string outgoing;
  std::vector<Count> outgoing_lengths;
  for (const std::string& parcel : parcels) {
    outgoing += parcel;
    outgoing_lengths.push_back(static_cast<Count>(parcel.size()));
  }

  std::vector<Count> incoming_lengths(parcels.size());
  group.index(outgoing_lengths, incoming_lengths);
  std::string incoming = buffer_for(incoming_lengths);
  group.index(outgoing, outgoing_lengths, incoming, incoming_lengths);
  return cut(incoming, incoming_lengths);
}

std::vector<std::string> share_parcels(const cohort::Group& group, const std::string& parcel) {
  const std::vector<Count> lengths = group.concat(static_cast<Count>(parcel.size()));
  std::string all = buffer_for(lengths);
  group.concat(parcel, all, lengths);
  return cut(all, lengths);
}

std::vector<std::string> gather_parcels(const cohort::Group& group, const std::string& parcel, cohort::Rank root) {
  const std::vector<Count> lengths = group.concat(static_cast<Count>(parcel.size()));  // gather asks all for all
  std::string all = group.rank() == root ? buffer_for(lengths) : std::string();
  group.gather(parcel, all, lengths, root);
  return group.rank() == root ? cut(all, lengths) : std::vector<std::string>();
}

}  // namespace examples
