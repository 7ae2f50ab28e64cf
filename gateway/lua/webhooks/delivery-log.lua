-- Functions that the scripts of the delivery log share. `records` is the prefix of the keys of the records, `order` and
-- `dead` sort all deliveries and the dead letters by their creation, `failing` holds when each endpoint began to fail.
-- @keys records, order, dead, failing
-- @constants RETENTION_MS, MAX_DELIVERIES
-- A delivery stays in the order longer than its attempts and the retention of its record take.
local ORDER_MS = 2 * RETENTION_MS
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local function keyOf(id) return records .. ':' .. id end

local function trim()
  local old = redis.call('ZRANGEBYSCORE', order, '-inf', now - ORDER_MS, 'LIMIT', 0, 100)
  local surplus = redis.call('ZCARD', order) - #old - MAX_DELIVERIES
  if surplus > 0 then
    for _, id in ipairs(redis.call('ZRANGE', order, #old, #old + surplus - 1)) do old[#old + 1] = id end
  end
  for _, id in ipairs(old) do
    redis.call('DEL', keyOf(id))
    redis.call('ZREM', order, id)
    redis.call('ZREM', dead, id)
  end
  for _, key in ipairs({ order, dead }) do redis.call('PEXPIRE', key, ORDER_MS) end
  redis.call('PEXPIRE', failing, RETENTION_MS)
end
