-- Reserves a seat of an account for an invitation, which ends in `lifetime` ms, and frees those of other invitations.
-- Members and seats together are at most `most`. Returns 1 if it did, 0 if the account is full.
-- @keys members, seats
-- @args invitation, lifetime:number, most:number
-- @args ...freed
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZREMRANGEBYSCORE', seats, '-inf', string.format('%.0f', now))
for _, ended in ipairs(freed) do redis.call('ZREM', seats, ended) end
if redis.call('HLEN', members) + redis.call('ZCARD', seats) >= most then return 0 end
redis.call('ZADD', seats, string.format('%.0f', now + lifetime), invitation)
redis.call('PEXPIRE', seats, lifetime)
return 1
