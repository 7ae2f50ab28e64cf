-- Adds a webhook endpoint unless there is one with its id, or the account has reached its limit. Returns added, known or
-- full.
-- @keys endpoints
-- @args id, endpoint, limit:number
if redis.call('HEXISTS', endpoints, id) == 1 then return 'known' end
if redis.call('HLEN', endpoints) >= limit then return 'full' end
redis.call('HSET', endpoints, id, endpoint)
return 'added'
