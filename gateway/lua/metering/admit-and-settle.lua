-- Carries out admissions and then settlements of one account, each as if it were alone: an error of one leaves the
-- others in effect. Both lists are JSON; `idem` of an entry is the position of its key in `idempotencyKeys`. Returns a
-- reply for each, in order, which is an error where one failed.
-- Admissions come first because Redis without memory refuses the writes of a script only until one of them has taken
-- effect: a settlement before them would let them pass.
-- @include metering/admit
-- @include metering/settle
-- @keys ...idempotencyKeys
-- @args admissions, settlements
local replies = {}
local function carryOut(act, list)
  for _, one in ipairs(cjson.decode(list)) do
    idem = idempotencyKeys[one.idem]
    local done, reply = pcall(act, one)
    -- An error of a command is a table, and one of Lua a string.
    replies[#replies + 1] = done and reply or { err = reply.err or reply }
  end
end
carryOut(admit, admissions)
carryOut(settle, settlements)
return replies
