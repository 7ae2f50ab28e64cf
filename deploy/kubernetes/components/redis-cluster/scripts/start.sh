#!/bin/sh
# Starts one node. Password, memory and the address that the others are told come in on standard input.
#   CONFIG            redis.conf
#   POD_IP            address to announce
#   REDISCLI_AUTH     password, also between nodes
#   REDIS_MAXMEMORY   of one node
#   NODE_SETTINGS     further lines of configuration, none in Kubernetes
set -eu

exec redis-server "$CONFIG" - <<END
requirepass ${REDISCLI_AUTH}
masterauth ${REDISCLI_AUTH}
maxmemory ${REDIS_MAXMEMORY}
cluster-announce-ip ${POD_IP}
${NODE_SETTINGS:-}
END
