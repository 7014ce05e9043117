-- Money that nobody asked for is somebody's work: who sees to it, until it has gone back. Only of such money, and of a person who is known by name.
alter table settlement.payment add column owner_id uuid, add column owner_name text, add column owned_at timestamptz;
alter table settlement.payment add constraint owned_if_unasked check (owner_id is null or state in (4, 5, 6)),
  add constraint owner_whole check (num_nonnulls(owner_id, owner_name, owned_at) in (0, 3));
create or replace view settlement.payment_line with (security_invoker = true) as
  select p.enterprise_id, p.id, p.order_id, o.order_no, o.type, o.plate_no, o.plate_color, p.park_code, p.pay_no, p.pay_method, p.channel, p.trade_no, p.amount_fen, p.received_fen,
    p.refund_fen, o.receivable_fen, o.discount_fen, p.state, p.paid_at, p.operator_name, p.shift_id, p.version, p.owner_id, p.owner_name, p.owned_at
  from settlement.payment p join settlement.order o on o.enterprise_id = p.enterprise_id and o.id = p.order_id
  where p.trade_no is not null and (o.type <> 2 or p.state <> 1)
  union all
  select a.enterprise_id, a.id, a.order_id, o.order_no, o.type, o.plate_no, o.plate_color, a.park_code, p.pay_no, p.pay_method, p.channel, p.trade_no, a.amount_fen, a.amount_fen,
    a.refund_fen, o.receivable_fen, o.discount_fen, p.state, p.paid_at, p.operator_name, p.shift_id, p.version, p.owner_id, p.owner_name, p.owned_at
  from settlement.allocation a join settlement.payment p on p.enterprise_id = a.enterprise_id and p.id = a.payment_id
    join settlement.order o on o.enterprise_id = a.enterprise_id and o.id = a.order_id
  where a.repay_id is not null;
