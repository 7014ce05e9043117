-- All that is known of one plate, telephone or number is asked for while somebody waits: each kind of record is found by an index.
create index decision_plate on parking.decision (enterprise_id, plate_no, received_at desc);
create index etc_deduct_plate on arrears.etc_deduct (enterprise_id, plate_no, trade_time desc);
create index binding_device on roadside.binding (enterprise_id, device_no, from_at desc);
create index binding_of_seat on roadside.binding (enterprise_id, seat_code, from_at desc);
create index warning_device on device.warning (enterprise_id, device_no, last_at desc);
create index coupon_of_plate on coupon.coupon (enterprise_id, plate_no, issued_at desc);
