-- The operation log: one line for each thing that a person did or tried in the console, with how it ended. What it changed stands in the audit stream under the same request.
create table system.operation_log (
  id uuid not null default uuidv7(), enterprise_id integer not null, at timestamptz not null, author_id text not null, author_name text not null, ip text not null, page text,
  call text not null, target text, outcome smallint not null check (outcome in (1, 2, 3)), status smallint not null, said text, said_en text, took_ms integer not null, request_id text not null,
  primary key (id, at)) partition by range (at);
create table system.operation_log_rest partition of system.operation_log default;
create index operation_log_at on system.operation_log (enterprise_id, at desc, id desc);
create index operation_log_author on system.operation_log (enterprise_id, author_name, at desc);
insert into platform.monthly values ('system.operation_log');
select platform.ensure_months(1, 3);
select platform.scoped('system.operation_log', audited => false, append_only => true);
revoke insert on system.operation_log from kerbline_app;
-- Lines of several enterprises at once, after their answers have gone out.
create function system.log_operations(lines jsonb) returns void language sql security definer set search_path = '' begin atomic
  insert into system.operation_log (enterprise_id, at, author_id, author_name, ip, page, call, target, outcome, status, said, said_en, took_ms, request_id)
  select enterprise, at, author_id, author_name, ip, page, call, target, outcome, status, said, said_en, took_ms, request_id
  from jsonb_to_recordset(lines) as line (enterprise integer, at timestamptz, author_id text, author_name text, ip text, page text, call text, target text, outcome smallint,
    status smallint, said text, said_en text, took_ms integer, request_id text); end;
-- What one request changed. Devices and jobs have no request, and they are many.
create index change_request on platform.change (enterprise_id, request_id) where request_id <> '';

-- What handhelds say of themselves, through the devices' own door.
create table system.pda_log (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), received_at timestamptz not null default now(), device_time timestamptz not null,
  device_no text not null, park_code text, toll_no text, level smallint not null check (level in (1, 2, 3)), tag text, content text not null, app_version text, primary key (id));
create index pda_log_at on system.pda_log (enterprise_id, received_at desc, id desc);
create index pda_log_device on system.pda_log (enterprise_id, device_no, received_at desc);
select platform.scoped('system.pda_log', audited => false, append_only => true);

-- Each log is sealed day by day: the hash of a day's lines, and a chain in which each day stands on the one before. Only the owner's functions write here.
create table system.log_seal (
  enterprise_id integer not null, log smallint not null check (log in (1, 2, 3, 4)), day date not null, lines integer not null, digest bytea not null, chain bytea not null,
  sealed_at timestamptz not null default now(), primary key (enterprise_id, log, day));
select platform.scoped('system.log_seal', audited => false, append_only => true);
revoke insert on system.log_seal from kerbline_app;
-- What the last look at the chain of a log found.
create table system.log_check (
  enterprise_id integer not null default scope_enterprise(), log smallint not null check (log in (1, 2, 3, 4)), checked_at timestamptz not null, days integer not null,
  broken_day date, primary key (enterprise_id, log));
select platform.scoped('system.log_check', audited => false);

-- The columns are named, so that one added later changes no hash; the zone is set, so that a moment is always written alike.
create function system.day_digest(of_log smallint, of_enterprise integer, of_day date, out lines integer, out digest bytea)
language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare
  since timestamptz := of_day::timestamp at time zone 'Asia/Shanghai';
  till timestamptz := (of_day + 1)::timestamp at time zone 'Asia/Shanghai';
begin
  case of_log
    when 1 then
      select count(*)::int, sha256(coalesce(string_agg(sha256(convert_to(jsonb_build_array(id, at, author_id, author_name, ip, page, call, target, outcome, status, said, said_en, took_ms, request_id)::text, 'UTF8')), ''::bytea order by id), ''::bytea))
        into lines, digest from system.operation_log where enterprise_id = of_enterprise and at >= since and at < till;
    when 2 then
      select count(*)::int, sha256(coalesce(string_agg(sha256(convert_to(jsonb_build_array(id, at, person_id, username, login_type, ip, browser, user_system, outcome)::text, 'UTF8')), ''::bytea order by id), ''::bytea))
        into lines, digest from system.login_log where enterprise_id = of_enterprise and at >= since and at < till;
    when 3 then
      select count(*)::int, sha256(coalesce(string_agg(sha256(convert_to(jsonb_build_array(id, received_at, device_time, device_no, park_code, toll_no, level, tag, content, app_version)::text, 'UTF8')), ''::bytea order by id), ''::bytea))
        into lines, digest from system.pda_log where enterprise_id = of_enterprise and received_at >= since and received_at < till;
    when 4 then
      select count(*)::int, sha256(coalesce(string_agg(sha256(convert_to(jsonb_build_array(id, at, park_code, author_id, author_name, via, request_id, entity, row_id, event, before, after, reason)::text, 'UTF8')), ''::bytea order by id), ''::bytea))
        into lines, digest from platform.change where enterprise_id = of_enterprise and at >= since and at < till;
  end case;
end $$;
create function system.chained(before bytea, of_day date, lines integer, digest bytea) returns bytea immutable language sql
  return sha256(before || convert_to(to_char(of_day, 'YYYY-MM-DD') || ' ' || lines || ' ', 'UTF8') || digest);

-- Seals every day up to the given one that is not sealed yet, empty ones too: a day that vanishes whole is missed. Says how many.
create function system.seal_log(of_log smallint, of_enterprise integer, upto date, most integer) returns integer language plpgsql security definer set search_path = '' as $$
declare
  last system.log_seal;
  next_day date;
  sealed integer := 0;
  d record;
begin
  perform pg_advisory_xact_lock(hashtextextended('system.seal ' || of_log, of_enterprise));
  select * into last from system.log_seal where enterprise_id = of_enterprise and log = of_log order by day desc limit 1;
  next_day := coalesce(last.day + 1, (case of_log
    when 1 then (select min(at) from system.operation_log where enterprise_id = of_enterprise)
    when 2 then (select min(at) from system.login_log where enterprise_id = of_enterprise)
    when 3 then (select min(received_at) from system.pda_log where enterprise_id = of_enterprise)
    when 4 then (select min(at) from platform.change where enterprise_id = of_enterprise)
  end at time zone 'Asia/Shanghai')::date);
  while next_day <= upto and sealed < most loop
    d := system.day_digest(of_log, of_enterprise, next_day);
    insert into system.log_seal (enterprise_id, log, day, lines, digest, chain)
    values (of_enterprise, of_log, next_day, d.lines, d.digest, system.chained(coalesce(last.chain, ''::bytea), next_day, d.lines, d.digest)) returning * into last;
    next_day := next_day + 1;
    sealed := sealed + 1;
  end loop;
  return sealed;
end $$;
-- The chain itself, without looking at lines: a seal that was changed or taken out shows at its day.
create function system.broken_link(of_log smallint, of_enterprise integer) returns date stable language sql security definer set search_path = '' begin atomic
  select min(day) from (
    select day, chain, lines, digest, lag(chain) over w as before, lag(day) over w as day_before from system.log_seal where enterprise_id = of_enterprise and log = of_log
    window w as (order by day)) s
  where chain <> system.chained(coalesce(before, ''::bytea), day, lines, digest) or day <> coalesce(day_before + 1, day); end;
