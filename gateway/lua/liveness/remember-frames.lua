-- Remembers the fingerprints of the frames of an attempt that is being checked, and reports which of them another session
-- of the account left. Earlier attempts of the session do not count, because none of them passed, and a person who tries
-- again sits where they sat. A repeated check of the attempt gets the reply of the first. `hours` are the account's sets of
-- fingerprints: first that of the session, which ends at `ends`, then the others. `remembered` lists those that the session
-- added: at most MAX_FINGERPRINTS, which take less memory than the frames that the end of the check frees. The oldest make
-- room for new ones, because they are of attempts that failed, and only frames of an attempt that passes are worth a replay.
-- Returns a text with a 1 for each fingerprint that was known and a 0 for each other; nil if another attempt runs, or none.
-- @include liveness/held
-- @keys session, attempt, remembered, held, ...hours
-- @args id, attemptId, ends:number, ...fingerprints
-- @constants MAX_FINGERPRINTS
-- @memory freeing
if redis.call('HGET', attempt, 'attemptId') ~= attemptId then return nil end
local before = redis.call('HGET', attempt, 'known')
if before then return before end

local list, own = redis.call('GET', remembered) or '', {}
for at = 1, #list, FINGERPRINT_LENGTH do own[list:sub(at, at + FINGERPRINT_LENGTH - 1)] = true end
local known = {}
for i = 1, #fingerprints do known[i] = 0 end
for _, hour in ipairs(hours) do
  for i, is in ipairs(redis.call('SMISMEMBER', hour, unpack(fingerprints))) do
    if is == 1 and not own[fingerprints[i]] then known[i] = 1 end
  end
end

local added = {}
for i, fingerprint in ipairs(fingerprints) do
  if known[i] == 0 and not own[fingerprint] then added[#added + 1] = fingerprint end
end
if #added > 0 then
  local dropped = math.max(0, #list / FINGERPRINT_LENGTH + #added - MAX_FINGERPRINTS)
  for at = 1, dropped * FINGERPRINT_LENGTH, FINGERPRINT_LENGTH do
    redis.call('SREM', hours[1], list:sub(at, at + FINGERPRINT_LENGTH - 1))
  end
  redis.call('SADD', hours[1], unpack(added))
  redis.call('PEXPIREAT', hours[1], string.format('%.0f', ends))
  local kept = list:sub(dropped * FINGERPRINT_LENGTH + 1) .. table.concat(added)
  redis.call('SET', remembered, kept, 'PXAT', redis.call('HGET', session, 'dataExpiresAt'))
  hold(held, id, tonumber(redis.call('HGET', held, id) or '0') + (#added - dropped) * FINGERPRINT_BYTES)
end
local reply = table.concat(known)
redis.call('HSET', attempt, 'known', reply)
return reply
