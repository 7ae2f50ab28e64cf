#!/bin/sh
# Introduces a node to those whose addresses it does not know, for as long as it runs. A pod that is created again has
# another address, and nodes remember addresses. As long as one old node lives, it informs the others; after a restart
# of all nodes, each would look for the others where they no longer are. Names may lead to an old address for a while,
# too: the kubelet publishes a new address only once the pod runs, and DNS caches. Hence a loop, which start.sh begins
# beside the node: often in the first minute, rarely later. It delays no shutdown: where the node is process 1, as in a
# container, the kernel ends the loop with the node; elsewhere the loop ends when it sees that the node is gone.
#   NODES           host:port of all nodes, with spaces between them
#   REDISCLI_AUTH   password
#   SELF            host:port of this node
set -u
own="redis-cli -h ${SELF%:*} -p ${SELF##*:}"

round=0
# The parent is the node: start.sh becomes it.
while kill -0 "$PPID" 2>/dev/null; do
  known=$($own cluster nodes 2>/dev/null)
  # A node that knows only itself (or cannot respond yet) waits for create.sh, which requires nodes that were never
  # introduced.
  if [ "$(echo "$known" | grep -c '@')" -gt 1 ]; then
    for node in $NODES; do
      address=$(getent ahostsv4 "${node%:*}" | sed -n '1s/ .*//p')
      [ -n "$address" ] || continue
      case "$known" in
        *" $address:${node##*:}@"*) ;;
        *) $own cluster meet "$address" "${node##*:}" >/dev/null ;;
      esac
    done
  fi
  round=$((round + 1))
  sleep $((round < 30 ? 2 : 15))
done
