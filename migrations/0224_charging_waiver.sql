-- Parking that a charge takes off: once for a charge, once for a stay. `order_id` is the stay's order that holds it; while it is not used it may be let go again.
create table charging.waiver (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_no text not null, stay_id uuid not null, order_id uuid not null, park_code text not null, reduce_id uuid not null,
  name text not null, amount_fen bigint not null check (amount_fen > 0), used_at timestamptz, created_at timestamptz not null default now(), primary key (enterprise_id, id),
  unique (enterprise_id, order_no), unique (enterprise_id, stay_id),
  foreign key (enterprise_id, order_no) references charging.charge (enterprise_id, order_no));
create index waiver_order on charging.waiver (enterprise_id, order_id);
select platform.scoped('charging.waiver', audited => false);
