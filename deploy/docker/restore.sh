#!/bin/sh
# Replaces the content of Redis's volume with a backup, an RDB file on standard input. Runs in a container of
# compose.yaml while Redis is stopped (README.md, "Restore"):
#
#   docker compose run --rm --no-deps -T redis sh -c "$(cat restore.sh)" < backup.rdb
#
# A Redis with an append-only file reads only that file at its start. So a Redis without one loads the backup and then
# writes the file.
set -eu
unset REDISCLI_AUTH
cd "${DATA:-/data}"
cat > restored.rdb
test -s restored.rdb || { echo 'There is no backup on standard input; nothing was changed.' >&2; rm restored.rdb; exit 1; }
redis-check-rdb restored.rdb > check.log || { cat check.log >&2; echo 'This is no backup; nothing was changed.' >&2; rm restored.rdb check.log; exit 1; }
rm -rf appendonlydir dump.rdb check.log
mv restored.rdb dump.rdb
# Listens only on a socket in this folder, which only this script uses.
redis-server --dir "$PWD" --port 0 --unixsocket "$PWD/restore.sock" --appendonly no --save '' < /dev/null > restore.log &
redis() { redis-cli -s restore.sock "$@"; }
until test "$(redis ping 2> /dev/null)" = PONG; do
  kill -0 $! || { cat restore.log >&2; exit 1; }
  sleep 0.1
done
redis config set appendonly yes > /dev/null
until redis info persistence | grep -q '^aof_rewrite_in_progress:0'; do sleep 0.1; done
echo "Restored $(redis dbsize) keys."
redis shutdown nosave
wait $!
rm -f dump.rdb restore.sock restore.log
