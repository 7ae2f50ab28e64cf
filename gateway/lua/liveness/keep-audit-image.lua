-- Stores the sealed audit image of a session whose attempt `attempt` is being checked. `keyField` names the field for
-- `key`: `key` for the sealed key itself, `keyId` for the id of a key that is stored apart. Returns kept; late if the
-- session is in another status, is about another attempt, or has an image already; full if the account's images would
-- take more than `maxBytes`.
-- @include liveness/held
-- @keys session, audit, ends, held
-- @args id, attempt, image, keyField, key, mode, retention:number, maxBytes:number
-- @memory growing
-- Expired images that one call removes from the lists.
local REMOVED_AT_ONCE = 100
-- The client may send a call again whose reply was lost.
if redis.call('HGET', audit, keyField) == key then return 'kept' end
local status, current = unpack(redis.call('HMGET', session, 'status', 'attemptId'))
if redis.call('EXISTS', audit) == 1 or status ~= 'checking' or current ~= attempt then return 'late' end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local function whole(time) return string.format('%.0f', time) end

local expired = redis.call('ZRANGEBYSCORE', ends, '-inf', whole(now), 'LIMIT', 0, REMOVED_AT_ONCE)
for _, one in ipairs(expired) do
  redis.call('ZREM', ends, one)
  hold(held, one, 0)
end
if not fits(held, #image, maxBytes) then return 'full' end
local expiresAt = whole(now + retention)
redis.call('HSET', audit, 'image', image, 'mode', mode, 'takenAt', whole(now), 'expiresAt', expiresAt,
  keyField, key)
redis.call('PEXPIREAT', audit, expiresAt)
redis.call('ZADD', ends, expiresAt, id)
hold(held, id, #image)
-- The lists last as long as the image that expires last.
for _, list in ipairs({ ends, held }) do
  if redis.call('PTTL', list) < retention then redis.call('PEXPIREAT', list, expiresAt) end
end
return 'kept'
