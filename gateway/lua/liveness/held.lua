-- Functions that track the memory of an account's sessions. `held` is a hash with the bytes of each session and their
-- `total`. Each change computes the bytes of its session anew, so that errors do not add up.
local function hold(held, session, bytes)
  local more = bytes - tonumber(redis.call('HGET', held, session) or '0')
  if more == 0 then return end
  if bytes == 0 then redis.call('HDEL', held, session) else redis.call('HSET', held, session, bytes) end
  redis.call('HINCRBY', held, 'total', more)
end

-- Length of a fingerprint of a frame, and its approximate memory in the set of its hour and in the list of its session.
local FINGERPRINT_LENGTH = 8
local FINGERPRINT_BYTES = 72

local function fits(held, more, limit)
  return tonumber(redis.call('HGET', held, 'total') or '0') + more <= limit
end

-- Whether a session may grow by `more` bytes: up to what the sessions of the account leave free, so that a few with large
-- frames leave room for the others (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet
-- switches", 1998, with a factor of 1).
local function leavesRoom(held, session, more, limit)
  local total = tonumber(redis.call('HGET', held, 'total') or '0') + more
  return tonumber(redis.call('HGET', held, session) or '0') + more <= limit - total
end
