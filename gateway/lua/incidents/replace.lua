-- Replaces an incident, unless another process changed it meanwhile.
-- @keys incidents
-- @args id, before, after
if redis.call('HGET', incidents, id) ~= before then return 0 end
redis.call('HSET', incidents, id, after)
return 1
