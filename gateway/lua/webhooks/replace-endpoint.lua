-- Replaces a webhook endpoint if it has not changed in the meantime. Returns 1 if it did.
-- @keys endpoints
-- @args id, before, after
if redis.call('HGET', endpoints, id) ~= before then return 0 end
redis.call('HSET', endpoints, id, after)
return 1
