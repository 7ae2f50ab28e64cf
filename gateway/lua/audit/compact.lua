-- Copies some entries of a stream, from where its copy ends, with the texts that replace theirs. The call that copies the
-- last ones puts the copy in place of the stream, unless entries were deleted that the copy still has. A deleted or replaced
-- entry only gets a mark: its text stays in memory and in the files of Redis while other entries share its block.
-- Any gateway may continue a copy: entries are only appended, and a replaced text removes the copy.
-- Returns `more`, `done` once the copy is in place, or `again` if the copy was dropped.
-- @keys stream, replaced, copy
-- @args count:number, ttl:number
-- @memory freeing
local newest = redis.call('XREVRANGE', copy, '+', '-', 'COUNT', 1)[1]
local rows = redis.call('XRANGE', stream, newest and '(' .. newest[1] or '-', '+', 'COUNT', count)
for _, row in ipairs(rows) do
  redis.call('XADD', copy, row[1], row[2][1], redis.call('HGET', replaced, row[1]) or row[2][2])
end
if #rows == count then
  redis.call('PEXPIRE', copy, ttl)
  return 'more'
end
local left = redis.call('XLEN', stream)
if redis.call('XLEN', copy) ~= left then
  redis.call('DEL', copy)
  return 'again'
end
if left > 0 then
  redis.call('PERSIST', copy)
  redis.call('RENAME', copy, stream)
end
redis.call('DEL', replaced)
return 'done'
