-- Coupons and points.
create schema coupon;
select platform.opened('coupon');

-- What a coupon does. type: 1 amount (fen), 2 time (minutes), 3 discount (‰ that is paid), 4 free, 5 a book of `value` free ones. valid_type: 1 fixed days, 2 so many days from when it was issued.
-- state: 0 draft, 1 enabled, 2 disabled, 3 ended. `made_qty`: put into stock or issued without being sold.
create table coupon.template (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, type smallint not null check (type in (1, 2, 3, 4, 5)),
  value integer not null check (value >= 0), threshold_fen bigint not null default 0 check (threshold_fen >= 0), max_discount_fen bigint check (max_discount_fen > 0),
  park_codes text[] not null default '{}', vehicle_classes smallint[] not null default '{}', time_from text, time_to text,
  valid_type smallint not null check (valid_type in (1, 2)), valid_from date, valid_to date, valid_days integer check (valid_days between 1 and 3650),
  stack_group text, max_per_order integer not null default 1 check (max_per_order between 1 and 3), priority integer not null default 0,
  total_qty integer not null check (total_qty > 0), made_qty integer not null default 0, per_user_limit integer check (per_user_limit > 0), per_day_limit integer check (per_day_limit > 0),
  status smallint not null default 0 check (status in (0, 1, 2, 3)), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), constraint made_within check (made_qty between 0 and total_qty), constraint window_whole check ((time_from is null) = (time_to is null)),
  constraint validity check (case valid_type when 1 then valid_from is not null and valid_to >= valid_from else valid_days is not null end));
create index template_created on coupon.template (enterprise_id, created_at desc, id desc);
select platform.scoped('coupon.template');

-- A template with a price and a stock. audience: 1 merchants, 2 owners. status: 1 on sale, 2 off.
create table coupon.goods (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), template_id uuid not null, name text not null, price_fen bigint not null check (price_fen >= 0),
  stock integer not null default 0 check (stock >= 0), mch_ids uuid[] not null default '{}', audience smallint not null default 1 check (audience in (1, 2)), per_buy_max integer check (per_buy_max > 0),
  status smallint not null default 1 check (status in (1, 2)),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), foreign key (enterprise_id, template_id) references coupon.template (enterprise_id, id));
create index goods_created on coupon.goods (enterprise_id, created_at desc, id desc);
create index goods_template on coupon.goods (enterprise_id, template_id);
select platform.scoped('coupon.goods');

-- How the stock moved. kind: 1 first stock, 2 replenished, 3 sold, 4 given back.
create table coupon.goods_record (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), good_id uuid not null, good_name text not null, kind smallint not null check (kind in (1, 2, 3, 4)),
  qty integer not null check (qty <> 0), stock_after integer not null check (stock_after >= 0), biz_no text, operator_name text not null, at timestamptz not null,
  foreign key (enterprise_id, good_id) references coupon.goods (enterprise_id, id));
create index goods_record_at on coupon.goods_record (enterprise_id, at desc, id desc);
create index goods_record_good on coupon.goods_record (enterprise_id, good_id, at desc);
select platform.scoped('coupon.goods_record', audited => false, append_only => true);

-- Coupons that a merchant bought. What is left of them it may issue or give back; past the last day of their template it expires.
create table coupon.sold_record (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), sold_no text not null, good_id uuid not null, good_name text not null, template_id uuid not null,
  mch_id uuid not null, mch_name text not null, qty integer not null check (qty > 0), left_qty integer not null, returned_qty integer not null default 0 check (returned_qty >= 0), expired_qty integer not null default 0 check (expired_qty >= 0),
  price_fen bigint not null check (price_fen >= 0), amount_fen bigint not null check (amount_fen >= 0), balance_paid_fen bigint not null default 0 check (balance_paid_fen >= 0),
  credit_paid_fen bigint not null default 0 check (credit_paid_fen >= 0), settle_mode smallint not null check (settle_mode in (1, 2)), operator_name text not null, at timestamptz not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, sold_no), unique (enterprise_id, id), constraint left_within check (left_qty >= 0 and left_qty + returned_qty + expired_qty <= qty),
  foreign key (enterprise_id, good_id) references coupon.goods (enterprise_id, id));
