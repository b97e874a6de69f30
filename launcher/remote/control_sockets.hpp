// gRPC opens the sockets of the control plane and does not hand them out. They are found among this process's
// descriptors.
#pragma once

namespace cohort {

// Sets options of all TCP sockets of this process, and of those that its listeners will accept. Retransmission is
// frequent enough to bridge a cut of two fifths of --host-limit (seconds). Packets have at most 576 bytes, which every
// link carries: so the control plane still works on a link that loses larger packets, and can report it.
void prepare_control_sockets(double host_limit_s);

}  // namespace cohort
