-- Carries out a transition of a session. Empty texts stand for absent arguments.
-- `from`: allowed statuses, with spaces around each. `time`: open (only before the session's time has passed), over
-- (only after it) or left (only after the grace period of a user who left). `about`: the attempt that the transition is
-- about. `maxBegun`: limit on attempts, for the beginning of one. `lease` and `grace` in ms. `fields` begins with
-- `setCount` fields of the session; the fields of a new attempt follow.
-- Returns whether the change took place (1 or 0) and the session; nil if there is none.
-- @include liveness/session
-- @args from, to, event, unit, time, about
-- @args maxBegun:number, lease:number, grace:number, setCount:number, ...fields
-- @memory freeing
-- Time after the end of a session in which another gateway may still take over its check.
local LATE_CHECK_MS = 5 * 60 * 1000
local function reply(changed) return { changed, redis.call('HGETALL', session) } end

local known = redis.call('HMGET', session, 'status', 'change', 'expiresAt', 'attemptId', 'begun', 'checkingUntil',
  'leaveAt', 'undecided', 'spent', 'attempts')
local status, last, ends, current = known[1], known[2], tonumber(known[3]), known[4]
if not status then
  removeExpired()
  return nil
end
if last == change then return reply(1) end
local free = status ~= 'checking' or now >= tonumber(known[6])
if time == 'over' and status == 'checking' then ends = ends + LATE_CHECK_MS end
local allowed = from:find(' ' .. status .. ' ', 1, true)
  and (time ~= 'open' or now < ends) and (time ~= 'over' or now >= ends)
  and (time ~= 'left' or now >= tonumber(known[7] or 'inf'))
  and (about == '' or about == current)
  and (not maxBegun or not known[8] and tonumber(known[5]) < maxBegun
    and tonumber(known[9] or '0') < tonumber(known[10]))
  and (free or (to ~= 'checking' and to ~= 'expired'))
if not allowed then return reply(0) end

redis.call('HSET', session, 'status', to, 'change', change, unpack(fields, 1, 2 * setCount))
if status == 'created' and to == 'started' then redis.call('HSET', session, 'startedAt', whole(now)) end
if to == 'checking' then
  -- An attempt without a turn counts once it is checked.
  if redis.call('HSETNX', attempt, 'asked', 1) == 1 then redis.call('HINCRBY', session, 'spent', 1) end
  redis.call('HSET', session, 'checkingUntil', whole(now + lease))
  redis.call('ZADD', due, whole(now + lease), id)
else
  redis.call('HDEL', session, 'checkingUntil')
  if status == 'checking' then
    if to ~= 'completed' then redis.call('HINCRBY', session, 'failures', 1) end
    -- An attempt gets only one verdict.
    if to == 'started' then redis.call('HDEL', session, 'attemptId') end
    redis.call('DEL', attempt, frames)
  end
end
if to == 'started' then
  local leave = grace and whole(math.min(now + grace, ends))
  if leave then redis.call('HSET', session, 'leaveAt', leave) else redis.call('HDEL', session, 'leaveAt') end
  redis.call('ZADD', due, leave or dueBefore(ends), id)
end
if maxBegun then
  redis.call('HINCRBY', session, 'begun', 1)
  redis.call('HSET', session, 'consentAt', whole(now))
  redis.call('DEL', attempt, frames)
  redis.call('HSET', attempt, unpack(fields, 2 * setCount + 1))
  redis.call('PEXPIREAT', attempt, redis.call('HGET', session, 'dataExpiresAt'))
end
if unit ~= '' then
  redis.call('HSET', session, 'finishedAt', whole(now))
  redis.call('DEL', reference, attempt, frames)
  redis.call('ZREM', due, id)
  settle(unit)
end
updateHeld()
if event ~= '' then addEvent(event) end
return reply(1)
