/**
 * The Lua of metering. Every key that a script touches belongs to one account and carries its hash tag, so each runs
 * whole, on one node of a cluster as on a single server, and each is one round trip.
 *
 * A request is admitted as an operation with an id and up to 64 items. What its items would use is reserved, one field
 * `operation:index` each, and the operation is entered among the running ones until its lease ends. Settling moves
 * each item from the reservations to the counters and the ledger, or gives it back: the reservation is there to be
 * taken once, so however often a script comes, an item counts once. Leases that ended are swept by whichever script
 * comes next; a swept item is remembered for a week, for a commit that was held up.
 */

/** Names of the keys, in the order in which every script takes them: eight, so that a cluster's client finds them. */
export const keyCount = 8;

const prelude = `
local burst, running, reservations, swept, usage, ledger, journals, idem = unpack(KEYS)
-- Named so where the request has no idempotency key.
if idem:sub(-5) == ':none' then idem = nil end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000

local function record(kind, item, text)
  local mode, month, day, group, product, key = text:match('^([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)$')
  local period = mode .. ':' .. month .. ':'
  -- What was given back cost nothing, and must not fill Redis: of too many only their number is kept.
  if kind == 'commit' or redis.call('HINCRBY', usage, period .. 'returned', 1) <= RETURNED_KEPT then
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
  redis.call('HINCRBY', usage, period .. 'product:' .. product, 1)
end

local function release(text)
  local mode, month, group = text:match('^([^|]*)|([^|]*)|[^|]*|([^|]*)|')
  redis.call('HINCRBY', usage, mode .. ':' .. month .. ':' .. group .. ':reserved', -1)
end

-- Swept items have the time in front.
local function takeSwept(item)
  local text = take(swept, item)
  return text and text:match('^%d+|(.*)$')
end

-- Whether there is nothing left to count: it is counted now, or was under another operation of the idempotency key.
local function commit(operation, index)
  local item = operation .. ':' .. index
  local text = take(reservations, item)
  local held = text
  if held then release(text) else text = takeSwept(item) end
  if not text then return false end
  if idem and redis.call('HEXISTS', idem, index) == 1 then
    if held then record('refund', item, text) end
    return true
  end
  count(item, text)
  -- A key that was forgotten meanwhile stays so.
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
    local items, operation = member:match('^(%d+):(.*)$')
    for index = 0, items - 1 do
      local item = operation .. ':' .. index
      local text = take(reservations, item)
      if text then
        release(text)
        record('expired', item, text)
        redis.call('HSET', swept, item, string.format('%.0f', now) .. '|' .. text)
      end
    end
    redis.call('ZREM', running, member)
  end
  if #due > 0 then forgetSwept() end
  return #due
end
`;

const day = 24 * 60 * 60 * 1000;
const constants = {
  /** How long the ledger keeps its entries: past thirteen months, every month of a year can still be disputed. */
  LEDGER_MS: 400 * day,
  /** How long a swept item is remembered. */
  SWEPT_MS: 7 * day,
  SWEEP_AT_ONCE: 100,
  /** Lines of the ledger for what was given back, of an account in a month: a megabyte. */
  RETURNED_KEPT: 10_000,
};

/** A script that may use the keys and functions above; its own keys come behind those. */
export const meterScript = (body: string) =>
  Object.entries(constants).reduce(
    (text, [name, value]) => text.replaceAll(name, String(value)),
    prelude + body,
  );

/**
 * ARGV: limit, window in ms, cost, concurrency, operation, number of operations in the request, lease in ms,
 * fingerprint, milliseconds to remember the idempotency key, then for each item: index, quota or -1, reservation.
 * The rate follows GCRA (ITU-T I.371): the theoretical arrival time of the next conforming operation is all there is
 * to store. A denied request writes nothing of it.
 * Answers outcome, operations left, ms until all are, ms to wait, and for each item r (reserved), c (counted before)
 * or q (beyond the quota).
 */
