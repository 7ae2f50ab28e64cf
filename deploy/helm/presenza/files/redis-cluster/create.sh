#!/bin/sh
# Creates a cluster from new nodes. If there is a cluster, it changes nothing, so it can run any number of times. It
# succeeds only if every node sees a primary for every slot.
#   NODES           host:port of all nodes, with spaces between them; the first half become primaries
#   REDISCLI_AUTH   password
set -eu

at() {
  node=$1
  shift
  redis-cli -h "${node%:*}" -p "${node##*:}" "$@"
}
# Whether CLUSTER INFO of a node has a line.
says() { at "$1" cluster info | tr -d '\r' | grep -qx "$2"; }

# redis-cli needs addresses instead of names.
addresses=
for node in $NODES; do
  until
    address=$(getent ahostsv4 "${node%:*}" | sed -n '1s/ .*//p')
    [ -n "$address" ]
  do
    sleep 0.5
  done
  addresses="$addresses $address:${node##*:}"
done
# shellcheck disable=SC2086 # one word for each
set -- $addresses

for each; do
  until [ "$(at "$each" ping 2>&1)" = PONG ]; do sleep 0.5; done
done

if says "$1" cluster_slots_assigned:16384; then
  echo 'There is a cluster already: nothing is made.'
else
  redis-cli --cluster create "$@" --cluster-replicas 1 --cluster-yes
  until [ "$(at "$1" cluster nodes | grep -c ' slave ')" -eq $(($# / 2)) ]; do sleep 0.5; done
fi

for each; do
  until says "$each" cluster_state:ok; do sleep 0.5; done
done
# Nodes may disagree for a moment even after each of them reports a complete cluster.
until redis-cli --cluster check "$1"; do sleep 0.5; done
