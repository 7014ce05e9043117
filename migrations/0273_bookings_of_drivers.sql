-- What a driver sees of bookings: those of their own telephone, and those of a plate that is verified as theirs, so that a fee is the same whoever asks for it. Payouts are their owner's.
create function share.phone_of_driver() returns text stable language sql security definer set search_path = '' begin atomic
  select a.phone from owner.account a where a.enterprise_id = public.scope_enterprise() and a.id = public.scope_driver(); end;
create function share.plates_of_driver() returns setof text stable language sql security definer set search_path = '' begin atomic
  select c.plate_no from owner.car c where c.enterprise_id = public.scope_enterprise() and c.owner_id = public.scope_driver() and c.verify_state = 1; end;
grant execute on function share.phone_of_driver(), share.plates_of_driver() to kerbline_app;
create policy own on share.booking as restrictive using ((select scope_driver()) is null or phone = (select share.phone_of_driver()) or plate_no in (select share.plates_of_driver()));
create policy own on share.payout as restrictive using ((select scope_driver()) is null or owner_id = (select scope_driver()));
create policy own on share.ban as restrictive using ((select scope_driver()) is null or phone = (select share.phone_of_driver()) or plate_no in (select share.plates_of_driver()));
-- The calendar of bookings by telephone, for the driver's list.
create index booking_phone on share.booking (enterprise_id, phone, start_at desc);
