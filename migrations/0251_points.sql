-- Points. A point is worth a fen: what drivers hold is a liability of the same amount, kept by account.
-- event: 1 parking fee, 2 charging, 3 pass, 4 check-in, 5 registration, 6 imported. expire_type: 1 on 31 December of the next year, 2 after so many months.
create table coupon.points_rule (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, event smallint not null check (event in (1, 2, 3, 4, 5, 6)),
  ratio integer not null check (ratio > 0), round_down boolean not null default true, day_cap integer check (day_cap > 0), month_cap integer check (month_cap > 0),
  multiplier integer not null default 1000 check (multiplier between 1000 and 10000), multiplier_from text, multiplier_to text, park_codes text[] not null default '{}', additive boolean not null default false,
  start_at timestamptz not null, end_at timestamptz not null check (end_at > start_at), priority integer not null default 0, expire_type smallint not null default 1 check (expire_type in (1, 2)),
  expire_months integer check (expire_months between 1 and 120), stopped boolean not null default false, used boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, name), check ((multiplier_from is null) = (multiplier_to is null)), check (expire_type = 1 or expire_months is not null));
create index points_rule_created on coupon.points_rule (enterprise_id, created_at desc, id desc);
create index points_rule_event on coupon.points_rule (enterprise_id, event, end_at);
select platform.scoped('coupon.points_rule');
create view coupon.points_ruled with (security_invoker = true) as
  select r.*, (case when r.stopped then 3 when r.start_at > now() then 0 when r.end_at <= now() then 2 else 1 end)::smallint as status from coupon.points_rule r;
grant select on coupon.points_ruled to kerbline_app;

-- Which parks' fees earn points, where points pay, and how much of a fee at most.
create table coupon.points_park (
  enterprise_id integer not null default scope_enterprise(), park_code text not null, earn boolean not null, spend boolean not null, cap_permille integer not null check (cap_permille between 0 and 1000),
  primary key (enterprise_id, park_code));
select platform.scoped('coupon.points_park', key => 'park_code');

-- balance = what the batches hold - debt = earned - spent - expired - clawed back, always.
create table coupon.points_account (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), phone text not null, name text not null, plates text[] not null default '{}',
  balance bigint not null default 0, debt bigint not null default 0 check (debt >= 0), total_earned bigint not null default 0, total_spent bigint not null default 0,
  total_expired bigint not null default 0, total_clawed bigint not null default 0,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, phone), unique (enterprise_id, id), constraint adds_up check (balance = total_earned - total_spent - total_expired - total_clawed));
create index points_account_created on coupon.points_account (enterprise_id, created_at desc, id desc);
create index points_account_plates on coupon.points_account using gin (plates);
select platform.scoped('coupon.points_account');

create table coupon.points_batch (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), account_id uuid not null, rule_id uuid, biz_no text not null,
  points bigint not null check (points > 0), remaining bigint not null, clawed bigint not null default 0 check (clawed between 0 and points), expire_at timestamptz not null, at timestamptz not null,
  constraint remaining_within check (remaining between 0 and points), unique (enterprise_id, id),
  foreign key (enterprise_id, account_id) references coupon.points_account (enterprise_id, id));
create unique index points_earned_once on coupon.points_batch (enterprise_id, account_id, biz_no, coalesce(rule_id, account_id));
create index points_batch_spend on coupon.points_batch (enterprise_id, account_id, expire_at, id) where remaining > 0;
create index points_batch_expiry on coupon.points_batch (enterprise_id, expire_at) where remaining > 0;
create index points_batch_biz on coupon.points_batch (enterprise_id, biz_no);
select platform.scoped('coupon.points_batch', audited => false);

-- Out of which batches something was paid, so that what comes back goes back there.
create table coupon.points_taken (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), account_id uuid not null, biz_no text not null, batch_id uuid not null,
  points bigint not null check (points > 0), returned bigint not null default 0, constraint returned_within check (returned between 0 and points),
  foreign key (enterprise_id, batch_id) references coupon.points_batch (enterprise_id, id));
create index points_taken_biz on coupon.points_taken (enterprise_id, account_id, biz_no);
select platform.scoped('coupon.points_taken', audited => false);

-- kind: 1 earned, 2 spent, 3 expired, 4 clawed back, 5 given back.
create table coupon.points_account_detail (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), account_id uuid not null, phone text not null, kind smallint not null check (kind in (1, 2, 3, 4, 5)),
  points bigint not null, balance_after bigint not null, biz_no text not null, batch_id uuid, expire_at timestamptz, memo text, at timestamptz not null,
  foreign key (enterprise_id, account_id) references coupon.points_account (enterprise_id, id));
create index points_detail_at on coupon.points_account_detail (enterprise_id, at desc, id desc);
create index points_detail_account on coupon.points_account_detail (enterprise_id, account_id, at desc, id desc);
create index points_detail_biz on coupon.points_account_detail (enterprise_id, biz_no);
select platform.scoped('coupon.points_account_detail', audited => false, append_only => true);

create table coupon.points_goods (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, image text, points_price integer not null check (points_price > 0),
  stock integer not null default 0 check (stock >= 0), per_user_limit integer check (per_user_limit > 0), status smallint not null default 1 check (status in (1, 2)), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (enterprise_id, id));
create index points_goods_created on coupon.points_goods (enterprise_id, created_at desc, id desc);
select platform.scoped('coupon.points_goods');

-- state: 0 to be paid, 1 to be delivered, 2 done, 3 cancelled, 4 given back.
create table coupon.points_order (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_no text not null, account_id uuid not null, phone text not null, good_id uuid not null, good_name text not null,
  qty integer not null check (qty > 0), points bigint not null check (points > 0), state smallint not null default 1 check (state in (0, 1, 2, 3, 4)), reason text, operator_name text not null,
  at timestamptz not null, ended_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (enterprise_id, order_no),
  foreign key (enterprise_id, account_id) references coupon.points_account (enterprise_id, id), foreign key (enterprise_id, good_id) references coupon.points_goods (enterprise_id, id));
create index points_order_at on coupon.points_order (enterprise_id, at desc, id desc);
create index points_order_account on coupon.points_order (enterprise_id, account_id, good_id);
select platform.scoped('coupon.points_order');
update ledger.account set detail = 3 where code = 'liability.points';
