-- Records an alert and adds its event to the account's outbox. Returns 1 the first time, later 0.
-- @keys usage, outbox
-- @args mark, used, id, type, details
-- @memory growing
if redis.call('HSETNX', usage, mark, used) == 0 then return 0 end
local clock = redis.call('TIME')
local at = string.format('%.0f', clock[1] * 1000 + clock[2] / 1000)
redis.call('XADD', outbox, '*', 'id', id, 'type', type, 'at', at, 'mode', 'live', 'usage', details)
return 1
