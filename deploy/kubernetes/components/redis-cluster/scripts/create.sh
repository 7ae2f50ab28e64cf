#!/bin/sh
# Creates a cluster of nodes that were never in one; does nothing if there is a cluster, so it can run any number of
# times. It succeeds only when every slot has a master, as every node sees it.
#   NODES           host:port of all nodes, with spaces between them; the first half become masters
#   REDISCLI_AUTH   password
set -eu

at() {
  node=$1
  shift
  redis-cli -h "${node%:*}" -p "${node##*:}" "$@"
}
# Whether a line of CLUSTER INFO is there, as that node sees it.
says() { at "$1" cluster info | tr -d '\r' | grep -qx "$2"; }

# redis-cli wants addresses instead of names.
addresses=
for node in $NODES; do
  until getent ahostsv4 "${node%:*}" >/dev/null; do sleep 0.5; done
  read -r address _ <<END
$(getent ahostsv4 "${node%:*}")
END
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
redis-cli --cluster check "$1"
