/**
 * The Lua of captures. All keys belong to one session and carry its account's hash tag: `session:ID`, and of the
 * attempt that runs the hash `:attempt` and the sealed frames in `:frames`, by their numbers. It began when the
 * person's consent was noted.
 *
 * Fields of the attempt: attemptId, movements, timeoutMs, camera and state (sealed), taken (how many frames), top (the
 * highest number among them), `at:NUMBER` (when it arrived, since the attempt began, and the step), `refused:REASON`.
 * Nonces 1 to 3 go out with the attempt and one more with each frame taken, so `taken + 3` are out.
 */
import limits from '@presenza/contract/limits.json';
import { outstanding } from '../../services/liveness/capture/nonces';

const sweptAgainMs = 5_000;
const { maxFramesAccepted } = limits.liveness.attempt;

/**
 * ARGV: attempt, number, how many were taken when the state was made, step, state, number of the frame to drop or 0,
 * and the sealed frame, where it is kept. Answers taken and how many are now, again with how many there are and their
 * state, refused and why, status and which, ended, or full.
 */
export const takeScript = `
local session, attempt, frames = unpack(KEYS)
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local status, began, expires = unpack(redis.call('HMGET', session, 'status', 'consentAt', 'dataExpiresAt'))
if status ~= 'started' then return { 'status', status or '' } end
local number, after, step = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local id, taken, top, timeout = unpack(redis.call('HMGET', attempt, 'attemptId', 'taken', 'top', 'timeoutMs'))
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
if taken ~= after then return { 'again', taken, redis.call('HGET', attempt, 'state') } end
-- Whoever left elsewhere is here.
redis.call('HDEL', session, 'leaveAt')
redis.call('HSET', attempt, 'taken', taken + 1, 'top', math.max(top, number), 'state', ARGV[5],
  'at:' .. number, string.format('%.0f:%s', now - began, step))
if ARGV[7] then
  redis.call('HSET', frames, number, ARGV[7])
  redis.call('PEXPIREAT', frames, expires)
end
-- It may be the very frame, where one comes late.
if ARGV[6] ~= '0' then redis.call('HDEL', frames, ARGV[6]) end
return { 'taken', taken + 1 }
`;

/** KEYS: session, sessions that are due. ARGV: id, checker. */
export const releaseScript = `
local session, due = unpack(KEYS)
local status, change = unpack(redis.call('HMGET', session, 'status', 'change'))
if status ~= 'checking' or change ~= ARGV[2] then return 0 end
local clock = redis.call('TIME')
local now = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
redis.call('HSET', session, 'checkingUntil', now)
-- Whoever asks may judge it at once; the sweep leaves what failed some time.
redis.call('ZADD', due, now + ${sweptAgainMs}, ARGV[1])
return 1
`;
