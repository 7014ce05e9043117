-- A code that a merchant shows on its telephone: whoever scans it first has one coupon of that purchase. It is good for a few minutes, once; only its hash is kept.
create table merchant.code (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), mch_id uuid not null, sold_id uuid not null, code_hash bytea not null unique,
  made_at timestamptz not null, expires_at timestamptz not null, taken_at timestamptz, plate_no text,
  foreign key (enterprise_id, mch_id) references merchant.merchant (enterprise_id, id), check ((taken_at is null) = (plate_no is null)));
create index code_merchant on merchant.code (enterprise_id, mch_id, expires_at);
select platform.scoped('merchant.code', audited => false, hidden => '{code_hash}');
select merchant.own('merchant.code');
