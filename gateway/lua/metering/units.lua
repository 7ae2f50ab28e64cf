-- Functions that count, release and refund units, which all scripts of metering share. All keys belong to one account and
-- carry its hash tag, so a script runs on one node of a cluster, as a whole, in one round trip.
--
-- The gateway admits a request under an id, with up to 64 items. Each item reserves one unit in the field
-- `admissionId:index`, and the admission is listed as running until its lease ends. Settling moves an item from the
-- reservations to the counters and the ledger, or refunds it. A reservation can be taken only once, so an item counts
-- once even if a script runs twice. The next admission, a read of the account's usage and a periodic job sweep leases that
-- have expired. A swept item is remembered for a week, in case its commit arrives late.
-- @keys burst, reads, running, reservations, swept, usage, ledger, journals, idem
local DAY_MS = 24 * 60 * 60 * 1000
-- How long the ledger keeps an entry. With 400 days, every month of a year can still be disputed.
local LEDGER_MS = 400 * DAY_MS
-- How long a swept item is remembered for a late commit.
local SWEPT_MS = 7 * DAY_MS
local SWEEP_AT_ONCE = 100
-- Ledger entries for refunds, per account and month: about a megabyte.
local REFUNDS_KEPT = 10000

-- Without an Idempotency-Key, `idem` is nil.
if idem:sub(-5) == ':none' then idem = nil end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000

local function record(kind, item, text)
  local mode, month, day, group, product, key = text:match('^([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)$')
  local period = mode .. ':' .. month .. ':'
  -- Refunds cost nothing and must not fill Redis: above the limit, the ledger only counts them.
  if kind == 'commit' or redis.call('HINCRBY', usage, period .. 'returned', 1) <= REFUNDS_KEPT then
    local oldest = string.format('%.0f', now - LEDGER_MS)
    redis.call('XADD', ledger, 'MINID', '~', oldest, '*', 'kind', kind, 'item', item, 'mode', mode, 'month', month,
      'day', day, 'group', group, 'product', product, 'key', key)
  end
  return period, group, day, product
end

local function take(hash, item)
  local text = redis.call('HGET', hash, item)
  if text then redis.call('HDEL', hash, item) end
  return text
end

local function count(item, text)
  local period, group, day, product = record('commit', item, text)
  redis.call('HINCRBY', usage, period .. group .. ':used', 1)
  redis.call('HINCRBY', usage, period .. group .. ':day:' .. day, 1)
  redis.call('HINCRBY', usage, period .. 'product:' .. product .. ':day:' .. day, 1)
end

local function release(text)
  local mode, month, group = text:match('^([^|]*)|([^|]*)|[^|]*|([^|]*)|')
  redis.call('HINCRBY', usage, mode .. ':' .. month .. ':' .. group .. ':reserved', -1)
end

-- Gives a reserved item back. Returns its reservation, or nil if it has none.
local function refund(kind, item)
  local text = take(reservations, item)
  if text then
    release(text)
    record(kind, item, text)
  end
  return text
end

-- The value of a swept item begins with the time of the sweep.
local function takeSwept(item)
  local text = take(swept, item)
  return text and text:match('^%d+|(.*)$')
end

-- Returns whether the item needs no further count: it is counted now, or another admission with the same idempotency
-- key counted it.
local function commit(admissionId, index)
  local item = admissionId .. ':' .. index
  local text = take(reservations, item)
  local held = text
  if held then release(text) else text = takeSwept(item) end
  if not text then return false end
  if idem and redis.call('HEXISTS', idem, index) == 1 then
    if held then record('refund', item, text) end
    return true
  end
  count(item, text)
  -- An idempotency key that expired in the meantime is not created again.
  if idem and redis.call('HEXISTS', idem, 'fingerprint') == 1 then redis.call('HSET', idem, index, 1) end
  return true
end

local function forgetSwept()
  local items = redis.call('HGETALL', swept)
  for at = 1, #items, 2 do
    if tonumber(items[at + 1]:match('^%d+')) < now - SWEPT_MS then redis.call('HDEL', swept, items[at]) end
  end
end

local function sweep()
  local due = redis.call('ZRANGEBYSCORE', running, '-inf', now, 'LIMIT', 0, SWEEP_AT_ONCE)
  for _, member in ipairs(due) do
    local items, admissionId = member:match('^(%d+):(.*)$')
    for index = 0, items - 1 do
      local item = admissionId .. ':' .. index
      local text = refund('expired', item)
      if text then redis.call('HSET', swept, item, string.format('%.0f', now) .. '|' .. text) end
    end
    redis.call('ZREM', running, member)
  end
  if #due > 0 then forgetSwept() end
  return #due
end
