-- Adds an API key. It replaces the record `before`, which all gateways forget; an empty `before` means that no key has the
-- id. If the account has the maximum number of keys, the key that ended first makes room.
-- Returns the hash of the removed key, an empty text if none was removed, 0 if the id now has another record, or nil if
-- all keys still work.
-- @keys keys, uses
-- @args id, before, record, most:number, now:number, channel, account
local dropped = ''
local known = redis.call('HGET', keys, id) or ''
if known ~= before then return 0 end
if known ~= '' then
  dropped = cjson.decode(known).hash
  redis.call('PUBLISH', channel, account)
elseif redis.call('HLEN', keys) >= most then
  local first, oldest
  for _, text in ipairs(redis.call('HVALS', keys)) do
    local key = cjson.decode(text)
    local ended = math.min(key.revokedAt or math.huge, key.expiresAt or math.huge)
    if ended <= now and ended < (first or math.huge) then first, oldest = ended, key end
  end
  if not oldest then return nil end
  redis.call('HDEL', keys, oldest.id)
  redis.call('HDEL', uses, oldest.id)
  dropped = oldest.hash
end
redis.call('HSET', keys, id, record)
return dropped
