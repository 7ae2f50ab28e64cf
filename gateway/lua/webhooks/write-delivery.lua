-- Writes the record of a delivery. `health` is well or failing if an attempt showed it, otherwise empty. Returns the
-- time since which the endpoint fails, or nothing. A late failure that follows a newer success stays until the next
-- success.
-- @include webhooks/delivery-log
-- @args id, record, state, endpoint, health
redis.call('SET', keyOf(id), record, 'PX', RETENTION_MS)
redis.call('ZADD', order, 'NX', now, id)
if state == 'dead' then redis.call('ZADD', dead, now, id) else redis.call('ZREM', dead, id) end
if health == 'well' then redis.call('HDEL', failing, endpoint) end
if health == 'failing' then redis.call('HSETNX', failing, endpoint, now) end
trim()
return redis.call('HGET', failing, endpoint)
