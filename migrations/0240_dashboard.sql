-- Rows of the gallery: an enterprise's own, to try every way of using a list on.
create schema dashboard;
select platform.opened('dashboard');
create table dashboard.sample (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), code text not null, name text not null,
  kind smallint not null check (kind in (1, 2, 3)), state smallint not null default 1 check (state in (1, 2, 3)),
  amount_fen bigint not null default 0, cost_fen bigint, progress smallint check (progress between 0 and 100), happened_at timestamptz not null default now(), keeper text, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), unique (enterprise_id, code));
create index sample_newest on dashboard.sample (enterprise_id, happened_at, id);
create index sample_amount on dashboard.sample (enterprise_id, amount_fen, id);
create index sample_name on dashboard.sample using gin (name gin_trgm_ops);
select platform.scoped('dashboard.sample');

-- A wall in a control room, where nobody signs in: what its link shows, of which parks, until when. Only the hash of its text is kept.
create table dashboard.wall_link (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, token_hash bytea not null unique,
  screens smallint[] not null check (cardinality(screens) between 1 and 3 and screens <@ '{1,2,3}'),
  -- Null: all of the company's. With a region: of these, those that lie in it.
  park_codes text[], region_code text check (region_code ~ '^[0-9]{2,12}$'), money boolean not null default false,
  rotate_sec smallint not null check (rotate_sec between 10 and 600), expires_at timestamptz not null, seen_at timestamptz,
  maker_name text not null, revoked_at timestamptz, revoked_by text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id));
create index wall_link_newest on dashboard.wall_link (enterprise_id, created_at, id);
select platform.scoped('dashboard.wall_link', hidden => '{token_hash,seen_at}');
-- Whoever sees some parks sees no link that shows more; the wall itself sees its own link, also where its region shows less.
create policy parks on dashboard.wall_link as restrictive to kerbline_parks
  using (park_codes <@ (select scope_parks())::text[] or id = (select substring(current_setting('scope.people', true) from '^wall:(.+)$'))::uuid);
-- Whether any enterprise's wall shows a region: who edits regions sees only the links of their own.
create function dashboard.region_is_used(of_code text) returns boolean stable language sql security definer set search_path = ''
  begin atomic select exists (select from dashboard.wall_link where region_code = of_code and revoked_at is null and expires_at > now()); end;
grant execute on function dashboard.region_is_used to kerbline_app;
create view dashboard.wall_link_of with (security_invoker = true) as
  select l.id, l.enterprise_id, l.name, l.screens, coalesce(l.park_codes, '{}') as park_codes, l.region_code, l.money, l.rotate_sec, l.expires_at, l.seen_at, l.maker_name, l.revoked_at, l.revoked_by,
    case when l.revoked_at is not null then 3 when l.expires_at <= now() then 2 else 1 end::smallint as state, l.version, l.created_at
  from dashboard.wall_link l;
grant select on dashboard.wall_link_of to kerbline_app;
-- The wall behind a token, or no row: of a region, with the parks that lie in it now. When it was last shown is written once a minute.
create function dashboard.wall_behind(token bytea, out id uuid, out name text, out enterprise integer, out parks text[]) language plpgsql security definer set search_path = '' as $$
declare seen timestamptz;
begin
  select l.id, l.name, l.enterprise_id, case when l.region_code is null then l.park_codes else array(
      select p.park_code from parking.park p where p.enterprise_id = l.enterprise_id and not p.deleted and p.region_code ^@ platform.region_prefix(l.region_code)
        and (l.park_codes is null or p.park_code = any (l.park_codes))) end, l.seen_at
    into id, name, enterprise, parks, seen
    from dashboard.wall_link l join identity.enterprise e on e.id = l.enterprise_id
    where l.token_hash = token and l.revoked_at is null and l.expires_at > now() and e.status = 1;
  if id is not null and (seen is null or seen < now() - interval '1 min') then update dashboard.wall_link l set seen_at = now() where l.id = wall_behind.id; end if;
end $$;