create index sold_at on coupon.sold_record (enterprise_id, at desc, id desc);
create index sold_merchant on coupon.sold_record (enterprise_id, mch_id, at desc);
select platform.scoped('coupon.sold_record');

-- One coupon of one car. state: 1 issued, 2 locked by an order, 3 used, 4 expired, 5 withdrawn, 6 given back. `held_fen` is what was paid, or set apart, for it; `take_fen` what the
-- order that holds it takes off. `seq` tells the coupons of one book apart.
create table coupon.coupon (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), coupon_no text not null, template_id uuid not null, name text not null,
  type smallint not null check (type in (1, 2, 3, 4, 5)) constraint a_book_is_issued_as_its_coupons check (type <> 5), value integer not null, sold_id uuid, sold_no text, mch_id uuid, mch_name text, seq smallint not null default 1 check (seq > 0),
  plate_no text not null, plate_color smallint check (plate_color between 0 and 7), state smallint not null default 1 check (state in (0, 1, 2, 3, 4, 5, 6)) constraint stock_is_a_count check (state <> 0),
  valid_from timestamptz not null, valid_to timestamptz not null check (valid_to > valid_from), held_fen bigint not null default 0 check (held_fen >= 0),
  take_fen bigint not null default 0 check (take_fen >= 0), order_id uuid, came_back boolean not null default false, reason text, issued_by text not null, issued_at timestamptz not null, ended_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, coupon_no), unique (enterprise_id, id), constraint locked_by_an_order check ((state = 2) <= (order_id is not null)),
  foreign key (enterprise_id, template_id) references coupon.template (enterprise_id, id), foreign key (enterprise_id, sold_id) references coupon.sold_record (enterprise_id, id));
-- Of a sale a car is given one at a time; one that came back with a refund may stand beside it.
create unique index coupon_once on coupon.coupon (enterprise_id, sold_id, plate_no, seq) where sold_id is not null and state in (1, 2) and not came_back;
create index coupon_plate on coupon.coupon (enterprise_id, plate_no) where state in (1, 2);
create index coupon_order on coupon.coupon (enterprise_id, order_id) where state = 2;
create index coupon_expiry on coupon.coupon (enterprise_id, valid_to) where state = 1;
create index coupon_issued on coupon.coupon (enterprise_id, issued_at desc, id desc);
create index coupon_sold on coupon.coupon (enterprise_id, sold_id) where sold_id is not null;
create index coupon_of_template on coupon.coupon (enterprise_id, template_id, plate_no);
select platform.scoped('coupon.coupon');
select platform.plates_found('coupon.coupon');

-- A coupon is used once: what stands here without having been given back is the only use there is.
create table coupon.use_record (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), coupon_id uuid not null, coupon_no text not null, name text not null, order_id uuid not null,
  stay_id uuid, park_code text not null, plate_no text not null, face_fen bigint not null check (face_fen >= 0), deducted_fen bigint not null check (deducted_fen >= 0), wasted_fen bigint not null check (wasted_fen >= 0),
  held_fen bigint not null check (held_fen >= 0), sold_no text, mch_id uuid, mch_name text, used_at timestamptz not null, returned_at timestamptz,
  foreign key (enterprise_id, coupon_id) references coupon.coupon (enterprise_id, id));
create unique index used_once on coupon.use_record (enterprise_id, coupon_id) where returned_at is null;
create index use_order on coupon.use_record (enterprise_id, order_id);
create index use_at on coupon.use_record (enterprise_id, used_at desc, id desc);
select platform.scoped('coupon.use_record');
select platform.plates_found('coupon.use_record');

-- The colour of the car that a coupon was given to stands beside its plate in the list of uses too.
create view coupon.used with (security_invoker = true) as
  select u.*, o.order_no, c.plate_color from coupon.use_record u
    left join coupon.coupon c on c.enterprise_id = u.enterprise_id and c.id = u.coupon_id
    left join settlement.order o on o.enterprise_id = u.enterprise_id and o.id = u.order_id;
