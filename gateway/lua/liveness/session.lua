-- Functions that the scripts of liveness sessions share. Each script changes one session as a whole or not at all: it
-- checks the status, changes it, adds the event to the account's outbox and settles the reserved unit with the functions
-- of metering. A session stores the id of its last change, so that a script that runs twice takes effect once and
-- returns the same reply.
-- @include metering/prelude, liveness/held
-- @keys session, reference, attempt, frames, due, kept, outbox, held
-- @args id, change
-- Events that no gateway published in this time are dropped.
local OUTBOX_MS = 7 * DAY_MS
-- Approximate memory of a session's record, its unit and its entries in the account's lists.
local RECORD_BYTES = 2048

local function whole(time) return string.format('%.0f', time) end

local function addEvent(event)
  local oldest = whole(now - OUTBOX_MS)
  redis.call('XADD', outbox, 'MINID', '~', oldest, '*', 'id', change, 'session', id, 'type', event, 'at', whole(now))
end

local function settle(unit)
  if unit == 'commit' then commit(id, 0) elseif unit == 'refund' then refund('refund', id .. ':0') end
end

local function updateHeld()
  local sealed = redis.call('HSTRLEN', session, 'details') + redis.call('HSTRLEN', session, 'explanation')
  local images = redis.call('STRLEN', reference) + tonumber(redis.call('HGET', attempt, 'bytes') or '0')
  hold(held, id, RECORD_BYTES + sealed + images)
end

-- When the sweep must act on a waiting session: at its end, or earlier if it moves on by itself.
local function dueBefore(ends)
  local step = redis.call('HGET', session, 'stepMs')
  return whole(step and math.min(now + step, ends) or ends)
end

-- For a session that Redis expired before it ended.
local function removeExpired()
  refund('expired', id .. ':0')
  redis.call('ZREM', due, id)
  hold(held, id, 0)
end
