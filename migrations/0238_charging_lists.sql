-- Every gun has its code from the beginning.
create trigger qrcode after insert on charging.connector for each row execute function parking.give_qrcode('4', 'connector_id');

create view charging.station_row with (security_invoker = true) as
  select s.*, g.connectors, g.free_connectors, p.strategy_id, p.strategy_name
  from charging.station s
    cross join lateral (select count(*)::integer as connectors, (count(*) filter (where t.status = 1))::integer as free_connectors from charging.connector c
      left join charging.connector_state t on t.enterprise_id = c.enterprise_id and t.connector_id = c.connector_id where c.enterprise_id = s.enterprise_id and c.station_id = s.station_id) g
    left join lateral (select n.id as strategy_id, n.name as strategy_name from charging.station_price x join charging.strategy n on n.enterprise_id = x.enterprise_id and n.id = x.strategy_id
      where x.enterprise_id = s.enterprise_id and x.station_id = s.station_id and x.from_at <= now() and (x.to_at is null or x.to_at > now())) p on true;
grant select on charging.station_row to kerbline_app;

-- Money that was sent back for charges: the rest of an advance goes by itself, the rest by somebody's wish.
create view charging.recharge_refund with (security_invoker = true) as
  select r.id, r.enterprise_id, r.refund_no, o.credited_to as order_no, r.park_code, (case when r.applicant_id is null then 1 else 2 end)::smallint as refund_kind, r.state, r.applied_at, r.finished_at as done_at,
    coalesce(h.hold_fen, 0) as hold_fen, coalesce(h.captured_fen, 0) as used_fen, r.amount_fen as refund_fen, r.applicant_name as applicant, coalesce(r.second_approver_name, r.first_approver_name) as checker
  from settlement.refund r join settlement.order o on o.enterprise_id = r.enterprise_id and o.id = r.order_id
    left join charging.hold h on h.enterprise_id = o.enterprise_id and h.settlement_id = o.id
  where o.type = 5;
grant select on charging.recharge_refund to kerbline_app;

create view charging.bill_line with (security_invoker = true) as
  select b.enterprise_id, b.park_code, b.bill_no, (b.bill_no || '-' || l.n) as id, (l.line ->> 'kind')::smallint as kind, (l.line ->> 'from')::timestamptz as "from", (l.line ->> 'to')::timestamptz as "to",
    (l.line ->> 'wh')::bigint as wh, (l.line ->> 'elecPriceE4')::integer as elec_price_e4, (l.line ->> 'servicePriceE4')::integer as service_price_e4,
    (l.line ->> 'elecFen')::bigint as elec_fen, (l.line ->> 'serviceFen')::bigint as service_fen
  from charging.bill b cross join lateral jsonb_array_elements(b.lines) with ordinality l (line, n);
grant select on charging.bill_line to kerbline_app;
