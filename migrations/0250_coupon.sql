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

-- Coupons that a merchant bought. What is left of them it may issue or give back.
create table coupon.sold_record (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), sold_no text not null, good_id uuid not null, good_name text not null, template_id uuid not null,
  mch_id uuid not null, mch_name text not null, qty integer not null check (qty > 0), left_qty integer not null, returned_qty integer not null default 0 check (returned_qty >= 0),
  price_fen bigint not null check (price_fen >= 0), amount_fen bigint not null check (amount_fen >= 0), balance_paid_fen bigint not null default 0 check (balance_paid_fen >= 0),
  credit_paid_fen bigint not null default 0 check (credit_paid_fen >= 0), settle_mode smallint not null check (settle_mode in (1, 2)), operator_name text not null, at timestamptz not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, sold_no), unique (enterprise_id, id), constraint left_within check (left_qty >= 0 and left_qty + returned_qty <= qty),
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
  take_fen bigint not null default 0 check (take_fen >= 0), order_id uuid, reason text, issued_by text not null, issued_at timestamptz not null, ended_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, coupon_no), unique (enterprise_id, id), constraint locked_by_an_order check ((state = 2) <= (order_id is not null)),
  foreign key (enterprise_id, template_id) references coupon.template (enterprise_id, id), foreign key (enterprise_id, sold_id) references coupon.sold_record (enterprise_id, id));
create unique index coupon_once on coupon.coupon (enterprise_id, sold_id, plate_no, seq) where sold_id is not null and state in (1, 2);
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
create view coupon.used with (security_invoker = true) as
  select u.*, o.order_no from coupon.use_record u left join settlement.order o on o.enterprise_id = u.enterprise_id and o.id = u.order_id;
grant select on coupon.used to kerbline_app;
