-- Accepts a frame. `after` is the number of accepted frames when `newState` was computed, `dropped` the number of a
-- frame to drop or 0, `image` the sealed frame or an empty text if the frame is only counted, `asks` 1 if the response
-- asks for a turn, which spends one of the session's attempts. Returns taken and the new
-- number of accepted frames; outdated, their number and the state if another frame came in between; overBytes if the
-- account's sessions use too much memory, or this one too much of it; or a refusal of `liveness/frame`.
-- @include liveness/frame
-- @args id, after:number, step, newState, dropped:number, image, asks:number
-- @memory growing
if taken ~= after then return { 'outdated', taken, state } end
-- A frame that was overtaken may itself be the one to drop.
if dropped == number then dropped, image = 0, '' end
local bytes = #image - redis.call('HSTRLEN', frames, dropped)
local limit = redis.call('HGET', held, 'most')
if bytes > 0 and limit and not leavesRoom(held, id, bytes, tonumber(limit)) then return { 'overBytes' } end
if asks == 1 and redis.call('HSETNX', attempt, 'asked', 1) == 1 then redis.call('HINCRBY', session, 'spent', 1) end
-- The user has returned on this page.
redis.call('HDEL', session, 'leaveAt')
redis.call('HSET', attempt, 'taken', taken + 1, 'top', math.max(top, number), 'state', newState,
  'at:' .. number, string.format('%.0f:%s', now - began, step))
redis.call('HINCRBY', attempt, 'bytes', bytes)
hold(held, id, tonumber(redis.call('HGET', held, id) or '0') + bytes)
if image ~= '' then
  redis.call('HSET', frames, number, image)
  redis.call('PEXPIREAT', frames, expires)
end
redis.call('HDEL', frames, dropped)
return { 'taken', taken + 1 }
