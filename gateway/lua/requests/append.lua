-- Appends requests to the log of an account. Failed ones have a stream of their own, so that a busy account still finds
-- its errors. The ids of both streams are in one order, which pages of both streams follow. A request is a JSON list
-- that begins with its status.
-- @keys passed, failed
-- @args most, retentionMs:number, ...requests
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
local used = {}
for _, request in ipairs(requests) do
  place = place + 1
  local stream = tonumber(string.sub(request, 2, 4)) < 400 and passed or failed
  redis.call('XADD', stream, string.format('%.0f-%.0f', ms, place), 'r', request)
  used[stream] = true
end
for _, stream in ipairs({ passed, failed }) do
  if used[stream] then
    redis.call('XTRIM', stream, 'MAXLEN', '~', most)
    redis.call('XTRIM', stream, 'MINID', '~', string.format('%.0f', now - retentionMs))
    redis.call('PEXPIRE', stream, retentionMs)
  end
end
