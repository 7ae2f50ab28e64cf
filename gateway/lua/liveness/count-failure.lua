-- Counts a failed check of one source in a sliding window, unless `id` is an empty text, and locks the source out when it
-- has reached the limit. With `pending` 1, the failure counts from now on, but the source is not locked out yet.
-- @keys failures, lockout
-- @args id, at:number, limit:number, window:number, duration:number, pending:number
local ends = redis.call('GET', lockout)
if ends and tonumber(ends) > at then return end
redis.call('ZREMRANGEBYSCORE', failures, '-inf', at - window)
if id ~= '' then
  redis.call('ZADD', failures, 'NX', at, id)
  -- More than the limit change nothing.
  redis.call('ZREMRANGEBYRANK', failures, 0, -limit - 1)
  redis.call('PEXPIRE', failures, window)
end
if pending == 1 or redis.call('ZCARD', failures) < limit then return end
redis.call('SET', lockout, string.format('%.0f', at + duration), 'PX', duration)
redis.call('DEL', failures)
