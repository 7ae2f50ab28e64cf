#!/bin/sh
# Introduces a node to nodes whose new addresses it does not know, for as long as it runs. Nodes remember addresses, but
# a recreated pod has a new one. A node that kept running informs the others. After a restart of all nodes, however,
# each would look for the others at their old addresses. DNS may return an old address for a while, too: the kubelet
# publishes a new address only once the pod runs, and resolvers cache. So start.sh runs this loop beside the node, often
# in the first minute and rarely later. It delays no shutdown: in a container the node is process 1, and the kernel ends
# the loop with it. Elsewhere the loop ends when the node is gone.
#   NODES           host:port of all nodes, with spaces between them
#   REDISCLI_AUTH   password
#   SELF            host:port of this node
set -u
own="redis-cli -h ${SELF%:*} -p ${SELF##*:}"

round=0
# The parent is the node, since start.sh becomes redis-server with exec.
while kill -0 "$PPID" 2>/dev/null; do
  known=$($own cluster nodes 2>/dev/null)
  # A node that knows only itself, or cannot respond yet, waits for create.sh, which requires new nodes.
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
