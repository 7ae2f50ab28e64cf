-- Replaces an account if nobody changed it in the meantime, and announces the change to all gateways.
-- Returns 1 if it did.
-- @keys record
-- @args before, after, channel, account
if redis.call('GET', record) ~= before then return 0 end
redis.call('SET', record, after)
redis.call('PUBLISH', channel, account)
return 1
