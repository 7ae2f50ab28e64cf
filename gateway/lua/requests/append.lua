-- Appends requests to the log of an account. Failed ones have a stream of their own, so that a busy account still finds
-- its errors. The ids of both streams are in one order, which pages of both streams follow. A request is a JSON list
-- that begins with its status. The hash `hours` counts requests by hour and by the first digit of their status, so that
-- nobody reads a stream to add them up.
-- @keys passed, failed, hours
-- @args most, retentionMs:number, ...requests
-- @constants HOURS
-- @memory growing
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local ms, place = now, -1
for _, stream in ipairs({ passed, failed }) do
  local newest = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
  if newest then
    local lastMs, lastPlace = string.match(newest[1], '(%d+)-(%d+)')
    lastMs, lastPlace = tonumber(lastMs), tonumber(lastPlace)
    -- The clock of Redis may have been set back.
    if lastMs > ms or (lastMs == ms and lastPlace > place) then ms, place = lastMs, lastPlace end
  end
end
local used, counts = {}, {}
for _, request in ipairs(requests) do
  place = place + 1
  local digit = string.sub(request, 2, 2)
  local stream = tonumber(digit) < 4 and passed or failed
  redis.call('XADD', stream, string.format('%.0f-%.0f', ms, place), 'r', request)
  used[stream] = true
  counts[digit] = (counts[digit] or 0) + 1
end
for _, stream in ipairs({ passed, failed }) do
  if used[stream] then
    redis.call('XTRIM', stream, 'MAXLEN', '~', most)
    redis.call('XTRIM', stream, 'MINID', '~', string.format('%.0f', now - retentionMs))
    redis.call('PEXPIRE', stream, retentionMs)
  end
end
local hour = math.floor(now / 3600000)
local isNew = false
for digit, count in pairs(counts) do
  local field = string.format('%.0f:%s', hour, digit)
  if redis.call('HINCRBY', hours, field, count) == count then isNew = true end
end
if isNew then
  for _, field in ipairs(redis.call('HKEYS', hours)) do
    local age = hour - tonumber(string.match(field, '%d+'))
    -- The clock of Redis may have been set back.
    if age >= HOURS or age < 0 then redis.call('HDEL', hours, field) end
  end
end
redis.call('PEXPIRE', hours, HOURS * 3600000)
