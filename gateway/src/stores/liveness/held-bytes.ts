/**
 * The Lua that keeps count of what an account's sessions hold in Redis: `hold` says how many bytes one holds from now
 * on, and is told 0 when the store forgets it. What a session holds is weighed anew with each change, so no error adds up.
 */
export const holdScript = `
local function hold(held, id, bytes)
  local more = bytes - tonumber(redis.call('HGET', held, id) or '0')
  if more == 0 then return end
  if bytes == 0 then redis.call('HDEL', held, id) else redis.call('HSET', held, id, bytes) end
  redis.call('HINCRBY', held, 'total', more)
end

local function fits(held, more, most)
  return tonumber(redis.call('HGET', held, 'total') or '0') + more <= most
end
`;
