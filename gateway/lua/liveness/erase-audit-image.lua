-- Deletes the audit image of a session.
-- @include liveness/held
-- @keys audit, ends, held
-- @args id
-- @memory freeing
redis.call('DEL', audit)
redis.call('ZREM', ends, id)
hold(held, id, 0)
