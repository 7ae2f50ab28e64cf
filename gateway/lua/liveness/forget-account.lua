-- Removes an account from those with sessions, unless a new session has changed its score since it was read.
-- @keys accounts
-- @args account, score
if redis.call('ZSCORE', accounts, account) == score then return redis.call('ZREM', accounts, account) end
return 0
