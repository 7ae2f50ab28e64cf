-- Sets the role of a member, or removes the member if `role` is empty. A member who joins by an invitation takes its seat;
-- `invitation` and `inviter` are empty for others. Returns changed; lastOwner if nobody would be owner; full if there were
-- more than `most` members; uninvited if the inviter is no owner anymore.
-- @keys members, seats
-- @args user, role, most:number, invitation, inviter
if inviter ~= '' and redis.call('HGET', members, inviter) ~= 'owner' then return 'uninvited' end
local known = redis.call('HGET', members, user)
if known == 'owner' and role ~= 'owner' then
  local owners = 0
  for _, one in ipairs(redis.call('HVALS', members)) do
    if one == 'owner' then owners = owners + 1 end
  end
  if owners == 1 then return 'lastOwner' end
end
if role == '' then
  redis.call('HDEL', members, user)
  return 'changed'
end
local hasSeat = redis.call('ZREM', seats, invitation) == 1
if not known and not hasSeat and redis.call('HLEN', members) >= most then return 'full' end
redis.call('HSET', members, user, role)
return 'changed'
