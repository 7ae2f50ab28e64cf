-- Adds a user unless the id or the email address belongs to somebody. Returns 1 if it did, also for a repetition of the
-- same call, which a client of a cluster may send.
-- @keys users, emails
-- @args id, record, email
local known = redis.call('HGET', users, id)
if known then return known == record and 1 or 0 end
if redis.call('HSETNX', emails, email, id) == 0 and redis.call('HGET', emails, email) ~= id then return 0 end
redis.call('HSET', users, id, record)
return 1