grant select on coupon.used to kerbline_app;

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

-- balance = what the batches hold + what is set apart for payments under way (frozen) - debt = earned - spent - expired - clawed back, always.
create table coupon.points_account (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), phone text not null, name text not null, plates text[] not null default '{}',
  balance bigint not null default 0, debt bigint not null default 0 check (debt >= 0), total_earned bigint not null default 0, total_spent bigint not null default 0,
  total_expired bigint not null default 0, total_clawed bigint not null default 0, frozen bigint not null default 0 check (frozen >= 0), merged_into uuid,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  constraint frozen_within check (frozen <= balance + debt), constraint merged_is_empty check (merged_into is null or (balance = 0 and debt = 0)), unique (enterprise_id, id),
  foreign key (enterprise_id, merged_into) references coupon.points_account (enterprise_id, id), constraint adds_up check (balance = total_earned - total_spent - total_expired - total_clawed));
-- A telephone has one account; what was merged into another stays for its movements.
create unique index points_account_phone on coupon.points_account (enterprise_id, phone) where merged_into is null;
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

-- kind: 1 earned, 2 spent, 3 expired, 4 clawed back, 5 given back, 6 merged.
create table coupon.points_account_detail (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), account_id uuid not null, phone text not null, kind smallint not null check (kind in (1, 2, 3, 4, 5, 6)),
  points bigint not null, balance_after bigint not null, biz_no text not null, batch_id uuid, expire_at timestamptz, memo text, at timestamptz not null,
  foreign key (enterprise_id, account_id) references coupon.points_account (enterprise_id, id));
create index points_detail_at on coupon.points_account_detail (enterprise_id, at desc, id desc);
create index points_detail_account on coupon.points_account_detail (enterprise_id, account_id, at desc, id desc);
create index points_detail_biz on coupon.points_account_detail (enterprise_id, biz_no);
select platform.scoped('coupon.points_account_detail', audited => false, append_only => true);

-- Movements are never changed but for this: of a driver who is erased no telephone stays.
create function coupon.forget_movements(accounts uuid[], pseudonym text) returns void language sql security definer set search_path = '' begin atomic
  update coupon.points_account_detail set phone = pseudonym where enterprise_id = public.scope_enterprise() and account_id = any(accounts); end;
grant execute on function coupon.forget_movements(uuid[], text) to kerbline_app;

-- More points by hand than one person may grant: asked for by one, granted by another. A company without a limit of its own has the product's.
-- state: 0 waiting, 1 granted, 2 rejected, 3 withdrawn.
create table coupon.points_grant (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), account_id uuid not null, points integer not null check (points > 0), reason text not null,
  state smallint not null default 0 check (state in (0, 1, 2, 3)), applicant_id uuid not null, applicant_name text not null, approver_id uuid, approver_name text, verdict text,
  applied_at timestamptz not null, decided_at timestamptz, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  foreign key (enterprise_id, account_id) references coupon.points_account (enterprise_id, id), constraint maker_is_not_checker check (applicant_id is distinct from approver_id));
create index points_grant_applied on coupon.points_grant (enterprise_id, applied_at desc, id desc);
create index points_grant_account on coupon.points_grant (enterprise_id, account_id);
select platform.scoped('coupon.points_grant');
create view coupon.points_grant_line with (security_invoker = true) as
  select g.*, a.name, a.phone from coupon.points_grant g join coupon.points_account a on a.enterprise_id = g.enterprise_id and a.id = g.account_id;
grant select on coupon.points_grant_line to kerbline_app;
create table coupon.points_limit (enterprise_id integer primary key default scope_enterprise(), alone integer not null check (alone between 0 and 1000000));
select platform.scoped('coupon.points_limit', key => 'enterprise_id');

create table coupon.points_goods (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, image text, points_price integer not null check (points_price > 0), cash_fen bigint not null default 0 check (cash_fen >= 0),
  stock integer not null default 0 check (stock >= 0), per_user_limit integer check (per_user_limit > 0), status smallint not null default 1 check (status in (1, 2)), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (enterprise_id, id));
