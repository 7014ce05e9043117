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

-- Which of these bytes does any enterprise's file refer to? The nightly sweep asks it: the store of files is one for all, because the same bytes are kept once;
-- a skip scan goes through the few enterprises.
create index file_sha256 on system.file (enterprise_id, sha256);
create function system.referred(hashes text[]) returns setof text language sql stable security definer set search_path = ''
  begin atomic select distinct sha256 from system.file where sha256 = any(hashes); end;
revoke all on function system.referred(text[]) from public;
grant execute on function system.referred(text[]) to kerbline_app;

-- A dictionary is a type with its entries. The code's own closed lists stand here too, fixed: the server writes them at its start, nobody edits them.
create table system.dictionary_type (
  id uuid primary key default uuidv7(), category_en text not null unique check (category_en ~ '^[A-Za-z][A-Za-z0-9_]*$'), item text not null, item_en text not null,
  fixed boolean not null default false, remark text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
select platform.shared('system.dictionary_type');

alter table system.dictionary_row
  drop column item, drop column category_name_en,
  add foreign key (category_en) references system.dictionary_type (category_en),
  add column fixed boolean not null default false,
  add column status smallint not null default 1 check (status in (1, 2)),
  add column remark text,
  add check (tone in ('success', 'warning', 'error', 'default'));
create index dictionary_row_order on system.dictionary_row (sort, id);

-- Entries in the order in which people read them: type by type, each in its own order.
create view system.dictionary_entry with (security_invoker = true) as
  select r.id, r.category_en, t.item, t.item_en as category_name_en, r.ival, r.cval, r.item_en, r.tone, r.sort, r.fixed, r.status, r.remark, r.version, r.updated_at,
    concat(t.fixed, ' ', r.category_en, to_char(r.sort, ' 000000'), to_char(r.ival::bigint + 2147483648, ' 0000000000')) as place
  from system.dictionary_row r join system.dictionary_type t using (category_en);
grant select on system.dictionary_entry to kerbline_app;

-- The city's district lies in Hubei: all its cities and counties by GB/T 2260.
create index region_name on system.region using gin (name gin_trgm_ops);
insert into system.region (code, parent_code, name, name_en, rank)
select code, parent, name, name_en, rank from (values
  ('420100', '420000', '武汉市', 'Wuhan', 2), ('420200', '420000', '黄石市', 'Huangshi', 2), ('420300', '420000', '十堰市', 'Shiyan', 2),
  ('420500', '420000', '宜昌市', 'Yichang', 2), ('420700', '420000', '鄂州市', 'Ezhou', 2), ('420800', '420000', '荆门市', 'Jingmen', 2),
  ('420900', '420000', '孝感市', 'Xiaogan', 2), ('421000', '420000', '荆州市', 'Jingzhou', 2), ('421100', '420000', '黄冈市', 'Huanggang', 2),
  ('421200', '420000', '咸宁市', 'Xianning', 2), ('421300', '420000', '随州市', 'Suizhou', 2), ('422800', '420000', '恩施土家族苗族自治州', 'Enshi', 2),
  ('429000', '420000', '省直辖县级行政区划', 'Directly under the province', 2)) as city (code, parent, name, name_en, rank) on conflict do nothing;
insert into system.region (code, parent_code, name, name_en, rank)
select code, substr(code, 1, 4) || '00', name, name_en, 3 from (values
  ('420102', '江岸区', 'Jiang''an'), ('420103', '江汉区', 'Jianghan'), ('420104', '硚口区', 'Qiaokou'), ('420105', '汉阳区', 'Hanyang'), ('420106', '武昌区', 'Wuchang'),
  ('420107', '青山区', 'Qingshan'), ('420111', '洪山区', 'Hongshan'), ('420112', '东西湖区', 'Dongxihu'), ('420113', '汉南区', 'Hannan'), ('420114', '蔡甸区', 'Caidian'),
  ('420115', '江夏区', 'Jiangxia'), ('420116', '黄陂区', 'Huangpi'), ('420117', '新洲区', 'Xinzhou'),
  ('420202', '黄石港区', 'Huangshigang'), ('420203', '西塞山区', 'Xisaishan'), ('420204', '下陆区', 'Xialu'), ('420205', '铁山区', 'Tieshan'), ('420222', '阳新县', 'Yangxin'),
  ('420281', '大冶市', 'Daye'),
  ('420302', '茅箭区', 'Maojian'), ('420303', '张湾区', 'Zhangwan'), ('420304', '郧阳区', 'Yunyang'), ('420322', '郧西县', 'Yunxi'), ('420323', '竹山县', 'Zhushan'),
  ('420324', '竹溪县', 'Zhuxi'), ('420325', '房县', 'Fangxian'), ('420381', '丹江口市', 'Danjiangkou'),
  ('420502', '西陵区', 'Xiling'), ('420503', '伍家岗区', 'Wujiagang'), ('420504', '点军区', 'Dianjun'), ('420505', '猇亭区', 'Xiaoting'), ('420506', '夷陵区', 'Yiling'),
  ('420525', '远安县', 'Yuan''an'), ('420526', '兴山县', 'Xingshan'), ('420527', '秭归县', 'Zigui'), ('420528', '长阳土家族自治县', 'Changyang'),
  ('420529', '五峰土家族自治县', 'Wufeng'), ('420581', '宜都市', 'Yidu'), ('420582', '当阳市', 'Dangyang'), ('420583', '枝江市', 'Zhijiang'),
  ('420702', '梁子湖区', 'Liangzihu'), ('420703', '华容区', 'Huarong'), ('420704', '鄂城区', 'Echeng'),
  ('420802', '东宝区', 'Dongbao'), ('420804', '掇刀区', 'Duodao'), ('420822', '沙洋县', 'Shayang'), ('420881', '钟祥市', 'Zhongxiang'), ('420882', '京山市', 'Jingshan'),
  ('420902', '孝南区', 'Xiaonan'), ('420921', '孝昌县', 'Xiaochang'), ('420922', '大悟县', 'Dawu'), ('420923', '云梦县', 'Yunmeng'), ('420981', '应城市', 'Yingcheng'),
  ('420982', '安陆市', 'Anlu'), ('420984', '汉川市', 'Hanchuan'),
  ('421002', '沙市区', 'Shashi'), ('421003', '荆州区', 'Jingzhou District'), ('421022', '公安县', 'Gong''an'), ('421024', '江陵县', 'Jiangling'), ('421081', '石首市', 'Shishou'),
  ('421083', '洪湖市', 'Honghu'), ('421087', '松滋市', 'Songzi'), ('421088', '监利市', 'Jianli'),
  ('421102', '黄州区', 'Huangzhou'), ('421121', '团风县', 'Tuanfeng'), ('421122', '红安县', 'Hong''an'), ('421123', '罗田县', 'Luotian'), ('421124', '英山县', 'Yingshan'),
  ('421125', '浠水县', 'Xishui'), ('421126', '蕲春县', 'Qichun'), ('421127', '黄梅县', 'Huangmei'), ('421181', '麻城市', 'Macheng'), ('421182', '武穴市', 'Wuxue'),
  ('421202', '咸安区', 'Xian''an'), ('421221', '嘉鱼县', 'Jiayu'), ('421222', '通城县', 'Tongcheng'), ('421223', '崇阳县', 'Chongyang'), ('421224', '通山县', 'Tongshan'),
  ('421281', '赤壁市', 'Chibi'),
  ('421303', '曾都区', 'Zengdu'), ('421321', '随县', 'Suixian'), ('421381', '广水市', 'Guangshui'),
  ('422801', '恩施市', 'Enshi City'), ('422802', '利川市', 'Lichuan'), ('422822', '建始县', 'Jianshi'), ('422823', '巴东县', 'Badong'), ('422825', '宣恩县', 'Xuan''en'),
  ('422826', '咸丰县', 'Xianfeng'), ('422827', '来凤县', 'Laifeng'), ('422828', '鹤峰县', 'Hefeng'),
  ('429004', '仙桃市', 'Xiantao'), ('429005', '潜江市', 'Qianjiang'), ('429006', '天门市', 'Tianmen'), ('429021', '神农架林区', 'Shennongjia')) as county (code, name, name_en)
on conflict do nothing;

-- The operation log: one line for each thing that a person did or tried in the console, with how it ended. What it changed stands in the audit stream under the same request.
create table system.operation_log (
  id uuid not null default uuidv7(), enterprise_id integer not null, at timestamptz not null, author_id text not null, author_name text not null, ip text not null, page text,
  call text not null, target text, outcome smallint not null check (outcome in (1, 2, 3)), status smallint not null, said text, said_en text, took_ms integer not null, request_id text not null,
  primary key (id, at)) partition by range (at);
create table system.operation_log_rest partition of system.operation_log default;
create index operation_log_at on system.operation_log (enterprise_id, at desc, id desc);
create index operation_log_author on system.operation_log (enterprise_id, author_name, at desc);
insert into platform.monthly values ('system.operation_log');
select platform.scoped('system.operation_log', audited => false, append_only => true);
revoke insert on system.operation_log from kerbline_app;
-- Lines of several enterprises at once, after their answers have gone out.
create function system.log_operations(lines jsonb) returns void language sql security definer set search_path = '' begin atomic
  insert into system.operation_log (enterprise_id, at, author_id, author_name, ip, page, call, target, outcome, status, said, said_en, took_ms, request_id)
  select enterprise, at, author_id, author_name, ip, page, call, target, outcome, status, said, said_en, took_ms, request_id
  from jsonb_to_recordset(lines) as line (enterprise integer, at timestamptz, author_id text, author_name text, ip text, page text, call text, target text, outcome smallint,
    status smallint, said text, said_en text, took_ms integer, request_id text); end;

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

-- What people have set differently from what the product ships. One for the whole installation; a name that is not here has its default.
create table system.configuration (
  name text primary key, value jsonb not null, version integer not null default 1, updated_by text not null, updated_at timestamptz not null default now());
select platform.uncounted('system.configuration');
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
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), regulation_id uuid not null, no integer not null check (no between 1 and 9999),
  sub_no integer not null default 0 check (sub_no between 0 and 99), chapter text,
  content text not null, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  foreign key (enterprise_id, regulation_id) references system.regulation (enterprise_id, id) on delete cascade, unique (enterprise_id, regulation_id, no, sub_no));
