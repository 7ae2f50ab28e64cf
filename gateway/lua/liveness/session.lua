-- Functions that the scripts of liveness sessions share. Each script changes one session as a whole or not at all: it
-- checks the status, changes it, adds the event to the account's outbox and settles the reserved unit with the functions
-- of metering. A session stores the id of its last change, so that a script that runs twice takes effect once and
-- returns the same reply.
--
-- `events` holds the account's events by id, `eventOrder` their ids by time. They contain no personal data.
-- @include metering/units, liveness/held
-- @keys session, reference, attempt, frames, remembered, due, kept, outbox, held, events, eventOrder
-- @args id, change
-- @constants EVENTS_MS, MAX_EVENTS
-- Events that one event removes from the list.
local FORGOTTEN_AT_ONCE = 100
-- Approximate memory of a session's record, its unit and its entries in the account's lists.
local RECORD_BYTES = 2048

local function whole(time) return string.format('%.0f', time) end

local function forgetEvents(oldest)
  local old = redis.call('ZRANGEBYSCORE', eventOrder, '-inf', oldest, 'LIMIT', 0, FORGOTTEN_AT_ONCE)
  local surplus = redis.call('ZCARD', eventOrder) - MAX_EVENTS
  if #old == 0 and surplus > 0 then
    old = redis.call('ZRANGE', eventOrder, 0, math.min(surplus, FORGOTTEN_AT_ONCE) - 1)
  end
  if #old == 0 then return end
  redis.call('HDEL', events, unpack(old))
  redis.call('ZREM', eventOrder, unpack(old))
end

-- The outbox drops events that no gateway published before they leave the list.
local function addEvent(event)
  local at, oldest, mode = whole(now), whole(now - EVENTS_MS), redis.call('HGET', session, 'mode')
  redis.call('XADD', outbox, 'MINID', '~', oldest, '*', 'id', change, 'session', id, 'type', event, 'at', at,
    'mode', mode)
  redis.call('HSET', events, change, at .. ' ' .. mode .. ' ' .. event .. ' ' .. id)
  redis.call('ZADD', eventOrder, at, change)
  forgetEvents(oldest)
  for _, key in ipairs({ events, eventOrder }) do redis.call('PEXPIRE', key, EVENTS_MS) end
end

local function settle(unit)
  if unit == 'commit' then commit(id, 0) elseif unit == 'refund' then refund('refund', id .. ':0') end
end

local function updateHeld()
  local sealed = redis.call('HSTRLEN', session, 'details') + redis.call('HSTRLEN', session, 'explanation')
  local images = redis.call('STRLEN', reference) + tonumber(redis.call('HGET', attempt, 'bytes') or '0')
  local fingerprints = redis.call('STRLEN', remembered) / FINGERPRINT_LENGTH * FINGERPRINT_BYTES
  hold(held, id, RECORD_BYTES + sealed + images + fingerprints)
end

-- When the sweep must act on a waiting session: at its end, or earlier if it moves on by itself.
local function dueBefore(ends)
  local step = redis.call('HGET', session, 'stepMs')
  return whole(step and math.min(now + step, ends) or ends)
end

-- For a session that Redis expired before it ended. A session whose key is being erased stays due.
local function removeExpired()
  if redis.call('EXISTS', session) == 1 then return end
  refund('expired', id .. ':0')
  redis.call('ZREM', due, id)
  hold(held, id, 0)
end
