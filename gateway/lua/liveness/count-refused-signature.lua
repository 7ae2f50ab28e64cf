-- Counts a frame whose signature was refused, as evidence, unless another attempt runs or none.
-- @keys attempt
-- @args attemptId
-- @memory growing
if redis.call('HGET', attempt, 'attemptId') ~= attemptId then return 0 end
return redis.call('HINCRBY', attempt, 'refused:signature', 1)
