-- Replaces a stream by a copy of its entries. A deleted entry only gets a mark: its text stays in memory and in the files of
-- Redis while other entries share its block.
-- @keys stream, copy
-- @memory freeing
redis.call('DEL', copy)
local from, rows = '-', nil
repeat
  rows = redis.call('XRANGE', stream, from, '+', 'COUNT', 1000)
  for _, row in ipairs(rows) do
    redis.call('XADD', copy, row[1], unpack(row[2]))
    from = '(' .. row[1]
  end
until #rows < 1000
if redis.call('EXISTS', copy) == 1 then redis.call('RENAME', copy, stream) else redis.call('DEL', stream) end
