#!/bin/sh
# Replaces the content of Redis's volume with a backup, an RDB file on standard input. Runs in a container of
# compose.yaml while Redis is stopped (README.md, "Restore"):
#
#   docker compose run --rm --no-deps -T redis sh -c "$(cat restore.sh)" < backup.rdb
#
# A Redis with an append-only file reads only that file at its start. So a Redis without one loads the backup and then
# writes the file. The volume needs room for both.
set -eu
unset REDISCLI_AUTH
cd "${DATA:-/data}"

trap 'rm -f restored.rdb check.log' EXIT
refuse() { echo "$1 Nothing was changed." >&2; exit 1; }
cat > restored.rdb || refuse 'The volume has no room for the backup.'
test -s restored.rdb || refuse 'There is no backup on standard input.'
redis-check-rdb restored.rdb > check.log || { cat check.log >&2; refuse 'This is no backup.'; }
rm -rf appendonlydir dump.rdb
mv restored.rdb dump.rdb

# Listens only on a socket in this folder, which only this script uses.
redis-server --dir "$PWD" --port 0 --unixsocket "$PWD/restore.sock" --appendonly no --save '' < /dev/null > restore.log &
server=$!
end() {
  # Redis ignores other signals until it has written the append-only file.
  test $? = 0 || { kill -9 "$server" 2> /dev/null || true; rm -rf appendonlydir temp-*; }
  rm -f check.log dump.rdb restore.sock restore.log
}
trap end EXIT
fail() {
  cat restore.log >&2
  echo 'The backup was not restored, and the volume is empty now. Do not start Redis: solve the problem above and restore again.' >&2
  exit 1
}
redis() { redis-cli -e -s restore.sock "$@"; }
says() { redis info persistence | tr -d '\r' | grep -qx "$1"; }
wait_until() { until "$@"; do kill -0 "$server" 2> /dev/null || fail; sleep 0.1; done; }

responds() { test "$(redis ping 2> /dev/null)" = PONG; }
wait_until responds
redis config set appendonly yes > /dev/null || fail
# After a failure Redis tries again and again.
is_rewritten() { says aof_rewrite_in_progress:0 || ! says aof_last_bgrewrite_status:ok; }
wait_until is_rewritten
says aof_last_bgrewrite_status:ok || fail
keys=$(redis dbsize)
redis shutdown nosave || fail
wait "$server" || fail
echo "Restored $keys keys."
