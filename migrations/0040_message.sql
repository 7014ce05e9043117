create schema message;
select platform.opened('message');

-- Messages to people through channels: what is told (template), through what (channel), to whom (task, record), and what came of it (attempt).

-- How an enterprise wants its people disturbed. Times are of the city; from 22:00 to 08:00 crosses midnight.
create table message.rule (
  enterprise_id integer primary key default scope_enterprise(), quiet_from text not null default '22:00' check (quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  quiet_to text not null default '08:00' check (quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'), quiet boolean not null default true,
  recipient_day_cap integer not null default 20 check (recipient_day_cap between 1 and 10000), enterprise_day_cap integer not null default 20000 check (enterprise_day_cap between 1 and 10000000),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
select platform.scoped('message.rule', key => 'enterprise_id');

create table message.channel (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null,
  type smallint not null check (type in (1, 2, 3, 4, 5, 6, 7, 8)), url text, host text, port integer check (port between 1 and 65535), tls boolean not null default false,
  account text, sender text, secret text, has_secret boolean not null generated always as (secret is not null) stored,
  rate_per_sec integer not null default 10 check (rate_per_sec between 1 and 1000), day_cap integer not null default 10000 check (day_cap between 1 and 10000000),
  status smallint not null default 1 check (status in (1, 2)), backup_channel_id uuid, remark text,
  -- From when on the next message may leave, so that no more than the rate leave in a second, whoever sends them.
  free_at timestamptz not null default 'epoch', deleted boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), foreign key (enterprise_id, backup_channel_id) references message.channel (enterprise_id, id), check (backup_channel_id <> id));
create unique index channel_name on message.channel (enterprise_id, name) where not deleted;
create unique index channel_inner on message.channel (enterprise_id) where type = 1 and not deleted;
create index channel_newest on message.channel (enterprise_id, created_at, id);
create index channel_backup on message.channel (enterprise_id, backup_channel_id);
select platform.scoped('message.channel', hidden => '{secret,free_at}');

create table message.template (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), code text not null check (code ~ '^[a-z][a-z0-9._-]{1,63}$'), name text not null,
  kind smallint not null check (kind in (1, 2, 3, 4, 5)), channel_type smallint not null check (channel_type in (1, 2, 3, 4, 5, 6, 7, 8)),
  title text not null default '', title_en text not null default '', content text not null, content_en text not null default '', vars jsonb not null default '[]',
  sign_name text, third_template_id text, state smallint not null default 0 check (state in (0, 1, 2)), remark text, deleted boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (enterprise_id, id));
create unique index template_code on message.template (enterprise_id, code) where not deleted;
create index template_newest on message.template (enterprise_id, created_at, id);
select platform.scoped('message.template');

create table message.task (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, template_id uuid not null, channel_id uuid not null,
  audience jsonb not null, vars jsonb not null default '{}', urgent boolean not null default false, plan_at timestamptz, state smallint not null default 0 check (state in (0, 1, 2, 3, 4, 5, 6)),
  total integer not null default 0, started_at timestamptz, finished_at timestamptz, failure text, author_id uuid, author_name text not null default '',
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (enterprise_id, id),
  foreign key (enterprise_id, template_id) references message.template (enterprise_id, id), foreign key (enterprise_id, channel_id) references message.channel (enterprise_id, id));
create index task_newest on message.task (enterprise_id, created_at desc, id desc);
create index task_template on message.task (enterprise_id, template_id);
create index task_channel on message.task (enterprise_id, channel_id);
create index task_open on message.task (enterprise_id, plan_at) where state in (1, 2);
select platform.scoped('message.task');

create table message.record (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), task_id uuid, template_id uuid, template_code text,
  first_channel_id uuid not null, channel_id uuid not null, channel_type smallint not null check (channel_type in (1, 2, 3, 4, 5, 6, 7, 8)), kind smallint not null default 1 check (kind in (1, 2, 3, 4, 5)), urgent boolean not null default false,
  cust_id uuid, to_name text not null default '', address text, to_shown text not null default '',
  title text not null default '', title_en text not null default '', content text not null default '', content_en text not null default '', link text check (link ^@ '/'),
  third jsonb, dedupe text, concerns text,
  send_state smallint not null default 0 check (send_state in (0, 1, 2, 3, 4, 5, 6)), read_state smallint not null default 0 check (read_state in (0, 1)), read_at timestamptz,
  retries smallint not null default 0, round smallint not null default 1, backup boolean not null default false, waits smallint check (waits in (1, 2, 3, 4)), error text,
  next_at timestamptz, sent_at timestamptz, finished_at timestamptz, hidden boolean not null default false, deleted boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (enterprise_id, id),
  foreign key (enterprise_id, task_id) references message.task (enterprise_id, id), foreign key (enterprise_id, channel_id) references message.channel (enterprise_id, id),
  check ((next_at is not null) = (send_state in (0, 1))));
