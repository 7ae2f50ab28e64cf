/**
 * The Lua of captures. All keys belong to one session and carry its account's hash tag: `session:ID`, and of the
 * attempt that runs the hash `:attempt` and the sealed frames in `:frames`, by their numbers. It began when the
 * person's consent was noted.
 *
 * Fields of the attempt: attemptId, movements, timeoutMs, camera and state (sealed), taken (how many frames), top (the
 * highest number among them), bytes (of the sealed frames), `at:NUMBER` (when it arrived, since the attempt began, and
 * the step), `refused:REASON`.
 * Nonces 1 to 3 go out with the attempt and one more with each frame taken, so `taken + 3` are out.
 */
import limits from '@presenza/contract/limits.json';
import { outstanding } from '../../services/liveness/capture/nonces';
import { freeing, growing } from '../memory';
import { holdScript } from './held-bytes';

const sweptAgainMs = 5_000;
const { maxFramesAccepted } = limits.liveness.attempt;

/** Answers refused and why, status and which, ended, or full, unless the frame with that number may come next. */
const prelude = `${holdScript}
local session, attempt, frames, held = unpack(KEYS)
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local number = tonumber(ARGV[2])
local status, began, expires = unpack(redis.call('HMGET', session, 'status', 'consentAt', 'dataExpiresAt'))
if status ~= 'started' then return { 'status', status or '' } end
local id, movements, state, taken, top, timeout = unpack(
  redis.call('HMGET', attempt, 'attemptId', 'movements', 'state', 'taken', 'top', 'timeoutMs'))
if id ~= ARGV[1] then return { 'ended' } end
taken, top = tonumber(taken), tonumber(top or '0')
local function refuse(reason)
  redis.call('HINCRBY', attempt, 'refused:' .. reason, 1)
  return { 'refused', reason }
end
if number < 1 or number > taken + ${outstanding} then return refuse('foreign') end
if redis.call('HEXISTS', attempt, 'at:' .. number) == 1 then return refuse('repeated') end
if number <= top - ${outstanding} then return refuse('stale') end
if now > began + timeout then return { 'ended' } end
if taken >= ${maxFramesAccepted} then return { 'full' } end
`;

/** ARGV: attempt, number. Answers expected, how many were taken, the state and the movements, or as above. */
export const expectScript = growing(`${prelude}
return { 'expected', taken, state, movements }
`);

/**
 * ARGV: attempt, number, session, how many were taken when the state was made, step, state, number of the frame to drop
 * or 0, and the sealed frame, where it is kept. Answers taken and how many are now, again with how many there are and
 * their state, heavy where the account's sessions hold too much, or as above.
 */
export const takeScript = growing(`${prelude}
local after, step, dropped, image = tonumber(ARGV[4]), ARGV[5], ARGV[7], ARGV[8]
if taken ~= after then return { 'outdated', taken, state } end
-- One that comes late may itself be the one to go.
if dropped == ARGV[2] then dropped, image = '0', nil end
local bytes = (image and #image or 0) - redis.call('HSTRLEN', frames, dropped)
local most = redis.call('HGET', held, 'most')
if bytes > 0 and most and not fits(held, bytes, tonumber(most)) then return { 'overBytes' } end
-- Whoever left elsewhere is here.
redis.call('HDEL', session, 'leaveAt')
redis.call('HSET', attempt, 'taken', taken + 1, 'top', math.max(top, number), 'state', ARGV[6],
  'at:' .. number, string.format('%.0f:%s', now - began, step))
redis.call('HINCRBY', attempt, 'bytes', bytes)
hold(held, ARGV[3], tonumber(redis.call('HGET', held, ARGV[3]) or '0') + bytes)
if image then
  redis.call('HSET', frames, number, image)
  redis.call('PEXPIREAT', frames, expires)
end
redis.call('HDEL', frames, dropped)
return { 'taken', taken + 1 }
`);

/** KEYS: session, sessions that are due. ARGV: id, checker. */
export const releaseScript = freeing(`
local session, due = unpack(KEYS)
local status, change = unpack(redis.call('HMGET', session, 'status', 'change'))
if status ~= 'checking' or change ~= ARGV[2] then return 0 end
local clock = redis.call('TIME')
local now = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
redis.call('HSET', session, 'checkingUntil', now)
-- Whoever asks may judge it at once; the sweep leaves what failed some time.
redis.call('ZADD', due, now + ${sweptAgainMs}, ARGV[1])
return 1
`);
