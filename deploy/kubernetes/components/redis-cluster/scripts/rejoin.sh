#!/bin/sh
# Introduces a node that has a new address to the others. A pod that is made anew has another address, and nodes remember
# addresses: as long as one of the old ones lives, it tells the others, but after a restart of all of them each would
# look for the others where they no longer are. So each that starts greets all: of two, the later one is heard.
# It never fails: who is not there yet will greet us.
#   NODES           host:port of all nodes, with spaces between them
#   REDISCLI_AUTH   password
#   SELF            host:port of this node
set -u
own="redis-cli -h ${SELF%:*} -p ${SELF##*:}"

until [ "$($own ping 2>&1)" = PONG ]; do sleep 0.2; done

# One that knows nobody but itself waits for create.sh, which wants nodes that were never introduced.
known=$($own cluster info | tr -d '\r' | sed -n 's/^cluster_known_nodes://p')
[ "${known:-1}" -gt 1 ] || exit 0

for node in $NODES; do
  read -r address _ <<END
$(getent ahostsv4 "${node%:*}")
END
  [ -z "$address" ] || $own cluster meet "$address" "${node##*:}" >/dev/null
done
exit 0
