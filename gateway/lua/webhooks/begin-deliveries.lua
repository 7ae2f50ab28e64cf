-- Adds deliveries that the log does not contain yet. `deliveries` holds the id and the record of each.
-- @include webhooks/delivery-log
-- @args ...deliveries
for at = 1, #deliveries, 2 do
  local id, record = deliveries[at], deliveries[at + 1]
  if redis.call('SET', keyOf(id), record, 'NX', 'PX', RETENTION_MS) then redis.call('ZADD', order, now, id) end
end
trim()
return 1
