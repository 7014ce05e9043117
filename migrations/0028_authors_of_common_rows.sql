-- Who of the platform's people wrote a row that all enterprises read is nobody else's business: to others it was the platform (null).
create function platform.author_shown(name text) returns text stable language sql security definer set search_path = ''
  begin atomic select case when identity.runs_platform(public.scope_enterprise()) then name end; end;
-- Changes of common rows stand in the log of the platform's enterprise; the oldest stand under none.
create or replace function platform.history(of text[], which text, common boolean, most integer) returns setof platform.change stable language sql security definer set search_path = '' begin atomic
  select c.id, c.enterprise_id, c.at, c.park_code, case when common then platform.author_shown(c.author_id) else c.author_id end,
    case when common then platform.author_shown(c.author_name) else c.author_name end, c.via, c.request_id, c.entity, c.row_id, c.event, c.before, c.after, c.reason
  from platform.change c
  where c.enterprise_id = any (case when common then array(select 0 union all select e.id from identity.enterprise e where e.platform) else array[public.scope_enterprise()] end)
    and c.entity = any (of) and c.row_id = which
    and (c.park_code is null or public.scope_all_parks() or c.park_code = any (public.scope_parks()))
  order by c.at desc, c.id desc limit most; end;
