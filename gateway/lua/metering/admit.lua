-- Defines `admit`. It checks the rate, the concurrency and the idempotency key of a request, and reserves its items.
-- The rate follows GCRA (ITU-T I.371): the theoretical arrival time of the next conforming operation is the only state.
-- A request over its rate writes nothing; one that is rejected for another reason counts toward the rate. Without items,
-- `admit` only counts the request toward the rate. An `owed` one counts also past the limit, by a window at most, so that
-- the next ones wait longer.
-- A request has an `admissionId`, a number of `operations`, `reads` if they count toward the rate of reading, `limit` and
-- `window` of the rate, the `concurrency` of its account, a `lease` in ms, a `fingerprint` if it has an idempotency
-- key, and `items`: index as text, quota or -1, reservation.
-- `admit` returns the outcome, the operations left, ms until all are left again, ms to wait, per item r (reserved),
-- c (counted before), q (over quota) or h (others hold the rest of the quota), and the time in ms. Units that the request
-- itself reserves count as used, because it succeeds as a rule.
-- @include metering/units
-- @constants REMEMBER_MS
local function admit(request)
  local admissionId, items, window, lease = request.admissionId, request.items, request.window, request.lease
  local rate = request.reads and reads or burst
  local interval = window / request.limit
  local arrival = math.max(tonumber(redis.call('GET', rate) or '0'), now)
  -- An arrival time more than two windows ahead predates a clock change or a shorter window. It would lock the account out.
  if arrival - now > 2 * window + 1 then arrival = now end
  local function reply(outcome, wait, states)
    local left = math.max(0, math.floor((window - (arrival - now)) / interval + 1e-6))
    return { outcome, left, math.ceil(arrival - now), math.ceil(wait), states, math.floor(now) }
  end

  -- The cluster client resends a script if its reply is lost.
  local member = request.operations .. ':' .. admissionId
  if #items > 0 and redis.call('ZSCORE', running, member) then
    local again = {}
    for _, item in ipairs(items) do
      local held = redis.call('HEXISTS', reservations, admissionId .. ':' .. item[1]) == 1
      local counted = idem and redis.call('HEXISTS', idem, item[1]) == 1
      again[#again + 1] = held and 'r' or counted and 'c' or 'q'
    end
    return reply('admitted', 0, table.concat(again))
  end

  local after = arrival + math.min(request.operations, request.limit) * interval
  if request.owed then after = math.min(after, now + 2 * window)
  elseif after - now > window + 1e-6 then return reply('burst', after - now - window, '') end
  arrival = after
  redis.call('SET', rate, string.format('%.3f', arrival), 'PX', math.max(1, math.ceil(arrival - now)))
  if #items == 0 then return reply('admitted', 0, '') end

  sweep()
  local counted = {}
  if idem then
    local known = redis.call('HMGET', idem, 'fingerprint', 'member')
    if known[1] then
      if known[1] ~= request.fingerprint then return reply('mismatch', 0, '') end
      local ends = redis.call('ZSCORE', running, known[2])
      if ends then
        -- A repeated request has the same lease, so more time can be left only if the clock was set back.
        if ends - now > lease + 1 then
          ends = now + lease
          redis.call('ZADD', running, string.format('%.0f', ends), known[2])
        end
        return reply('inProgress', ends - now, '')
      end
      for _, field in ipairs(redis.call('HKEYS', idem)) do counted[field] = true end
    else
      redis.call('DEL', idem)
    end
  end
  if redis.call('ZCARD', running) >= request.concurrency then return reply('concurrency', 1000, '') end

  local states, began, spent = {}, false, {}
  for _, item in ipairs(items) do
    local index, quota, text = item[1], item[2], item[3]
    local mode, month, group = text:match('^([^|]*)|([^|]*)|[^|]*|([^|]*)|')
    local field = mode .. ':' .. month .. ':' .. group
    if not spent[field] then
      local amounts = redis.call('HMGET', usage, field .. ':used', field .. ':reserved')
      spent[field] = { used = tonumber(amounts[1]) or 0, held = tonumber(amounts[2]) or 0 }
    end
    local units = spent[field]
    local state = 'r'
    if counted[index] then state = 'c'
    elseif quota >= 0 and units.used >= quota then state = 'q'
    elseif quota >= 0 and units.used + units.held >= quota then state = 'h' end
    if state == 'r' then
      units.used = units.used + 1
      redis.call('HINCRBY', usage, field .. ':reserved', 1)
      redis.call('HSET', reservations, admissionId .. ':' .. index, text)
    end
    began = began or state == 'r' or state == 'c'
    states[#states + 1] = state
  end
  if began then
    redis.call('ZADD', running, string.format('%.0f', now + lease), member)
    if idem then
      redis.call('HSET', idem, 'fingerprint', request.fingerprint, 'member', member)
      redis.call('PEXPIRE', idem, REMEMBER_MS)
    end
  end
  return reply('admitted', 0, table.concat(states))
end