create index points_goods_created on coupon.points_goods (enterprise_id, created_at desc, id desc);
select platform.scoped('coupon.points_goods');

-- state: 0 to be paid, 1 to be delivered, 2 done, 3 cancelled, 4 given back.
create table coupon.points_order (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_no text not null, account_id uuid not null, phone text not null, good_id uuid not null, good_name text not null,
  qty integer not null check (qty > 0), points bigint not null check (points > 0), cash_fen bigint not null default 0 check (cash_fen >= 0), order_id uuid, pay_until timestamptz, state smallint not null default 1 check (state in (0, 1, 2, 3, 4)), reason text, operator_name text not null,
  at timestamptz not null, ended_at timestamptz, constraint cash_by_an_order check ((cash_fen > 0) = (order_id is not null)), constraint unpaid_has_cash check (state <> 0 or cash_fen > 0),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (enterprise_id, order_no),
  foreign key (enterprise_id, account_id) references coupon.points_account (enterprise_id, id), foreign key (enterprise_id, good_id) references coupon.points_goods (enterprise_id, id));
create index points_order_at on coupon.points_order (enterprise_id, at desc, id desc);
create unique index points_order_bill on coupon.points_order (enterprise_id, order_id) where order_id is not null;
create index points_order_account on coupon.points_order (enterprise_id, account_id, good_id);
select platform.scoped('coupon.points_order');

-- A driver's session sees the points of its own telephone alone; what another owner of that number had is with whom they were merged into.
create function coupon.points_of_driver() returns setof uuid stable language sql security definer set search_path = '' begin atomic
  select p.id from owner.account a join coupon.points_account p on p.enterprise_id = a.enterprise_id and p.phone = a.phone and p.merged_into is null where a.enterprise_id = public.scope_enterprise() and a.id = public.scope_driver(); end;
create function coupon.phone_of_driver() returns text stable language sql security definer set search_path = '' begin atomic
  select a.phone from owner.account a where a.enterprise_id = public.scope_enterprise() and a.id = public.scope_driver(); end;
grant execute on function coupon.points_of_driver(), coupon.phone_of_driver() to kerbline_app;
create policy own on coupon.points_account as restrictive using ((select scope_driver() is null) or (phone = (select coupon.phone_of_driver()) and merged_into is null));
create policy own on coupon.points_batch as restrictive using ((select scope_driver() is null) or account_id in (select coupon.points_of_driver()));
create policy own on coupon.points_taken as restrictive using ((select scope_driver() is null) or account_id in (select coupon.points_of_driver()));
create policy own on coupon.points_account_detail as restrictive using ((select scope_driver() is null) or account_id in (select coupon.points_of_driver()));
create policy own on coupon.points_order as restrictive using ((select scope_driver() is null) or account_id in (select coupon.points_of_driver()));

-- A merchant at its own page sees its own sales, coupons and uses.
select merchant.own('coupon.sold_record');
select merchant.own('coupon.coupon');
select merchant.own('coupon.use_record');
-- What cars have had of a template: of every merchant, whoever asks, or one limit would be as many as there are merchants. The coupons of a book count once.
create function coupon.had(template uuid, cars text[], today timestamptz, sale uuid) returns table (plate_no text, times integer, today_times integer, live boolean)
  stable language sql security definer set search_path = '' begin atomic
  select c.plate_no, count(*) filter (where c.seq = 1)::integer, count(*) filter (where c.seq = 1 and c.issued_at >= today)::integer, coalesce(bool_or(c.sold_id = sale and c.state in (1, 2)), false)
    from coupon.coupon c where c.enterprise_id = (select public.scope_enterprise()) and c.template_id = template and c.plate_no = any (cars) and c.state <> 5 group by c.plate_no order by c.plate_no; end;
create index coupon_merchant on coupon.coupon (enterprise_id, mch_id, issued_at desc) where mch_id is not null;
create index sold_of_merchant on coupon.sold_record (enterprise_id, mch_id, at) where left_qty > 0;
create index coupon_of_plate on coupon.coupon (enterprise_id, plate_no, issued_at desc);
