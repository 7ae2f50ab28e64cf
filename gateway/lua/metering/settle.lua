-- Defines `settle`. It commits some items of an `operation`, refunds others, and ends it if `ends` is true. `operations`
-- is the number that it was admitted with; `commits` and `refunds` are indexes of items. Returns the indexes of commits
-- without a reservation.
-- @include metering/prelude
local function settle(settlement)
  local operation = settlement.operation
  local missing = {}
  for _, index in ipairs(settlement.commits) do
    if not commit(operation, index) then missing[#missing + 1] = index end
  end
  for _, index in ipairs(settlement.refunds) do
    local item = operation .. ':' .. index
    if not refund('refund', item) then redis.call('HDEL', swept, item) end
  end
  if settlement.ends then redis.call('ZREM', running, settlement.operations .. ':' .. operation) end
  return missing
end
