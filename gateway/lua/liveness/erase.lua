-- Deletes all data of a session and cancels it if it has not ended, but not during a check. If its key is in another Redis,
-- the session leaves only the field `erasing` and stays due, so that the sweep erases the key if this gateway dies first.
-- Returns whether it is deleted (1 or 0) and its previous status; nil if there is none.
-- @include liveness/session
-- @keys ...hours
-- @memory freeing
local status, dataKey, forgotten = unpack(redis.call('HMGET', session, 'status', 'dataKey', 'dataExpiresAt'))
if not status then
  removeExpired()
  return nil
end
local checked = status == 'checking' and tonumber(redis.call('HGET', session, 'checkingUntil'))
if checked and now < checked then return { 0, status } end
if checked or status == 'created' or status == 'started' then
  settle('refund')
  addEvent('session.cancelled')
end
local list, fingerprints = redis.call('GET', remembered) or '', {}
for at = 1, #list, FINGERPRINT_LENGTH do
  fingerprints[#fingerprints + 1] = list:sub(at, at + FINGERPRINT_LENGTH - 1)
end
if #fingerprints > 0 then
  for _, hour in ipairs(hours) do redis.call('SREM', hour, unpack(fingerprints)) end
end
redis.call('DEL', session, reference, attempt, frames, remembered)
if dataKey then
  redis.call('ZREM', due, id)
else
  redis.call('HSET', session, 'erasing', 1)
  redis.call('PEXPIREAT', session, forgotten)
  redis.call('ZADD', due, whole(now), id)
end
redis.call('ZREM', kept, id)
hold(held, id, 0)
return { 1, status }
