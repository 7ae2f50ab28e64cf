-- Counts an item whose commit did not reach Redis in time. Entries of a journal arrive in order; the script skips one
-- that it has already seen. `text` is the reservation if the item counts even where Redis does not have it, otherwise
-- empty. Returns -1 if Redis does not have the account, and 0 if it does not have the reservation and `text` is empty;
-- neither records the entry as seen.
-- @include metering/units
-- @keys account
-- @args journal, sequence, admissionId, operations, index, fingerprint, remember, text
if redis.call('EXISTS', account) == 0 then return -1 end
if tonumber(redis.call('HGET', journals, journal) or '-1') >= tonumber(sequence) then return 1 end
local counted = commit(admissionId, index)
if not counted and text == '' then return 0 end
redis.call('HSET', journals, journal, sequence)
redis.call('PEXPIRE', journals, LEDGER_MS)
if counted then return 1 end
if idem then
  if redis.call('HEXISTS', idem, index) == 1 then return 1 end
  -- A repeated request that is running keeps its own entry.
  redis.call('HSETNX', idem, 'fingerprint', fingerprint)
  redis.call('HSETNX', idem, 'member', operations .. ':' .. admissionId)
  redis.call('HSET', idem, index, 1)
  redis.call('PEXPIRE', idem, remember)
end
count(admissionId .. ':' .. index, text)
return 1
