-- Replaces the record of an API key if nobody changed it in the meantime, and announces the change to all gateways.
-- Returns 1 if it did.
-- @keys keys
-- @args id, before, after, channel, account
if redis.call('HGET', keys, id) ~= before then return 0 end
redis.call('HSET', keys, id, after)
redis.call('PUBLISH', channel, account)
return 1
