-- Counts a failed check of one source in a sliding window, and locks the source out when it reaches the limit.
-- @keys failures, lockout
-- @args id, at:number, limit:number, window:number, duration:number
local ends = redis.call('GET', lockout)
if ends and tonumber(ends) > at then return end
redis.call('ZREMRANGEBYSCORE', failures, '-inf', at - window)
redis.call('ZADD', failures, 'NX', at, id)
redis.call('PEXPIRE', failures, window)
if redis.call('ZCARD', failures) < limit then return end
redis.call('SET', lockout, string.format('%.0f', at + duration), 'PX', duration)
redis.call('DEL', failures)
