-- Counts an attempt of one source in a sliding window, unless `id` is an empty text. The attempt counts from the time
-- `from` on, which may be later than `at`, the present. A failure locks the source out when it has reached the limit. With
-- `pending` 1 the attempt only runs: it is refused if it would exceed the limit, or if the source has `most` attempts.
-- Returns 1; 0 if the source is locked out or the attempt is refused.
-- @keys failures, lockout
-- @args id, at:number, from:number, limit:number, most:number, window:number, duration:number, pending:number
local ends = redis.call('GET', lockout)
if ends and tonumber(ends) > at then return 0 end
redis.call('ZREMRANGEBYSCORE', failures, '-inf', at - window)
local function counted() return redis.call('ZCOUNT', failures, '-inf', at) end
if pending == 1 and not redis.call('ZSCORE', failures, id)
  and (counted() >= limit or redis.call('ZCARD', failures) >= most) then return 0 end
if id ~= '' then
  redis.call('ZADD', failures, 'LT', from, id)
  redis.call('PEXPIRE', failures, from - at + window)
end
if pending == 1 or counted() < limit then return 1 end
redis.call('SET', lockout, string.format('%.0f', at + duration), 'PX', duration)
redis.call('DEL', failures)
return 1
