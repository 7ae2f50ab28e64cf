-- Creates a session. The unit that the request reserved becomes the session's, and the admission ends: sessions do not
-- count toward the concurrency of requests, and their unit stays reserved if their gateway dies. `image` is the sealed
-- reference image or an empty text.
-- Returns created and the session, repeated with the id and the end of the session that the idempotency key created
-- before (which may be erased by now), full, overBytes or unreserved.
-- @include liveness/session
-- @args admissionId, maxOpen:number, maxBytes:number, lifetime:number, retention:number, image
-- @args ...fields
-- @memory growing
-- Expired sessions that one creation removes from the lists.
local REMOVED_AT_ONCE = 100
if redis.call('EXISTS', session) == 1 then return { 'created', redis.call('HGETALL', session) } end
local earlier = idem and redis.call('HMGET', idem, 'session', 'sessionEnds')
if earlier and earlier[1] then return { 'repeated', earlier[1], earlier[2] } end
if redis.call('ZCARD', due) >= maxOpen then return { 'full' } end
local expired = redis.call('ZRANGEBYSCORE', kept, '-inf', whole(now - retention), 'LIMIT', 0, REMOVED_AT_ONCE)
for _, one in ipairs(expired) do
  redis.call('ZREM', kept, one)
  hold(held, one, 0)
end
local bytes = RECORD_BYTES + #image
for _, field in ipairs(fields) do bytes = bytes + #field end
if not fits(held, bytes, maxBytes) then return { 'overBytes' } end
local text = take(reservations, admissionId .. ':0')
if not text then return { 'unreserved' } end
redis.call('HSET', reservations, id .. ':0', text)
redis.call('ZREM', running, '1:' .. admissionId)

local ends, forgotten = whole(now + lifetime), whole(now + retention)
redis.call('HSET', session, 'status', 'created', 'createdAt', whole(now), 'expiresAt', ends,
  'dataExpiresAt', forgotten, 'begun', 0, 'spent', 0, 'failures', 0, unpack(fields))
redis.call('PEXPIREAT', session, forgotten)
if image ~= '' then redis.call('SET', reference, image, 'PXAT', forgotten) end
redis.call('ZADD', due, dueBefore(now + lifetime), id)
redis.call('ZADD', kept, whole(now), id)
updateHeld()
redis.call('HSET', held, 'most', maxBytes)
for _, key in ipairs({ kept, held }) do redis.call('PEXPIREAT', key, forgotten) end
if idem and redis.call('HEXISTS', idem, 'fingerprint') == 1 then
  redis.call('HSET', idem, 'session', id, 'sessionEnds', ends)
end
return { 'created', redis.call('HGETALL', session) }
