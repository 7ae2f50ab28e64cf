-- Defines `settle`. It commits some items of an admission, refunds others, and ends it if `ends` is true. `operations` is
-- the number that was admitted; `commits` and `refunds` are indexes of items. Returns the indexes of commits without a
-- reservation.
-- @include metering/units
local function settle(settlement)
  local admissionId = settlement.admissionId
  local missing = {}
  for _, index in ipairs(settlement.commits) do
    if not commit(admissionId, index) then missing[#missing + 1] = index end
  end
  for _, index in ipairs(settlement.refunds) do
    local item = admissionId .. ':' .. index
    if not refund('refund', item) then redis.call('HDEL', swept, item) end
  end
  if settlement.ends then redis.call('ZREM', running, settlement.operations .. ':' .. admissionId) end
  return missing
end
