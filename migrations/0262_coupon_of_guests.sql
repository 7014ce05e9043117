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