export const admitScript = meterScript(`
local limit, window, cost, concurrency = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local operation, operations, lease = ARGV[5], ARGV[6], tonumber(ARGV[7])
local fingerprint, remember = ARGV[8], ARGV[9]

local interval = window / limit
local arrival = math.max(tonumber(redis.call('GET', burst) or '0'), now)
-- Nothing is admitted further ahead than a window: such a time was written before the clock was put back, or under a
-- longer window, and would lock the account out until the clock is there again.
if arrival - now > window + 1 then arrival = now end
local function answer(outcome, wait, items)
  local left = math.max(0, math.floor((window - (arrival - now)) / interval + 1e-6))
  return { outcome, left, math.ceil(arrival - now), math.ceil(wait), items }
end

-- The client of a cluster may send a script again whose answer was lost.
local member = operations .. ':' .. operation
if #ARGV > 9 and redis.call('ZSCORE', running, member) then
  local again = {}
  for at = 10, #ARGV, 3 do
    local held = redis.call('HEXISTS', reservations, operation .. ':' .. ARGV[at]) == 1
    local counted = idem and redis.call('HEXISTS', idem, ARGV[at]) == 1
    again[#again + 1] = held and 'r' or counted and 'c' or 'q'
  end
  return answer('admitted', 0, table.concat(again))
end

local after = arrival + math.min(cost, limit) * interval
if after - now > window + 1e-6 then return answer('burst', after - now - window, '') end
arrival = after
redis.call('SET', burst, string.format('%.3f', arrival), 'PX', math.max(1, math.ceil(arrival - now)))
if #ARGV == 9 then return answer('admitted', 0, '') end

sweep()
local counted = {}
if idem then
  local known = redis.call('HMGET', idem, 'fingerprint', 'member')
  if known[1] then
    if known[1] ~= fingerprint then return answer('mismatch', 0, '') end
    local ends = redis.call('ZSCORE', running, known[2])
    if ends then
      -- The same request has the same lease: what is left of it is more only where the clock was put back.
      if ends - now > lease + 1 then
        ends = now + lease
        redis.call('ZADD', running, string.format('%.0f', ends), known[2])
      end
      return answer('inProgress', ends - now, '')
    end
    for _, field in ipairs(redis.call('HKEYS', idem)) do counted[field] = true end
  else
    redis.call('DEL', idem)
  end
end
if redis.call('ZCARD', running) >= concurrency then return answer('concurrency', 1000, '') end

local states, began, spent = {}, false, {}
for at = 10, #ARGV, 3 do
  local index, quota, text = ARGV[at], tonumber(ARGV[at + 1]), ARGV[at + 2]
  local mode, month, group = text:match('^([^|]*)|([^|]*)|[^|]*|([^|]*)|')
  local field = mode .. ':' .. month .. ':' .. group
  if not spent[field] then
    local amounts = redis.call('HMGET', usage, field .. ':used', field .. ':reserved')
    spent[field] = (tonumber(amounts[1]) or 0) + (tonumber(amounts[2]) or 0)
  end
  local state = 'r'
  if counted[index] then state = 'c' elseif quota >= 0 and spent[field] >= quota then state = 'q' end
  if state == 'r' then
    spent[field] = spent[field] + 1
    redis.call('HINCRBY', usage, field .. ':reserved', 1)
    redis.call('HSET', reservations, operation .. ':' .. index, text)
  end
  began = began or state ~= 'q'
  states[#states + 1] = state
end
if began then
  redis.call('ZADD', running, string.format('%.0f', now + lease), member)
  if idem then
    redis.call('HSET', idem, 'fingerprint', fingerprint, 'member', member)
    redis.call('PEXPIRE', idem, remember)
  end
end
return answer('admitted', 0, table.concat(states))
`);

/**
 * ARGV: operation, number of operations in the request, '1' when the operation ends here, number of commits, the
 * indexes to commit, then those to give back.
 */
export const settleScript = meterScript(`
local operation, operations, ends, commits = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
for at = 5, #ARGV do
  if at < 5 + commits then
    commit(operation, ARGV[at])
  else
    local item = operation .. ':' .. ARGV[at]
    local text = take(reservations, item)
    if text then
      release(text)
      record('refund', item, text)
    else
      redis.call('HDEL', swept, item)
    end
  end
end
if ends == '1' then redis.call('ZREM', running, operations .. ':' .. operation) end
return 1
`);

/**
 * Counts an item whose commit did not reach Redis when it was due.
 * ARGV: journal, sequence number, operation, number of operations in the request, index, fingerprint,
 * milliseconds to remember the idempotency key, and the reservation where there may have been none.
 * A journal's entries come in order; one that came before is passed over.
 */
export const replayScript = meterScript(`
local journal, sequence, operation, operations, index, fingerprint, remember, text = unpack(ARGV)
if tonumber(redis.call('HGET', journals, journal) or '-1') >= tonumber(sequence) then return 1 end
redis.call('HSET', journals, journal, sequence)
redis.call('PEXPIRE', journals, LEDGER_MS)
if commit(operation, index) or text == '' then return 1 end
if idem then
  if redis.call('HEXISTS', idem, index) == 1 then return 1 end
  -- A repetition of the request that runs now has entered itself, and stays.
  redis.call('HSETNX', idem, 'fingerprint', fingerprint)
  redis.call('HSETNX', idem, 'member', operations .. ':' .. operation)
  redis.call('HSET', idem, index, 1)
  redis.call('PEXPIRE', idem, remember)
end
count(operation .. ':' .. index, text)
return 1
`);

/** Answers how many leases had ended. */
export const sweepScript = meterScript(`return sweep()`);
