-- Replaces the record of a user if nobody changed it in the meantime, and moves the user to another email address.
-- Returns 1 if it did, 0 if somebody did change it, or taken if the address belongs to somebody else.
-- @keys users, emails
-- @args id, before, after, oldEmail, newEmail
if redis.call('HGET', users, id) ~= before then return 0 end
if newEmail ~= oldEmail then
  if redis.call('HSETNX', emails, newEmail, id) == 0 then return 'taken' end
  redis.call('HDEL', emails, oldEmail)
end
redis.call('HSET', users, id, after)
return 1
