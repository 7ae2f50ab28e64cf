/**
 * The Lua of liveness sessions. Each script is one change of one session, whole or not at all: it looks at the status,
 * changes it, writes the event into the account's outbox and settles the reserved unit with the functions of metering.
 * A session remembers the id of its last change, so that a script that comes twice answers the same and does no more.
 */

import { freeing, growing } from '../memory';
import { keyCount as meterKeys, meterScript } from '../meter-scripts';
import { holdScript } from './held-bytes';

/** Behind those of metering: eight of the session and of its account's lists. */
export const keyCount = meterKeys + 8;

/** How long after its session's time a check may still be ended, by whoever takes it over. */
const lateCheckMs = 5 * 60 * 1000;

/** Events that nobody handed on for so long are given up. */
const outboxMs = 7 * 24 * 60 * 60 * 1000;

/** Of each session, beside what is weighed: its record, its unit and its places in the account's lists, in bytes. */
const recordBytes = 2_048;

/** Sessions that the store has forgotten, of which one creation strikes so many off. */
const forgottenAtOnce = 100;

const prelude = `${holdScript}
local session, reference, attempt, frames, due, kept, outbox, held = unpack(KEYS, 9)
local id, change = ARGV[1], ARGV[2]
local function whole(time) return string.format('%.0f', time) end

local function tell(event)
  local oldest = whole(now - ${outboxMs})
  redis.call('XADD', outbox, 'MINID', '~', oldest, '*', 'id', change, 'session', id, 'type', event, 'at', whole(now))
end

local function giveBack(kind)
  local item = id .. ':0'
  local text = take(reservations, item)
  if not text then return end
  release(text)
  record(kind, item, text)
end

local function settle(unit)
  if unit == 'commit' then commit(id, 0) elseif unit == 'refund' then giveBack('refund') end
end

local function weigh()
  local sealed = redis.call('HSTRLEN', session, 'details') + redis.call('HSTRLEN', session, 'explanation')
  local pictures = redis.call('STRLEN', reference) + tonumber(redis.call('HGET', attempt, 'bytes') or '0')
  hold(held, id, ${recordBytes} + sealed + pictures)
end

local function answer(changed) return { changed, redis.call('HGETALL', session) } end
`;

const growingScript = (body: string) => growing(meterScript(prelude + body));
const freeingScript = (body: string) => freeing(meterScript(prelude + body));

/**
 * ARGV: id, -, operation, most that may be open, bytes that all may hold, session of the idempotency key that is erased
 * by now, lifetime in ms, ms to keep it, reference picture, and the fields of the record.
 * The unit that the operation reserved becomes the session's, and the operation ends: sessions do not count toward the
 * requests that run at once, and their unit stays reserved when the process that made them is gone.
 */
export const createScript = growingScript(`
local operation, most, mostBytes, erased = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6]
local lifetime, retention, picture = tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9]
if redis.call('EXISTS', session) == 1 then return { 'created', redis.call('HGETALL', session) } end
local made = idem and redis.call('HGET', idem, 'session')
if made and made ~= erased then return { 'repeated', made } end
if redis.call('ZCARD', due) >= most then return { 'full' } end
local old = redis.call('ZRANGEBYSCORE', kept, '-inf', whole(now - retention), 'LIMIT', 0, ${forgottenAtOnce})
for _, one in ipairs(old) do
  redis.call('ZREM', kept, one)
  hold(held, one, 0)
end
local bytes = ${recordBytes} + #picture
for at = 10, #ARGV do bytes = bytes + #ARGV[at] end
if not fits(held, bytes, mostBytes) then return { 'overBytes' } end
local text = take(reservations, operation .. ':0')
if not text then return { 'unreserved' } end
redis.call('HSET', reservations, id .. ':0', text)
redis.call('ZREM', running, '1:' .. operation)

local ends, forgotten = whole(now + lifetime), whole(now + retention)
redis.call('HSET', session, 'status', 'created', 'createdAt', whole(now), 'expiresAt', ends,
  'dataExpiresAt', forgotten, 'begun', 0, 'failures', 0, unpack(ARGV, 10))
redis.call('PEXPIREAT', session, forgotten)
if picture ~= '' then redis.call('SET', reference, picture, 'PXAT', forgotten) end
redis.call('ZADD', due, ends, id)
redis.call('ZADD', kept, whole(now), id)
weigh()
redis.call('HSET', held, 'most', mostBytes)
for _, key in ipairs({ kept, held }) do redis.call('PEXPIREAT', key, forgotten) end
if idem and redis.call('HEXISTS', idem, 'fingerprint') == 1 then redis.call('HSET', idem, 'session', id) end
return { 'created', redis.call('HGETALL', session) }
`);

