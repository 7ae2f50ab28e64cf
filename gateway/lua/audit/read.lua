-- Reads entries of a stream, with the texts that replace theirs. In one step, because a copy takes those texts over.
-- @keys stream, replaced
-- @args command, first, last, count
local rows = redis.call(command, stream, first, last, 'COUNT', count)
if redis.call('EXISTS', replaced) == 0 then return rows end
for _, row in ipairs(rows) do row[2][2] = redis.call('HGET', replaced, row[1]) or row[2][2] end
return rows
