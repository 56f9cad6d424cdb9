#!/usr/bin/env bash
# Runs a command with a real network file system: GlusterFS, one glusterd, four
# bricks, sharding on, mounted through FUSE at $DIYA_NETWORK_DIR.
#
#   scripts/network-fs.sh COMMAND...
#
# All of it lives in network, mount and process namespaces of its own: the only
# interface there is loopback, and when the command ends, everything is gone.
# DIYA_NETWORK_DIRECT=1: without the kernel's page cache and the caches of the client, so that
# each request goes over the network.
# Needs root, FUSE, and Debian's glusterfs-server and glusterfs-client.
set -eu

if [ -z "${DIYA_NETWORK_DIR:-}" ]; then
    for program in glusterd gluster glusterfs unshare ip; do
        command -v "$program" >/dev/null || {
            echo "network-fs: no $program here (Debian: glusterfs-server glusterfs-client util-linux iproute2)" >&2
            exit 1
        }
    done
    home=$(mktemp -d /var/tmp/diya-network-fs.XXXXXX)
    trap 'rm -rf "$home"' EXIT
    trap 'exit 143' INT TERM
    status=0
    DIYA_NETWORK_DIR="$home/mount" unshare --net --mount --pid --fork --kill-child --mount-proc \
        "$0" "$@" || status=$?
    exit $status
fi

# glusterd refuses addresses of 127.0.0.0/8 as those of a brick.
address=10.77.0.1
home=$(dirname "$DIYA_NETWORK_DIR")
ip link set lo up
ip address add $address/32 dev lo
mkdir -p "$DIYA_NETWORK_DIR" /var/lib/glusterd /var/run/gluster /var/log/glusterfs
for folder in /var/lib/glusterd /var/run/gluster /var/log/glusterfs; do
    mount -t tmpfs tmpfs "$folder"
done
glusterd --pid-file "$home/glusterd.pid" --log-level ERROR
bricks=
for number in 0 1 2 3; do
    mkdir "$home/brick$number"
    bricks="$bricks $address:$home/brick$number"
done
for _ in 1 2 3 4 5 6 7 8 9 10; do
    gluster --mode=script pool list >/dev/null 2>&1 && break
    sleep 1
done
{
    # shellcheck disable=SC2086 # a list of bricks
    gluster --mode=script volume create diya transport tcp $bricks force
    gluster --mode=script volume set diya features.shard on
    direct=
    if [ -n "${DIYA_NETWORK_DIRECT:-}" ]; then
        direct=--direct-io-mode=enable
        for cache in quick-read io-cache read-ahead open-behind; do
            gluster --mode=script volume set diya performance.$cache off
        done
    fi
    gluster --mode=script volume start diya
    # shellcheck disable=SC2086 # nothing, or an option
    glusterfs $direct --volfile-server=$address --volfile-id=diya "$DIYA_NETWORK_DIR"
} >"$home/set-up.log" 2>&1 || {
    cat "$home/set-up.log" >&2
    exit 1
}
for _ in 1 2 3 4 5 6 7 8 9 10; do
    mountpoint -q "$DIYA_NETWORK_DIR" && break
    sleep 1
done
status=0
"$@" || status=$?
timeout 20 umount "$DIYA_NETWORK_DIR" || umount -l "$DIYA_NETWORK_DIR" || true
exit $status
