-- A role's data scope narrows people as it narrows parks: department and below, department, own. `scope.people` is `*`, or the person who asks followed by the
-- departments whose people they see. Unset it shows nobody.
create function scope_all_people() returns boolean stable parallel safe language sql return coalesce(current_setting('scope.people', true), '') = '*';
create function scope_departments() returns text[] stable parallel safe language sql
  return (string_to_array(coalesce(current_setting('scope.people', true), ''), ','))[2:];
create function scope_person() returns text stable parallel safe language sql return split_part(coalesce(current_setting('scope.people', true), ''), ',', 1);

create policy people on identity.person as restrictive
  using ((select scope_all_people()) or id::text = (select scope_person()) or department_id::text = any ((select scope_departments())::text[]));
create policy people on identity.session as restrictive
  using ((select scope_all_people()) or person_id::text = (select scope_person()) or person_id in (select id from identity.person));

create function identity.below(of_enterprise integer, of_department uuid) returns setof uuid stable language sql security definer set search_path = '' begin atomic
  with recursive below as (
    select id from identity.department where enterprise_id = of_enterprise and id = of_department
    union select d.id from identity.department d join below b on d.parent_id = b.id where d.enterprise_id = of_enterprise)
  select id from below; end;
-- Departments whose people somebody sees by their roles; null is everybody of the enterprise.
create function identity.departments_of(of_enterprise integer, of_person uuid) returns uuid[] stable language sql security definer set search_path = '' begin atomic
  select case when bool_or(r.data_scope in (1, 2, 6)) then null
    when bool_or(r.data_scope = 3) then array(select identity.below(of_enterprise, (select department_id from identity.person where id = of_person)))
    when bool_or(r.data_scope = 4) then array(select department_id from identity.person where id = of_person and department_id is not null)
    else '{}' end
  from identity.person_role x join identity.role r on r.enterprise_id = x.enterprise_id and r.id = x.role_id
  where x.enterprise_id = of_enterprise and x.person_id = of_person; end;

-- What is asked of all people, whoever asks: is somebody left, who is told, what somebody is called.
create function identity.has_administrator() returns boolean stable language sql security definer set search_path = '' begin atomic
  select exists (select from identity.person p where p.enterprise_id = public.scope_enterprise() and p.lock_state = 1
    and identity.capabilities_of(p.enterprise_id, p.id) @> '{identity:role:edit,identity:person:edit}'); end;
create function identity.holders_of(capability text) returns table (id uuid, name text) stable language sql security definer set search_path = '' begin atomic
  select p.id, p.name from identity.person p where p.enterprise_id = public.scope_enterprise() and p.lock_state = 1
    and capability = any (identity.capabilities_of(p.enterprise_id, p.id)) order by p.id; end;
create function identity.name_of(of_person uuid) returns text stable language sql security definer set search_path = ''
  begin atomic select name from identity.person where id = of_person and enterprise_id = public.scope_enterprise(); end;
create function identity.department_has_people(of_department uuid) returns boolean stable language sql security definer set search_path = ''
  begin atomic select exists (select from identity.person where enterprise_id = public.scope_enterprise() and department_id = of_department); end;
-- Somebody holds this role whom the one who asks does not see: to change it would reach further than they do.
create function identity.held_beyond(of_role uuid) returns boolean stable language sql set search_path = '' begin atomic
  select not (select public.scope_all_people()) and exists (select from identity.person_role x where x.enterprise_id = (select public.scope_enterprise()) and x.role_id = of_role
    and not exists (select from identity.person p where p.enterprise_id = x.enterprise_id and p.id = x.person_id)); end;

-- A sheet that is written in the background shows the people whom its owner saw when they asked; null is everybody.
alter table platform.export_file add departments text[];
