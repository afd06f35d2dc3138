#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
#   worlds.sh                        lists the worlds
#   worlds.sh WORLD TMP CMD…         runs CMD in one, with its temporary files in a new directory below TMP
#
# The machines that the program meets are not the tester's. CMD is ctest, as a rule; what of a world does not go with it
# (a umask that the tests' own files must not have) is put before the program: HOLDFAST_IN_WORLD, which tests/lib/lib.sh
# knows. Exit code 4 and SKIP: the world cannot be made here.
set -eu

if [ $# -eq 0 ]; then
  echo 'user container user-namespace umask-000 umask-077 descriptors read-only cron'
  exit 0
fi
world=$1 below=$2
shift 2

skip() { printf 'SKIP: %s\n' "$*"; exit 4; }
dir=$(mktemp -d "$below/world-$world.XXXXXX")
trap 'rm -rf -- "$dir"' EXIT
TMPDIR=$dir
export TMPDIR

# around LINE: a program that does LINE and then is holdfast, under the name by which it was called.
around() {
  printf '#!/bin/bash\n%s\nexec -a "$0" %s "$@"\n' "$1" "$HOLDFAST" >"$dir/holdfast"
  chmod 755 "$dir/holdfast"
  HOLDFAST_IN_WORLD=$dir/holdfast
  export HOLDFAST_IN_WORLD
}

# An ordinary user: the account that Debian has for the like, with no session, no control group and no home.
as_user() {
  [ "$(id -u)" -eq 0 ] || { "$@"; return; }
  # Others may come there, as they may below a home; PATH has no directory of root's.
  chown daemon "$dir"
  chmod 755 "$dir"
  PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin
  export PATH
  setpriv --reuid=daemon --regid=daemon --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs \
    test -x "$HOLDFAST" || skip "an ordinary user cannot reach $HOLDFAST"
  HOME=$dir setpriv --reuid=daemon --regid=daemon --clear-groups --inh-caps=-all --bounding-set=-all "$@"
}

case $world in
  user) as_user "$@" ;;
  user-namespace)
    unshare -Ur true 2>/dev/null || skip 'there are no user namespaces for ordinary users'
    as_user unshare -Ur "$@"
    ;;
  umask-000) around 'umask 000' && "$@" ;;
  umask-077) around 'umask 077' && "$@" ;;
  descriptors) around 'ulimit -n 32' && "$@" ;;
  read-only)
    [ "$(id -u)" -eq 0 ] || skip 'only root can mount'
    # shellcheck disable=SC2016  # of the inner shell
    unshare -m sh -euc 'mount --bind "$TMPDIR" "$TMPDIR"; mount -o remount,bind,ro /; exec "$@"' sh "$@"
    ;;
  cron)
    env -i HOME="$dir" LOGNAME="$(id -un)" SHELL=/bin/sh PATH=/usr/bin:/bin TMPDIR="$dir" HOLDFAST="$HOLDFAST" \
      HF_TEST_CHILD="${HF_TEST_CHILD-}" "$@" </dev/null
    ;;
  container)
    [ "$(id -u)" -eq 0 ] || skip 'only root can use this podman'
    # shellcheck source=lib/podman.inc
    . "$(dirname -- "$0")/lib/podman.inc"
    # shellcheck disable=SC2154  # from podman.inc
    podman_make "$dir/podman" || skip "$podman_why"
    trap 'podman_end "$dir/podman"; rm -rf -- "$dir"' EXIT
    # The programs of this machine, in a container's root.
    mkdir -p "$dir/tree/tmp" "$dir/tree/root"
    for link in bin sbin lib lib64; do
      [ ! -L "/$link" ] || ln -s "$(readlink "/$link")" "$dir/tree/$link"
    done
    chmod 1777 "$dir/tree/tmp"
    tar -C "$dir/tree" -c . | podman import - holdfast-world:1 >/dev/null 2>&1
    tree=$(cd -- "$(dirname -- "$0")/.." && pwd)
    podman run --rm -i --init --network none --tmpfs /tmp:rw,exec,mode=1777,size=2g -v /usr:/usr:ro -v /etc:/etc:ro \
      -v "$tree:$tree" -v "$dir:$dir" -e "HOLDFAST=$HOLDFAST" -e "HF_TEST_CHILD=${HF_TEST_CHILD-}" -e TMPDIR=/tmp \
      -w "$tree" holdfast-world:1 "$@"
    ;;
  *) echo "worlds.sh: there is no world '$world'" >&2; exit 64 ;;
esac
