-- What a driver sees of passes: those of their own telephone, and those that cover a plate that is verified as theirs, whole, so that a fee is the same whoever asks for it.
create function member.customer_of_driver() returns uuid stable language sql security definer set search_path = '' begin atomic
  select c.id from owner.account a join member.customer c on c.enterprise_id = a.enterprise_id and c.phone = a.phone where a.enterprise_id = public.scope_enterprise() and a.id = public.scope_driver(); end;
create function member.passes_of_driver() returns setof uuid stable language sql security definer set search_path = '' begin atomic
  select p.id from member.pass p where p.enterprise_id = public.scope_enterprise() and p.member_id = member.customer_of_driver()
  union select x.pass_id from owner.car c join member.pass_car x on x.enterprise_id = c.enterprise_id and x.plate_no = c.plate_no and (x.plate_color is null or x.plate_color = c.plate_color)
    where c.enterprise_id = public.scope_enterprise() and c.owner_id = public.scope_driver() and c.verify_state = 1; end;
grant execute on function member.customer_of_driver(), member.passes_of_driver() to kerbline_app;
create policy own on member.customer as restrictive using ((select scope_driver()) is null or id = (select member.customer_of_driver()));
create policy own on member.car as restrictive using ((select scope_driver()) is null or member_id = (select member.customer_of_driver()));
create policy own on member.pass as restrictive using ((select scope_driver()) is null or id in (select member.passes_of_driver()));
create policy own on member.pass_car as restrictive using ((select scope_driver()) is null or pass_id in (select member.passes_of_driver()));
create policy own on member.period as restrictive using ((select scope_driver()) is null or pass_id in (select member.passes_of_driver()));
create policy own on member.freeze as restrictive using ((select scope_driver()) is null or pass_id in (select member.passes_of_driver()));
