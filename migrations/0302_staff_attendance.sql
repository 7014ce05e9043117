-- What collectors reported, and what they took.
create index payment_shift on settlement.payment (enterprise_id, shift_id) where shift_id is not null;
create index shift_person on settlement.shift (enterprise_id, person_id, opened_at desc);

-- Reports of where somebody was. kind: 1 in, 2 out, 3 a granted card, 4 money taken, which has no place of its own.
create view staff.report with (security_invoker = true) as
  select k.id, k.enterprise_id, k.park_code, c.toll_no, k.at, case when k.source = 3 then 3 else k.kind end::smallint as kind, k.place_code, k.in_fence, k.dist_m, k.lng, k.lat, k.image, null::text as biz_no
  from staff.card k join staff.collector c on c.enterprise_id = k.enterprise_id and c.id = k.collector_id
  union all
  select p.id, p.enterprise_id, p.park_code, c.toll_no, p.paid_at, 4::smallint, p.park_code, null, null, null, null, null, p.pay_no
  from staff.collector c join settlement.shift s on s.enterprise_id = c.enterprise_id and s.person_id = c.person_id
  join settlement.payment p on p.enterprise_id = s.enterprise_id and p.shift_id = s.id where p.paid_at is not null;
grant select on staff.report to kerbline_app;

-- A cash shift with what was taken and given back in it. Its day is the one on which it was opened; its cash is what stands on its sub-account of the ledger.
create view staff.till with (security_invoker = true) as
  select s.id, s.enterprise_id, s.shift_no, s.state, s.opened_at, s.closed_at, (s.opened_at at time zone 'Asia/Shanghai')::date as work_date, s.opening_float_fen,
    c.toll_no, coalesce(c.name, s.person_name) as name, c.group_id, c.park_code, m.orders, m.receivable_fen, m.cash_fen + m.scan_fen as paid_fen, m.cash_fen, m.scan_fen,
    b.cash_out_fen + m.scan_refund_fen as refund_fen, m.cash_fen + m.scan_fen - b.cash_out_fen - m.scan_refund_fen as net_fen, b.cash_in_fen, b.cash_out_fen,
    s.opening_float_fen + b.cash_in_fen - b.cash_out_fen as expected_fen
  from settlement.shift s left join staff.collector c on c.enterprise_id = s.enterprise_id and c.person_id = s.person_id
  cross join lateral (select count(*)::integer as orders, coalesce(sum(p.amount_fen), 0)::bigint as receivable_fen, coalesce(sum(p.received_fen) filter (where p.channel = 'cash'), 0)::bigint as cash_fen,
      coalesce(sum(p.received_fen) filter (where p.channel <> 'cash'), 0)::bigint as scan_fen, coalesce(sum(p.refund_fen) filter (where p.channel <> 'cash'), 0)::bigint as scan_refund_fen
    from settlement.payment p where p.enterprise_id = s.enterprise_id and p.shift_id = s.id and p.received_fen > 0) m
  cross join lateral (select coalesce(sum(l.debit_fen), 0)::bigint as cash_in_fen, coalesce(sum(l.credit_fen), 0)::bigint as cash_out_fen
    from ledger.balance l where l.enterprise_id = s.enterprise_id and l.account = 'asset.cash' and l.sub = s.id::text) b;
grant select on staff.till to kerbline_app;
