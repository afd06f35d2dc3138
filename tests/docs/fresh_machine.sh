#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# README and tutorial, pasted block by block into bash on a Debian 12 that was made for it and has nothing else, print
# what they say. Among the blocks is the installation, which builds the project: it takes as long as that.
# With HOLDFAST_BUILT, a build directory of `./dev build`, that one is installed instead, and all else is the same.
# HOLDFAST_MIRROR is another mirror of Debian than debootstrap's own.
# label: long
set -eu
here=$(cd -P -- "$(dirname -- "$0")" && pwd)
source=$(cd -P -- "$here/../.." && pwd)

skip() { echo "SKIP: $*"; exit 4; }
[ "$(id -u)" -eq 0 ] || skip 'only root can make a machine of its own'
for program in debootstrap python3 git unshare; do
  command -v "$program" >/dev/null || skip "$program is not installed"
done
[ -e "$source/.git" ] || skip 'this tree is not a clone, so there is nothing to clone from'
# What is mounted here is gone with this process, and nobody else sees it.
if [ "${HOLDFAST_FRESH_NAMESPACE-}" != made ]; then
  unshare --mount true 2>/dev/null || skip 'no mount namespace can be made'
  HOLDFAST_FRESH_NAMESPACE=made exec unshare --mount --propagation private sh "$0"
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/holdfast-fresh.XXXXXX")
scratch=$(cd -P -- "$scratch" && pwd)
machine=$scratch/machine
clean_up() {
  for place in proc sys dev "$scratch/shared"; do umount -R -l "$machine/$place" 2>/dev/null || :; done
  rm -rf --one-file-system -- "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

echo "making a Debian 12${HOLDFAST_MIRROR:+ from $HOLDFAST_MIRROR}"
mkdir "$machine" "$scratch/shared"
debootstrap --variant=minbase bookworm "$machine" ${HOLDFAST_MIRROR:+"$HOLDFAST_MIRROR"} >"$scratch/log" 2>&1 || {
  tail -n 20 "$scratch/log"
  skip 'debootstrap could not make a machine here; see above'
}
for place in proc sys dev; do mount --rbind "/$place" "$machine/$place"; done
# run_examples.py, out here, and its shell, in there, share one directory under the same name.
mkdir -p "$machine$scratch/shared"
mount --bind "$scratch/shared" "$machine$scratch/shared"

for lacking in git jq gcc python3 holdfast; do
  ! chroot "$machine" sh -c "command -v $lacking" >/dev/null || { echo "FAIL: the new machine has $lacking"; exit 1; }
done
git -c safe.directory="$source/.git" -c safe.directory="$source" clone -q --no-hardlinks "$source" "$machine/srv/holdfast"
if [ -n "${HOLDFAST_BUILT-}" ]; then
  echo "installing $HOLDFAST_BUILT in the place of a build"
  DESTDIR=$machine cmake --install "$HOLDFAST_BUILT" --prefix /usr/local --strip >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; exit 1; }
  printf '#!/bin/sh\necho "dev $*: built before"\n' >"$machine/srv/holdfast/dev"
  git -C "$machine/srv/holdfast" -c user.name=Test -c user.email=test@example.org commit -qam 'built before'
fi

cat >"$scratch/shell" <<END
#!/bin/sh
export REPOSITORY=/srv/holdfast ${http_proxy:+http_proxy="$http_proxy"}
exec chroot "$machine" /usr/bin/env -C "\$PWD" bash "\$@"
END
chmod 755 "$scratch/shell"
paste() {
  TMPDIR=$scratch/shared python3 "$here/run_examples.py" --installed --also 'builds the project' --limit 3000 \
    --shell "$scratch/shell" --root "$source" -- "$source/$1"
}
# Nothing may be left out on a machine that has what the page itself installs: 4 is a failure here, too.
paste README.md || exit 1
paste docs/manual/tutorial.md || exit 1
[ -f "$machine/usr/local/share/doc/holdfast/docs/manual/tutorial.md" ] || { echo 'FAIL: the manual is not installed'; exit 1; }
