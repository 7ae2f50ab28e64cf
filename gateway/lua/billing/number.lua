-- Gives an invoice the next number, or the one that it has already: a number that is given and not used would be a gap.
-- @keys numbers
-- @args invoice
-- @memory growing
local known = redis.call('HGET', numbers, invoice)
if known then return known end
local number = redis.call('HINCRBY', numbers, 'last', 1)
redis.call('HSET', numbers, invoice, number)
return number
