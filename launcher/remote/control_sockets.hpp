// gRPC opens the sockets of the control plane, and gives them to nobody. So they are looked for among this process's
// descriptors.
#pragma once

namespace cohort {

// For all TCP sockets that this process has, and those that its listeners will accept: they try often enough to bridge
// a cut of two fifths of this --host-limit in seconds, and what listeners accept is sent, both ways, in packets of
// 576 bytes at most, which pass every link. A link that loses larger ones is then found by whoever uses it, and the
// control plane can tell of it.
void prepare_control_sockets(double host_limit_s);

}  // namespace cohort
