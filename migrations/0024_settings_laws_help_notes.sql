-- What people have set differently from what the product ships. One for the whole installation; a name that is not here has its default.
create table system.configuration (
  name text primary key, value jsonb not null, version integer not null default 1, updated_by text not null, updated_at timestamptz not null default now());
select platform.shared('system.configuration', key => 'name');

-- A law in one of its editions. Editions of one law share `law_id`; its words are settled once it is published, a change is a new edition.
create table system.regulation (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), law_id uuid not null default uuidv7(), edition integer not null default 1,
  title text not null, doc_no text, kind smallint not null check (kind in (1, 2, 3, 4, 5, 6, 7)), issuer text, issued_on date, effective_on date, repealed_on date,
  state smallint not null default 0 check (state in (0, 1, 2, 3, 4)), summary text, remark text, attachments jsonb not null default '[]', version integer not null default 1, created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(), check (state = 0 or effective_on is not null), check (repealed_on >= effective_on), unique (enterprise_id, id), unique (enterprise_id, law_id, edition));
create unique index regulation_one_draft on system.regulation (enterprise_id, law_id) where state = 0;
create unique index regulation_one_in_force on system.regulation (enterprise_id, law_id) where state = 2;
create unique index regulation_doc_no on system.regulation (enterprise_id, doc_no, edition) where doc_no is not null;
create index regulation_order on system.regulation (enterprise_id, updated_at desc, id desc);
create index regulation_title on system.regulation using gin (title gin_trgm_ops);
select platform.scoped('system.regulation');

create table system.clause (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), regulation_id uuid not null, no integer not null check (no between 1 and 9999), chapter text,
  content text not null, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  foreign key (enterprise_id, regulation_id) references system.regulation (enterprise_id, id) on delete cascade, unique (enterprise_id, regulation_id, no));
create index clause_content on system.clause using gin (content gin_trgm_ops);
select platform.scoped('system.clause');

-- Help about this console, a tree, in both languages; `screen` is the page that an article explains.
create table system.help_page (
  id uuid primary key default uuidv7(), parent_id uuid references system.help_page, title text not null, title_en text not null, content text not null default '', content_en text not null default '',
  screen text check (screen ^@ '/'), sort integer not null default 0, state smallint not null default 1 check (state in (0, 1)), attachments jsonb not null default '[]', author_name text not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), check (parent_id <> id));
create index help_page_place on system.help_page (parent_id, sort, id);
create index help_page_order on system.help_page (updated_at desc, id desc);
select platform.shared('system.help_page');
-- Its files belong to no enterprise: everybody who may read the article may have them.
create table system.help_file (
  name text primary key, original_name text not null, type text not null, bytes integer not null check (bytes > 0), sha256 text not null, author_id text, created_at timestamptz not null default now());
create index help_file_sha256 on system.help_file (sha256);
select platform.shared('system.help_file', key => 'name');

-- The sweep of files without a row must know these too.
create or replace function system.referred(hashes text[]) returns setof text language sql stable security definer set search_path = ''
  begin atomic select sha256 from system.file where sha256 = any(hashes) union select sha256 from system.help_file where sha256 = any(hashes); end;

-- What changed in the console. Shown to each person once, after it was published.
create table system.update_note (
  id uuid primary key default uuidv7(), release text not null, title text not null, title_en text not null, content text not null, content_en text not null default '', publish_at timestamptz not null default now(),
  state smallint not null default 0 check (state in (0, 1, 2)), author_name text not null, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
create index update_note_order on system.update_note (publish_at desc, id desc);
select platform.shared('system.update_note');
create table system.update_note_seen (
  enterprise_id integer not null default scope_enterprise(), person_id uuid not null, note_id uuid not null references system.update_note on delete cascade, seen_at timestamptz not null default now(),
  primary key (enterprise_id, person_id, note_id));
create index update_note_seen_note on system.update_note_seen (enterprise_id, note_id);
select platform.scoped('system.update_note_seen', audited => false);
-- Whoever is new is not told what changed before they came.
create index login_log_person on system.login_log (enterprise_id, person_id, at) where outcome = 1;

-- Entries in the order in which people read them: type by type, each in its own order.
create or replace view system.dictionary_entry with (security_invoker = true) as
  select r.id, r.category_en, t.item, t.item_en as category_name_en, r.ival, r.cval, r.item_en, r.tone, r.sort, r.fixed, r.status, r.remark, r.version, r.updated_at,
    concat(t.fixed, ' ', r.category_en, to_char(r.sort, ' 000000'), to_char(r.ival::bigint + 2147483648, ' 0000000000')) as place
  from system.dictionary_row r join system.dictionary_type t using (category_en);
grant select on system.dictionary_entry to kerbline_app;

-- A change of what all enterprises share stands in the log of the one whose people made it: before, nobody could see it.
create or replace function platform.watched() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  author jsonb := nullif(current_setting('scope.author', true), '')::jsonb;
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - tg_argv[1:] end;
  is_ jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - tg_argv[1:] end;
  whole jsonb := coalesce(is_, was);
begin
  if tg_op = 'UPDATE' then
    select jsonb_object_agg(o.key, o.value), jsonb_object_agg(o.key, is_ -> o.key) into was, is_
      from jsonb_each(was) o where o.value is distinct from is_ -> o.key and o.key not in ('version', 'updated_at');
    if was is null then return null; end if;
  end if;
  insert into platform.change (enterprise_id, park_code, author_id, author_name, via, request_id, entity, row_id, event, before, after, reason)
  values (coalesce((whole ->> 'enterprise_id')::integer, nullif(current_setting('scope.enterprise', true), '')::integer, 0), whole ->> 'park_code', author ->> 'userId', coalesce(author ->> 'userName', current_user),
    coalesce(author ->> 'via', 'migration'), author ->> 'requestId', tg_table_schema || '.' || tg_table_name, coalesce(whole ->> tg_argv[0], ''),
    lower(tg_op), was, is_, nullif(current_setting('scope.reason', true), ''));
  return null;
end $$;
