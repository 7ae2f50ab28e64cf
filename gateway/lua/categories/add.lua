-- Adds a custom category, within the limit and under a free name, and announces the change to all gateways.
-- @keys categories
-- @args name, category, most:number, channel, account
if redis.call('HEXISTS', categories, name) == 1 then return 'exists' end
if redis.call('HLEN', categories) >= most then return 'full' end
redis.call('HSET', categories, name, category)
redis.call('PUBLISH', channel, account)
return 'added'
