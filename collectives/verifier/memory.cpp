// SPDX-License-Identifier: Apache-2.0
#include "collectives/verifier/memory.hpp"

#include <algorithm>
#include <optional>

namespace cohort::verifier {

Memory::Memory(const Specification& specification, Words& words, Rank rank, Count scratch)
    : specification_(specification), words_(words), rank_(rank) {
  const Count output_size = specification.output_size(rank);
  values_of(Buffer::output).resize(static_cast<std::size_t>(output_size));
  values_of(Buffer::scratch).resize(static_cast<std::size_t>(scratch));
  const Segment operand = specification.operand(rank);
  if (operand.buffer == Buffer::input) values_of(Buffer::input).resize(static_cast<std::size_t>(operand.count));

  const Word mine = words.operands(rank, rank + 1);
  for (Count i = 0; i < operand.count; ++i) {
    values_of(operand.buffer)[static_cast<std::size_t>(operand.offset + i)] = {mine, static_cast<std::int32_t>(i)};
  }
  if (output_size > 0) {
    const Origin origin = specification.origin(rank, 0);
    output_stays_ = origin.first == origin.last;
  }
}

void Memory::check_peer(Rank peer, std::size_t round) const {
  if (peer == rank_) throw Complaint(rank_, round, "a message to or from itself");
  if (peer < 0 || peer >= specification_.ranks()) {
    throw Complaint(rank_, round, "a message to or from rank " + std::to_string(peer) + ", which does not exist");
  }
}

void Memory::check_readable(const Segment& segment, std::size_t round, const char* what) const {
  const auto size = static_cast<Count>(values_of(segment.buffer).size());
  if (segment.offset < 0 || segment.count < 0 || segment.end() > size) {
    throw Complaint(rank_, round,
                    std::string(what) + " " + cohort::to_string(segment) + ", but the buffer has " +
                        std::to_string(size) + " elements");
  }
}

void Memory::check_writable(const Segment& segment, std::size_t round, const char* what) const {
  check_readable(segment, round, what);
  if (segment.buffer == Buffer::input) {
    throw Complaint(rank_, round, std::string(what) + " " + cohort::to_string(segment) + ": writes the input");
  }
  if (segment.buffer == Buffer::output && output_stays_) {
    throw Complaint(rank_, round, std::string(what) + " " + cohort::to_string(segment) + ", which must stay as it is");
  }
}

namespace {

// Joins neighbouring segments, also of several messages.
std::string overlapped(const Segments& segments, const Segment& by) {
  return cohort::to_string(*std::ranges::find_if(segments, [&by](const Segment& one) { return overlap(one, by); }));
}

}  // namespace

void Memory::check_form(const Round& round, std::size_t index) const {
  Segments sent;
  for (const Message& send : round.sends()) {
    check_peer(send.peer, index);
    for (const Segment& segment : send.segments) {
      check_readable(segment, index, "sends");
      sent.add(segment);
    }
  }
  Segments received;
  for (const Message& receive : round.receives()) {
    check_peer(receive.peer, index);
    for (const Segment& segment : receive.segments) {
      check_writable(segment, index, "receives");
      if (overlap(sent, segment)) {
        throw Complaint(rank_, index,
                        "receives " + cohort::to_string(segment) + " while it sends " + overlapped(sent, segment));
      }
      if (overlap(received, segment)) {
        throw Complaint(
            rank_, index,
            "receives " + cohort::to_string(segment) + " and " + overlapped(received, segment) + " at once");
      }
      received.add(segment);
    }
  }
  for (const Step& step : round.steps()) {
    check_readable(step.source, index, "reads");
    check_writable(step.target, index, "writes");
    if (step.target.count != step.source.count || overlap(step.target, step.source)) {
      throw Complaint(rank_, index,
                      "a step from " + cohort::to_string(step.source) + " to " + cohort::to_string(step.target));
    }
  }
}

namespace {

// The run of undefined values in the segment, if there is one.
std::optional<Segment> undefined_part(const Values& values, const Segment& segment) {
  std::optional<Segment> part;
  for (Count i = segment.offset; i < segment.end(); ++i) {
    if (values[static_cast<std::size_t>(i)].word != Value::undefined) {
      if (part) return part;
      continue;
    }
    if (!part) part = {segment.buffer, i, 0};
    ++part->count;
  }
  return part;
}

}  // namespace

void Memory::read(const Segments& segments, std::size_t round, Values& values) const {
  for (const Segment& segment : segments) {
    const Values& from = values_of(segment.buffer);
    if (const auto part = undefined_part(from, segment)) {
      throw Complaint(rank_, round, "sends " + cohort::to_string(*part) + ", which was never written");
    }
    values.insert(values.end(), from.begin() + segment.offset, from.begin() + segment.end());
  }
}

void Memory::write(const Segments& segments, const Values& values) {
  auto next = values.begin();
  for (const Segment& segment : segments) {
    std::copy(next, next + segment.count, values_of(segment.buffer).begin() + segment.offset);
    next += segment.count;
  }
}

void Memory::perform(const Step& step, std::size_t round) {
  const Values& from = values_of(step.source.buffer);
  Values& to = values_of(step.target.buffer);
  const bool copies = step.kind == Step::Kind::copy;
  const char* doing = copies ? "copies " : "combines ";
  auto part = undefined_part(from, step.source);
  if (!part && !copies) part = undefined_part(to, step.target);
  if (part) throw Complaint(rank_, round, doing + cohort::to_string(*part) + ", which was never written");

  for (Count i = 0; i < step.target.count; ++i) {
    const Value& source = from[static_cast<std::size_t>(step.source.offset + i)];
    Value& target = to[static_cast<std::size_t>(step.target.offset + i)];
    if (copies) {
      target = source;
      continue;
    }
    if (source.element != target.element) {
      throw Complaint(rank_, round,
                      "combines " + words_.to_string(source) + " of " + cohort::to_string(step.source) + " with " +
                          words_.to_string(target) + " of " + cohort::to_string(step.target));
    }
    target.word = step.kind == Step::Kind::combine_left ? words_.joined(source.word, target.word)
                                                        : words_.joined(target.word, source.word);
  }
}

void Memory::check_result() const {
  const Values& output = values_of(Buffer::output);
  if (output_stays_) return;  // check_form() has refused every write
  Origin last;
  Word word = Value::undefined;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const Origin origin = specification_.origin(rank_, static_cast<Count>(i), last);
    if (word == Value::undefined || origin.first != last.first || origin.last != last.last) {
      word = words_.operands(origin.first, origin.last);
    }
    last = origin;
    const Value expected{word, static_cast<std::int32_t>(origin.element)};
    if (output[i] != expected) {
      throw Complaint("rank " + std::to_string(rank_) + " ends with output[" + std::to_string(i) +
                      "] = " + words_.to_string(output[i]) + " instead of " + words_.to_string(expected));
    }
  }
}

}  // namespace cohort::verifier
