-- Deletes all data of a session and cancels it if it has not ended, but not during a check. With `keyApart`, its key is
-- in another Redis: the session then stays due without data, so that the sweep erases the key if this gateway dies first.
-- Returns whether it is deleted (1 or 0) and its previous status; nil if there is none.
-- @include liveness/session
-- @args keyApart:number
-- @memory freeing
local status = redis.call('HGET', session, 'status')
if not status then
  if keyApart == 0 then removeExpired() end
  return nil
end
local checked = status == 'checking' and tonumber(redis.call('HGET', session, 'checkingUntil'))
if checked and now < checked then return { 0, status } end
if checked or status == 'created' or status == 'started' then
  settle('refund')
  addEvent('session.cancelled')
end
redis.call('DEL', session, reference, attempt, frames)
if keyApart == 0 then redis.call('ZREM', due, id) else redis.call('ZADD', due, whole(now), id) end
redis.call('ZREM', kept, id)
hold(held, id, 0)
return { 1, status }
