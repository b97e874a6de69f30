// SPDX-License-Identifier: Apache-2.0
// A scatter plot of clusters, as an SVG file.
#pragma once

#include <string>
#include <vector>

namespace examples {

struct PlotPoint {
  double x, y;
  int cluster;
};

struct PlotCentre {
  double x, y;
  std::string name;  // for the legend
};

struct ScatterPlot {
  std::string title, x_name, y_name;
  std::vector<PlotPoint> points;
  std::vector<PlotCentre> centres;  // by cluster
};

std::string to_svg(const ScatterPlot& plot);

}  // namespace examples
