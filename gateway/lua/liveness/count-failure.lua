-- Counts a failed check of one source in a sliding window, unless `id` is an empty text, and locks the source out when it
-- has reached the limit. The failure counts from the time `from` on, which may be later than `at`, the present. With
-- `pending` 1, the source is not locked out yet.
-- @keys failures, lockout
-- @args id, at:number, from:number, limit:number, window:number, duration:number, pending:number
local ends = redis.call('GET', lockout)
if ends and tonumber(ends) > at then return end
redis.call('ZREMRANGEBYSCORE', failures, '-inf', at - window)
if id ~= '' then
  redis.call('ZADD', failures, 'LT', from, id)
  -- More than the limit change nothing, so the oldest make room. An attempt that does not count yet displaces no failure;
  -- 20 times the limit bounds the set.
  local counted = redis.call('ZCOUNT', failures, '-inf', at)
  if counted > limit then redis.call('ZREMRANGEBYRANK', failures, 0, counted - limit - 1) end
  redis.call('ZREMRANGEBYRANK', failures, 20 * limit, -1)
  redis.call('PEXPIRE', failures, from - at + window)
end
if pending == 1 or redis.call('ZCOUNT', failures, '-inf', at) < limit then return end
redis.call('SET', lockout, string.format('%.0f', at + duration), 'PX', duration)
redis.call('DEL', failures)
