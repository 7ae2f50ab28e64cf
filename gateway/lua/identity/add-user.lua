-- Adds a user unless the email address belongs to somebody. Returns 1 if it did.
-- @keys users, emails
-- @args id, record, email
if redis.call('HSETNX', emails, email, id) == 0 and redis.call('HGET', emails, email) ~= id then return 0 end
redis.call('HSET', users, id, record)
return 1
