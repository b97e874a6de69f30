// SPDX-License-Identifier: Apache-2.0
// A program that has symbols of its own, for all to see, with names that the libraries of the runtime have, too: of
// fmt and OpenSSL. It must run as if it had not: a library of MPI's neither calls them nor is heard by them.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

extern "C" {
[[noreturn]] void taken_for_another() {
  std::fputs("a symbol of the program was taken for a library's\n", stderr);
  std::abort();
}

// Names as C has them: each is a function that must not be called.
#define OF_THE_PROGRAM(NUMBER, NAME)                                                      \
  [[gnu::visibility("default"), gnu::used]] void of_the_program_##NUMBER() __asm__(NAME); \
  void of_the_program_##NUMBER() { taken_for_another(); }

OF_THE_PROGRAM(1, "EVP_sha256")
OF_THE_PROGRAM(2, "CRYPTO_memcmp")
OF_THE_PROGRAM(3, "RAND_bytes")
OF_THE_PROGRAM(4, "HMAC")
OF_THE_PROGRAM(5, "SSL_new")
// fmt::vformat, vprint, detail::throw_format_error, detail::is_printable
OF_THE_PROGRAM(10,
               "_ZN3fmt2v97vformatB5cxx11ENS0_17basic_string_viewIcEENS0_17basic_format_argsINS0_20basic_format_"
               "contextINS0_8appenderEcEEEE")
OF_THE_PROGRAM(11,
               "_ZN3fmt2v96vprintEP8_IO_FILENS0_17basic_string_viewIcEENS0_17basic_format_argsINS0_20basic_format_"
               "contextINS0_8appenderEcEEEE")
OF_THE_PROGRAM(12, "_ZN3fmt2v96detail18throw_format_errorEPKc")
OF_THE_PROGRAM(13, "_ZN3fmt2v96detail12is_printableEj")
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0, sum = -1, length = 0;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int code = MPI_Send(&rank, 1, MPI_INT, ranks, 0, MPI_COMM_WORLD);  // a text is made
  MPI_Error_string(code, text, &length);
  if (sum != ranks * (ranks - 1) / 2 || length == 0) {
    std::printf("rank %d: found sum %d, expected %d\n", rank, sum, ranks * (ranks - 1) / 2);
    return 1;
  }
  if (rank == 0) std::puts("ok brings_its_own");
  MPI_Finalize();
  return 0;
}
