#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A directory that its group may write (umask 002) is trusted only if the group is that user's own: called as the
# user, primary group of nobody else, without another member, and without an access list on the directory.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can become another user'
unshare -m true 2>/dev/null || skip 'no mount namespaces here'
chmod 0755 "$scratch"
mkdir d
cat >try <<END
#!/bin/sh
# try PASSWD_LINES GROUP_LINES: what holdfast says of a directory of user and group 1234, mode 0775
set -eu
printf '%b' "root:x:0:0:r:/:/bin/sh\n\$1" >passwd
printf '%b' "root:x:0:\n\$2" >group
mount --bind passwd /etc/passwd
mount --bind group /etc/group
exec setpriv --reuid 1234 --regid 1234 --clear-groups "$HOLDFAST" write d/f -- printf new
END
chmod 0755 try
chown 1234:1234 d
chmod 0775 d
user='ann:x:1234:1234:a:/:/bin/sh\n'
expect_code 0 unshare -m ./try "$user" 'ann:x:1234:\n'
expect_code 0 unshare -m ./try "$user" 'ann:x:1234:ann\n'
expect_code 77 unshare -m ./try "$user" 'ann:x:1234:ann,eve\n'
expect_code 77 unshare -m ./try "$user" 'dev:x:1234:\n'
expect_code 77 unshare -m ./try "$user" ''
expect_code 77 unshare -m ./try '' 'ann:x:1234:\n'
expect_code 77 unshare -m ./try "${user}eve:x:1235:1234:e:/:/bin/sh\n" 'ann:x:1234:\n'
expect_code 77 unshare -m ./try "$user" 'ann:x:1234:\n+\n'
expect_stderr_contains 'chmod g-w'
command -v setfacl >/dev/null || exit 0
setfacl -m u:4711:rwx d
expect_code 77 unshare -m ./try "$user" 'ann:x:1234:\n'
