-- Replaces the texts of entries, unless another call has replaced them in the meantime. Redis cannot change an entry of a
-- stream, so the new texts are beside it until a copy contains them. A copy that has begun may have the old ones.
-- Returns the entries with another text than `before`, as `XRANGE` does. Entries that are gone are not among them.
-- @keys stream, replaced, copy
-- @args ...changes
-- @memory growing
redis.call('DEL', copy)
local left = {}
for i = 1, #changes, 3 do
  local id, before, after = changes[i], changes[i + 1], changes[i + 2]
  local row = redis.call('XRANGE', stream, id, id)[1]
  if row then
    local text = redis.call('HGET', replaced, id) or row[2][2]
    if text == before then
      redis.call('HSET', replaced, id, after)
    else
      left[#left + 1] = { id, { row[2][1], text } }
    end
  end
end
return left
