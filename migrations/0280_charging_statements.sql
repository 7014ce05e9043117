-- What a partner platform and we say of the same charges: compared by day, settled by month.
insert into ledger.account (code, name, name_en, kind, normal, detail, guarded, position) values
  ('expense.partner-split', '互联平台分成', 'Share of charging partners', 6, 1, 3, false, 615);

create index charge_platform on charging.charge (enterprise_id, platform_id, start_time) where platform_id is not null;
create view charging.partner_bill with (security_invoker = true) as
  select b.enterprise_id, b.id, b.bill_no, b.order_no, c.start_charge_seq, c.platform_id::uuid as platform_id, b.park_code, b.station_id, c.connector_id, b.kind, b.final_at, b.energy_wh, b.elec_fen, b.service_fen,
    b.adjust_fen, b.partner_fen, b.reason
  from charging.bill b join charging.charge c on c.enterprise_id = b.enterprise_id and c.order_no = b.order_no where c.platform_id is not null;
grant select on charging.partner_bill to kerbline_app;

-- One question to a partner: are these the charges of that day? state: 0 asked, 1 they agree, 2 they do not.
create table charging.partner_check (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, day date not null, piece integer not null check (piece > 0), check_seq text not null,
  order_nos text[] not null, order_count integer not null check (order_count > 0), energy_wh bigint not null check (energy_wh >= 0), amount_fen bigint not null check (amount_fen >= 0),
  state smallint not null default 0 check (state in (0, 1, 2)), differences integer not null default 0 check (differences >= 0), answered_at timestamptz, created_at timestamptz not null default now(),
  primary key (enterprise_id, id), unique (enterprise_id, check_seq), unique (enterprise_id, platform_id, day, piece), foreign key (enterprise_id, platform_id) references charging.platform (enterprise_id, id));
create index partner_check_day on charging.partner_check (enterprise_id, day desc, id desc);
select platform.scoped('charging.partner_check', audited => false);

-- A month of a partner. state: 0 draft, 1 sent, 2 with differences, 3 confirmed, 4 settled. Its sums are those of the bills of the month, which never change.
create table charging.statement (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), statement_no text not null, platform_id uuid not null, month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  state smallint not null default 0 check (state between 0 and 4), orders integer not null check (orders >= 0), energy_wh bigint not null check (energy_wh >= 0), elec_fen bigint not null, service_fen bigint not null,
  adjust_fen bigint not null, split_permille smallint not null check (split_permille between 0 and 1000), split_fen bigint not null check (split_fen >= 0),
  net_fen bigint not null generated always as (elec_fen + service_fen + adjust_fen - split_fen) stored, sent_at timestamptz, sender_id text, sender_name text, confirmed_at timestamptz, confirmer_name text,
  settled_at timestamptz, settler_name text, trade_no text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (enterprise_id, id), unique (enterprise_id, statement_no), unique (enterprise_id, platform_id, month), foreign key (enterprise_id, platform_id) references charging.platform (enterprise_id, id));
create index statement_month on charging.statement (enterprise_id, month desc, id desc);
select platform.scoped('charging.statement');

-- kind: 1 they have no such charge, 2 we have none, 3 energy, 4 amount, 5 state. state: 0 open, 1 ours stands, 2 theirs stands.
create table charging.partner_difference (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'), day date not null,
  kind smallint not null check (kind between 1 and 5), start_charge_seq text not null, order_no text, our_wh bigint, their_wh bigint, our_fen bigint, their_fen bigint,
  state smallint not null default 0 check (state in (0, 1, 2)), reason text, bill_no text, closed_at timestamptz, closed_by text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint closed_by_somebody check ((state = 0) = (closed_at is null)), foreign key (enterprise_id, platform_id) references charging.platform (enterprise_id, id));
create unique index partner_difference_open on charging.partner_difference (enterprise_id, platform_id, start_charge_seq) where state = 0;
create index partner_difference_month on charging.partner_difference (enterprise_id, platform_id, month, id);
select platform.scoped('charging.partner_difference');

create view charging.statement_shown with (security_invoker = true) as
  select s.*, p.name as platform_name,
    (select count(*) from charging.partner_difference d where d.enterprise_id = s.enterprise_id and d.platform_id = s.platform_id and d.month = s.month and d.state = 0)::integer as open_differences
  from charging.statement s join charging.platform p on p.enterprise_id = s.enterprise_id and p.id = s.platform_id;
grant select on charging.statement_shown to kerbline_app;

-- These are of charges at all parks together: who has fewer parks sees none of them.
create policy all_parks on charging.statement as restrictive using ((select scope_all_parks()));
create policy all_parks on charging.partner_check as restrictive using ((select scope_all_parks()));
create policy all_parks on charging.partner_difference as restrictive using ((select scope_all_parks()));
