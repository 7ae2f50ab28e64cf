-- Takes a lease of `ms` milliseconds. Returns 1 if it was free. A lease that would last longer than `ms` was taken
-- before the clock was set back; the script takes it again, or nobody would do the work until the clock catches up.
-- @keys lease
-- @args ms:number
-- @memory freeing
if redis.call('SET', lease, '1', 'PX', ms, 'NX') then return 1 end
if redis.call('PTTL', lease) <= ms then return 0 end
redis.call('SET', lease, '1', 'PX', ms)
return 1