create index clause_content on system.clause using gin (content gin_trgm_ops);
select platform.scoped('system.clause');

-- Help about this console, a tree, in both languages; `screen` is the page that an article explains.
create table system.help_page (
  id uuid primary key default uuidv7(), parent_id uuid references system.help_page, title text not null, title_en text not null, content text not null default '', content_en text not null default '',
  screen text check (screen ^@ '/'), sort integer not null default 0, state smallint not null default 1 check (state in (0, 1)), attachments jsonb not null default '[]', author_name text not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), check (parent_id <> id));
select platform.uncounted('system.help_page');
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
grant select on system.dictionary_entry to kerbline_app;

-- The machines that the product runs on, what was measured on them, and when that is worth a person's attention.
create table system.server (
  id uuid primary key default uuidv7(), name text not null unique, os text not null, cpu text not null, cores integer not null, mem_bytes bigint not null,
  disks jsonb not null default '[]', program_started_at timestamptz not null, first_seen_at timestamptz not null default now(), last_seen_at timestamptz not null);
select platform.uncounted('system.server');
select platform.shared('system.server', audited => false);

-- Every 15 s for 7 days. A day is a partition, so that forgetting one is dropping a table and never a long delete.
create table system.server_sample (
  server_id uuid not null, at timestamptz not null, cpu_permille integer, mem_permille integer, disk_permille integer, load_percent integer, net_in_bytes bigint, net_out_bytes bigint,
  program_bytes bigint, program_permille integer, loop_ms integer, db_connections integer, db_permille integer, primary key (server_id, at)) partition by range (at);
