-- Money of shared bays by its kinds, so that what came in is never summed with what went out; and what the bank said of a payout that was granted.
alter table share.payout add column transfer_no text, add column settled_name text, add column failure text;
-- It lies in the park where the owner's newest bay is, so that people of other parks do not see it.
alter table share.payout add column park_code text;
update share.payout p set park_code = (select o.park_code from share.offer o where o.enterprise_id = p.enterprise_id and o.owner_id = p.owner_id order by o.created_at desc limit 1);
alter table share.payout alter column park_code set not null;
create policy parks on share.payout as restrictive to kerbline_parks using (park_code = (select scope_park()) or park_code = any ((select scope_parks())::text[]));
alter table share.payout add constraint paid_at_bank check (state <> 3 or (paid_at is not null and transfer_no is not null)) not valid;
alter table share.payout add constraint failed_why check (state <> 4 or failure is not null);

create or replace view share.pay_line with (security_invoker = true) as
  with line as (
    select p.id, p.enterprise_id, case when b.order_id = p.order_id then 1 else 2 end::smallint as kind, b.booking_no, b.park_code, b.seat_no, b.plate_no, o.order_no as bill_no, p.received_fen as amount_fen, p.pay_method, p.paid_at as at, null::text as owner_name
    from share.booking b join settlement.order o on o.enterprise_id = b.enterprise_id and o.id = any (b.earlier_over || array[b.order_id, b.over_order_id])
      join settlement.payment p on p.enterprise_id = o.enterprise_id and p.order_id = o.id and p.state = 1 and p.paid_at is not null where b.offer_id is not null
    union all
    select f.id, f.enterprise_id, 3::smallint, b.booking_no, b.park_code, b.seat_no, b.plate_no, f.refund_no, f.amount_fen, p.pay_method, f.finished_at, null
    from share.booking b join settlement.refund f on f.enterprise_id = b.enterprise_id and f.order_id = any (b.earlier_over || array[b.order_id, b.over_order_id]) and f.state = 3 and f.finished_at is not null
      join settlement.payment p on p.enterprise_id = f.enterprise_id and p.id = f.payment_id where b.offer_id is not null
    union all
    select b.id, b.enterprise_id, 4::smallint, b.booking_no, b.park_code, b.seat_no, b.plate_no, b.booking_no, b.split_fen, null, b.split_at, o.owner_name
    from share.booking b join share.offer o on o.enterprise_id = b.enterprise_id and o.id = b.offer_id where b.split_fen > 0 and b.split_at is not null
    union all
    select y.id, y.enterprise_id, 5::smallint, y.payout_no, y.park_code, null, null, y.payout_no, y.amount_fen, null, y.paid_at, y.owner_name from share.payout y where y.state = 3 and y.paid_at is not null)
  select line.*, case when kind in (1, 2) then amount_fen else 0 end::bigint as received_fen, case kind when 3 then amount_fen else 0 end::bigint as returned_fen,
    case kind when 4 then amount_fen else 0 end::bigint as split_fen, case kind when 5 then amount_fen else 0 end::bigint as paid_out_fen
  from line;
