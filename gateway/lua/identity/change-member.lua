-- Sets the role of a member, or removes the member if `role` is empty. Returns changed; lastOwner if nobody would be owner;
-- full if there were more than `most` members.
-- @keys members
-- @args user, role, most:number
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
if not known and redis.call('HLEN', members) >= most then return 'full' end
redis.call('HSET', members, user, role)
return 'changed'
