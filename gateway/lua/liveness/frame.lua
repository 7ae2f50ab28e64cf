-- Checks that the scripts for frames share. Unless the frame with this number may come next, they return refused with the
-- reason, status with the session's status, ended, or full.
--
-- All keys belong to one session: its hash, the hash of its running attempt, and the sealed frames by number. The attempt
-- began when the session recorded the user's consent. Fields of the attempt: attemptId, movements, timeoutMs, camera and
-- state (sealed), taken (number of accepted frames), top (highest number among them), bytes (of the sealed frames),
-- at:NUMBER (arrival since the attempt began, and step), refused:REASON, asked
-- (1 once the attempt counts among the session's spent ones).
--
-- The attempt starts with OUTSTANDING nonces, and each accepted frame issues one more.
-- @include liveness/held
-- @keys session, attempt, frames, held
-- @args attemptId, number:number
-- @constants OUTSTANDING, MAX_FRAMES
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local status, began, expires = unpack(redis.call('HMGET', session, 'status', 'consentAt', 'dataExpiresAt'))
if status ~= 'started' then return { 'status', status or '' } end
local current, movements, state, taken, top, timeout = unpack(
  redis.call('HMGET', attempt, 'attemptId', 'movements', 'state', 'taken', 'top', 'timeoutMs'))
if current ~= attemptId then return { 'ended' } end
taken, top = tonumber(taken), tonumber(top or '0')
local function refuse(reason)
  redis.call('HINCRBY', attempt, 'refused:' .. reason, 1)
  return { 'refused', reason }
end
if number < 1 or number > taken + OUTSTANDING then return refuse('foreign') end
if redis.call('HEXISTS', attempt, 'at:' .. number) == 1 then return refuse('repeated') end
if number <= top - OUTSTANDING then return refuse('stale') end
if now > began + timeout then return { 'ended' } end
if taken >= MAX_FRAMES then return { 'full' } end