create table system.server_sample_rest partition of system.server_sample default;
grant select, insert on system.server_sample to kerbline_app;

-- A measure by its code of the dictionary `server_metric`.
create view system.server_metric with (security_invoker = true) as
  select s.server_id, s.at, m.metric, m.value from system.server_sample s cross join lateral (values
    (1, s.cpu_permille::bigint), (2, s.mem_permille), (3, s.disk_permille), (4, s.load_percent), (5, s.net_in_bytes), (6, s.net_out_bytes),
    (7, s.program_bytes), (8, s.program_permille), (9, s.loop_ms), (10, s.db_connections), (11, s.db_permille)) m(metric, value)
  where m.value is not null;
grant select on system.server_metric to kerbline_app;

-- The same by five minutes, for 90 days.
create table system.server_figure (
  server_id uuid not null, metric smallint not null, at timestamptz not null, mean bigint not null, most bigint not null, samples integer not null,
  primary key (server_id, metric, at));
create index server_figure_at on system.server_figure (at);
select platform.shared('system.server_figure', audited => false);

-- Days made ahead, days forgotten. The tables belong to the owner; the job calls this door.
create function system.tend_samples(of timestamptz, kept interval) returns void language plpgsql security definer set search_path = '' as $$
declare a_day date; name text; old record;
begin
  for i in -8..3 loop
    a_day := (of at time zone 'UTC')::date + i;
    name := 'server_sample_' || to_char(a_day, 'YYYYMMDD');
    if a_day >= (of - kept)::date and to_regclass(format('system.%I', name)) is null then
      begin
        execute format('create table system.%I partition of system.server_sample for values from (%L) to (%L)', name, a_day::text || ' 00:00:00Z', (a_day + 1)::text || ' 00:00:00Z');
      exception when check_violation then null; -- its rows lie in the rest already: they are forgotten there
      end;
    end if;
  end loop;
  for old in select c.relname from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'system.server_sample'::regclass and c.relname ~ '^server_sample_\d{8}$'
        and to_date(right(c.relname, 8), 'YYYYMMDD') + 1 <= ((of - kept) at time zone 'UTC')::date loop
    execute format('drop table system.%I', old.relname);
  end loop;
  delete from system.server_sample_rest where at < of - kept;