-- The same thing is told to the same person once, however often it is asked for.
create unique index record_once on message.record (enterprise_id, dedupe) where dedupe is not null;
create index record_inbox on message.record (enterprise_id, cust_id, created_at desc, id desc) where channel_type = 1 and send_state = 2;
create index record_unread on message.record (enterprise_id, cust_id) where channel_type = 1 and send_state = 2 and read_state = 0;
-- What asks for something to be done, until it is done.
create index record_concerns on message.record (enterprise_id, concerns) where concerns is not null and channel_type = 1 and send_state = 2 and read_state = 0;
-- The same, of what has not gone out yet.
create index record_concern_waits on message.record (enterprise_id, concerns) where concerns is not null and send_state = 0;
create index record_newest on message.record (enterprise_id, created_at desc, id desc);
create index record_inner on message.record (enterprise_id, created_at desc, id desc) where channel_type = 1;
create index record_task on message.record (enterprise_id, task_id, send_state);
create index record_channel on message.record (enterprise_id, channel_id, created_at desc);
create index record_due on message.record (enterprise_id, next_at) where send_state in (0, 1);
select platform.scoped('message.record', audited => false);

-- One try to bring a record to its channel. Its key is the same for every try of one round, so that a provider sends it once.
create table message.attempt (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), record_id uuid not null, channel_id uuid not null, channel_name text not null,
  key text not null, backup boolean not null default false, outcome smallint not null default 0 check (outcome in (0, 1, 2, 3, 4, 5)), answer text, provider_no text, ms integer,
  at timestamptz not null, ended_at timestamptz, foreign key (enterprise_id, record_id) references message.record (enterprise_id, id));
create index attempt_record on message.attempt (enterprise_id, record_id, at);
select platform.scoped('message.attempt', audited => false);

-- How much left today: of a channel, to one address, of the enterprise.
create table message.counter (
  enterprise_id integer not null default scope_enterprise(), of text not null, day date not null, n integer not null, primary key (enterprise_id, of, day));
select platform.scoped('message.counter', audited => false, key => 'of');

-- Kinds of messages that a person does not want.
create table message.unsubscribed (
  enterprise_id integer not null default scope_enterprise(), person_id uuid not null, kind smallint not null check (kind in (1, 2, 3, 4)), at timestamptz not null default now(),
  primary key (enterprise_id, person_id, kind));
select platform.scoped('message.unsubscribed', key => 'person_id');

create table message.news (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), title text not null, content text not null default '',
  type smallint not null default 1 check (type in (1, 2, 3)), top boolean not null default false, status smallint not null default 0 check (status in (0, 1, 2)),
  publish_at timestamptz, author_name text not null default '',
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
create index news_newest on message.news (enterprise_id, created_at desc, id desc);
create index news_shown on message.news (enterprise_id, top desc, publish_at desc) where status = 1;
select platform.scoped('message.news');
select platform.binned_by_mark('message.channel');
select platform.binned_by_mark('message.template');
