-- Coupons and points.
create schema coupon;
select platform.opened('coupon');
