-- Commits some items of an operation, refunds others, and ends the operation if `ends` is 1.
-- `indexes` begins with the `commits` items to commit; the items to refund follow.
-- @include metering/prelude
-- @args operation, operations, ends, commits:number, ...indexes
for at, index in ipairs(indexes) do
  if at <= commits then
    commit(operation, index)
  else
    local item = operation .. ':' .. index
    if not refund('refund', item) then redis.call('HDEL', swept, item) end
  end
end
if ends == '1' then redis.call('ZREM', running, operations .. ':' .. operation) end
return 1
