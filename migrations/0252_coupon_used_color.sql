-- The colour of the car that a coupon was given to stands beside its plate in the list of uses too.
create or replace view coupon.used with (security_invoker = true) as
  select u.*, o.order_no, c.plate_color from coupon.use_record u
    join coupon.coupon c on c.enterprise_id = u.enterprise_id and c.id = u.coupon_id
    left join settlement.order o on o.enterprise_id = u.enterprise_id and o.id = u.order_id;