end $$;
revoke execute on function system.tend_samples from public;
grant execute on function system.tend_samples to kerbline_app;
select system.tend_samples(now(), interval '7 days');

create table system.alarm_rule (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, metric smallint not null check (metric between 1 and 12),
  op smallint not null check (op in (1, 2, 3)), threshold integer not null, for_min integer not null check (for_min between 0 and 120),
  level smallint not null check (level in (1, 2, 3, 4)), server_ids uuid[] not null default '{}', notify_people uuid[] not null default '{}', notify_roles uuid[] not null default '{}',
  silence_min integer not null check (silence_min between 0 and 1440), enabled boolean not null default true, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (enterprise_id, name));
select platform.scoped('system.alarm_rule');

-- A record keeps its rule as it was. While it is open there is one of a rule and a server.
create table system.alarm_record (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), rule_id uuid not null, rule_name text not null,
  server_id uuid not null, server_name text not null, metric smallint not null check (metric between 1 and 12), op smallint not null check (op in (1, 2, 3)), threshold integer not null,
  level smallint not null check (level in (1, 2, 3, 4)), state smallint not null default 0 check (state in (0, 1, 2)), value bigint not null, most_value bigint not null, last_value bigint not null,
  since timestamptz not null, raised_at timestamptz not null, seen_at timestamptz not null, told boolean not null,
  acknowledged_at timestamptz, acknowledged_by text, note text, recovered_at timestamptz, ending smallint check (ending in (1, 2, 3)), version integer not null default 1);
create unique index alarm_record_open on system.alarm_record (enterprise_id, rule_id, server_id) where state in (0, 2);
create index alarm_record_raised on system.alarm_record (enterprise_id, raised_at desc, id desc);
create index alarm_record_rule on system.alarm_record (enterprise_id, rule_id, server_id, raised_at desc);
-- What moves with every look is no change that anybody made.
select platform.scoped('system.alarm_record', hidden => '{most_value,last_value,seen_at}');

