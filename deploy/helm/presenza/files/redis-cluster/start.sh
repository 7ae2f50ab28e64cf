#!/bin/sh
# Starts one node, and beside it rejoin.sh, the loop that introduces it to the others. A postStart hook cannot run that
# loop, because the kubelet publishes the pod's address only after the hook. redis-server reads password, memory and the
# address to announce from standard input.
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
