-- Whether somebody who is known in other browsers signs in from one in which they never did; and whose person this is, for what has to be told to them.
create function identity.strange_browser(of_person uuid, device bytea, out enterprise_id integer, out strange boolean) stable language sql security definer set search_path = '' begin atomic
  select p.enterprise_id, device is not null and exists (select from identity.known_browser b where b.enterprise_id = p.enterprise_id and b.person_id = p.id)
    and not exists (select from identity.known_browser b where b.enterprise_id = p.enterprise_id and b.person_id = p.id and b.device_hash = device)
  from identity.person p where p.id = of_person; end;
