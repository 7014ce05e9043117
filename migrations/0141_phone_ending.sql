-- The end of a person's own number: with their name and the time it stands over what they look at, wherever they act.
create function identity.own_phone_ending(person uuid) returns text stable language sql security definer set search_path = '' begin atomic
  select right(p.phone, 4) from identity.person p where p.id = person and length(p.phone) > 4; end;