-- Documents that people keep: folders, files in them, and the attachments that hold the bytes. What is deleted waits 30 days.
create table system.folder (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), parent_id uuid, name text not null, remark text,
  author_id text, author_name text not null, deleted_at timestamptz, deleted_by text, deleted_with uuid, version integer not null default 1,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), foreign key (enterprise_id, parent_id) references system.folder (enterprise_id, id), check (parent_id <> id));
create unique index folder_name on system.folder (enterprise_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'), lower(name)) where deleted_at is null;
create index folder_parent on system.folder (enterprise_id, parent_id);
create index folder_deleted on system.folder (enterprise_id, deleted_at) where deleted_at is not null;
select platform.scoped('system.folder');

create table system.document (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), dir_id uuid, name text not null, remark text,
  author_id text, author_name text not null, deleted_at timestamptz, deleted_by text, deleted_with uuid, version integer not null default 1,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), foreign key (enterprise_id, dir_id) references system.folder (enterprise_id, id));
create unique index document_name on system.document (enterprise_id, coalesce(dir_id, '00000000-0000-0000-0000-000000000000'), lower(name)) where deleted_at is null;
create index document_dir on system.document (enterprise_id, dir_id, updated_at desc);
create index document_updated on system.document (enterprise_id, updated_at desc, id desc);
create index document_find on system.document using gin (name gin_trgm_ops);
create index document_deleted on system.document (enterprise_id, deleted_at) where deleted_at is not null;
select platform.scoped('system.document');

-- An attachment has a stored file of its own, so that deleting it takes nothing from whatever else shows the same bytes.
create table system.annexe (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), document_id uuid not null, file_id uuid not null unique references system.file,
  name text not null, author_id text, author_name text not null, bytes integer not null, created_at timestamptz not null default now(),
  foreign key (enterprise_id, document_id) references system.document (enterprise_id, id) on delete cascade);
create index annexe_document on system.annexe (enterprise_id, document_id);
create index annexe_author on system.annexe (enterprise_id, author_id);
select platform.scoped('system.annexe');

-- Sign-ins under a name that nobody has stand in no company's log and in no chain: whoever guesses names does not fill the disk for ever.
create function system.forget_strangers(older interval) returns void language sql security definer set search_path = ''
  begin atomic delete from system.login_log where enterprise_id = 0 and at < now() - older; end;
select platform.binned('system.dictionary_row', title => 'cval');
select platform.binned('system.region', title => 'name', key => 'code');

-- Files and folders that are deleted are marked and keep their place, so that a whole folder comes back as it was; in the bin they stand like everything else, a folder once with all
-- that went with it. Whichever way one is marked, brought back or gone for good, its line in the bin follows.
create function system.marked_away() returns trigger language plpgsql security definer set search_path = '' as $$
declare of_kind text := tg_table_schema || '.' || tg_table_name;
begin
  if old.deleted_at is not null then
    delete from platform.bin b where b.enterprise_id = old.enterprise_id and b.kind = of_kind and b.row_key = old.id::text;
  end if;
  if tg_op = 'UPDATE' and new.deleted_at is not null and coalesce(new.deleted_with, new.id) = new.id then
    insert into platform.bin (enterprise_id, kind, row_key, title, at, author_name, content)
    values (new.enterprise_id, of_kind, new.id::text, new.name, new.deleted_at, new.deleted_by, '{}');
  end if;
  return null;
end $$;
create trigger marked_away after update of deleted_at or delete on system.folder for each row execute function system.marked_away();
create trigger marked_away after update of deleted_at or delete on system.document for each row execute function system.marked_away();
select platform.binned_whole('system.regulation', 'title');
select platform.binned_whole('system.clause', 'content');
select platform.binned_whole('system.alarm_rule', 'name');
-- What all enterprises read, and its ties are made anew.
select platform.binned('system.help_page', title => 'title');
select platform.binned('system.update_note', title => 'title');
select platform.binned('system.dictionary_type', title => 'item');
