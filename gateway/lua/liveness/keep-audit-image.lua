-- Stores the sealed audit image of a session that is being checked. `key` is its sealed key, or empty if that is stored
-- apart. Returns 1; 0 if the session is in another status or the account's images take more than `maxBytes`.
-- @include liveness/held
-- @keys session, audit, ends, held
-- @args id, image, key, mode, retention:number, maxBytes:number
-- @memory growing
-- Expired images that one call removes from the lists.
local REMOVED_AT_ONCE = 100
if redis.call('HGET', session, 'status') ~= 'checking' then return 0 end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local function whole(time) return string.format('%.0f', time) end

local expired = redis.call('ZRANGEBYSCORE', ends, '-inf', whole(now), 'LIMIT', 0, REMOVED_AT_ONCE)
for _, one in ipairs(expired) do
  redis.call('ZREM', ends, one)
  hold(held, one, 0)
end
hold(held, id, 0)
if not fits(held, #image, maxBytes) then return 0 end
local expiresAt = whole(now + retention)
redis.call('HSET', audit, 'image', image, 'mode', mode, 'takenAt', whole(now), 'expiresAt', expiresAt)
if key ~= '' then redis.call('HSET', audit, 'key', key) end
redis.call('PEXPIREAT', audit, expiresAt)
redis.call('ZADD', ends, expiresAt, id)
hold(held, id, #image)
-- The lists last as long as the image that expires last.
for _, list in ipairs({ ends, held }) do
  if redis.call('PTTL', list) < retention then redis.call('PEXPIREAT', list, expiresAt) end
end
return 1
