-- Ends the lease of a check that failed. Another call may check the attempt at once; the sweep waits SWEEP_DELAY_MS.
-- @keys session, due
-- @args id, checker
-- @constants SWEEP_DELAY_MS
-- @memory freeing
local status, change = unpack(redis.call('HMGET', session, 'status', 'change'))
if status ~= 'checking' or change ~= checker then return 0 end
local clock = redis.call('TIME')
local now = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
redis.call('HSET', session, 'checkingUntil', now)
redis.call('ZADD', due, now + SWEEP_DELAY_MS, id)
return 1
