#!/usr/bin/env bash
# Builds the image localhost/evenkeel: build.sh BINARY [rootfs]. With `rootfs` only target/image/rootfs.tar is made (for a chroot).
# Needs root, mmdebstrap and buildah. The base is this machine's Debian release, since the binary is linked with its C library; packages come from
# where the machine's own apt takes them.
set -euo pipefail
binary=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
context=$(realpath -m "$here/../../target/image")
mkdir -p "$context"
. /etc/os-release
sources=/etc/apt/sources.list.d/debian.sources
[ -e "$sources" ] || sources=/etc/apt/sources.list
if [ ! -e "$context/rootfs.tar" ]; then
  mmdebstrap --quiet --variant=essential --include=libc6,bash,util-linux,gzip,zstd,mariadb-client-core,passwd --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --customize-hook='chroot "$1" useradd --system --user-group --uid 999 --home-dir /var/lib/mysql --shell /usr/sbin/nologin evenkeel' \
    --customize-hook='mkdir -p "$1/docker-entrypoint-initdb.d" "$1/etc/mysql/conf.d" "$1/run/mysqld" "$1/var/lib/mysql"' \
    --customize-hook='chroot "$1" chown evenkeel: /run/mysqld /var/lib/mysql' \
    "$VERSION_CODENAME" "$context/rootfs.new.tar" "$sources"
  mv "$context/rootfs.new.tar" "$context/rootfs.tar"
fi
[ "${2:-}" != rootfs ] || exit 0
cp "$binary" "$context/evenkeel"
cp "$here"/{entrypoint.sh,healthcheck.sh,my.cnf,Containerfile} "$context"
# HEALTHCHECK is known to images of the docker format only
buildah --storage-driver vfs build --isolation chroot --format docker --tag localhost/evenkeel --file "$context/Containerfile" "$context"
