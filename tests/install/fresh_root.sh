#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/package_checks runs this in a fresh Debian root that has Open MPI and MPICH, and Cohort's packages in /packages. They are
# installed; the tutorial's first program and programs of MPI run; the packages are purged, and nothing is left.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d)
cd "$work"

# expect WHAT EXPECTED OUTPUT
expect() {
  [ "$2" = "$3" ] || { printf 'fresh_root.sh: %s: expected "%s", got "%s"\n' "$1" "$2" "$3" >&2; exit 1; }
  echo "fresh_root.sh: $1: good"
}

# What packages may change: all but their tools' own notes.
files() {
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /packages -o -path /var/cache \
    -o -path /var/log -o -path /var/lib/apt -o -path /var/lib/dpkg \) -prune -o -print | sort
}

files >before
apt-get install -y -q --no-install-recommends /packages/*.deb >log 2>&1 || { cat log >&2; exit 1; }

# The tutorial's first page: its program, and its commands as they stand.
page=/usr/share/doc/cohort/tutorial/01_hello.md
sed -n '/^```cpp$/,/^```$/{/^```cpp$/d;/^```$/q;p}' $page >hello.cpp
eval "$(sed -n 's/^\$ \(g++ .*\)/\1/p' $page)"
expect "hello alone" "hello from rank 0 of 1" "$(./hello)"
expect "hello as four" "$(for rank in 0 1 2 3; do echo "hello from rank $rank of 4"; done)" "$(cohort run -n 4 ./hello | sort)"
expect "a page of the manual" "Run in containers" "$(cohort help containers | head -n 1)"
expect "a manual page" "COHORT-RUN(1)" "$(zcat /usr/share/man/man1/cohort-run.1.gz | sed -n 's/^\.TH \(COHORT\)\\-\(RUN\) 1.*/\1-\2(1)/p')"
expect "bench" 2 "$(cohort bench -n 2 sync --seconds 0.01 | wc -l)"

# C, by the shared library.
sed -n '/^```c$/,/^```$/{/^```c$/d;/^```$/q;p}' /usr/share/doc/cohort/reference/c.md >mean.c
eval "$(sed -n 's/^\(cc .* mean.c .*\)/\1/p' /usr/share/doc/cohort/reference/c.md)"
expect "C" "mean 2.5" "$(cohort run -n 4 ./mean)"

# MPI: the same program by three compilers. Each MPI starts its own ones, and Cohort starts all.
cat >mpi.c <<'END'
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length, rank, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ++rank;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Get_library_version(version, &length);
  if (rank == 1) printf("%.5s %d\n", version, sum);
  MPI_Finalize();
}
END
for compiler in mpicc.openmpi mpicc.mpich cohort-mpicc; do
  $compiler mpi.c -o by-$compiler
  expect "$compiler, cohort run" "Cohor 6" "$(cohort run -n 3 ./by-$compiler)"
done
expect "Open MPI's mpirun" "Open  3" "$(mpirun.openmpi --oversubscribe -n 2 ./by-mpicc.openmpi)"
expect "MPICH's mpirun" "MPICH 3" "$(mpirun.mpich -n 2 ./by-mpicc.mpich)"

packages=$(for file in /packages/*.deb; do dpkg-deb --field "$file" Package; done)
apt-get purge -y -q --auto-remove -o APT::AutoRemove::RecommendsImportant=false -o APT::AutoRemove::SuggestsImportant=false \
  $packages >log 2>&1 || { cat log >&2; exit 1; }
files >after
expect "what the packages leave" "" "$(diff before after | grep '^[<>]' | head -n 20)"
cd /
rm -r "$work"
