-- Adds an incident. Incidents that ended before `oldestEnd` make room, and then the one that ended first.
-- @keys incidents
-- @args id, incident, most:number, oldestEnd:number, now:number
local first, firstEnd
local fields = redis.call('HGETALL', incidents)
for at = 1, #fields, 2 do
  local ends = tonumber(cjson.decode(fields[at + 1]).endsAt)
  if ends and ends < oldestEnd then
    redis.call('HDEL', incidents, fields[at])
  elseif ends and ends <= now and (not firstEnd or ends < firstEnd) then
    first, firstEnd = fields[at], ends
  end
end
if redis.call('HLEN', incidents) >= most then
  if not first then return 'full' end
  redis.call('HDEL', incidents, first)
end
redis.call('HSET', incidents, id, incident)
return 'added'
