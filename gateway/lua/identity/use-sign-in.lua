-- Finds a sign-in by the hash of its secret, notes its use, prolongs it by `idle` and replaces a secret that is older than
-- `rotation` by `next`. The secret before works for `grace` more; after that, its use ends the sign-in. Times in ms.
-- Returns the record and whether the secret was replaced (1 or 0); nil without such a sign-in.
-- @keys signIn
-- @args secret, next, idle:number, rotation:number, grace:number
local record, current, previous, rotatedAt = unpack(redis.call('HMGET', signIn, 'record', 'current', 'previous',
  'rotatedAt'))
if not record then return nil end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local age = now - tonumber(rotatedAt)
if secret ~= current then
  if secret ~= previous then return nil end
  if age >= grace then
    redis.call('DEL', signIn)
    return nil
  end
  return { record, 0 }
end
redis.call('PEXPIRE', signIn, idle)
redis.call('HSET', signIn, 'usedAt', string.format('%.0f', now))
if age < rotation then return { record, 0 } end
redis.call('HSET', signIn, 'previous', current, 'current', next, 'rotatedAt', string.format('%.0f', now))
return { record, 1 }
