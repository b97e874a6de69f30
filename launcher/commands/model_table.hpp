// SPDX-License-Identifier: Apache-2.0
// The times of one operation's algorithms on a model's network: as a table, as JSON, as a picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collectives/model_time.hpp"
#include "collectives/pictures/plot.hpp"
#include "collectives/selector/choose.hpp"
#include "launcher/algorithm_names.hpp"
#include "launcher/commands/progress.hpp"

namespace cohort {

// The call that is modelled.
struct ModelTask {
  Operation operation = Operation::sync;
  Rank ranks = 1;
  Rank root = 0;
  Count distance = 1;
  Count element_bytes = 1;
  bool commutative = true;
  bool barrier = false;
  Network network;
  Rank hosts = 0;  // each has the same number of consecutive ranks; 0: each rank has its own host
  Network within_host;
  Ports ports = Ports::duplex;
  std::vector<Count> counts;  // bytes of each rank's block; none: blocks are equal

  // `bytes` is the size of the vector, or of all blocks together, rounded up to whole equal blocks. Ignored if `counts`
  // is given.
  Problem problem(Count bytes) const;
};

struct ModelRow {
  std::string name;
  std::string obstacle;  // why the algorithm can't do it, or empty
  ModelTime time;
  std::optional<Priced> choice;  // the selector's price of the algorithm, if the runtime may choose it
};

// The rows, fastest first. If an algorithm can't do the call, or fails, `obstacle` says why.
std::vector<ModelRow> model_rows(const ModelTask& task, Count bytes, const std::vector<NamedChoice>& choices,
                                 Progress& progress);

std::string model_text(const ModelTask& task, Count bytes, const std::vector<ModelRow>& rows);
std::string model_json(const ModelTask& task, Count bytes, const std::vector<ModelRow>& rows);

// A plot from 64 bytes to `most_bytes`, in powers of 2.
std::string model_plot(const ModelTask& task, Count most_bytes, const std::vector<NamedChoice>& choices,
                       Progress& progress);

}  // namespace cohort
