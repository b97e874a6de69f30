// A transport that belongs to somebody else, where one is to be owned.
#pragma once

#include "runtime/transport/transport.hpp"

namespace cohort::testing {

class Borrowed : public Transport {
 public:
  explicit Borrowed(Transport& transport) : transport_(transport) {}
  void attach(FrameHandler& handler) override { transport_.attach(handler); }
  bool send(Pid to, OutgoingFrame& frame) override { return transport_.send(to, frame); }
  void hold_back(std::function<void()> begins) override { transport_.hold_back(std::move(begins)); }
  void flush() override { transport_.flush(); }
  bool poll(Pid expected) override { return transport_.poll(expected); }
  void wait(Nanoseconds limit) override { transport_.wait(limit); }
  void wake() override { transport_.wake(); }
  void sever(Pid peer) override { transport_.sever(peer); }
  void replace(Pid to, OutgoingFrame& frame, OutgoingFrame& copy) override { transport_.replace(to, frame, copy); }
  void redirect(Pid from, const Pieces& landing) override { transport_.redirect(from, landing); }
  void reset(Pid peer) override { transport_.reset(peer); }
  std::vector<Pid> silent(Nanoseconds limit) override { return transport_.silent(limit); }
  void close() override { transport_.close(); }
  Nanoseconds now() const override { return transport_.now(); }

 private:
  Transport& transport_;
};

}  // namespace cohort::testing
