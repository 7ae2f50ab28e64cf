-- Removes a custom category and announces the change to all gateways. Returns 1 if there was one.
-- @keys categories
-- @args name, channel, account
if redis.call('HDEL', categories, name) == 0 then return 0 end
redis.call('PUBLISH', channel, account)
return 1
