-- Counts a failed authentication of one source. The window starts with its first attempt. Above the limit the script
-- writes nothing, unless the window would outlast `ms`: then the clock was set back after it started.
-- Returns the number of attempts and the time left in the window in ms.
-- @keys counter
-- @args most:number, ms:number
if redis.call('PTTL', counter) > ms then redis.call('PEXPIRE', counter, ms) end
local count = tonumber(redis.call('GET', counter) or '0')
if count >= most then return { count + 1, redis.call('PTTL', counter) } end
count = redis.call('INCR', counter)
if count == 1 then redis.call('PEXPIRE', counter, ms) end
return { count, redis.call('PTTL', counter) }
