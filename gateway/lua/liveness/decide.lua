-- Ends the wait for a decision of synchronous endpoints. `redirect` is the sealed address of the user's next page or an
-- empty text. Does nothing for a session that was erased meanwhile.
-- @keys session
-- @args redirect
-- @memory freeing
if redis.call('HEXISTS', session, 'status') == 0 then return 0 end
redis.call('HDEL', session, 'undecided', 'redirect')
if redirect ~= '' then redis.call('HSET', session, 'redirect', redirect) end
return 1
