// SPDX-License-Identifier: Apache-2.0
// The floor for a pair of processes: half a round trip over one TCP connection, with sockets alone.
//
//   sockets spin|block [--min=BYTES] [--max=BYTES] [--seconds=S]     two processes, over the loopback interface
//   sockets spin|block --listen=PORT                                 one of two on different hosts
//   sockets spin|block ... --connect=ADDRESS:PORT                    the other one, which measures
//
// The work that a library adds, one by one, by sockets alone:
//   --header     6 bytes in front of each message, gathered and scattered by the same system call
//   --apart      receives into other memory than it sends from
//   --thread     has a second thread, which sleeps: each system call then counts who uses the socket
//
// Prints the lines of `cohort bench pingpong`, with sockets-spin or sockets-block for the first column.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/uio.h>

typedef struct connection link_t;
#include "pair.h"

enum { header_bytes = 6 };

struct connection {
  int s;
};

struct options {
  struct amounts amounts;
  int spin, header, apart, thread;
  uint16_t listen;
  char address[64];
  uint16_t port;
};

static size_t before;  // bytes in front of each buffer
static char header[header_bytes];

static void put(link_t* link, const void* data, size_t count) {
  for (const char* next = data; count > 0;) {
    const ssize_t done = write(link->s, next, count);
    require(done > 0 || errno == EAGAIN, "write");
    if (done > 0) next += done, count -= (size_t)done;
  }
}

static void get(link_t* link, void* data, size_t count) {
  for (char* next = data; count > 0;) {
    const ssize_t done = read(link->s, next, count);
    if (done == 0) exit(1);
    require(done > 0 || errno == EAGAIN, "read");
    if (done > 0) next += done, count -= (size_t)done;
  }
}

// The rest of a header and a message after so many bytes.
static struct msghdr rest(struct iovec pieces[2], char* message, size_t count, size_t passed) {
  const size_t of_header = passed < before ? passed : before, of_message = passed - of_header;
  pieces[0] = (struct iovec){header + of_header, before - of_header};
  pieces[1] = (struct iovec){message + of_message, count - of_message};
  const int skipped = of_header == before;
  return (struct msghdr){.msg_iov = pieces + skipped, .msg_iovlen = (size_t)(2 - skipped)};
}

static void put_message(link_t* link, size_t count) {
  if (before == 0) return put(link, out, count);
  for (size_t passed = 0; passed < before + count;) {
    struct iovec pieces[2];
    const struct msghdr message = rest(pieces, out, count, passed);
    const ssize_t done = sendmsg(link->s, &message, MSG_NOSIGNAL);
    require(done > 0 || errno == EAGAIN, "sendmsg");
    if (done > 0) passed += (size_t)done;
  }
}

static void get_message(link_t* link, size_t count) {
  if (before == 0) return get(link, in, count);
  for (size_t passed = 0; passed < before + count;) {
    struct iovec pieces[2];
    struct msghdr message = rest(pieces, in, count, passed);
    const ssize_t done = recvmsg(link->s, &message, 0);
    if (done == 0) exit(1);
    require(done > 0 || errno == EAGAIN, "recvmsg");
    if (done > 0) passed += (size_t)done;
  }
}

static void* sleep_on(void* nothing) {
  pause();
  return nothing;
}

static int listening_at(struct sockaddr_in* address) {
  const int s = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  socklen_t length = sizeof *address;
  setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  require(bind(s, (struct sockaddr*)address, length) == 0 && listen(s, 1) == 0, "listen");
  getsockname(s, (struct sockaddr*)address, &length);
  return s;
}

static int connected_to(const struct sockaddr_in* address) {
  for (int tries = 0;; ++tries) {  // the other host may not listen yet
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, (const struct sockaddr*)address, sizeof *address) == 0) return s;
    require(tries < 50, "connect");
    close(s);
    usleep(100000);
  }
}

static void prepare(int s, const struct options* options) {
  const int one = 1;
  setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (options->spin) fcntl(s, F_SETFL, O_NONBLOCK);
}

int main(int argc, char** argv) {
  struct options options = {.amounts = usual_amounts};
  options.spin = argc > 1 && strcmp(argv[1], "spin") == 0;
  for (int word = 2; word < argc; ++word) {
    options.header |= strcmp(argv[word], "--header") == 0;
    options.apart |= strcmp(argv[word], "--apart") == 0;
    options.thread |= strcmp(argv[word], "--thread") == 0;
    read_amount(argv[word], &options.amounts);
    sscanf(argv[word], "--listen=%hu", &options.listen);
    sscanf(argv[word], "--connect=%63[^:]:%hu", options.address, &options.port);
  }
  out = in = memory();
  if (options.apart) in = memory();
  before = options.header ? header_bytes : 0;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(options.listen)};
  if (options.port != 0) {
    address.sin_port = htons(options.port);
    inet_pton(AF_INET, options.address, &address.sin_addr);
  } else {
    address.sin_addr.s_addr = htonl(options.listen != 0 ? INADDR_ANY : INADDR_LOOPBACK);
  }
  const int listener = options.port != 0 ? -1 : listening_at(&address);
  const int measures = options.port != 0 || (options.listen == 0 && fork() > 0);
  link_t link = {options.port != 0 || (options.listen == 0 && !measures) ? connected_to(&address)
                                                                         : accept(listener, 0, 0)};
  require(link.s >= 0, "accept");
  prepare(link.s, &options);
  pthread_t thread;
  if (options.thread) require(pthread_create(&thread, NULL, sleep_on, NULL) == 0, "pthread_create");
  if (measures) {
    measure(&link, options.spin ? "sockets-spin" : "sockets-block", &options.amounts);
  } else {
    answer(&link);
  }
  return 0;
}
