#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two containers are the hosts of a job, as docs/how-to/containers.md says. tools/package_checks calls it as root, in a network
# and with mounts of its own, because engines change the firewall:
#
#   unshare --net --mount tests/install/two_containers.sh BASE.tar PACKAGES
set -eu
sources=$(cd "$(dirname "$0")/../.." && pwd)
base=$(realpath "$1")
packages=$(realpath "$2")
work=$(mktemp -d)
trap 'podman rm --force --time 0 --ignore box1 box2 >"$work/log" 2>&1; rm -rf "$work"' EXIT

# What podman keeps stays here.
ip link set lo up
mount -t tmpfs tmpfs /run
mkdir -p /var/lib/cni "$work/storage" "$work/shared"
mount -t tmpfs tmpfs /var/lib/cni
cat >"$work/storage.conf" <<END
[storage]
driver = "vfs"
graphroot = "$work/storage"
runroot = "/run/containers"
END
printf '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n' >"$work/containers.conf"
export CONTAINERS_STORAGE_CONF="$work/storage.conf" CONTAINERS_CONF="$work/containers.conf"

# The launcher runs outside of the containers, from the same packages, at the same paths. Only this script sees them.
mkdir "$work/upper" "$work/overlay"
mount -t overlay overlay -o "lowerdir=/usr,upperdir=$work/upper,workdir=$work/overlay" /usr
for package in "$packages"/cohort_*.deb "$packages"/libcohort-dev_*.deb; do dpkg-deb --extract "$package" /; done
cd "$work/shared"
g++ -std=c++20 "$sources/examples/tutorial/hello.cpp" $(pkg-config --cflags --libs cohort) -o hello
sed -n '/^exec podman/p' "$sources/docs/how-to/containers.md" | { echo '#!/bin/sh'; cat; } >in_container
chmod +x in_container

podman import --quiet "$base" localhost/base >"$work/log"
podman build --quiet --tag cohort --file "$sources/examples/container/Containerfile" --build-arg BASE=localhost/base "$packages" >"$work/log"
# A sandbox may refuse the limits that podman itself sets, which are higher than ours.
for box in box1 box2; do
  podman run --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 --detach --name $box --memory 128m --volume "$PWD:$PWD" --workdir "$PWD" cohort >"$work/log"
done

# expect WHAT EXPECTED OUTPUT
expect() {
  [ "$2" = "$3" ] || { printf 'two_containers.sh: %s: expected "%s", got "%s"\n' "$1" "$2" "$3" >&2; exit 1; }
  echo "two_containers.sh: $1: good"
}
hellos() { rank=0; while [ $rank -lt "$1" ]; do echo "hello from rank $rank of $1"; rank=$((rank + 1)); done; }

expect "one container" "$(hellos 2)" "$(podman exec box1 cohort run -n 2 --transport shared ./hello | sort)"
expect "two containers" "$(hellos 4)" \
  "$(cohort run -n 4 --hosts box1:2,box2:2 --rsh ./in_container --interface 10.88.0.0/16 ./hello | sort)"
