-- What every installation has whatever it runs: dictionaries, regions, files, who signed in; and messages to its people.
create schema system;
select platform.opened('system');

-- Dictionaries that people edit. The code's own closed lists are not here: they come from the code.
create table system.dictionary_row (
  id uuid primary key default uuidv7(), category_en text not null, item text not null, category_name_en text not null, ival integer not null, cval text not null, item_en text not null,
  tone text, sort integer not null default 0, version integer not null default 1, created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(), unique (category_en, ival));
select platform.shared('system.dictionary_row');

-- Administrative regions by their GB/T 2260 code.
create table system.region (
  code text primary key check (code ~ '^[0-9]{6,12}$'), parent_code text references system.region, name text not null, name_en text not null default '', rank smallint not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
create index region_parent on system.region (parent_code);
select platform.shared('system.region', key => 'code');
insert into system.region (code, parent_code, name, name_en, rank) values
  ('420000', null, '湖北省', 'Hubei', 1), ('420600', '420000', '襄阳市', 'Xiangyang', 2),
  ('420602', '420600', '襄城区', 'Xiangcheng', 3), ('420606', '420600', '樊城区', 'Fancheng', 3), ('420607', '420600', '襄州区', 'Xiangzhou', 3),
  ('420624', '420600', '南漳县', 'Nanzhang', 3), ('420625', '420600', '谷城县', 'Gucheng', 3), ('420626', '420600', '保康县', 'Baokang', 3),
  ('420682', '420600', '老河口市', 'Laohekou', 3), ('420683', '420600', '枣阳市', 'Zaoyang', 3), ('420684', '420600', '宜城市', 'Yicheng', 3);

-- A file is found by the name it was given here; its bytes lie under their own hash, so the same picture is kept once.
create table system.file (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, original_name text not null, type text not null,
  bytes integer not null check (bytes > 0), sha256 text not null, author_id text, created_at timestamptz not null default now(), unique (enterprise_id, name));
create index file_author on system.file (enterprise_id, author_id, created_at);
select platform.scoped('system.file');

create table system.login_log (
  id uuid not null default uuidv7(), enterprise_id integer not null, at timestamptz not null default now(), person_id uuid, username text not null,
  login_type smallint not null, ip text not null, browser text, user_system text, outcome smallint not null check (outcome in (1, 2, 3)), primary key (id));
create index login_log_at on system.login_log (enterprise_id, at desc, id desc);
create index login_log_name on system.login_log (enterprise_id, username, at desc);
select platform.scoped('system.login_log', audited => false, append_only => true);
-- Written before there is a scope. A name that nobody has belongs to no enterprise.
create function system.log_sign_in(of_enterprise integer, of_person uuid, of_name text, kind smallint, address text, with_browser text, with_system text, how smallint)
returns void language sql security definer set search_path = '' begin atomic
  insert into system.login_log (enterprise_id, person_id, username, login_type, ip, browser, user_system, outcome)
  values (coalesce(of_enterprise, 0), of_person, left(of_name, 64), kind, address, with_browser, with_system, how); end;

-- The operation log is the audit stream under the names of the page.
create view system.operation with (security_invoker = true) as
  select id, enterprise_id, at, author_id, author_name, via, request_id, entity, row_id, event, before, after, reason, park_code from platform.change;
grant select on system.operation to kerbline_app;

create schema message;
select platform.opened('message');
create table message.inner_message (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), cust_id uuid not null, to_name text not null,
  title text not null, title_en text not null, content text not null default '', content_en text not null default '', link text check (link ^@ '/'),
  read_state smallint not null default 0 check (read_state in (0, 1)), read_at timestamptz, created_at timestamptz not null default now());
create index inner_message_mine on message.inner_message (enterprise_id, cust_id, created_at desc, id desc);
create index inner_message_unread on message.inner_message (enterprise_id, cust_id) where read_state = 0;
create index inner_message_at on message.inner_message (enterprise_id, created_at desc, id desc);
select platform.scoped('message.inner_message', audited => false);
