-- Copies some entries of a stream, from `from` on. The call that copies the last ones puts the copy in place of the stream,
-- unless entries were deleted that the copy still has. A deleted entry only gets a mark: its text stays in memory and in the
-- files of Redis while other entries share its block.
-- Returns where the next call begins, an empty text once the copy is in place, or `again` if the copy was dropped.
-- @keys stream, copy
-- @args from, count:number, ttl:number
-- @memory freeing
local rows = redis.call('XRANGE', stream, from, '+', 'COUNT', count)
for _, row in ipairs(rows) do redis.call('XADD', copy, row[1], unpack(row[2])) end
if #rows == count then
  redis.call('PEXPIRE', copy, ttl)
  return '(' .. rows[#rows][1]
end
local left = redis.call('XLEN', stream)
if redis.call('XLEN', copy) ~= left then
  redis.call('DEL', copy)
  return 'again'
end
if left == 0 then return '' end
redis.call('PERSIST', copy)
redis.call('RENAME', copy, stream)
return ''
