-- Adds a webhook endpoint unless the account has reached its limit. Returns added or full.
-- @keys endpoints
-- @args id, endpoint, limit:number
if redis.call('HLEN', endpoints) >= limit then return 'full' end
redis.call('HSET', endpoints, id, endpoint)
return 'added'
