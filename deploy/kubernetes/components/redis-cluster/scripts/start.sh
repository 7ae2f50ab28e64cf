#!/bin/sh
# Starts one node, and beside it the loop that introduces it to the others (rejoin.sh; not in a postStart hook, before
# the end of which the kubelet would not publish the pod's address). Password, memory and the address to announce come
# in on standard input.
#   CONFIG            redis.conf
#   NODES, SELF       for rejoin.sh
#   POD_IP            address to announce
#   REDISCLI_AUTH     password, also between nodes
#   REDIS_MAXMEMORY   of one node
#   NODE_SETTINGS     further lines of configuration, none in Kubernetes
set -eu

sh "${0%/*}/rejoin.sh" &

exec redis-server "$CONFIG" - <<END
requirepass ${REDISCLI_AUTH}
masterauth ${REDISCLI_AUTH}
maxmemory ${REDIS_MAXMEMORY}
cluster-announce-ip ${POD_IP}
${NODE_SETTINGS:-}
END