/**
 * ARGV: id, change, statuses that it leads from with spaces around each, status that it leads to, event or '', what
 * becomes of the unit or '', 'open' (only before the session's time has passed), 'over' (only after), 'left' (only after
 * that of somebody who left) or '', attempt that it must be about or '', attempts that may begin or '', ms of the check's
 * lease or '', ms until who left is not expected any more or '', number of fields of the session that are set, these, and
 * the fields of a new attempt.
 * Answers 1 or 0, whether it was done, and the session; nothing where there is none.
 */
export const changeScript = freeingScript(`
local from, to, event, unit, time, about = unpack(ARGV, 3, 8)
local mostBegun, lease, grace, set = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12])
local known = redis.call('HMGET', session, 'status', 'change', 'expiresAt', 'attemptId', 'begun', 'checkingUntil',
  'leaveAt', 'undecided')
local status, last, ends, current = known[1], known[2], tonumber(known[3]), known[4]
if not status then
  -- The store forgot it before anybody ended it.
  giveBack('expired')
  redis.call('ZREM', due, id)
  hold(held, id, 0)
  return nil
end
if last == change then return answer(1) end
local free = status ~= 'checking' or now >= tonumber(known[6])
if time == 'over' and status == 'checking' then ends = ends + ${lateCheckMs} end
local allowed = from:find(' ' .. status .. ' ', 1, true)
  and (time ~= 'open' or now < ends) and (time ~= 'over' or now >= ends)
  and (time ~= 'left' or now >= tonumber(known[7] or 'inf'))
  and (about == '' or about == current)
  and (not mostBegun or not known[8] and tonumber(known[5]) < mostBegun)
  and (free or (to ~= 'checking' and to ~= 'expired'))
if not allowed then return answer(0) end

redis.call('HSET', session, 'status', to, 'change', change, unpack(ARGV, 13, 12 + 2 * set))
if status == 'created' and to == 'started' then redis.call('HSET', session, 'startedAt', whole(now)) end
if to == 'checking' then
  redis.call('HSET', session, 'checkingUntil', whole(now + lease))
  redis.call('ZADD', due, whole(now + lease), id)
else
  redis.call('HDEL', session, 'checkingUntil')
  if status == 'checking' then
    if to ~= 'completed' then redis.call('HINCRBY', session, 'failures', 1) end
    -- What was judged is not judged again.
    if to == 'started' then redis.call('HDEL', session, 'attemptId') end
    redis.call('DEL', attempt, frames)
  end
end
if to == 'started' then
  local leave = grace and whole(math.min(now + grace, ends))
  if leave then redis.call('HSET', session, 'leaveAt', leave) else redis.call('HDEL', session, 'leaveAt') end
  redis.call('ZADD', due, leave or whole(ends), id)
end
if mostBegun then
  redis.call('HINCRBY', session, 'begun', 1)
  redis.call('HSET', session, 'consentAt', whole(now))
  redis.call('DEL', attempt, frames)
  redis.call('HSET', attempt, unpack(ARGV, 13 + 2 * set))
  redis.call('PEXPIREAT', attempt, redis.call('HGET', session, 'dataExpiresAt'))
end
if unit ~= '' then
  redis.call('HSET', session, 'finishedAt', whole(now))
  redis.call('DEL', reference, attempt, frames)
  redis.call('ZREM', due, id)
  settle(unit)
end
weigh()
if event ~= '' then tell(event) end
return answer(1)
`);

/** ARGV: id, change. Answers 1 or 0, whether it is erased, and the status that it had; nothing where there is none. */
export const eraseScript = freeingScript(`
local status = redis.call('HGET', session, 'status')
if not status then
  giveBack('expired')
  redis.call('ZREM', due, id)
  hold(held, id, 0)
  return nil
end
local judged = status == 'checking' and tonumber(redis.call('HGET', session, 'checkingUntil'))
if judged and now < judged then return { 0, status } end
if judged or status == 'created' or status == 'started' then
  settle('refund')
  tell('session.cancelled')
end
redis.call('DEL', session, reference, attempt, frames)
redis.call('ZREM', due, id)
redis.call('ZREM', kept, id)
hold(held, id, 0)
return { 1, status }
`);

/** KEYS: the set of accounts with sessions. ARGV: account, its score as it was read. */
export const forgetAccountScript = `
if redis.call('ZSCORE', KEYS[1], ARGV[1]) == ARGV[2] then return redis.call('ZREM', KEYS[1], ARGV[1]) end
return 0`;
