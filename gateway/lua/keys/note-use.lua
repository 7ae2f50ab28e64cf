-- Notes when an API key was last used, unless the key was removed in the meantime.
-- @keys keys, uses
-- @args id, now:number
if redis.call('HEXISTS', keys, id) == 0 then return end
redis.call('HSET', uses, id, now)
