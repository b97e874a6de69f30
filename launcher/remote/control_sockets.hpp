// SPDX-License-Identifier: Apache-2.0
// gRPC opens the sockets of the control plane and gives no access to them. This function finds them among the process's
// descriptors.
#pragma once

namespace cohort {

// Sets options of all TCP sockets of this process, and of the sockets that its listeners will accept. Retransmissions
// become frequent enough to bridge a cut of two fifths of --host-limit (seconds). Packets have at most 576 bytes, which
// every link carries. So the control plane still works on a link that loses larger packets, and can report the loss.
void prepare_control_sockets(double host_limit_s);

}  // namespace cohort
