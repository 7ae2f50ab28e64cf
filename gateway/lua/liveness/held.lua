-- Functions that track the memory of an account's sessions. `held` is a hash with the bytes of each session and their
-- `total`. Each change computes the bytes of its session anew, so that errors do not add up.
local function hold(held, session, bytes)
  local more = bytes - tonumber(redis.call('HGET', held, session) or '0')
  if more == 0 then return end
  if bytes == 0 then redis.call('HDEL', held, session) else redis.call('HSET', held, session, bytes) end
  redis.call('HINCRBY', held, 'total', more)
end

local function fits(held, more, limit)
  return tonumber(redis.call('HGET', held, 'total') or '0') + more <= limit
end
